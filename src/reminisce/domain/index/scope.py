"""Which documents of an index count for one query: what the viewer sees, and what the filters admit."""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import compress
from typing import Final

import attrs

from reminisce.domain.index.documents import REVISION_BITS, STATUSES, SeenAs
from reminisce.domain.index.index import Index
from reminisce.domain.index.part import GrowingPart, Part
from reminisce.domain.index.query import ACTIVE, Query
from reminisce.domain.values import Status
from reminisce.domain.visibility import form_seen

__all__ = ["Scope", "Slice", "admitted", "scope", "sees"]

_NOT: Final = bytes((1, *([0] * 255)))
"""Turns a 0 to 1 and anything else to 0."""

KEPT: Final = 4
"""Masks kept of a part: a process has one or two faces, and a page in progress. Each takes a byte a document."""


@attrs.frozen
class Slice:
    """One part as a viewer sees it."""

    base: int
    part: Part
    mask: bytes | None
    """1 for what is visible and stands as the query asks; None when everything in the part does."""

    count: int
    length: int
    """Number and sum of lengths of that."""

    def admits(self, place: int) -> bool:
        """Whether a document is visible and stands as the query asks."""
        return self.mask is None or bool(self.mask[place])


@attrs.frozen
class Scope:
    """An index as a viewer sees it: what statistics are counted over."""

    index: Index
    slices: tuple[Slice, ...]
    count: int
    length: int

    def admits(self, document: int) -> bool:
        """Whether a document of the index is visible and stands as the query asks."""
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
    key = (query.viewer, query.consents, at, query.statuses)
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
    """What is visible in *part* and stands as *query* asks, its number and its length. None for a mask of ones."""
    kinds = bytes(sees(query, as_) for as_ in part.seen_as)
    if at is None and query.statuses == ACTIVE and all(kinds):
        whole = part.living == part.count
        return None if whole else bytes(part.alive), part.living, part.length
    if all(kinds):
        seen = part.dead.translate(_NOT)
    else:
        seen = bytearray(not dead and kinds[as_] for dead, as_ in zip(part.dead, part.columns["seen_as"], strict=True))
    mask = _standing(part, seen, query.statuses) if at is None else _stood(part, seen, query.statuses, at)
    return mask, sum(mask), sum(compress(part.columns["length"], mask))


def _both(one: bytes | bytearray, other: bytes | bytearray) -> bytes:
    """Two masks in one, as fast as numbers are joined."""
    return (int.from_bytes(one, "little") & int.from_bytes(other, "little")).to_bytes(len(one), "little")


def _standing(part: Part, seen: bytearray, statuses: Iterable[Status]) -> bytes:
    wanted = bytes(place < len(STATUSES) and STATUSES[place] in statuses for place in range(256))
    return _both(seen, part.columns["status"].tobytes().translate(wanted))


def _stood(part: Part, seen: bytearray, statuses: Iterable[Status], at: int) -> bytes:
    """What stood so at the revision *at*: by its last spell, but for the few documents that have had several."""
    wanted = {STATUSES.index(status) for status in statuses}
    mask = bytearray(_standing(part, seen, statuses))
    later: Iterable[int]
    if isinstance(part, GrowingPart):
        later = (place for place, since in enumerate(part.columns["since"]) if since > at)
    else:
        # By number, so in the order of making: what was made later is one run at the end.
        cut = bisect_left(part.columns["number"], (at + 1) << REVISION_BITS)
        mask[cut:] = bytes(len(mask) - cut)
        later = part.earlier
    since = part.columns["since"]
    for place in later:
        if since[place] > at:
            spell = part.spell(place, at)
            mask[place] = bool(seen[place] and spell is not None and spell.status in wanted)
    return bytes(mask)


def scope(index: Index, query: Query) -> Scope:
    """What *query*'s viewer sees of *index* at the revision asked about."""
    slices = tuple(_slice(base, part, query, index.revision) for base, part in index.parts)
    return Scope(index, slices, sum(s.count for s in slices), sum(s.length for s in slices))


def admitted(part: Slice, query: Query, revision: int) -> set[int] | None:
    """
    Places in *part* that pass the filters, are visible and stand as asked; None when there are no filters.

    Args:
        revision: The one that the index stands at.
    """
    if not query.any_of and not query.windows and query.valid_at is None:
        return None
    chosen: set[int] | None = None
    places: Iterable[int]
    for group in query.any_of:
        held = {p >> 8 for tag in group for p in part.part.terms.postings(tag)}
        chosen = held if chosen is None else chosen & held
    for window in query.windows:
        column = part.part.columns[window.column]
        places = range(len(column)) if chosen is None else chosen
        least = window.least if window.least is not None else -(2**62)
        below = window.below if window.below is not None else 2**63
        chosen = {place for place in places if least <= column[place] < below}
    mask = part.mask
    places = range(part.part.count) if chosen is None else chosen
    if mask is not None:
        places = [place for place in places if mask[place]]
    if query.valid_at is not None:
        places = _holding(part.part, places, query.valid_at, None if query.at == revision else query.at)
    return set(places)


def _holding(part: Part, places: Iterable[int], time: int, at: int | None) -> Iterable[int]:
    """Of *places*, those that hold at *time*, as it stood at the revision *at*."""
    since, starts, ends = (part.columns[name] for name in ("since", "valid_from", "valid_to"))
    for place in places:
        if at is not None and since[place] > at:
            spell = part.spell(place, at)
            if spell is not None and spell.valid_from <= time < spell.valid_to:
                yield place
        elif starts[place] <= time < ends[place]:
            yield place
