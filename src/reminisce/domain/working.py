"""Working memory: a few notes for a while, and the rules of which are still there."""

import datetime as dt
from typing import Final

import attrs

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.records import SubjectState
from reminisce.domain.requests import Request
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status

__all__ = ["CAPACITY", "LIFETIME", "Note", "Scratchpad", "is_reached"]

CAPACITY: Final = 16
"""Notes that one owner has at once. Source: the contract's section 5."""

LIFETIME: Final = dt.timedelta(hours=1)
"""How long a note lasts when nothing is said: about one task. Our choice."""


@attrs.frozen
class Note:
    """One note."""

    name: str
    owner: str
    request: Request
    """What `promote` would remember."""

    epochs: tuple[tuple[str, int], ...]
    """The subjects that it is about, each with its epoch when the note was written down."""

    floor: int
    """The store's floor at that time."""

    noted_at: dt.datetime
    expires_at: dt.datetime
    """Included: at this time it is still there."""


def is_reached(note: Note, snapshot: Snapshot) -> bool:
    """Whether a withdrawal, or the erasure of what it comes from, has reached a note: its words go like any other."""
    subjects = snapshot.subjects([ref for ref, _ in note.epochs])
    floor = snapshot.fences([Fence(FenceKind.FLOOR)])[Fence(FenceKind.FLOOR)]
    for ref, epoch in note.epochs:
        subject = subjects.get(ref)
        # A subject that is gone, or may have come and gone, was purged.
        if subject is None and (epoch or floor > note.floor):
            return True
        if subject is not None and (
            subject.state is not SubjectState.OPEN or any(one.opening > epoch for one in subject.withdrawals)
        ):
            return True
    given = note.request.attributes
    parents = snapshot.memories(note.owner, (*given.derived_from, *given.supersedes))
    return any(memory.status is Status.WITHDRAWN for memory in parents.values())


@attrs.frozen
class Scratchpad:
    """One owner's notes, newest first."""

    notes: tuple[Note, ...] = ()
    capacity: int = CAPACITY

    def at(self, now: dt.datetime) -> "Scratchpad":
        """What is left of it by *now*."""
        return attrs.evolve(self, notes=tuple(note for note in self.notes if now <= note.expires_at))

    def with_(self, note: Note) -> "Scratchpad":
        """One more note; the oldest goes when there is no room."""
        return attrs.evolve(self, notes=(note, *self.notes)[: self.capacity])

    def without(self, name: str) -> "Scratchpad":
        """One note less."""
        return attrs.evolve(self, notes=tuple(note for note in self.notes if note.name != name))
