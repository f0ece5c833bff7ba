"""What a planner answers, and the notebook it is written in."""

import datetime as dt
from collections.abc import Iterable
from typing import Generic, TypeVar

import attrs

from reminisce.domain.changes import AddHistory, Advance, Change, Commit, Fence, FenceKind, PutSubject, SetFields
from reminisce.domain.records import Event, LogEntry, Subject
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status

__all__ = ["Notebook", "Plan"]

A = TypeVar("A")


@attrs.frozen
class Plan(Generic[A]):
    """What the caller will be told, and what must be committed for that to be true."""

    answer: A
    commit: Commit | None
    """None: nothing needs to be written."""


class Notebook:
    """
    Collects one owner's next commit: its revision, its time, its changes, and what it stands on.

    Args:
        snapshot: The state that is planned on.
        owner: Whose commit it is.
        now: The clock's time for this request, UTC.
        operation: The operation's name, for log and history.
        actor: The face, for history.
    """

    def __init__(self, snapshot: Snapshot, owner: str, *, now: dt.datetime, operation: str, actor: str) -> None:
        head = snapshot.head(owner)
        self.owner = owner
        self.seen = head.revision
        self.revision = head.revision + 1
        # Commit times never go back, so that one time means one revision even when clocks disagree.
        self.time = now if head.time is None else max(now, head.time)
        self._snapshot = snapshot
        self._operation = operation
        self._actor = actor
        self._changes: list[Change] = []
        self._touched: dict[str, None] = {}
        self._subjects: dict[str, None] = {}

    def change(self, key: str, *changes: Change) -> None:
        """Add changes that touch the memory *key*."""
        self._changes.extend(changes)
        self._touched[key] = None

    def event(self, status: Status, reason: str | None = None) -> Event:
        """A line of history for this commit."""
        return Event(self.revision, self.time, self._operation, status, self._actor, reason)

    def set_status(self, key: str, status: Status, reason: str | None = None) -> None:
        """Change a memory's status and say so in its history."""
        self.change(
            key,
            SetFields(self.owner, key, {"status": status}),
            AddHistory(self.owner, key, self.event(status, reason)),
        )

    def rely_on(self, refs: Iterable[str]) -> None:
        """Stand on these subjects as they are: the commit fails when one's consent moves before it."""
        self._subjects.update(dict.fromkeys(refs))

    def plan(self, answer: A, commit_id: str) -> Plan[A]:
        """The finished plan; without a commit when no memory was touched."""
        if not self._touched:
            return Plan(answer, None)
        advances = [Advance(Fence(FenceKind.OWNER, self.owner), self.seen, self.revision)]
        requires: list[tuple[Fence, int]] = []
        mentions: list[Change] = []
        if self._subjects:
            floor = Fence(FenceKind.FLOOR)
            fences = [Fence(FenceKind.SUBJECT, ref) for ref in self._subjects]
            standing = self._snapshot.fences([floor, *fences])
            for fence in fences:
                if standing[fence]:
                    requires.append((fence, standing[fence]))
                else:
                    # A first mention makes the subject, seen by no audience, so that two first mentions cannot both win.
                    advances.append(Advance(fence, 0, standing[floor] + 1))
                    mentions.append(PutSubject(Subject(fence.name)))
        entry = LogEntry(self.owner, self.revision, self.time, self._operation, tuple(self._touched))
        return Plan(
            answer,
            Commit(
                id=commit_id,
                changes=(*mentions, *self._changes),
                advances=tuple(advances),
                requires=tuple(requires),
                entries=(entry,),
            ),
        )
