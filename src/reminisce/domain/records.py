"""What a store keeps beside memories: history, links, subjects, the commit log, saved pieces of the index."""

import datetime as dt
from enum import StrEnum
from typing import NamedTuple

import attrs

from reminisce.domain.memory import Memory
from reminisce.domain.values import Status

__all__ = ["Event", "Head", "Link", "LinkKind", "LogEntry", "Member", "Piece", "Record", "Subject"]


@attrs.frozen
class Event:
    """A change of a memory's status: one line of its history."""

    revision: int
    time: dt.datetime
    operation: str
    status: Status
    """What the memory became."""

    actor: str
    """The face that did it: ``library``, ``cli``, ``mcp`` or what the host named."""

    reason: str | None = None


class LinkKind(StrEnum):
    """How memories hang together."""

    DERIVATION = "derivation"
    SUPERSESSION = "supersession"


class Member(NamedTuple):
    """One memory's part in a link."""

    role: str
    key: str


@attrs.frozen
class Link:
    """
    A link between memories of one owner.

    Its roles say what each does: ``derived`` and ``source`` in a derivation, ``newer`` and ``older`` in a supersession.
    """

    name: str
    """Unique within the owner; never free again."""

    kind: LinkKind
    members: tuple[Member, ...]
    """Two or more, in a fixed order."""

    since: int
    """The owner's revision that made it."""

    until: int | None = None
    """The owner's revision that ended it."""

    def role(self, role: str) -> tuple[str, ...]:
        """The keys that play *role*, in order."""
        return tuple(member.key for member in self.members if member.role == role)


@attrs.frozen
class Subject:
    """A person or thing that memories are about, and who may see those. Shared by all owners of a store."""

    ref: str
    audiences: tuple[str, ...] = ()
    """Sorted. Empty: nobody but the owners themselves."""


@attrs.frozen
class LogEntry:
    """One commit of one owner. Keys and names of operations, never words."""

    owner: str
    revision: int
    time: dt.datetime
    operation: str
    keys: tuple[str, ...]
    """Every memory that the commit touched, without repeats."""


class Head(NamedTuple):
    """Where an owner stands: revision 0 and no time before its first commit."""

    revision: int
    time: dt.datetime | None


@attrs.frozen
class Piece:
    """A saved part of an owner's index. Opaque to stores."""

    number: int
    """Unique within the owner and growing: a later piece speaks for what it shares with an earlier one."""

    through: int
    """It and the pieces before it cover the owner's commits up to this revision."""

    data: bytes


@attrs.frozen
class Record:
    """A memory with its whole history, oldest first: what streams hand out."""

    memory: Memory
    history: tuple[Event, ...]
