"""Which documents of an index count for one query: what the viewer sees, and what the filters admit."""

from array import array
from itertools import compress
from typing import Final

import attrs

from reminisce.domain.index.documents import SeenAs
from reminisce.domain.index.index import Index
from reminisce.domain.index.part import Part
from reminisce.domain.index.query import Query
from reminisce.domain.visibility import form_seen

__all__ = ["Scope", "Slice", "admitted", "scope", "sees"]

KEPT: Final = 4
"""Masks kept of a part: a process has one or two faces, and a page in progress. Each takes a byte a document."""


@attrs.frozen
class Slice:
    """One part as a viewer sees it."""

    base: int
    part: Part
    mask: bytes | None
    """1 for what is visible and active; None when everything in the part is."""

    count: int
    length: int
    """Number and sum of lengths of what is visible and active."""

    def admits(self, place: int) -> bool:
        """Whether a document is visible and active."""
        return self.mask is None or bool(self.mask[place])


@attrs.frozen
class Scope:
    """An index as a viewer sees it: what statistics are counted over."""

    index: Index
    slices: tuple[Slice, ...]
    count: int
    length: int

    def admits(self, document: int) -> bool:
        """Whether a document of the index is visible and active."""
        for part in self.slices:
            if document < part.base + part.part.count:
                return part.admits(document - part.base)
        return False


def sees(query: Query, as_: SeenAs) -> bool:
    """Whether a document of this kind is the one that *query*'s viewer sees."""
    consents = query.audiences
    return form_seen(query.viewer, as_.tier, as_.subjects, lambda ref: consents.get(ref, ()), as_.surface) is as_.form


def _slice(base: int, part: Part, query: Query, revision: int) -> Slice:
    at = None if query.at is None or query.at >= revision else query.at
    key = (query.viewer, query.consents, at)
    held = part.kept.get(key)
    if held is not None and held[0] == part.version:
        mask, count, length = held[1]
    else:
        mask, count, length = _mask(part, query, at)
        if len(part.kept) >= KEPT:
            part.kept.clear()
        part.kept[key] = (part.version, (mask, count, length))
    return Slice(base, part, mask, count, length)


def _mask(part: Part, query: Query, at: int | None) -> tuple[bytes | None, int, int]:
    """What is visible and active in *part*, its number and its length. None for a mask of ones."""
    seen = bytes(sees(query, as_) for as_ in part.seen_as)
    if at is None:
        if all(seen):
            whole = part.living == part.count
            return None if whole else bytes(part.alive), part.living, part.length
        mask = bytes(alive and seen[as_] for alive, as_ in zip(part.alive, part.columns["seen_as"], strict=True))
    else:
        mask = bytes(
            not dead and seen[as_] and part.was_active(place, at)
            for place, (dead, as_) in enumerate(zip(part.dead, part.columns["seen_as"], strict=True))
        )
    return mask, sum(mask), sum(compress(part.columns["length"], mask))


def scope(index: Index, query: Query) -> Scope:
    """What *query*'s viewer sees of *index* at the revision asked about."""
    slices = tuple(_slice(base, part, query, index.revision) for base, part in index.parts)
    return Scope(index, slices, sum(s.count for s in slices), sum(s.length for s in slices))


def admitted(part: Slice, query: Query) -> set[int] | None:
    """Places in *part* that pass the filters and are visible; None when there are no filters."""
    if not query.any_of and not query.windows:
        return None
    chosen: set[int] | None = None
    for group in query.any_of:
        held = {p >> 8 for tag in group for p in part.part.terms.postings(tag)}
        chosen = held if chosen is None else chosen & held
    for window in query.windows:
        column: array[int] = part.part.columns[window.column]
        places = range(len(column)) if chosen is None else chosen
        least = window.least if window.least is not None else -(2**62)
        below = window.below if window.below is not None else 2**63
        chosen = {place for place in places if least <= column[place] < below}
    mask = part.mask
    return chosen if chosen is None or mask is None else {place for place in chosen if mask[place]}
