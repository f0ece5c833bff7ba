"""The indexes of all owners that this process uses: one memory budget, saved by and by."""

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from reminisce.app.service.held import SAVE_EVERY, HeldIndex, Turn
from reminisce.domain.changes import Commit
from reminisce.domain.index.index import Index
from reminisce.domain.masking import Masks
from reminisce.errors import ConflictError, StoreError
from reminisce.ports.analyser import Analyser
from reminisce.ports.identifiers import Identifiers
from reminisce.ports.store import FORKED, Store, View

__all__ = ["Indexes"]

SAVE_AT_CLOSE: Final = 256
"""Changes worth saving when the process ends: fewer are read again in 20 ms by whoever starts next."""

REBUILDS: Final = 3
"""Attempts at building an index anew while other processes save theirs in between."""


class Indexes:
    """
    The indexes of all owners of a store that this process uses, least recently used first out.

    Args:
        masks: Make surfaces of redacted memories that were given none.
        budget: Bytes that all of them together may take, roughly. One index alone may take more.
    """

    def __init__(
        self, store: Store, analyser: Analyser, identifiers: Identifiers, *, masks: Masks, budget: int
    ) -> None:
        self._store = store
        self._analyser = analyser
        self._masks = masks
        self._identifiers = identifiers
        self._budget = budget
        self._process = os.getpid()
        self._guard = threading.Lock()
        self._held: OrderedDict[str, HeldIndex] = OrderedDict()

    def _of(self, owner: str) -> HeldIndex:
        if self._process != os.getpid():
            # Locks that another thread held at the fork are never released here, so none is touched.
            raise StoreError(FORKED)
        with self._guard:
            held = self._held.get(owner)
            if held is None:
                held = self._held[owner] = HeldIndex(owner, self._analyser, self._masks)
            self._held.move_to_end(owner)
            return held

    def _weigh(self, owner: str, held: HeldIndex) -> None:
        """Note what an index takes, and let go of the least recently used beyond the budget."""
        held.size = 0 if held.index is None else held.index.bytes()
        with self._guard:
            total = sum(other.size for other in self._held.values())
            for other in list(self._held):
                if total <= self._budget or other == owner:
                    return
                total -= self._held.pop(other).size

    @contextmanager
    def at(self, owner: str) -> Iterator[tuple[HeldIndex, Index, View]]:
        """The owner's index, and an open view of the same revision. Other threads of this owner wait meanwhile."""
        held = self._of(owner)
        with held.lock:
            with self._store.view() as view:
                try:
                    index = held.caught_up(view)
                except BaseException:
                    # An index that an interrupt left half way is worth nothing.
                    held.drop()
                    raise
                yield held, index, view
            self._weigh(owner, held)

    def warm(self, owner: str) -> None:
        """Have the owner's index in the process, so that it need not be built anew when its saved pieces are dropped."""
        with self.at(owner):
            pass

    def save_erased(self, owner: str) -> None:
        """After an erasure, which dropped every piece: save the index again, without the words that it no longer finds."""
        with suppress(StoreError):
            self.save(owner)

    def absorb(self, commit: Commit, incarnation: str) -> None:
        """Let the indexes take in a commit that this process has just made."""
        for entry in commit.entries:
            held = self._of(entry.owner)
            with held.lock:
                try:
                    held.absorb(commit, entry, incarnation)
                except BaseException:
                    held.drop()
                    raise
                self._weigh(entry.owner, held)

    def sound(self, owner: str, *, deep: bool) -> bool:
        """
        Whether the owner's index can be brought up to date.

        Args:
            deep: Also build it anew from all memories, and compare.
        """
        with self.at(owner) as (_, index, view):
            if not deep:
                return True
            fresh = Index(self._analyser.terms, self._masks)
            fresh.update(index.revision, view.records(owner))
            return index.agrees_with(fresh)

    def save_by_and_by(self, owner: str) -> None:
        """After a write: save the owner's index when enough has changed."""
        held = self._of(owner)
        with held.lock:
            if held.index is not None:
                due = held.pending >= SAVE_EVERY
            else:
                with self._store.view() as view:
                    due = held.behind(view) >= SAVE_EVERY
        if due:
            self.save(owner)

    def close(self) -> None:
        """Save what is worth saving. What cannot be saved is read again by whoever starts next, and is no error."""
        if self._process != os.getpid():
            return
        with self._guard:
            owners = [owner for owner, held in self._held.items() if held.pending >= SAVE_AT_CLOSE]
        for owner in owners:
            with suppress(StoreError):
                self.save(owner)

    def rebuild(self, owner: str) -> bool:
        """Build the owner's index from its memories and save it in place of every piece; whether that stood."""
        return any(self.save(owner, anew=True) for _ in range(REBUILDS))

    def save(self, owner: str, *, anew: bool = False) -> bool:
        """
        Save the owner's index. When another process was first, that one's pieces stand.

        Recalls go on while the store is waited for.

        Returns:
            Whether the pieces in the store are now this index's.
        """
        held, turn = self._of(owner), Turn()
        with held.lock:
            if held.saver() is not None and not anew:
                return False
            held.saver = weakref.ref(turn)
            with self._store.view() as view:
                try:
                    commit = held.settled(view, self._identifiers.commit(), anew=anew)
                except BaseException:
                    held.drop()
                    raise
            index = held.index
        if commit is None:
            return True
        try:
            self._commit(held, index, commit)
        except ConflictError:
            return False
        return True

    def _commit(self, held: HeldIndex, index: Index | None, commit: Commit) -> None:
        try:
            self._store.commit(commit)
        except BaseException:
            # The index thinks that it is saved, which is not so: whatever went wrong, start anew.
            with held.lock:
                if held.index is index:
                    held.drop()
            raise
