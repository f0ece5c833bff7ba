"""What planners read: one consistent snapshot of named things."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from reminisce.domain.changes import Fence
from reminisce.domain.memory import Memory
from reminisce.domain.records import (
    Event,
    Head,
    Link,
    LinkKind,
    LogEntry,
    Outline,
    Piece,
    Record,
    Standing,
    Subject,
    SubjectKey,
    Tie,
)

__all__ = ["Snapshot"]


class Snapshot(Protocol):
    """
    One unchanging state of a store, read by what things are called.

    Guarantees: every answer comes from the same instant. What is absent is absent from the mapping, never None and never an
    error. Order means nothing unless said. Names asked for twice count once. Asking for nothing answers nothing.
    """

    def incarnation(self) -> str:
        """The store's random name for this life of it: 32 hexadecimal digits, new at creation and at restore."""
        ...

    def fences(self, fences: Iterable[Fence], /) -> Mapping[Fence, int]:
        """Where each fence stands; 0 for one never advanced."""
        ...

    def head(self, owner: str, /) -> Head:
        """Where the owner stands."""
        ...

    def committed(self, commit_id: str, /) -> bool:
        """Whether a commit of that id is part of this state."""
        ...

    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]:
        """The owner's memories of those keys, whatever their status."""
        ...

    def outlines(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Outline]:
        """As `memories`, what a walk reads of each."""
        ...

    def holders(self, owner: str, digests: Iterable[bytes], /) -> Mapping[bytes, Sequence[str]]:
        """For each digest the keys of all memories that hold it, whatever their status, in canonical order."""
        ...

    def requests(self, owner: str, request_keys: Iterable[str], /) -> Mapping[str, str]:
        """For each request key the key of the memory it made."""
        ...

    def history(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Sequence[Event]]:
        """For each key its events, oldest first."""
        ...

    def links(
        self, owner: str, keys: Iterable[str], /, *, kinds: Collection[LinkKind] = tuple(LinkKind)
    ) -> Mapping[str, Sequence[Link]]:
        """For each key the links it is a member of, ended ones too, by revision and then name; those of *kinds* only."""
        ...

    def all_links(self, owner: str, /) -> Iterator[Link]:
        """The owner's links, ended ones too, by the bytes of their names, memory bounded."""
        ...

    def ties(self, owner: str, keys: Iterable[str], kind: LinkKind, role: str, /) -> Mapping[str, Sequence[Tie]]:
        """For each key its links of *kind* between two roles in which it plays *role*, ended ones too, by the other key."""
        ...

    def facts(
        self, owner: str, subject: str, /, *, attribute: str | None = None, value: str | None = None,
        since: dt.datetime | None = None,
    ) -> Sequence[Standing]:  # fmt: skip
        """The owner's memories with facts of the subject, whatever their status, in canonical order; those of one
        *attribute*, or of that and one folded *value*, only. With *since* those only that are active, or did not end
        before it."""
        ...

    def valued(self, owner: str, attributes: Iterable[str], /) -> Mapping[str, bool]:
        """For each attribute that a fact of the owner uses, whether it holds many values."""
        ...

    def citing(self, owner: str, sources: Iterable[str], /) -> Mapping[str, Sequence[str]]:
        """For each source the keys of the owner's memories that cite it, in canonical order."""
        ...

    def subjects(self, refs: Iterable[str], /) -> Mapping[str, Subject]:
        """The subjects of those references."""
        ...

    def all_subjects(self) -> Iterator[Subject]:
        """Every subject, by the bytes of its reference, memory bounded."""
        ...

    def subject_keys(self, refs: Iterable[str], /) -> Mapping[str, SubjectKey]:
        """For each subject that has one, its key."""
        ...

    def keyring(self) -> tuple[Sequence[SubjectKey], Sequence[str]]:
        """Every key there is, by id; and the ids of those that were destroyed, sorted."""
        ...

    def about(self, ref: str, /, *, after: tuple[str, str] | None = None, limit: int) -> Sequence[tuple[str, str]]:
        """At most *limit* (owner, key) of memories about the subject, in that order, those after *after* only."""
        ...

    def pieces(self, owner: str, /) -> Sequence[Piece]:
        """The owner's saved index, by number."""
        ...

    def covered(self, owner: str, /) -> int:
        """The owner's revision that its saved index reaches; 0 when nothing is saved. Reads no piece."""
        ...

    def owners(self) -> Sequence[str]:
        """Every owner that ever committed, sorted by UTF-8 bytes."""
        ...

    def revision_at(self, owner: str, time: dt.datetime, /) -> int:
        """The owner's last revision whose commit time is not after *time*; 0 before the first."""
        ...

    def log(self, owner: str, /, *, since: int) -> Iterator[LogEntry]:
        """The owner's commits after revision *since*, in order."""
        ...

    def in_order(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Memory]:
        """As `records`, the memories alone."""
        ...

    def records(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Record]:
        """The owner's memories in canonical order, memory bounded, whatever their status; those whose (revision, ordinal)
        is above *after* only."""
        ...
