"""What a backup tells, as changes of a store."""

from collections.abc import Collection
from typing import Final

import attrs

from reminisce.app.service.core import Core
from reminisce.app.service.reading_back import Brought, Kept, Person, Tied
from reminisce.codec.backup import Destroyed, OwnerLine
from reminisce.domain.changes import (
    AddHistory,
    Advance,
    Change,
    DestroyKey,
    EraseMemory,
    Fence,
    FenceKind,
    PutLink,
    PutMemory,
    PutSubject,
    PutSubjectKey,
)
from reminisce.domain.memory import sameness
from reminisce.domain.past import now_of
from reminisce.domain.records import Event, Head, LogEntry, Record, SubjectKey, SubjectState, Withdrawal
from reminisce.ports.store import Store

__all__ = ["LINES", "Batch", "Bringing"]

LINES: Final = 2_000
"""Lines in a commit: more are hardly faster."""

BYTES: Final = 4 * 1024 * 1024
"""Bytes of lines in a commit, so that long memories do not take more room than many short ones."""

_START: Final = Head(0, None)

_NOBODY: Final = ""
"""Whose a key is that is put only to be destroyed. No subject has an empty reference."""


@attrs.define
class Batch:
    """The next commit of a restore."""

    lines: int = 0
    bytes: int = 0
    changes: list[Change] = attrs.field(factory=list)
    advances: dict[Fence, Advance] = attrs.field(factory=dict)
    entries: list[LogEntry] = attrs.field(factory=list)

    def advance(self, fence: Fence, seen: int, to: int) -> None:
        """Move a fence on, if that is on; what one commit moves twice moves once."""
        if to > seen:
            first = self.advances[fence].seen if fence in self.advances else seen
            self.advances[fence] = Advance(fence, first, to)

    def destroy(self, name: str) -> None:
        """Have a key's id known as destroyed."""
        self.changes += [PutSubjectKey(SubjectKey(name, _NOBODY, bytes(32))), DestroyKey(_NOBODY)]


class Bringing:
    """
    Gathers the commits of a restore.

    Args:
        gone: Ids of keys that the store knows as destroyed.
    """

    def __init__(self, core: Core, store: Store, gone: Collection[str]) -> None:
        self.batch = Batch()
        self._core = core
        self._store = store
        self._gone = gone
        self._head = _START
        self._owner = ""
        self._redacted: list[str] = []

    @property
    def full(self) -> bool:
        """Whether the batch is large enough for a commit."""
        return self.batch.lines >= LINES or self.batch.bytes >= BYTES

    def finish(self) -> Batch:
        """The batch, and begin the next."""
        self._finish_owner()
        done, self.batch = self.batch, Batch()
        return done

    def pass_over(self, value: Brought) -> None:
        """What an earlier run has written."""
        if isinstance(value, OwnerLine):
            self._owner = value.owner
            self._head = _START

    def take(self, value: Brought) -> None:
        """Add what the next line tells to the batch."""
        batch = self.batch
        batch.lines += 1
        match value:
            case Destroyed():
                if value.id not in self._gone:
                    self.batch.destroy(value.id)
            case Person():
                self._person(value)
            case OwnerLine():
                self._finish_owner()
                self._owner, self._head = value.owner, _START
                batch.advance(Fence(FenceKind.ERASURE, value.owner), 0, value.erasure)
                batch.advance(Fence(FenceKind.CONSOLIDATION, value.owner), 0, value.consolidation)
            case LogEntry():
                batch.bytes += sum(map(len, value.keys))
                self._log(value)
            case Kept():
                self._memory(value)
            case Tied():
                if value.link is not None:
                    batch.changes.append(PutLink(value.owner, value.link))

    def _person(self, person: Person) -> None:
        line, subject = person.line, person.line.subject
        epoch = line.epoch
        if person.withdrawn:
            epoch, now = person.withdrawn, self._core.clock.now()
            said = Withdrawal(epoch, now, self._core.face.actor, None, now)
            withdrawals = (*subject.withdrawals, said)
            subject = attrs.evolve(subject, audiences=(), state=SubjectState.WITHDRAWN, withdrawals=withdrawals)
        self.batch.changes.append(PutSubject(subject))
        self.batch.advance(Fence(FenceKind.SUBJECT, subject.ref), 0, epoch)
        if line.key is not None and person.key is not None:
            self.batch.changes.append(PutSubjectKey(SubjectKey(line.key, subject.ref, person.key)))

    def _log(self, entry: LogEntry) -> None:
        fence = Fence(FenceKind.OWNER, entry.owner)
        self.batch.advance(fence, entry.revision - 1, entry.revision)
        self.batch.entries.append(entry)
        self._head = Head(entry.revision, entry.time)

    def _memory(self, kept: Kept) -> None:
        record, batch = kept.record, self.batch
        if not self._head.revision:
            # Taken up in the middle of an owner, who may have more commits by now than the backup tells.
            with self._store.view() as view:
                self._head = view.head(self._owner)
        memory, history = record.memory, record.history
        batch.bytes += len(memory.content) + len(memory.surface or "")
        batch.changes.append(PutMemory(memory, sameness(memory.given)))
        if memory.erased is not None:
            batch.changes.append(EraseMemory(memory))
        if kept.redacted:
            history = (*history, self._redaction(record))
        batch.changes += [AddHistory(memory.owner, memory.key, event) for event in history]

    def _redaction(self, record: Record) -> Event:
        """Say in history and log that a memory came without its words: one commit of its owner for those of a batch."""
        if not self._redacted:
            time = now_of(self._head, self._core.clock.now())
            self.batch.advance(Fence(FenceKind.OWNER, self._owner), self._head.revision, self._head.revision + 1)
            self._head = Head(self._head.revision + 1, time)
        self._redacted.append(record.memory.key)
        assert self._head.time is not None  # noqa: S101 (set above)
        memory = record.memory
        return Event(
            self._head.revision, self._head.time, "restore", memory.status, self._core.face.actor, None, memory.valid_from,
            memory.valid_to,
        )  # fmt: skip

    def _finish_owner(self) -> None:
        if self._redacted:
            assert self._head.time is not None  # noqa: S101 (set with the first)
            entry = LogEntry(self._owner, self._head.revision, self._head.time, "restore", tuple(self._redacted))
            self.batch.entries.append(entry)
            self._redacted = []
