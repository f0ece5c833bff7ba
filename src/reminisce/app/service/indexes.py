"""Keeps the indexes of owners in the process: loaded from pieces, kept up with the log, saved by and by."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Final

import attrs

from reminisce.domain.changes import (
    AddHistory,
    Advance,
    Commit,
    DropPieces,
    Fence,
    FenceKind,
    PutMemory,
    PutPiece,
    SetFields,
)
from reminisce.domain.index.frozen import from_bytes, to_bytes
from reminisce.domain.index.index import Index
from reminisce.domain.records import Event, Piece, Record
from reminisce.errors import ConflictError, StoreError
from reminisce.ports.analyser import Analyser
from reminisce.ports.identifiers import Identifiers
from reminisce.ports.store import Store, View

__all__ = ["Indexes"]

SAVE_EVERY: Final = 1024
"""
Changes that a writer lets pass before it saves a piece.

Our choice: a cold start that finds as many changes unsaved reads them again in about 0.1 s, and saving them takes as long.
"""

SAVE_AT_CLOSE: Final = 256
"""Changes worth saving when the process ends: fewer are read again in 20 ms by whoever starts next."""

SHED_AT: Final = 4 * SAVE_EVERY
"""Documents in the growing part from which a process that only reads takes over what the writer has saved."""

_CHUNK: Final = 1000
"""Records read from the store at a time while an index is brought up to date."""


@attrs.define(eq=False)
class _Held:
    """One owner's index and what it stands on."""

    lock: threading.RLock = attrs.field(factory=threading.RLock)
    index: Index | None = None
    incarnation: str = ""
    pieces: int = 0
    """Where the pieces' fence stood when the pieces were read or written."""
    numbers: list[int | None] = attrs.field(factory=list)
    """The saved number of each frozen part; None for one that is not saved."""
    foreign: bool = False
    """Whether pieces are there that this index was not loaded from."""
    unsaved: int = 0
    """Documents that no piece holds."""
    size: int = 0
    """Bytes, roughly."""
    consents: int = -1
    """The store's number of changes of consent at which `audiences` was read."""
    audiences: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Of the owner's subjects. One that is not in here was first mentioned since, and lets nobody see."""


class Indexes:
    """
    The indexes of all owners of a store that this process uses, least recently used first out.

    Args:
        budget: Bytes that all of them together may take, roughly. One index alone may take more.
    """

    def __init__(self, store: Store, analyser: Analyser, identifiers: Identifiers, *, budget: int) -> None:
        self._store = store
        self._analyser = analyser
        self._identifiers = identifiers
        self._budget = budget
        self._guard = threading.Lock()
        self._held: OrderedDict[str, _Held] = OrderedDict()

    def _of(self, owner: str) -> _Held:
        with self._guard:
            held = self._held.get(owner)
            if held is None:
                held = self._held[owner] = _Held()
            self._held.move_to_end(owner)
            return held

    @contextmanager
    def at(self, owner: str) -> Iterator[tuple[Index, View]]:
        """The owner's index and an open view of the same revision. Other threads of this owner wait meanwhile."""
        held = self._of(owner)
        with held.lock:
            with self._store.view() as view:
                yield self._caught_up(held, owner, view), view
            held.size = 0 if held.index is None else held.index.bytes()
        self._evict(owner)

    def audiences(self, owner: str, view: View) -> tuple[int, dict[str, tuple[str, ...]]]:
        """
        Who may see what is about the owner's subjects, as *view* says, and the number that stands for it.

        Call it within `at`. Read again only when that number has moved: any change of any consent moves it.
        """
        held = self._of(owner)
        fence = Fence(FenceKind.CONSENTS)
        number = view.fences([fence])[fence]
        if held.consents != number:
            refs = set() if held.index is None else held.index.subjects()
            held.audiences = {ref: subject.audiences for ref, subject in view.subjects(refs).items()}
            held.consents = number
        return number, held.audiences

    def _evict(self, latest: str) -> None:
        with self._guard:
            total = sum(held.size for held in self._held.values())
            for owner in list(self._held):
                if total <= self._budget or owner == latest:
                    return
                total -= self._held.pop(owner).size

    def _caught_up(self, held: _Held, owner: str, view: View) -> Index:
        index = held.index
        if index is None or held.incarnation != view.incarnation() or self._may_shed(held, owner, view):
            index = self._load(held, owner, view)
        head = view.head(owner).revision
        if index.revision < head:
            records = view.records(owner) if index.revision == 0 else _touched(view, owner, index.revision)
            for chunk in iter(lambda: list(islice(records, _CHUNK)), []):
                # The revision is moved last: an index that failed on the way is never taken for a whole one.
                index.update(index.revision, chunk)
                held.unsaved += len(chunk)
            index.revision = head
        return index

    def _may_shed(self, held: _Held, owner: str, view: View) -> bool:
        """Whether a reader's growing part is long, while another process has saved what is in it."""
        fence = Fence(FenceKind.PIECES, owner)
        return held.unsaved >= SHED_AT and view.fences([fence])[fence] != held.pieces

    def _load(self, held: _Held, owner: str, view: View) -> Index:
        held.index, held.consents = None, -1
        index = Index(self._analyser.terms)
        held.numbers, held.foreign, held.unsaved = [], False, 0
        held.incarnation = view.incarnation()
        fence = Fence(FenceKind.PIECES, owner)
        held.pieces = view.fences([fence])[fence]
        for piece in view.pieces(owner):
            part = from_bytes(piece.data, self._analyser.identity)
            if part is None:
                index, held.numbers, held.foreign = Index(self._analyser.terms), [], True
                break
            index.load(part, piece.through)
            held.numbers.append(piece.number)
        held.index = index
        return index

    def absorb(self, commit: Commit, incarnation: str) -> None:
        """
        Take in a commit that this process has just made, from its own changes, without reading them back.

        Only what adds memories can be taken in so; everything else waits for the next `at`.

        Args:
            incarnation: Of the store when the commit was planned.
        """
        for entry in commit.entries:
            held = self._of(entry.owner)
            with held.lock:
                if held.index is None and entry.revision == 1:
                    held.index, held.incarnation = Index(self._analyser.terms), incarnation
                index = held.index
                if index is None or held.incarnation != incarnation or index.revision != entry.revision - 1:
                    continue
                records = _added(commit, entry.owner)
                if records is not None:
                    index.update(entry.revision, records)
                    held.unsaved += len(records)

    def sound(self, owner: str, *, deep: bool) -> bool:
        """
        Whether the owner's index can be brought up to date.

        Args:
            deep: Also build it anew from all memories, and compare.
        """
        with self.at(owner) as (index, view):
            if not deep:
                return True
            fresh = Index(self._analyser.terms)
            fresh.update(index.revision, view.records(owner))
            return index.agrees_with(fresh)

    def save_by_and_by(self, owner: str) -> None:
        """After a write: save the owner's index when enough has changed."""
        held = self._of(owner)
        with held.lock:
            index = held.index
            if index is None:
                with self._store.view() as view:
                    behind = view.head(owner).revision - view.covered(owner)
                if behind >= SAVE_EVERY:
                    self.save(owner)
            elif held.unsaved >= SAVE_EVERY:
                self.save(owner)

    def close(self) -> None:
        """Save what is worth saving. What cannot be saved is read again by whoever starts next, and is no error."""
        for owner, held in list(self._held.items()):
            if held.unsaved >= SAVE_AT_CLOSE:
                with suppress(StoreError):
                    self.save(owner)

    def rebuild(self, owner: str) -> None:
        """Build the owner's index from its memories and save it in place of every piece."""
        held = self._of(owner)
        with held.lock:
            with self._store.view() as view:
                self._load(held, owner, view)
                held.index, held.numbers, held.foreign = Index(self._analyser.terms), [], True
                self._caught_up(held, owner, view)
            self.save(owner)

    def save(self, owner: str) -> None:
        """Save the owner's index. When another process was first, that one's pieces stand and this does nothing."""
        held = self._of(owner)
        pieces, erasure = Fence(FenceKind.PIECES, owner), Fence(FenceKind.ERASURE, owner)
        with held.lock:
            with self._store.view() as view:
                index = self._caught_up(held, owner, view)
                standing = view.fences([pieces, erasure])
                if standing[pieces] != held.pieces:
                    index = self._caught_up_anew(held, owner, view)
            if not held.unsaved and not held.foreign:
                return
            part, merged = index.settle()
            dropped = [number for number in held.numbers[len(held.numbers) - merged :] if number is not None]
            del held.numbers[len(held.numbers) - merged :]
            number = standing[pieces] + 1
            data = to_bytes(part, self._analyser.identity)
            drop = DropPieces(owner, None if held.foreign else tuple(dropped))
            commit = Commit(
                id=self._identifiers.commit(),
                changes=(drop, PutPiece(owner, Piece(number, index.revision, data))),
                advances=(Advance(pieces, standing[pieces], number),),
                requires=((erasure, standing[erasure]),),
            )
            try:
                self._store.commit(commit)
            except ConflictError:
                held.index = None
                return
            held.pieces, held.unsaved, held.foreign = number, 0, False
            held.numbers.append(number)

    def _caught_up_anew(self, held: _Held, owner: str, view: View) -> Index:
        self._load(held, owner, view)
        return self._caught_up(held, owner, view)


def _touched(view: View, owner: str, since: int) -> Iterator[Record]:
    """Every memory that commits after *since* touched, as it stands in *view*."""
    keys = dict.fromkeys(key for entry in view.log(owner, since=since) for key in entry.keys)
    rest = iter(keys)
    for chunk in iter(lambda: list(islice(rest, _CHUNK)), []):
        memories, history = view.memories(owner, chunk), view.history(owner, chunk)
        for key, memory in memories.items():
            yield Record(memory, tuple(history.get(key, ())))


def _added(commit: Commit, owner: str) -> list[Record] | None:
    """The records that *commit* adds; None when it also changes what was there."""
    events: dict[str, list[Event]] = {}
    memories = []
    for change in commit.changes:
        match change:
            case PutMemory() if change.memory.owner == owner:
                memories.append(change.memory)
            case AddHistory() if change.owner == owner:
                events.setdefault(change.key, []).append(change.event)
            case SetFields() if change.owner == owner:
                return None
            case _:
                pass
    return [Record(memory, tuple(events.get(memory.key, ()))) for memory in memories]
