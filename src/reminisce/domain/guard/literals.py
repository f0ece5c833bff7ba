"""Which literals stand in a text, with Python alone."""

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

__all__ = ["RUN", "LiteralScan"]

RUN: Final = "[A-Za-z0-9+/_-]{24,}={0,2}"
"""What base64 of at least 18 bytes looks like: no secret that a rule knows is shorter."""


def _trie(words: list[str]) -> str:
    """A pattern of sorted, different *words* that shares beginnings; of those that begin alike the shortest."""
    branches = []
    for first, group in groupby(words, key=lambda word: word[0]):
        rests = [word[1:] for word in group]
        branches.append(re.escape(first) + ("" if "" in rests else _trie(rests)))
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


class LiteralScan:
    """
    One pass over the text for all literals.

    Args:
        literals: In small ASCII letters.
    """

    def __init__(self, literals: Iterable[str]) -> None:
        self._all = tuple(sorted(set(literals)))
        self._pattern = re.compile(_trie(list(self._all)), re.ASCII)

    def present(self, text: str) -> tuple[str, ...]:
        """The literals that stand in a text of small letters, sorted. Linear in the text."""
        found = set[str]()
        search, at = self._pattern.search, 0
        heads = set[str]()
        while (match := search(text, at)) is not None:
            heads.add(match[0])
            at = match.start() + 1
        for head in heads:
            found.update(literal for literal in self._all if literal.startswith(head) and literal in text)
        return tuple(sorted(found))

    def runs(self, text: str) -> tuple[tuple[int, int], ...]:
        """Where at least 24 letters of base64 stand in a row, of either alphabet, with their padding."""
        return tuple(match.span() for match in _RUN.finditer(text))


_RUN: Final = re.compile(RUN, re.ASCII)
