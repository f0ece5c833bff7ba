"""What a planner answers, and the notebook it is written in."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import attrs

from reminisce.domain.changes import (
    AddHistory,
    Advance,
    Change,
    Commit,
    DropLink,
    DropPieces,
    EndLink,
    EraseMemory,
    Fence,
    FenceKind,
    PutLink,
    PutMemory,
    PutSubject,
    SetFields,
)
from reminisce.domain.erasure import without_words
from reminisce.domain.memory import Erased, Memory
from reminisce.domain.past import now_of
from reminisce.domain.planning.desk import Desk
from reminisce.domain.planning.subjects import check_open
from reminisce.domain.records import Event, Link, LinkKind, LogEntry, Subject
from reminisce.domain.snapshot import Snapshot

__all__ = ["Notebook", "Occasion", "Plan"]

A = TypeVar("A")


@attrs.frozen
class Plan(Generic[A]):
    """What the caller will be told, and what must be committed for that to be true."""

    answer: A
    commit: Commit | None
    """None: nothing needs to be written."""


@attrs.frozen(kw_only=True)
class Occasion:
    """What is the same however often a request is planned."""

    now: dt.datetime
    """The clock's time for this request, UTC."""

    actor: str
    """The face, for history."""

    commit_id: str


class Notebook:
    """
    Collects one owner's next commit: its revision, its time, its changes, and what it stands on.

    Args:
        snapshot: The state that is planned on.
        owner: Whose commit it is.
        operation: The operation's name, for log and history.
        occasion: When, by whom and as what.
    """

    def __init__(self, snapshot: Snapshot, owner: str, operation: str, occasion: Occasion) -> None:
        head = snapshot.head(owner)
        self.owner = owner
        self.seen = head.revision
        self.revision = head.revision + 1
        # Commit times never go back, so that one time means one revision even when clocks disagree.
        self.time = now_of(head, occasion.now)
        self.desk = Desk(snapshot)
        self._snapshot = snapshot
        self._operation = operation
        self._occasion = occasion
        self._changes: list[Change] = []
        self._touched: dict[str, None] = {}
        self._subjects: dict[str, None] = {}
        self._open: set[str] = set()
        self._advances: list[Advance] = []
        self._named = 0
        self._erases = False

    @property
    def reached(self) -> int:
        """The owner's revision after the call: one more when anything is written."""
        return self.revision if self._changes or self._advances else self.seen

    def _add(self, change: Change) -> None:
        self._changes.append(change)
        self.desk.take(change)

    def _tell(self, memory: Memory, reason: str | None) -> None:
        event = Event(
            self.revision, self.time, self._operation, memory.status, self._occasion.actor, reason,
            memory.valid_from, memory.valid_to,
        )  # fmt: skip
        self._add(AddHistory(self.owner, memory.key, event))

    def make(self, memory: Memory, digest: bytes, reason: str | None = None) -> None:
        """Add a memory, standing on its subjects."""
        self.rely_on(memory.subjects)
        self._touched[memory.key] = None
        self._add(PutMemory(memory, digest))
        self._tell(memory, reason)

    def become(self, memory: Memory, reason: str | None = None, **values: Any) -> Memory:
        """Change what is in force of a memory and say so in its history. Gives the memory as it then is."""
        after = self.set(memory, **values)
        self._tell(after, reason)
        return after

    def repeat(self, memory: Memory, **values: Any) -> None:
        """`become`, of a memory that was said again: the log names it only where more than its uses change."""
        after = self.weigh(memory, **values) if set(values) == {"uses"} else self.set(memory, **values)
        self._tell(after, None)

    def set(self, memory: Memory, **values: Any) -> Memory:
        """Change what is in force of a memory without a line of history."""
        self._touched[memory.key] = None
        return self.weigh(memory, **values)

    def weigh(self, memory: Memory, **values: Any) -> Memory:
        """Change what no index holds of a memory: salience and counts. The log does not name it."""
        self._add(SetFields(self.owner, memory.key, values))
        after = attrs.evolve(memory, **values)
        self.desk.lay(after)
        return after

    def name(self, kind: LinkKind) -> str:
        """A name for a link of more than two ends: no other commit gives it."""
        self._named += 1
        return f"{kind}:{self._occasion.commit_id}:{self._named}"

    def link(self, link: Link, *touched: str) -> None:
        """Add a link; *touched* are those of its members that the log names for it."""
        self._touched.update(dict.fromkeys(touched))
        self._add(PutLink(self.owner, link))

    def end(self, link: Link, resolution: str | None) -> None:
        """End a link. The log names its members."""
        self._touched.update((member.key, None) for member in link.members)
        self._add(EndLink(self.owner, link.name, self.revision, resolution))

    def drop(self, link: Link) -> None:
        """Remove a link with its words. The log names its members."""
        self._touched.update((member.key, None) for member in link.members)
        self._add(DropLink(self.owner, link.name))

    def erase(self, memory: Memory, by: Erased) -> None:
        """Erase a memory's words, with every saved piece of the index that might hold them."""
        after = without_words(memory, by)
        self._touched[memory.key] = None
        self._add(EraseMemory(after))
        self.desk.lay(after)
        self._tell(after, None)
        self._erases = True

    def history(self, keys: Iterable[str]) -> Mapping[str, Sequence[Event]]:
        """The history of memories up to this commit."""
        return self._snapshot.history(self.owner, keys)

    def check_open(self, refs: Iterable[str]) -> None:
        """
        Make sure that all of these subjects are open. Each is looked up once: the lines of a batch are about the same few.

        Raises:
            SubjectWithdrawnError: Of one the words were withdrawn, or are being.
        """
        new = [ref for ref in refs if ref not in self._open]
        check_open(self._snapshot, new)
        self._open.update(new)

    def rely_on(self, refs: Iterable[str]) -> None:
        """Stand on these subjects, which must be open, as they are: the commit fails when one's consent moves before it."""
        self._subjects.update(dict.fromkeys(refs))

    def advance(self, fence: Fence, to: int | None = None) -> None:
        """Claim a further fence, and move it on."""
        seen = self._snapshot.fences([fence])[fence]
        self._advances.append(Advance(fence, seen, seen + 1 if to is None else to))

    def plan(self, answer: A) -> Plan[A]:
        """
        The finished plan; without a commit when nothing was changed.

        Raises:
            SubjectWithdrawnError: It stands on a subject about which nothing may be written.
        """
        if self._erases:
            self.advance(Fence(FenceKind.ERASURE, self.owner))
            self._add(DropPieces(self.owner))
        if not self._changes and not self._advances:
            return Plan(answer, None)
        advances = [Advance(Fence(FenceKind.OWNER, self.owner), self.seen, self.revision), *self._advances]
        requires: list[tuple[Fence, int]] = []
        mentions: list[Change] = []
        if self._subjects:
            self.check_open(self._subjects)
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
                id=self._occasion.commit_id,
                changes=(*mentions, *self._changes),
                advances=tuple(advances),
                requires=tuple(requires),
                entries=(entry,),
            ),
        )
