"""Where a memory came from: one walk over one snapshot."""

from typing import Final

import attrs

from reminisce.domain.egress import shown
from reminisce.domain.memory import Memory
from reminisce.domain.planning.reading import linked, named_memories, origins_seen, visible_memories
from reminisce.domain.records import Event, LinkKind
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Form, Viewer, form_of

__all__ = ["Ancestor", "Why", "explain"]

WALK: Final = 10_000
"""Most memories that one walk visits in each direction; `complete` says when there were more."""


@attrs.frozen
class Ancestor:
    """A memory that another was derived from, at some distance."""

    key: str
    depth: int
    """1 for what it was derived from itself."""

    status: Status
    derived_from: tuple[str, ...]
    """What this one was derived from in turn, as far as it may be seen."""


@attrs.frozen
class Why:
    """Where a memory came from and what became of it. Everything in it is of one revision."""

    memory: Memory
    sources: tuple[tuple[str, tuple[str, ...]], ...]
    """Each source with the other memories of this owner that cite it, in the order they were made, the first *most*."""

    ancestors: tuple[Ancestor, ...]
    """What it was derived from, nearest first, then by key, the first *most*. Each once, so a cycle ends the walk."""

    descendants: int
    """How many memories were derived from it, at any distance."""

    supersedes: tuple[str, ...]
    superseded_by: tuple[str, ...]
    history: tuple[Event, ...]
    """Changes of status, oldest first, the last *most*."""

    complete: bool
    """False when something was left out: by the depth asked for, by *most*, or by the bound of a walk."""

    revision: int


class _Walk:
    def __init__(self, snapshot: Snapshot, owner: str, viewer: Viewer, start: str) -> None:
        self.snapshot, self.owner, self.viewer, self.start = snapshot, owner, viewer, start
        self.complete = True

    def rings(self, mine: str, other: str, depth: int) -> list[dict[str, Memory]]:
        """The visible memories at distance 1, 2, … up to *depth*, each once, over derivations."""
        seen, ring = {self.start}, [self.start]
        rings: list[dict[str, Memory]] = []
        while ring and len(rings) < depth and len(seen) < WALK:
            ends = linked(self.snapshot, self.owner, ring, LinkKind.DERIVATION, mine, other)
            ahead = sorted({far for found in ends.values() for far in found} - seen)
            room = WALK - len(seen)
            self.complete &= len(ahead) <= room
            found = visible_memories(self.snapshot, self.owner, self.viewer, ahead[:room])
            seen.update(ahead)
            ring = sorted(found)
            if ring:
                rings.append(found)
        if ring:
            further = linked(self.snapshot, self.owner, ring, LinkKind.DERIVATION, mine, other)
            left = {far for found in further.values() for far in found} - seen
            self.complete &= not visible_memories(self.snapshot, self.owner, self.viewer, left)
        return rings


def explain(snapshot: Snapshot, owner: str, key: str, *, viewer: Viewer, depth: int, most: int) -> Why:
    """
    Tell where a memory came from, whatever its status.

    Args:
        depth: How far to follow derivations, at least 1.
        most: How many lines a list may have: ancestors, memories that cite a source, superseders, events.

    Raises:
        NotFoundError: It is not there, or may not be seen.

    Cost:
        Follows the links reached, at most `WALK` memories in each direction.
    """
    memory = named_memories(snapshot, owner, viewer, [key], "key")[key]
    form = form_of(memory, viewer, snapshot.subjects(memory.subjects))
    assert form is not None  # noqa: S101 (named_memories has just looked)
    walk = _Walk(snapshot, owner, viewer, key)
    up = walk.rings("derived", "source", depth)
    nearer: dict[str, Memory] = {}
    for ring in up:
        nearer.update(ring)
    parents = linked(snapshot, owner, sorted(nearer), LinkKind.DERIVATION, "derived", "source")
    ancestors = [
        Ancestor(
            found,
            distance,
            ring[found].status,
            tuple(far for far in parents.get(found, ()) if far in nearer or far == key),
        )
        for distance, ring in enumerate(up, 1)
        for found in sorted(ring)
    ]
    down = walk.rings("source", "derived", WALK)
    older = linked(snapshot, owner, [key], LinkKind.SUPERSESSION, "newer", "older").get(key, [])
    newer = linked(snapshot, owner, [key], LinkKind.SUPERSESSION, "older", "newer").get(key, [])
    citing = snapshot.citing(owner, memory.sources)
    others = visible_memories(snapshot, owner, viewer, {k for keys in citing.values() for k in keys} - {key})
    seen = visible_memories(snapshot, owner, viewer, {*older, *newer})
    cited = [(source, [k for k in citing.get(source, ()) if k in others]) for source in memory.sources]
    events = snapshot.history(owner, [key]).get(key, ())
    lists = [ancestors, events, older, newer, *(keys for _, keys in cited)]
    return Why(
        memory=shown(memory, form, origins_seen(snapshot, owner, viewer, [memory])),
        sources=tuple((source, tuple(keys[:most])) for source, keys in cited),
        ancestors=tuple(ancestors[:most]),
        descendants=sum(map(len, down)),
        supersedes=tuple([k for k in older if k in seen][:most]),
        superseded_by=tuple([k for k in newer if k in seen][:most]),
        history=tuple(event if form is Form.WHOLE else attrs.evolve(event, reason=None) for event in events[-most:]),
        complete=walk.complete and all(len(held) <= most for held in lists),
        revision=snapshot.head(owner).revision,
    )
