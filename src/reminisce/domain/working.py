"""Working memory: a few notes for a while, and the rules of which are still there."""

import datetime as dt
from typing import Final

import attrs

from reminisce.domain.requests import Request

__all__ = ["CAPACITY", "LIFETIME", "Note", "Scratchpad"]

CAPACITY: Final = 16
"""Notes that one owner has at once. Source: the contract's section 5."""

LIFETIME: Final = dt.timedelta(hours=1)
"""How long a note lasts when nothing is said: about one task. Our choice."""


@attrs.frozen
class Note:
    """One note."""

    name: str
    request: Request
    """What `promote` would remember."""

    noted_at: dt.datetime
    expires_at: dt.datetime
    """Included: at this time it is still there."""


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
