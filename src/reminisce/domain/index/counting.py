"""Counts of what a viewer sees, from the columns of the index."""

from collections import Counter
from collections.abc import Mapping

import attrs

from reminisce.domain.index.documents import BELIEF, STATUSES, tag
from reminisce.domain.index.index import Index
from reminisce.domain.index.query import Query
from reminisce.domain.index.scope import sees

__all__ = ["Counts", "count"]


@attrs.frozen
class Counts:
    """How many memories there are, those a viewer sees."""

    by_status: Mapping[str, int]
    by_tier: Mapping[str, int]
    """Of the active ones."""

    by_aspect: Mapping[str, int]
    """Of the active ones; a memory of two aspects counts in both."""

    live_beliefs: int
    """Active facts that hold now."""


def count(index: Index, query: Query, aspects: tuple[str, ...], now: int) -> Counts:
    """
    Count what *query*'s viewer sees.

    Args:
        aspects: Which aspects to count.
        now: Microseconds since 1970.
    """
    statuses: Counter[str] = Counter()
    tiers: Counter[str] = Counter()
    held: Counter[str] = Counter()
    live = 0
    for _, part in index.parts:
        seen = [sees(query, as_) for as_ in part.seen_as]
        columns = zip(part.columns["status"], part.columns["seen_as"], part.dead, part.alive, strict=True)
        for status, as_, dead, alive in columns:
            if seen[as_] and not dead:
                statuses[STATUSES[status]] += 1
                if alive:
                    tiers[part.seen_as[as_].tier] += 1
        for aspect in aspects:
            for p in part.terms.postings(tag("aspect", aspect)):
                if part.alive[p >> 8] and seen[part.columns["seen_as"][p >> 8]]:
                    held[aspect] += 1
        starts, ends = part.columns["valid_from"], part.columns["valid_to"]
        for p in part.terms.postings(BELIEF):
            place = p >> 8
            if part.alive[place] and seen[part.columns["seen_as"][place]] and starts[place] <= now < ends[place]:
                live += 1
    return Counts(dict(statuses), dict(tiers), dict(held), live)
