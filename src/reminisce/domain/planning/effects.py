"""What follows when a memory comes into force: what it replaces, what it ends in time, what it inherits and hands on."""

import datetime as dt
from collections.abc import Iterable
from typing import Any, Final

import attrs

from reminisce.domain.beliefs import Placing, placed
from reminisce.domain.memory import Memory, folded
from reminisce.domain.planning.desk import Ground
from reminisce.domain.planning.plan import Notebook
from reminisce.domain.planning.reading import linked
from reminisce.domain.planning.supersession import NEVER_IN_FORCE, replaced, replacing
from reminisce.domain.records import Link, LinkKind, Member, Standing
from reminisce.domain.values import Status, Tier, strictest

__all__ = ["BELIEVE", "Effects", "ended_by_what_replaces", "foresee", "group", "link_of_two", "raise_descendants"]

_NEVER: Final = dt.datetime.min.replace(tzinfo=dt.UTC)
"""Ends what had no start and never held."""

BELIEVE: Final = "believe"
"""The name in log and histories of the operation that says what may have been said before."""

_HANDED_ON: Final = (
    (LinkKind.DERIVATION, "source"),
    (LinkKind.SUPERSESSION, "older"),
    (LinkKind.SUCCESSION, "older"),
)
"""Where subjects and strict tiers flow from: what was made of a memory, or stands in its place."""


def link_of_two(kind: LinkKind, first: Member, second: Member, since: int) -> Link:
    """A link named after its ends, so that there is one of a kind between two. The length keeps apart keys with colons."""
    return Link(f"{kind}:{len(first.key)}:{first.key}:{second.key}", kind, (first, second), since)


@attrs.frozen
class Effects:
    """What a memory's coming into force will change. Nothing is changed before `apply`."""

    memory: Memory
    """As it will be."""

    others: tuple[tuple[Memory, dict[str, Any]], ...]
    """Other memories, as they are, with the fields that change."""

    followed: tuple[str, ...] = ()
    """Beliefs that it ends, and stands behind in time."""

    later: bool = False
    """Whether another belief stands after it, and its own time is past."""

    @property
    def ended(self) -> tuple[str, ...]:
        """Keys of the others that change."""
        return tuple(other.key for other, _ in self.others)

    def apply(self, book: Notebook) -> None:
        """Write down what changes beside the memory itself."""
        for other, values in self.others:
            book.rely_on(other.subjects)
            book.become(other, **values)
        if not self.followed:
            return
        ties = linked(book.desk, book.owner, [self.memory.key], LinkKind.SUCCESSION, "newer")
        older = set(ties.get(self.memory.key, ()))
        for key in self.followed:
            if key not in older:
                newer, ended = Member("newer", self.memory.key), Member("older", key)
                link = link_of_two(LinkKind.SUCCESSION, newer, ended, book.revision)
                book.link(link)


def _start(memory: Memory) -> dt.datetime:
    """When what a memory says took the place of something else."""
    return memory.valid_from or memory.recorded_at


def _end(older: Memory, start: dt.datetime | None) -> dt.datetime:
    """Where something stops to hold that is replaced by something that holds from *start*; None: it never held."""
    least = older.valid_from or _NEVER
    end = least if start is None else max(least, start)
    return end if older.valid_to is None else min(end, older.valid_to)


def ended_by_what_replaces(book: Notebook, memory: Memory) -> Memory:
    """A memory as it is when something active stands in its place: it stopped to hold when that started to."""
    return attrs.evolve(memory, valid_to=_end(memory, min(map(_start, replacing(book.desk, book.owner, memory.key)))))


def group(ground: Ground, memory: Memory) -> list[Standing]:
    """The other beliefs among which *memory* has its place in time, those that are active or did not end before it."""
    fact = memory.fact
    assert fact is not None  # noqa: S101 (the caller has looked)
    value = folded(fact.value) if memory.many else None
    lines = ground.facts(memory.owner, fact.subject, attribute=fact.attribute, value=value, since=memory.valid_from)
    return [line for line in lines if line.key != memory.key]


def _said_later(book: Notebook, memory: Memory, others: Iterable[Standing]) -> set[str]:
    """Of the beliefs that start when *memory* does, those that were said after it was said last."""
    rivals = [line.key for line in others if line.valid_from == memory.valid_from]
    history = book.history([memory.key, *rivals]) if rivals else {}
    if memory.key not in history:
        return set()
    # The order of making decides between what was said in one commit.
    made = {key: (held.revision, held.ordinal) for key, held in book.desk.memories(book.owner, history).items()}
    said = {
        key: (max(event.revision for event in events if event is events[0] or event.operation == BELIEVE), made[key])
        for key, events in history.items()
    }
    return {key for key in rivals if said[key] > said[memory.key]}


def _replacing(book: Notebook, memory: Memory) -> dict[str, Memory]:
    """The active memories in whose place *memory* will stand, at any distance."""
    named = {key: held for key, held in book.desk.memories(book.owner, memory.supersedes).items() if key != memory.key}
    reaching = [key for key, held in named.items() if held.status not in NEVER_IN_FORCE]
    found = replaced(book.desk, book.owner, [memory.key, *reaching])
    return found | {key: older for key, older in named.items() if older.status is Status.ACTIVE}


def foresee(
    book: Notebook,
    memory: Memory,
    *,
    corrects: bool = False,
    status: Status = Status.ACTIVE,
    yields: bool = False,
    again: bool = False,
) -> Effects:
    """
    What follows when *memory* comes into force.

    Args:
        memory: Its validity is what is asked for; what stands around it decides what it gets.
        corrects: What it supersedes never was so, rather than being so until now.
        status: ``superseded`` for what comes back out of force.
        yields: A belief takes only what room there is in time, and ends no other.
        again: It is said now, though it was there before.
    """
    changes: dict[str, dict[str, Any]] = {}
    start = None if corrects else _start(memory)
    if memory.supersedes and (status is Status.ACTIVE or replacing(book.desk, book.owner, memory.key)):
        for key, older in sorted(_replacing(book, memory).items()):
            changes[key] = {"status": Status.SUPERSEDED, "valid_to": _end(older, start)}
    if memory.fact is None:
        after = memory if memory.status is status else attrs.evolve(memory, status=status)
        return Effects(after, _told(book, changes))
    others = group(book.desk, memory)
    later = set[str]() if again else _said_later(book, memory, others)
    lines = [line._replace(**changes[line.key]) if line.key in changes else line for line in others]
    assert memory.valid_from is not None  # noqa: S101 (a fact always says from when, in force)
    place = placed(lines, memory.valid_from, memory.valid_to, book.time, said_later=later, yields=yields)
    for line in place.changed:
        changes[line.key] = {"status": line.status, "valid_to": line.valid_to}
    followed = book.desk.memories(book.owner, place.followed)
    after = _placed(memory, place, followed.values(), status)
    return Effects(after, _told(book, changes), place.followed, place.status is Status.SUPERSEDED)


def _placed(memory: Memory, place: Placing, followed: Iterable[Memory], status: Status) -> Memory:
    followed = list(followed)
    return attrs.evolve(
        memory,
        status=Status.SUPERSEDED if Status.SUPERSEDED in (status, place.status) else Status.ACTIVE,
        valid_to=place.valid_to,
        tier=strictest((memory.tier, *(older.tier for older in followed))),
        subjects=tuple(sorted({*memory.subjects, *(ref for older in followed for ref in older.subjects)})),
    )


def _told(book: Notebook, changes: dict[str, dict[str, Any]]) -> tuple[tuple[Memory, dict[str, Any]], ...]:
    if not changes:
        return ()
    held = book.desk.memories(book.owner, changes)
    told = []
    for key, values in changes.items():
        moved = {name: value for name, value in values.items() if getattr(held[key], name) != value}
        if moved:
            told.append((held[key], moved))
    return tuple(told)


def raise_descendants(book: Notebook, key: str, tier: Tier, subjects: Iterable[str]) -> None:
    """Hand *tier* and *subjects* on to everything that comes from *key*, at any distance, and stand on all subjects."""
    refs = set(subjects)
    seen, ring = {key}, {key}
    while ring:
        ahead: set[str] = set()
        for kind, role in _HANDED_ON:
            for found in linked(book.desk, book.owner, sorted(ring), kind, role).values():
                ahead.update(found)
        ring = ahead - seen
        seen |= ring
        for memory in book.desk.memories(book.owner, sorted(ring)).values():
            stricter = strictest((memory.tier, tier))
            more = tuple(sorted(refs.union(memory.subjects)))
            # What has no words left needs no keeping from anybody, and its subjects may be withdrawn.
            if memory.status is not Status.WITHDRAWN and (stricter, more) != (memory.tier, memory.subjects):
                book.rely_on(more)
                book.set(memory, tier=stricter, subjects=more)
