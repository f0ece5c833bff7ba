"""
The work load that speed figures stand on: seeded, the standard library only.

A memory is 9 to 15 words of a vocabulary of 50,000, drawn by a shifted Zipf law, p(rank) ~ 1 / (rank + 400). A query is 2 to
4 words of one of the first thousand memories, from the thousand most frequent words: each of them stands in about one memory
of a hundred, all of them in the memory they came from. Words are made of syllables, so that an analyser takes them as plain.
"""

import itertools
import random
from collections.abc import Iterator

VOCABULARY = 50_000
SHIFT = 400
FREQUENT = 1_000
SEED = 20_240_607


def _vocabulary() -> list[str]:
    draw = random.Random(SEED)
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        syllables = [draw.choice("bcdfghklmnprtvz") + draw.choice("aeiou") for _ in range(draw.choice((2, 3, 3, 4)))]
        words["".join(syllables) + draw.choice("kmt")] = None
    return list(words)


WORDS = _vocabulary()


def memories(count: int) -> Iterator[str]:
    """The first *count* texts. A longer corpus begins with a shorter one."""
    draw = random.Random(SEED)
    weights = list(itertools.accumulate(1 / (rank + SHIFT) for rank in range(VOCABULARY)))
    for _ in range(count):
        yield " ".join(draw.choices(WORDS, cum_weights=weights, k=draw.randint(9, 15)))


def queries(count: int = 200) -> list[str]:
    """*count* queries over the first thousand memories."""
    draw = random.Random(SEED + 1)
    frequent = set(WORDS[:FREQUENT])
    sources = list(memories(1_000))
    found: list[str] = []
    while len(found) < count:
        words = sorted(frequent.intersection(draw.choice(sources).split()))
        wanted = draw.randint(2, 4)
        if len(words) >= wanted:
            found.append(" ".join(draw.sample(words, wanted)))
    return found
