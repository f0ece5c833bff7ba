"""Contradictions and associations between memories."""

from collections.abc import Iterable, Sequence

import attrs

from reminisce.domain.planning.keeping import attachable
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import named_memories, visible_memories
from reminisce.domain.planning.supersession import behind
from reminisce.domain.records import Link, LinkKind, Member
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.visibility import Viewer
from reminisce.errors import NotFoundError

__all__ = ["Linked", "Resolved", "plan_associate", "plan_contradict", "plan_dissociate", "plan_resolve"]


@attrs.frozen
class Linked:
    """A link between memories."""

    name: str
    """What it is called, so that it can be ended."""

    created: bool
    """False: one that says the same was in force already."""

    revision: int
    """The owner's revision after the call."""


@attrs.frozen
class Resolved:
    """Links that were ended."""

    names: tuple[str, ...]
    """In the order in which they were made. Empty: none was in force."""

    revision: int
    """The owner's revision after the call."""


def _in_force(snapshot: Snapshot, owner: str, viewer: Viewer, keys: Sequence[str], kind: LinkKind) -> list[Link]:
    """Links of *kind* in force in which all of *keys* take part, and of which the viewer may see every member."""
    touching = snapshot.links(owner, keys[:1], kinds=[kind]).get(keys[0], ())
    found = [link for link in touching if link.until is None and {key for _, key in link.members}.issuperset(keys)]
    seen = visible_memories(snapshot, owner, viewer, {key for link in found for _, key in link.members})
    return [link for link in found if all(key in seen for _, key in link.members)]


def _words(link: Link) -> tuple[object, ...]:
    return (frozenset(link.members), link.label, link.facets, link.reason)


def _link(snapshot: Snapshot, book: Notebook, viewer: Viewer, link: Link, fields: Iterable[str]) -> Plan[Linked]:
    """Put a link in force, unless one that says the same is."""
    subjects: list[str] = []
    for field, (_, key) in zip(fields, link.members, strict=True):
        [member] = attachable(named_memories(snapshot, book.owner, viewer, [key], field).values(), field)
        subjects.extend(member.subjects)
    keys = [member.key for member in link.members]
    same = [held for held in _in_force(snapshot, book.owner, viewer, keys, link.kind) if _words(held) == _words(link)]
    if same:
        return book.plan(Linked(same[0].name, False, book.seen))
    book.rely_on(subjects)
    book.link(link, *keys)
    return book.plan(Linked(link.name, True, book.reached))


def _end(book: Notebook, links: Iterable[Link], reason: str | None) -> Plan[Resolved]:
    # A name is drawn at random: its order would be another one each time.
    ending = sorted(links, key=lambda link: (link.since, link.name))
    for link in ending:
        book.end(link, reason)
    return book.plan(Resolved(tuple(link.name for link in ending), book.reached))


def plan_contradict(
    snapshot: Snapshot,
    owner: str,
    a: str,
    b: str,
    *,
    viewer: Viewer,
    occasion: Occasion,
    claim: tuple[str, ...] = (),
    reason: str | None = None,
) -> Plan[Linked]:
    """
    Record that two memories contradict one another. Neither goes out of force by it.

    Args:
        claim: The memory that asserts it; or two keys, of the derivation that does: what was derived, and from what.

    Raises:
        NotFoundError: A memory, or the derivation, is not there, or may not be seen.
        StatusError: The words of one were erased.
    """
    book = Notebook(snapshot, owner, "contradict", occasion)
    roles = ("claim",) if len(claim) == 1 else ("claim derived", "claim source")[: len(claim)]
    if len(claim) == len(roles) == 2:
        ties = snapshot.ties(owner, claim[:1], LinkKind.DERIVATION, "derived").get(claim[0], ())
        if claim[1] not in {tie.other for tie in ties}:
            raise NotFoundError("claim")
    members = (*(Member("side", key) for key in sorted((a, b))), *map(Member, roles, claim))
    link = Link(book.name(LinkKind.CONTRADICTION), LinkKind.CONTRADICTION, members, book.revision, reason=reason)
    fields = ("a" if key == a else "b" for _, key in members[:2])
    return _link(snapshot, book, viewer, link, (*fields, *("claim" for _ in claim)))


def plan_resolve(
    snapshot: Snapshot,
    owner: str,
    a: str,
    b: str,
    *,
    viewer: Viewer,
    occasion: Occasion,
    reason: str | None = None,
) -> Plan[Resolved]:
    """
    End every contradiction in force between two memories, or what they stand in the place of; it stays in their past.

    Raises:
        NotFoundError: One is not there, or may not be seen.
    """
    book = Notebook(snapshot, owner, "resolve", occasion)
    sides = attachable(named_memories(snapshot, owner, viewer, [a], "a").values(), "a")
    sides += attachable(named_memories(snapshot, owner, viewer, [b], "b").values(), "b")
    # What stands in the place of another took its contradictions over: what settles one settles both.
    one, other = ({key, *behind(snapshot, owner, [key])} for key in (a, b))
    # By name, since both sides of one contradiction may stand behind the same memory.
    ending = {
        link.name: link
        for key in sorted(one)
        for link in _in_force(snapshot, owner, viewer, [key], LinkKind.CONTRADICTION)
        if key in link.role("side") and other.intersection(link.role("side")) - {key}
    }
    if ending:
        book.rely_on(ref for side in sides for ref in side.subjects)
    return _end(book, ending.values(), reason)


def plan_associate(
    snapshot: Snapshot,
    owner: str,
    keys: Sequence[str],
    *,
    kind: str,
    viewer: Viewer,
    occasion: Occasion,
    facets: tuple[tuple[str, str], ...] = (),
) -> Plan[Linked]:
    """
    Associate two or more memories.

    Raises:
        NotFoundError: One is not there, or may not be seen.
        StatusError: The words of one were erased.
    """
    book = Notebook(snapshot, owner, "associate", occasion)
    members = tuple(Member("member", key) for key in sorted(keys))
    link = Link(
        book.name(LinkKind.ASSOCIATION), LinkKind.ASSOCIATION, members, book.revision, label=kind, facets=facets
    )
    return _link(snapshot, book, viewer, link, ["keys"] * len(members))


def plan_dissociate(
    snapshot: Snapshot,
    owner: str,
    keys: Sequence[str],
    *,
    kind: str,
    viewer: Viewer,
    occasion: Occasion,
) -> Plan[Resolved]:
    """
    End the associations of *kind* in force between exactly these memories.

    Raises:
        NotFoundError: One is not there, or may not be seen.
    """
    book = Notebook(snapshot, owner, "dissociate", occasion)
    held = named_memories(snapshot, owner, viewer, keys, "keys")
    ending = [
        link
        for link in _in_force(snapshot, owner, viewer, list(held), LinkKind.ASSOCIATION)
        if set(link.role("member")) == set(held) and link.label == kind
    ]
    return _end(book, ending, None)
