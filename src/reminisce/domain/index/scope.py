"""Which documents of an index count for one query: what the viewer sees, and what the filters admit."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import compress, islice
from typing import Final

import attrs

from reminisce.domain.index.documents import REVISION_BITS, STATUSES, SeenAs
from reminisce.domain.index.index import Index
from reminisce.domain.index.part import NOT_YET, GrowingPart, Part
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
    form = form_seen(
        query.viewer, as_.tier, as_.subjects, lambda ref: consents.get(ref, ()), lambda: as_.surface, erased=as_.erased
    )
    return form is as_.form


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
    seen = _seen(part, query, kinds)
    statuses = bytearray(part.columns["status"].tobytes()) if at is None else _stood(part, at)
    mask = _both(seen, statuses.translate(_wanted(query.statuses)))
    return mask, mask.count(1), sum(compress(part.columns["length"], mask))


def _seen(part: Part, query: Query, kinds: bytes) -> bytes | bytearray:
    """What of *part* the viewer sees, whatever its status."""
    there = part.dead.translate(_NOT)
    if all(kinds):
        return there
    key = ("whatever status", query.viewer, query.consents)
    held = part.kept.get(key)
    if held is None or held[0] != part.version:
        mask = _both(there, bytes(map(kinds.__getitem__, part.columns["seen_as"])))
        held = part.kept[key] = (part.version, mask)
    mask = held[1]
    assert isinstance(mask, bytes)  # noqa: S101 (for the type checker)
    return mask


def _both(one: bytes | bytearray, other: bytes | bytearray) -> bytes:
    """Two masks in one, as fast as numbers are joined."""
    return (int.from_bytes(one, "little") & int.from_bytes(other, "little")).to_bytes(len(one), "little")


def _wanted(statuses: Iterable[Status]) -> bytes:
    """Turns a status's place to 1 when it is among *statuses*, anything else to 0."""
    return bytes(place < len(STATUSES) and STATUSES[place] in statuses for place in range(256))


def _stood(part: Part, at: int) -> bytearray:
    """How each document stood at the revision *at*: a place in `STATUSES`, or `NOT_YET`."""
    column = bytearray(part.columns["status"].tobytes())
    if isinstance(part, GrowingPart):
        for place, since in enumerate(part.columns["since"]):
            if since > at:
                spell = part.spell(place, at)
                column[place] = NOT_YET if spell is None else spell.status
        return column
    # By number, so in the order of making: what was made later is one run at the end.
    cut = bisect_left(part.columns["number"], (at + 1) << REVISION_BITS)
    column[cut:] = bytes((NOT_YET,)) * (len(column) - cut)
    # Of the few that changed, what came about later is undone, the latest first.
    undoing = part.undoing()
    last = len(undoing.since) - bisect_right(undoing.since, at)
    for place, status in zip(islice(undoing.places, last), undoing.before, strict=False):
        column[place] = status
    return column


def scope(index: Index, query: Query) -> Scope:
    """What *query*'s viewer sees of *index* at the revision asked about."""
    slices = tuple(_slice(base, part, query, index.revision) for base, part in index.parts)
    return Scope(index, slices, sum(s.count for s in slices), sum(s.length for s in slices))


def admitted(part: Slice, query: Query, revision: int) -> bytes | bytearray | None:
    """
    1 for each place in *part* that passes the filters, is visible and stands as asked; None when there are no filters.

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
    count = part.part.count
    if chosen is None:
        passing = bytearray(b"\1") * count if mask is None else bytearray(mask)
    else:
        passing = bytearray(count)
        for place in chosen:
            passing[place] = 1 if mask is None else mask[place]
    if query.valid_at is not None:
        _hold(part.part, passing, query.valid_at, None if query.at is None or query.at >= revision else query.at)
    return passing


def _hold(part: Part, passing: bytearray, time: int, at: int | None) -> None:
    """Let of what passes only what holds at *time* pass, as it stood at the revision *at*."""
    since, starts, ends = (part.columns[name] for name in ("since", "valid_from", "valid_to"))
    if at is not None:
        for place in part.earlier:
            if passing[place] and since[place] > at:
                spell = part.spell(place, at)
                if spell is None or not spell.valid_from <= time < spell.valid_to:
                    passing[place] = 0
    for place in part.bounded():
        if passing[place] and not starts[place] <= time < ends[place] and (at is None or since[place] <= at):
            passing[place] = 0
