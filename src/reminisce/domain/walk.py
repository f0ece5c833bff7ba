"""A walk over derivations, ring by ring, within stated bounds."""

from itertools import islice
from typing import Final

from reminisce.domain.planning.reading import Shown, visible_outlines
from reminisce.domain.records import LinkKind, Outline
from reminisce.domain.visibility import OWNER_ITSELF, Viewer

__all__ = ["EDGES", "WALK", "Walk"]

WALK: Final = 10_000
"""Most memories that one walk visits in each direction; `complete` says when there were more."""

EDGES: Final = 100_000
"""Most derivations that one walk follows in each direction: ten a memory, and a dense graph still answers in 0.2 s."""


class Walk:
    """
    One memory's derivations in one direction.

    Args:
        mine: What the start plays in them: ``derived`` walks to what it came from, ``source`` to what came of it.
    """

    def __init__(self, ground: Shown, owner: str, viewer: Viewer, start: str, mine: str) -> None:
        self._ground, self._owner, self._viewer, self._mine = ground, owner, viewer, mine
        self._start = start
        self.complete = True
        """Whether nothing was left out."""
        self.far: dict[str, list[str]] = {}
        """For each memory visited, and the start, the other ends of its derivations."""
        self._edges = 0

    def _ahead(self, ring: list[str]) -> set[str]:
        found: set[str] = set()
        for key in ring:
            if self._edges >= EDGES:
                self.complete = False
                break
            ties = self._ground.ties(self._owner, [key], LinkKind.DERIVATION, self._mine).get(key, ())
            self.far[key] = ends = [tie.other for tie in ties if tie.until is None]
            self._edges += len(ends)
            found.update(ends)
        return found

    def rings(self, depth: int) -> list[dict[str, Outline]]:
        """The visible memories at distance 1, 2, … up to *depth*, each once."""
        seen = {self._start}
        rings: list[dict[str, Outline]] = []
        ring, visited = [self._start], 0
        while ring:
            ahead = sorted(self._ahead(ring) - seen)
            room = WALK - visited
            if len(rings) == depth or not room:
                # One look beyond: whether there is more that may be seen.
                self.complete &= not visible_outlines(self._ground, self._owner, self._viewer, ahead)
                break
            found = self._first(ahead, room + 1)
            seen.update(ahead)
            ring = sorted(found)[:room]
            visited += len(ring)
            self.complete &= len(found) <= room
            if ring:
                rings.append({key: found[key] for key in ring})
        return rings

    def _first(self, keys: list[str], count: int) -> dict[str, Outline]:
        """The first *count* of *keys* that may be seen: what may not takes nobody's room."""
        found: dict[str, Outline] = {}
        rest = iter(keys)
        while len(found) < count and (chunk := list(islice(rest, count - len(found)))):
            found.update(visible_outlines(self._ground, self._owner, self._viewer, chunk))
        return found

    def count(self) -> int:
        """How many visible memories there are at any distance, up to the bound."""
        if self._viewer != OWNER_ITSELF:
            return sum(map(len, self.rings(WALK)))
        # Its owner sees them all: none needs to be read.
        seen, ring = {self._start}, [self._start]
        while ring:
            ahead, room = sorted(self._ahead(ring) - seen), WALK + 1 - len(seen)
            self.complete &= len(ahead) <= room
            ring = ahead[:room]
            seen.update(ring)
        return len(seen) - 1
