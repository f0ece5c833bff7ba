"""
What ranks how: the formulas and their weights, in whole numbers, so that every platform gives the same order.

``score = own x coverage + support of neighbours + share of the episode``

Effects are R@5 / R@10 on the turns of LoCoMo, 1,055 questions, against .674 / .762 for all parts together (half of a
percentage point is noise there; `bench/locomo.py` measures).
"""

from collections.abc import Iterable, Sequence
from typing import Final

__all__ = ["NEIGHBOURS", "POOL", "REACH", "TERMS", "covered", "episode_share", "information", "occurrence", "support"]

BITS: Final = 16
"""Fractional bits of `information`: finer than any difference that a corpus of 2^40 memories can make."""

UNIT: Final = 1024
"""One full occurrence in `occurrence`. Ten bits keep every sum of 128 terms below 2^40, room for a kernel of 64 bits."""

SATURATION: Final = 90
"""BM25's k1 in hundredths. 0.9 beats the usual 1.2 on short texts, where a repeat says little (.672 / .762 with 1.2)."""

LENGTH: Final = 40
"""BM25's b in hundredths. Half the usual 0.75: short memories are not better memories (.670 / .762 with 0.75)."""

POOL: Final = 64
"""How many of the best by own score give support. Flat from 24 upwards; 64 leaves room for longer episodes."""

NEIGHBOURS: Final = (50, 25, 10)
"""
Support in percent of a neighbour's own score, at distance 1, 2, 3 in the episode; of the two sides the better counts.

A question's answer is often the next line: without it .597 / .685. The sum of both sides gives .667 / .757.
"""

REACH: Final = len(NEIGHBOURS)
"""How many places away support reaches."""

EPISODE: Final = 30
"""Percent of the information of all query terms found in an episode, for each of its memories (.661 / .741 without)."""

TERMS: Final = 128
"""Most terms found in the memories that are searched, the rarest first: nobody asks more, and a pasted page stays cheap."""


def log2(numerator: int, denominator: int) -> int:
    """
    The binary logarithm of a fraction of at least 1, rounded down, times 2^16. By squaring: no libm, no float.

    Source: the digit-by-digit method (Knuth, TAOCP 1, section 1.2.2, exercise 25 and its answer's binary form).
    """
    whole = (numerator // denominator).bit_length() - 1
    # 30 fractional bits: squares stay below 2^62, and the error stays below the last of the 16 bits given back.
    mantissa = (numerator << 30) // (denominator << whole)
    result = whole
    for _ in range(BITS):
        mantissa = mantissa * mantissa >> 30
        result <<= 1
        if mantissa >= 1 << 31:
            mantissa >>= 1
            result |= 1
    return result


def information(count: int, frequency: int) -> int:
    """
    What finding a term tells, in bits x 2^16: log2((count + 1) / (frequency + 1/2)).

    Args:
        count: Visible memories.
        frequency: How many of them hold the term, at most *count*.

    Source:
        Robertson & Zaragoza 2009, with Lucene's shift that keeps it positive; binary instead of natural logarithm, which
        scales all scores alike.
    """
    # At least 1: a term that every memory holds still tells a match from none.
    return max(1, log2(2 * count + 2, 2 * frequency + 1))


def occurrence(times: int, length: int, count: int, total: int) -> int:
    """
    How much *times* occurrences in a text of *length* terms count, in `UNIT`: BM25's saturation and length.

    Args:
        times: At least 1.
        length: Terms in the memory.
        count: Visible memories.
        total: Terms in all of them, at least 1.
    """
    return (UNIT * (100 + SATURATION) * times * total * 100) // (
        10_000 * times * total + SATURATION * ((100 - LENGTH) * total + LENGTH * length * count)
    )


def covered(points: int, found: int, asked: int) -> int:
    """A memory's own score: its *points*, of which half depend on the share of the query's information it holds."""
    return points * (asked + found) // (2 * asked)


def support(before: Sequence[int], after: Sequence[int]) -> int:
    """
    What neighbours add.

    Args:
        before: Own scores of the givers before it, nearest first; 0 where one gives nothing. Any length.
        after: The same after it.
    """
    total = 0
    for place, weight in enumerate(NEIGHBOURS):
        left = before[place] if place < len(before) else 0
        right = after[place] if place < len(after) else 0
        total += weight * max(left, right) // 100
    return total


def episode_share(information_found: Iterable[int]) -> int:
    """What an episode adds to each of its memories, from the information of the distinct query terms its givers hold."""
    return EPISODE * sum(information_found) // 100
