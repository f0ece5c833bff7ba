"""
The vocabulary of change, and the fences that a commit stands on.

Everything any operation does is a `Commit` of these; every store only translates each kind once. If a new operation seems to
need a new kind, first try to say it with these.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

import attrs

from reminisce.domain.memory import Memory
from reminisce.domain.records import Event, Link, LogEntry, Piece, Subject, SubjectKey

__all__ = [
    "SETTABLE",
    "AddHistory",
    "Advance",
    "Change",
    "Commit",
    "DestroyKey",
    "DropLink",
    "DropPieces",
    "DropSubject",
    "EndLink",
    "EraseMemory",
    "Fence",
    "FenceKind",
    "PutLink",
    "PutMemory",
    "PutPiece",
    "PutSubject",
    "PutSubjectKey",
    "SetFields",
]


class FenceKind(StrEnum):
    """What a fence guards. Its value only ever grows; one never advanced reads 0."""

    OWNER = "owner"
    """An owner's revision: its total order, and the number of its commit log."""

    ERASURE = "erasure"
    """An owner's erasure epoch: which words may still exist."""

    PIECES = "pieces"
    """An owner's piece number: which pieces make up its saved index."""

    SUBJECT = "subject"
    """A subject's epoch: its consent, and whether anything may be written about it."""

    CONSENTS = "consents"
    """The store's number of changes of consent. Cursors carry it."""

    CONSOLIDATION = "consolidation"
    """How far an owner's salience has been brought by consolidation: microseconds since 1970, UTC."""

    KEYS = "keys"
    """The store's number of changes of subjects' keys: the number of its keyring."""

    RESTORING = "restoring"
    """
    Whether the store is only half restored: an odd number while it is. By the digest of a backup: its lines that are there.
    """

    FLOOR = "floor"
    """The store's floor: subjects' epochs start above it, so that one removed and made again repeats no value."""


class Fence(NamedTuple):
    """One number that commits are ordered by."""

    kind: FenceKind
    name: str = ""
    """The owner or subject; empty for the store's own."""


class Advance(NamedTuple):
    """An exclusive claim: the fence must stand at `seen`, and then stands at `to`, which is greater."""

    fence: Fence
    seen: int
    to: int


@attrs.frozen
class PutMemory:
    """Add a memory. Its key must be free in its owner."""

    memory: Memory
    digest: bytes
    """Its `sameness`, kept so that twins are found. Not part of the memory: made anew by a restore."""


SETTABLE: Final = frozenset(
    {
        "status", "tier", "subjects", "confidence_thousandths", "salience_thousandths", "valid_from", "valid_to",
        "further_sources", "uses", "consolidated_uses", "consolidated_at",
    }
)  # fmt: skip
"""The fields of a memory that may change while its words are kept: what is in force, never what was given."""


@attrs.frozen
class SetFields:
    """Change what is in force of a memory that is there."""

    owner: str
    key: str
    values: Mapping[str, Any] = attrs.field()
    """By names of `Memory`, among `SETTABLE`."""

    @values.validator
    def _closed(self, _: object, values: Mapping[str, Any]) -> None:
        if not SETTABLE.issuperset(values):
            raise ValueError("a memory's given attributes never change")


@attrs.frozen
class EraseMemory:
    """
    Put in the place of a memory what erasing leaves of it, see `erasure.without_words`.

    With the words go all that stores made of them: digest, request key, citations, facts, and the reasons in its history.
    """

    memory: Memory


@attrs.frozen
class AddHistory:
    """Append one event to a memory's history."""

    owner: str
    key: str
    event: Event


@attrs.frozen
class PutLink:
    """Add a link. Its name must be free in its owner."""

    owner: str
    link: Link


@attrs.frozen
class EndLink:
    """End a link that is in force. It stays, for the past's sake."""

    owner: str
    name: str
    until: int
    resolution: str | None = None


@attrs.frozen
class DropLink:
    """Remove a link, in force or ended, as if it had never been."""

    owner: str
    name: str


@attrs.frozen
class PutSubject:
    """Add a subject, or replace the one of that reference."""

    subject: Subject


@attrs.frozen
class DropSubject:
    """Remove a subject and its fence. No memory may be about it any more; the floor must be above its epoch by then."""

    ref: str


@attrs.frozen
class PutSubjectKey:
    """Add the key of a subject that has none. No key ever had its id."""

    key: SubjectKey


@attrs.frozen
class DestroyKey:
    """Remove the key of a subject, if it has one. Its id stays known as destroyed, without the subject."""

    ref: str


@attrs.frozen
class PutPiece:
    """Save a piece of an owner's index. Its number must be free."""

    owner: str
    piece: Piece


@attrs.frozen
class DropPieces:
    """Remove pieces of an owner's index: those of the given numbers, or all that are there when the commit happens."""

    owner: str
    numbers: tuple[int, ...] | None = None


Change = (
    PutMemory
    | SetFields
    | EraseMemory
    | AddHistory
    | PutLink
    | EndLink
    | DropLink
    | PutSubject
    | DropSubject
    | PutSubjectKey
    | DestroyKey
    | PutPiece
    | DropPieces
)


@attrs.frozen(kw_only=True)
class Commit:
    """Changes that happen together or not at all, and what they stand on."""

    id: str
    """Drawn once for a request. A commit whose id is already there is not done again."""

    changes: tuple[Change, ...]
    """In the order in which they take effect."""

    advances: tuple[Advance, ...] = ()
    requires: tuple[tuple[Fence, int], ...] = ()
    """Shared claims: these fences must stand exactly there."""

    entries: tuple[LogEntry, ...] = ()
    """The log's lines: one for each owner whose revision is advanced, in order; only a restore writes several at once."""

    def fences(self) -> Iterable[Fence]:
        """Every fence it claims, in canonical order, so that stores that lock them cannot deadlock."""
        return sorted({advance.fence for advance in self.advances} | {fence for fence, _ in self.requires})
