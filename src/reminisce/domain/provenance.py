"""Where a memory came from and what became of it: one reading of one snapshot, present or past."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, Protocol

import attrs

from reminisce.domain.egress import shown
from reminisce.domain.memory import Cause, Memory
from reminisce.domain.planning.reading import Shown, forms_seen, linked, named_memories, origins_seen, visible_outlines
from reminisce.domain.planning.supersession import NEVER_IN_FORCE
from reminisce.domain.records import Event, Head, Link, LinkKind, Outline, SubjectState
from reminisce.domain.values import Basis, Status, decimal_of
from reminisce.domain.visibility import OWNER_ITSELF, Form, Viewer
from reminisce.domain.walk import WALK, Walk

__all__ = ["WALK", "Ancestor", "Association", "Contradiction", "Why", "explain", "trust_of"]

STANDING: Final = {
    Basis.OBSERVED: 1000,
    Basis.TOLD: 900,
    Basis.IMPORTED: 800,
    Basis.INFERRED: 700,
    Basis.GENERATED: 500,
}
"""
What each basis is worth, in thousandths. Our choice, for its order: what was seen before what was told, what came from
people before what was concluded, what a model made up last.
"""

_REACHED: Final = frozenset({Cause.WITHDRAWAL, Cause.PURGE})
"""What goes on to everything derived: a withdrawal. Other erasures reach only what they name."""


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
class Contradiction:
    """A contradiction that a memory takes part in."""

    name: str
    between: tuple[str, ...]
    """The keys of both sides."""

    claim: tuple[str, ...]
    """The memory that asserts it; or two keys, of the derivation that does: what was derived, and from what."""

    reason: str | None
    since: int
    """The owner's revision that recorded it."""

    until: int | None
    """The owner's revision that resolved it; None while it is open."""

    resolution: str | None


@attrs.frozen
class Association:
    """An association that a memory takes part in."""

    name: str
    kind: str
    keys: tuple[str, ...]
    """All members, sorted, itself among them."""

    facets: tuple[tuple[str, str], ...]
    since: int
    until: int | None


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
    """What it stands in the place of, or follows in time; and what does so to it."""

    contradictions: tuple[Contradiction, ...]
    associations: tuple[Association, ...]
    """Open and ended ones, oldest first, the last *most*; those of which all members may be seen."""

    history: tuple[Event, ...]
    """Changes of status and validity, and what was believed again, oldest first, the last *most*."""

    withdrawal: str
    """
    Whether a withdrawal reached it: ``none``; ``complete``, also when it was erased by name; ``incomplete`` while one is on
    its way, or where something derived from words that are gone still has its own; ``purged`` when the subject is gone, too.
    """

    trust: float
    """In [0, 1]: the least of confidence x what the basis is worth, over it and the ancestors that were walked to."""

    complete: bool
    """False when something was left out: by the depth asked for, by *most*, or by the bound of a walk."""

    revision: int
    of_today: tuple[str, ...] = ()
    """Of an answer about the past: what it tells as it is now."""


class Told(Shown, Protocol):
    """What the story of a memory is read from: a `Snapshot`, or the past of one."""

    def head(self, owner: str, /) -> Head: ...

    def history(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Sequence[Event]]: ...

    def links(
        self, owner: str, keys: Iterable[str], /, *, kinds: Collection[LinkKind] = ...
    ) -> Mapping[str, Sequence[Link]]: ...

    def citing(self, owner: str, sources: Iterable[str], /) -> Mapping[str, Sequence[str]]: ...


def trust_of(memory: Memory | Outline) -> int:
    """How far one memory may be trusted by itself, in thousandths, rounded down."""
    return memory.confidence_thousandths * STANDING[memory.basis] // 1000


def _between(
    ground: Told, owner: str, viewer: Viewer, key: str, most: int
) -> tuple[list[Contradiction], list[Association]]:
    """
    The contradictions and associations of *key* whose members *viewer* may all see, oldest first; their words if all whole.

    Of each the last *most*, and one more where there are more.
    """
    kinds = (LinkKind.CONTRADICTION, LinkKind.ASSOCIATION)
    newest_first = reversed(ground.links(owner, [key], kinds=kinds).get(key, ()))
    contradictions: list[Contradiction] = []
    associations: list[Association] = []
    while min(len(contradictions), len(associations)) <= most and (chunk := list(islice(newest_first, most + 1))):
        members = ground.memories(owner, {member for link in chunk for _, member in link.members})
        forms = forms_seen(ground, viewer, members.values())
        for link in chunk:
            keys = {member for _, member in link.members}
            if not forms.keys() >= keys:
                continue
            whole = all(forms[member] is Form.WHOLE for member in keys)
            if link.kind is LinkKind.CONTRADICTION:
                contradictions.append(_contradiction(link, whole))
            else:
                associations.append(_association(link, whole))
    return contradictions[most::-1], associations[most::-1]


def _contradiction(link: Link, whole: bool) -> Contradiction:
    claim = (*link.role("claim"), *link.role("claim derived"), *link.role("claim source"))
    reason, resolution = (link.reason, link.resolution) if whole else (None, None)
    return Contradiction(link.name, link.role("side"), claim, reason, link.since, link.until, resolution)


def _association(link: Link, whole: bool) -> Association:
    facets, kind = (link.facets, link.label or "") if whole else ((), "")
    keys = tuple(sorted(link.role("member")))
    return Association(link.name, kind, keys, facets, link.since, link.until)


def _withdrawal(ground: Told, owner: str, viewer: Viewer, memory: Memory) -> str:
    """See `Why.withdrawal`."""
    subjects = ground.subjects(memory.subjects).values()
    under_way = {subject.withdrawals[-1].opening for subject in subjects if subject.state is SubjectState.WITHDRAWING}
    by = memory.erased
    if by is None:
        parents = ground.memories(owner, memory.derived_from).values()
        left = any(parent.erased is not None and parent.erased.cause in _REACHED for parent in parents)
        return "incomplete" if under_way or left else "none"
    if by.cause not in _REACHED:
        return "complete"
    if by.opening in under_way:
        return "incomplete"
    children = linked(ground, owner, [memory.key], LinkKind.DERIVATION, "source").get(memory.key, ())
    seen = visible_outlines(ground, owner, viewer, children)
    if any(child.status is not Status.WITHDRAWN for child in seen.values()):
        return "incomplete"
    return "purged" if by.cause is Cause.PURGE else "complete"


def _replaced(ground: Told, owner: str, viewer: Viewer, memory: Memory, mine: str) -> list[str]:
    """What *memory* stands in the place of, or follows in time; or what does so to it. What never was in force does not."""
    if memory.status in NEVER_IN_FORCE:
        return []
    kinds = (LinkKind.SUPERSESSION, LinkKind.SUCCESSION)
    ends = {far for kind in kinds for far in linked(ground, owner, [memory.key], kind, mine).get(memory.key, ())}
    seen = visible_outlines(ground, owner, viewer, sorted(ends))
    return sorted(key for key, far in seen.items() if far.status not in NEVER_IN_FORCE)


def _cited(ground: Told, owner: str, viewer: Viewer, memory: Memory, most: int) -> list[tuple[str, list[str]]]:
    """Each source with the first *most* of the others that cite it and may be seen, and one more where there are more."""
    cited = []
    for source, citing in ((source, ground.citing(owner, [source]).get(source, ())) for source in memory.sources):
        others = (key for key in citing if key != memory.key)
        found: list[str] = []
        # The owner sees them all: none needs to be read.
        while len(found) <= most and (chunk := list(islice(others, most + 1))):
            seen = chunk if viewer == OWNER_ITSELF else visible_outlines(ground, owner, viewer, chunk)
            found += [key for key in chunk if key in seen]
        cited.append((source, found[: most + 1]))
    return cited


def _ancestors(up: Sequence[Mapping[str, Outline]], walk: Walk, key: str) -> list[Ancestor]:
    nearer = {key, *(found for ring in up for found in ring)}
    return [
        Ancestor(found, distance, ring[found].status, tuple(far for far in walk.far.get(found, ()) if far in nearer))
        for distance, ring in enumerate(up, 1)
        for found in sorted(ring)
    ]


def explain(
    ground: Told,
    owner: str,
    key: str,
    *,
    viewer: Viewer,
    depth: int,
    most: int,
    of_today: tuple[str, ...] = (),
) -> Why:
    """
    Tell where a memory came from, whatever its status.

    Args:
        depth: How far to follow derivations, at least 1.
        most: How many lines a list may have: ancestors, memories that cite a source, superseders, events, links.
        of_today: What the answer should say is as it is now.

    Raises:
        NotFoundError: It is not there, or may not be seen.

    Cost:
        Follows the links reached: at most `WALK` memories and `EDGES` derivations in each direction.
    """
    memory = named_memories(ground, owner, viewer, [key], "key")[key]
    form = forms_seen(ground, viewer, [memory])[key]
    up, down = Walk(ground, owner, viewer, key, "derived"), Walk(ground, owner, viewer, key, "source")
    rings = up.rings(depth)
    ancestors = _ancestors(rings, up, key)
    descendants = down.count()
    older, newer = (_replaced(ground, owner, viewer, memory, mine) for mine in ("newer", "older"))
    cited = _cited(ground, owner, viewer, memory, most)
    events = ground.history(owner, [key]).get(key, ())
    contradictions, associations = _between(ground, owner, viewer, key, most)
    lists = [ancestors, events, older, newer, contradictions, associations, *(keys for _, keys in cited)]
    walked: list[Memory | Outline] = [memory, *(found for ring in rings for found in ring.values())]
    return Why(
        memory=shown(memory, form, origins_seen(ground, owner, viewer, [memory])),
        sources=tuple((source, tuple(keys[:most])) for source, keys in cited),
        ancestors=tuple(ancestors[:most]),
        descendants=descendants,
        supersedes=tuple(older[:most]),
        superseded_by=tuple(newer[:most]),
        contradictions=tuple(contradictions[-most:]),
        associations=tuple(associations[-most:]),
        history=tuple(event if form is Form.WHOLE else attrs.evolve(event, reason=None) for event in events[-most:]),
        withdrawal=_withdrawal(ground, owner, viewer, memory),
        trust=decimal_of(min(map(trust_of, walked))),
        complete=up.complete and down.complete and all(len(held) <= most for held in lists),
        revision=ground.head(owner).revision,
        of_today=of_today,
    )
