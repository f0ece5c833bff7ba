"""Which texts say nearly the same, letter by letter: an integer measure, the same on every machine."""

import re
import unicodedata
from typing import Final

__all__ = ["COMPARED", "NEAR", "SHINGLE", "Texts"]

SHINGLE: Final = 8
"""
Characters of a shingle. Our choice: longer than most words, so that shared words alone make no two texts alike, and short
enough for scripts without spaces.
"""

NEAR: Final = 900
"""
Thousandths of shingles in common (Jaccard) from which two texts are near-duplicates.

Our choice, and a cautious one, as what is dropped is not read: a text with one letter changed counts as the same from some
160 characters on, one with a word of five letters changed from some 240. What two texts differ in by case, width, spacing or
punctuation alone never counts.
"""

COMPARED: Final = 2_000
"""Characters up to which texts are compared by shingles, so that a thousand stay small. Longer ones must be equal."""

_NUMBER: Final = re.compile(r"[-+\u2212]?\d+(?:[.,:/]\d+)*")
"""A number, date or time, with its sign. Texts that differ in one of these never say the same, however alike they look."""


class _Kept(dict[int, str]):
    """What becomes of a character: letters, marks, digits and symbols stay. Each is looked up once."""

    def __missing__(self, place: int) -> str:
        one = chr(place)
        kept = self[place] = one if unicodedata.category(one)[0] in "LMNS" else " "
        return kept


def _plain(text: str) -> str:
    """*text*, already NFKC, case folded, letters, marks, digits and symbols only, with one space between runs of them."""
    return " ".join(text.casefold().translate(_Kept()).split())


def _shingles(plain: str) -> frozenset[str]:
    if not SHINGLE < len(plain) <= COMPARED:
        return frozenset((plain,))
    return frozenset(plain[start : start + SHINGLE] for start in range(len(plain) - SHINGLE + 1))


class Texts:
    """Texts of which no two say nearly the same: of those that do, the first one is kept."""

    def __init__(self) -> None:
        self._kept: list[frozenset[str]] = []
        self._holding: dict[tuple[tuple[str, ...], str], list[int]] = {}
        """By a text's numbers and some of its shingles: where in `_kept` it is."""

    def take(self, text: str) -> bool:
        """Keep *text*, unless a near-duplicate is kept already. Gives whether it was kept."""
        text = unicodedata.normalize("NFKC", text)
        numbers = tuple(_NUMBER.findall(text))
        # Of a text of punctuation alone nothing else is left to compare.
        shingles = _shingles(_plain(text) or text)
        # Two sets that share NEAR thousandths of the larger share one of the first in any order, if so many are looked at.
        first = sorted(shingles)[: len(shingles) - -(-len(shingles) * NEAR // 1000) + 1]
        alike = {place for shingle in first for place in self._holding.get((numbers, shingle), ())}
        if any(_near(shingles, self._kept[place]) for place in alike):
            return False
        for shingle in first:
            self._holding.setdefault((numbers, shingle), []).append(len(self._kept))
        self._kept.append(shingles)
        return True


def _near(one: frozenset[str], other: frozenset[str]) -> bool:
    common = len(one & other)
    return common * 1000 >= NEAR * (len(one) + len(other) - common)
