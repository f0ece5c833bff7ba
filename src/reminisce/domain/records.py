"""What a store keeps beside memories: history, links, subjects, the commit log, saved pieces of the index."""

import datetime as dt
from enum import StrEnum
from typing import NamedTuple

import attrs

from reminisce.domain.memory import Memory, folded
from reminisce.domain.values import Basis, Status, Tier

__all__ = [
    "Event",
    "Head",
    "Link",
    "LinkKind",
    "LogEntry",
    "Member",
    "Outline",
    "Piece",
    "Record",
    "Standing",
    "Subject",
    "SubjectKey",
    "SubjectState",
    "Tie",
    "Withdrawal",
]


@attrs.frozen
class Event:
    """A change of a memory's status or validity, or a reinforcement by what was believed: one line of its history."""

    revision: int
    time: dt.datetime
    operation: str
    status: Status
    """What the memory became."""

    actor: str
    """The face that did it: ``library``, ``cli``, ``mcp`` or what the host named. Of a review, the reviewer."""

    reason: str | None = None
    valid_from: dt.datetime | None = None
    valid_to: dt.datetime | None = None
    """In force from this event on, so that the past can be told."""


class LinkKind(StrEnum):
    """How memories hang together."""

    DERIVATION = "derivation"
    SUPERSESSION = "supersession"
    """One memory stands in the place of another."""

    SUCCESSION = "succession"
    """One belief follows another in valid time: the older one ends where the newer one starts."""

    CONTRADICTION = "contradiction"
    ASSOCIATION = "association"


class Member(NamedTuple):
    """One memory's part in a link."""

    role: str
    key: str


@attrs.frozen
class Link:
    """
    A link between memories of one owner.

    Its roles say what each does: ``derived`` and ``source`` in a derivation, ``newer`` and ``older`` in a supersession and
    in a succession, ``member`` in an association, ``side`` in a contradiction and there also ``claim``, or
    ``claim derived`` and ``claim source`` where a derivation makes the claim.
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

    label: str | None = None
    """What sort of association it is."""

    facets: tuple[tuple[str, str], ...] = ()
    """Pairs of name and value, sorted."""

    reason: str | None = None
    """Why it was made."""

    resolution: str | None = None
    """Why it was ended."""

    def ends(self) -> dict[str, str]:
        """Of a link of two members with different roles, for each role the key at the other end; else nothing."""
        if len(self.members) != 2 or self.members[0].role == self.members[1].role:
            return {}
        one, other = self.members
        return {one.role: other.key, other.role: one.key}

    def role(self, role: str) -> tuple[str, ...]:
        """The keys that play *role*, in order."""
        return tuple(member.key for member in self.members if member.role == role)


class Outline(NamedTuple):
    """What a walk through many memories reads of each: no words but its surface."""

    key: str
    status: Status
    tier: Tier
    subjects: tuple[str, ...]
    confidence_thousandths: int
    basis: Basis
    surface: str | None

    @classmethod
    def of(cls, memory: Memory) -> "Outline":
        """The outline of a memory."""
        return cls(
            memory.key, memory.status, memory.tier, memory.subjects, memory.confidence_thousandths, memory.basis,
            memory.surface,
        )  # fmt: skip


class Tie(NamedTuple):
    """One end of a link of two, as seen from the other."""

    other: str
    """The key at the far end."""

    since: int
    until: int | None


class Standing(NamedTuple):
    """A memory's fact and where it stands: the part of a belief that decides which other beliefs may stand beside it."""

    key: str
    subject: str
    attribute: str
    value: str
    """Folded."""

    status: Status
    valid_from: dt.datetime | None
    valid_to: dt.datetime | None

    @classmethod
    def of(cls, memory: Memory) -> "Standing":
        """Where a memory that has a fact stands."""
        fact = memory.fact
        assert fact is not None  # noqa: S101 (only memories with facts are asked for)
        return cls(
            memory.key, fact.subject, fact.attribute, folded(fact.value), memory.status, memory.valid_from,
            memory.valid_to,
        )  # fmt: skip


class SubjectState(StrEnum):
    """Whether anything may be written about a subject: only about one that is open."""

    OPEN = "open"
    WITHDRAWING = "withdrawing"
    """Its words are being erased. A consent has to wait."""

    WITHDRAWN = "withdrawn"
    """Its words are erased. A consent opens it again."""

    PURGING = "purging"
    """Its links are being removed, and then itself."""


@attrs.frozen
class Withdrawal:
    """One withdrawal of a subject's words."""

    opening: int
    """The subject's epoch that opened it: what it is called."""

    time: dt.datetime
    actor: str
    reason: str | None = None
    """Kept until the subject is purged: it must not quote the person."""

    closed_at: dt.datetime | None = None
    """When the last word was erased; None until then."""


@attrs.frozen
class Subject:
    """A person or thing that memories are about, and who may see those. Shared by all owners of a store."""

    ref: str
    audiences: tuple[str, ...] = ()
    """Sorted. Empty: nobody but the owners themselves."""

    state: SubjectState = SubjectState.OPEN
    withdrawals: tuple[Withdrawal, ...] = ()
    """Oldest first."""


@attrs.frozen
class SubjectKey:
    """What words about one subject are sealed under in backups, as long as no withdrawal destroys it."""

    id: str
    """32 hexadecimal digits."""

    ref: str
    key: bytes = attrs.field(repr=False)
    """32 bytes."""


@attrs.frozen
class LogEntry:
    """One commit of one owner. Keys and names of operations, never words."""

    owner: str
    revision: int
    time: dt.datetime
    operation: str
    keys: tuple[str, ...]
    """Every memory that the commit made, linked, or changed in what can be recalled by, without repeats."""


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
