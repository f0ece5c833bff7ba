"""One owner's index in the process: loaded from pieces, kept up with the log, settled into new pieces."""

import threading
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from reminisce.domain.changes import (
    AddHistory,
    Advance,
    Commit,
    DropPieces,
    EraseMemory,
    Fence,
    FenceKind,
    PutMemory,
    PutPiece,
    SetFields,
)
from reminisce.domain.index.frozen import from_bytes, to_bytes
from reminisce.domain.index.index import Index
from reminisce.domain.records import Event, LogEntry, Piece, Record
from reminisce.ports.analyser import Analyser
from reminisce.ports.store import View

__all__ = ["SAVE_EVERY", "SHED_AT", "HeldIndex", "Turn"]

SAVE_EVERY: Final = 1024
"""
Changes that a writer lets pass before it saves a piece.

Our choice: a cold start that finds as many changes unsaved reads them again in about 0.1 s; saving them takes as long.
"""

SHED_AT: Final = 4 * SAVE_EVERY
"""Documents in the growing part from which a process that only reads takes over what the writer has saved."""

_CHUNK: Final = 1000
"""Records read from the store at a time while an index is brought up to date."""


class Turn:
    """Whose turn it is. It ends with the call that holds it, however that ends: an interrupt cannot leave it taken."""

    __slots__ = ("__weakref__",)


def _nobody() -> Turn | None:
    return None


class HeldIndex:
    """
    One owner's index and what it stands on. Every method wants `lock` held.

    Args:
        owner: Whose.
        analyser: Makes the terms.
    """

    def __init__(self, owner: str, analyser: Analyser) -> None:
        self.lock = threading.RLock()
        self.saver: Callable[[], Turn | None] = _nobody
        """Gives the turn of the thread that is saving, which lets go of `lock` meanwhile; None when nobody is."""
        self.size = 0
        """Bytes, roughly."""
        self._owner = owner
        self._analyser = analyser
        self._fences = Fence(FenceKind.PIECES, owner), Fence(FenceKind.ERASURE, owner)
        self.drop()

    def drop(self) -> None:
        """Forget everything: the next use loads it anew."""
        self.index: Index | None = None
        self.unsaved = 0
        """Documents that no piece holds, as far as this process knows."""
        self.behind_by = 0
        """Changes made here that the index has not taken in yet."""
        self._incarnation = ""
        self._pieces = 0
        """Where the pieces' fence stood when the pieces were read or written."""
        self._erased = 0
        """The erasure epoch at that time: after a later one, parts may hold words of memories that they no longer find."""
        self._numbers: list[int] = []
        """The saved number of each frozen part."""
        self._foreign = False
        """Whether pieces are there that this index was not loaded from."""
        self._consents = (-1, -1)
        self._audiences: dict[str, tuple[str, ...]] = {}

    def caught_up(self, view: View) -> Index:
        """The index at the revision of *view*."""
        index = self.index
        if index is None or self._incarnation != view.incarnation() or self._may_shed(view):
            index = self._load(view)
        head = view.head(self._owner).revision
        if index.revision < head:
            records = view.records(self._owner) if index.revision == 0 else self._touched(view, index.revision)
            for chunk in iter(lambda: list(islice(records, _CHUNK)), []):
                # The revision is moved last: an index that failed on the way is never taken for a whole one.
                index.update(index.revision, chunk)
                self.unsaved += len(chunk)
            index.revision = head
            self.behind_by = 0
        return index

    def _may_shed(self, view: View) -> bool:
        """Whether a reader's growing part is long, while another process has saved what is in it and that is still there."""
        if self.unsaved < SHED_AT or view.fences(self._fences)[self._fences[0]] == self._pieces:
            return False
        return view.covered(self._owner) > 0

    def _load(self, view: View) -> Index:
        self.drop()
        index = Index(self._analyser.terms)
        self._incarnation = view.incarnation()
        standing = view.fences(self._fences)
        self._pieces, self._erased = (standing[fence] for fence in self._fences)
        for piece in view.pieces(self._owner):
            part = from_bytes(piece.data, self._analyser.identity)
            if part is None:
                index, self._numbers, self._foreign = Index(self._analyser.terms), [], True
                break
            index.load(part, piece.through)
            self._numbers.append(piece.number)
        self.index = index
        return index

    def _touched(self, view: View, since: int) -> Iterator[Record]:
        """Every memory that commits after *since* touched, as it stands in *view*."""
        rest = iter(dict.fromkeys(key for entry in view.log(self._owner, since=since) for key in entry.keys))
        for chunk in iter(lambda: list(islice(rest, _CHUNK)), []):
            memories, history = view.memories(self._owner, chunk), view.history(self._owner, chunk)
            for key, memory in memories.items():
                yield Record(memory, tuple(history.get(key, ())))

    def absorb(self, commit: Commit, entry: LogEntry, incarnation: str) -> None:
        """
        Take in a commit that this process has just made, from its own changes, without reading them back.

        Only what adds memories, or erases them, can be taken in so; everything else waits for `caught_up`.

        Args:
            entry: The commit's line in this owner's log.
            incarnation: Of the store when the commit was planned.
        """
        if self.index is None and entry.revision == 1:
            self.index, self._incarnation = Index(self._analyser.terms), incarnation
        index = self.index
        if index is None:
            self.unsaved += len(entry.keys)
        elif self._incarnation == incarnation and index.revision == entry.revision - 1:
            records = _whole(commit, self._owner)
            if records is not None:
                index.update(entry.revision, records)
                self.unsaved += len(records)
            else:
                self.behind_by += len(entry.keys)
        else:
            self.behind_by += len(entry.keys)

    def who_sees(self, view: View) -> tuple[int, dict[str, tuple[str, ...]]]:
        """
        The audiences of the owner's subjects, as *view* says, and the number that stands for them.

        Read again only when a consent has changed anywhere, which moves that number, or when the index has met subjects
        since: those are in documents newer than whatever was computed under the number before.
        """
        fence = Fence(FenceKind.CONSENTS)
        number = view.fences([fence])[fence]
        index = self.index
        kinds = 0 if index is None else sum(len(part.seen_as) for _, part in index.parts)
        if self._consents != (number, kinds):
            refs = set() if index is None else index.subjects()
            self._audiences = {ref: subject.audiences for ref, subject in view.subjects(refs).items()}
            self._consents = (number, kinds)
        return number, self._audiences

    @property
    def pending(self) -> int:
        """Of an index that is loaded, how many changes no piece holds."""
        return self.unsaved + self.behind_by

    def behind(self, view: View) -> int:
        """Of an index that is not loaded, how many changes no piece holds: revisions at least, and all written here."""
        return max(self.unsaved, view.head(self._owner).revision - view.covered(self._owner))

    def settled(self, view: View, commit_id: str, *, anew: bool) -> Commit | None:
        """
        The commit that saves the index; None when there is nothing to save.

        The index counts as saved from now on: if the commit fails, `drop` it.

        Args:
            anew: Build it from the memories, and put it in place of every piece.
        """
        pieces, erasure = self._fences
        standing = view.fences(self._fences)
        if anew:
            self._load(view)
            self.index, self._numbers, self._foreign = Index(self._analyser.terms), [], True
        elif self.index is not None and standing[pieces] != self._pieces:
            self._load(view)
        index = self.caught_up(view)
        erased = standing[erasure] != self._erased
        if not self.unsaved and not self._foreign and not erased:
            return None
        part, merged = index.settle(whole=erased)
        kept = 0 if erased else len(self._numbers) - merged
        dropped = None if self._foreign or erased else tuple(self._numbers[kept:])
        number = standing[pieces] + 1
        self._numbers[kept:] = [number]
        self._pieces, self._erased, self._foreign, self.unsaved = number, standing[erasure], False, 0
        piece = Piece(number, index.revision, to_bytes(part, self._analyser.identity))
        return Commit(
            id=commit_id,
            changes=(DropPieces(self._owner, dropped), PutPiece(self._owner, piece)),
            advances=(Advance(pieces, standing[pieces], number),),
            requires=((erasure, standing[erasure]),),
        )


def _whole(commit: Commit, owner: str) -> list[Record] | None:
    """
    The records that *commit* adds or erases; None when it also changes what was there.

    Of an erased memory it holds the last event alone, which is all that an index knows of its past.
    """
    events: dict[str, list[Event]] = {}
    memories = []
    for change in commit.changes:
        match change:
            case PutMemory() | EraseMemory() if change.memory.owner == owner:
                memories.append(change.memory)
            case AddHistory() if change.owner == owner:
                events.setdefault(change.key, []).append(change.event)
            case SetFields() if change.owner == owner:
                return None
            case _:
                pass
    return [Record(memory, tuple(events.get(memory.key, ()))) for memory in memories]
