"""A store in the process: the domain's own state behind a lock. Runs in a browser."""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from reminisce.domain.changes import Commit, Fence
from reminisce.domain.state import State, apply
from reminisce.errors import StoreClosedError, StoreUnavailableError

if TYPE_CHECKING:
    from reminisce.ports.store import Store, View

__all__ = ["InMemoryStore"]

WAIT_S: Final = 20.0
"""How long a writer waits for another thread, as long as the embedded store lets it."""


class InMemoryStore:
    """
    Keeps everything in the process and nothing beyond its end.

    Args:
        incarnation: This store's random name, 32 hexadecimal digits.
    """

    def __init__(self, incarnation: str) -> None:
        self._state: State | None = State(incarnation)
        self._draft: State | None = None
        """What the view for writing that is open will leave. Nobody else sees it before that view closes."""
        self._writing = threading.Lock()

    def _open(self) -> State:
        state = self._state
        if state is None:
            raise StoreClosedError
        return state

    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[State]:
        if for_writing is None:
            yield self._open()
            return
        with self._alone():
            self._draft = self._open()
            try:
                yield self._draft
                self._state = self._draft
            finally:
                self._draft = None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._writing.acquire(timeout=WAIT_S):
            raise StoreUnavailableError("another thread is writing for longer than we wait")
        try:
            yield
        finally:
            self._writing.release()

    def commit(self, commit: Commit, /, *, within: "View | None" = None) -> None:
        if within is not None:
            assert self._draft is not None  # noqa: S101 (that view is open, and this thread's)
            self._draft = apply(self._draft, commit)
            return
        with self._alone():
            self._state = apply(self._open(), commit)

    def setup(self) -> None:
        self._open()

    def check(self, *, deep: bool = False) -> list[str]:  # noqa: ARG002 (all of it is a reference)
        self._open()
        return []

    def remnants(self) -> tuple[str, ...]:
        self._open()
        return ()

    def scrub(self) -> tuple[str, ...]:
        self._open()
        return ()

    def close(self) -> None:
        with self._writing:
            self._state = None


if TYPE_CHECKING:
    _check: type[Store] = InMemoryStore
