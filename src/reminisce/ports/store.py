"""The Store port: where memories are kept."""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from reminisce.domain.changes import Commit, Fence
from reminisce.domain.snapshot import Snapshot

__all__ = ["FORKED", "Store", "View"]

FORKED: Final = "a store does not cross a fork: spawn processes, or open it only in the children"
"""The detail of the `StoreError` that a child gets which uses, or opens anew, what its parent had open."""


class View(Snapshot, Protocol):
    """
    A `Snapshot` that is open. It answers within the ``with`` block that opened it, in the thread that opened it, no later.
    """


class Store(Protocol):
    """
    Keeps what commits say, and shows it in consistent snapshots. It knows no rule of what may happen next.

    Guarantees:

    * A commit happens whole or not at all, and once it has returned it survives the death of the process (durable stores).
    * Two commits that advance the same fence cannot both succeed from the same value; any number may require one at once;
      none that requires a fence succeeds together with one that advances it.
    * A view never changes while it is open, whatever others commit. A view opened after a commit returned shows it.
    * Any number of threads may use one store; durable stores, any number of processes.
    * After `close` every call raises `StoreClosedError`; closing twice closes once.
    * Whatever fails is an error of the `StoreError` family, never an empty answer, and nothing of it was done.
    """

    def view(self, *, for_writing: Collection[Fence] | None = None) -> AbstractContextManager[View]:
        """
        Open a snapshot.

        Args:
            for_writing: Fences that nobody else may advance while the view is open, so that a commit given ``within`` it
                cannot lose a race. None: an ordinary view, which blocks nobody and is blocked by nobody. Views for writing
                wait for one another for a bounded time and then raise `StoreUnavailableError`.
        """
        ...

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        """
        Do a commit, whole. The same id twice is the same commit once.

        Args:
            within: A view for writing that this thread has open; the commit stands when that view closes without an error.

        Raises:
            ConflictError: A fence stands elsewhere than the commit needs, or a name that must be free is taken.
        """
        ...

    def setup(self) -> None:
        """Make the store ready, or check that it is. Setting up twice changes nothing."""
        ...

    def check(self, *, deep: bool = False) -> list[str]:
        """
        What is wrong with the store, a sentence each; empty when nothing is.

        Args:
            deep: Read all of it, which takes about as long as copying it.
        """
        ...

    def remnants(self) -> Sequence[str]:
        """What may be left of erased words until a `scrub`, a sentence each; empty where nothing ever is."""
        ...

    def scrub(self) -> Sequence[str]:
        """
        Leave nothing of erased words in anything the store keeps. Readers go on; writers wait.

        Returns:
            What could not be done now and has to wait, a sentence each; empty when nothing is left. Again finishes it.
        """
        ...

    def close(self) -> None:
        """Let go of everything held. Waits for views that are open in other threads."""
        ...
