"""
Overlapping pairs of characters, for scripts that do not part their words.

A word of two characters or more shares its pairs with any sentence that holds it. A word of one character does not, and
giving every character to every text would make a question about Beijing (北京) find Tokyo (东京). So single characters
are given where they may be words: alone, in a stretch long enough to be a sentence, or before a Korean particle.
"""

import re
from collections.abc import Iterator
from operator import add
from typing import Final

from reminisce.adapters.analysers.scripts import HAN, HANGUL
from reminisce.adapters.analysers.stopwords import HAN_FUNCTION, HANGUL_PARTICLES

__all__ = ["of"]

LONGEST_WORD: Final = 4
"""Han characters. Words and set phrases have up to four; a longer stretch is taken for a sentence. Our choice."""

SHORTEST_CLAUSE: Final = 3
"""Han characters. From here on, a function character within shows a clause: 我有猫 is one, 目的 is a word."""

_HAN_STRETCH: Final = re.compile(f"{HAN}++")


def of(run: str, classes: str, stop_pairs: frozenset[str]) -> list[str]:
    """
    The terms of one run of characters without spaces.

    Args:
        run:
            N >= 1 characters.

        classes:
            Their classes, N too.

        stop_pairs:
            Pairs to leave out. When empty, function characters stay, too.

    Returns:
        N - 1 pairs in order, less the stop pairs, then single characters. For N = 1 that one.
    """
    if len(run) == 1:
        return [] if stop_pairs and run in HAN_FUNCTION else [run]
    shared: dict[str, str] = {}  # One string a pair, however often it occurs: a query may repeat one for a megabyte.
    terms = [shared.setdefault(pair, pair) for pair in map(add, run, run[1:]) if not _is_stop(pair, stop_pairs)]
    terms += _hangul_singles(run) if classes[0] == HANGUL else _han_singles(run, classes)
    return terms


def _is_stop(pair: str, stop_pairs: frozenset[str]) -> bool:
    return bool(stop_pairs) and (pair in stop_pairs or (pair[0] in HAN_FUNCTION and pair[1] in HAN_FUNCTION))


def _han_singles(run: str, classes: str) -> Iterator[str]:
    """The characters that may be words: one between kana, or those of a clause that are not function characters."""
    for stretch in _HAN_STRETCH.finditer(classes):
        characters = run[stretch.start() : stretch.end()]
        if len(characters) == 1 or _is_clause(characters):
            yield from (character for character in characters if character not in HAN_FUNCTION)


def _is_clause(characters: str) -> bool:
    if len(characters) > LONGEST_WORD:
        return True
    return len(characters) >= SHORTEST_CLAUSE and not HAN_FUNCTION.isdisjoint(characters)


def _hangul_singles(run: str) -> Iterator[str]:
    """The first syllable where all that follows is a particle: 책 of 책을, but not of 책상."""
    if run[1:] in HANGUL_PARTICLES:
        yield run[0]
