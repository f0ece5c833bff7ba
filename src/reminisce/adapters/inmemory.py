"""A store in the process: the domain's own state behind a lock. Runs in a browser."""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reminisce.domain.changes import Commit, Fence
from reminisce.domain.state import State, apply
from reminisce.errors import StoreClosedError

if TYPE_CHECKING:
    from reminisce.ports.store import Store, View

__all__ = ["InMemoryStore"]


class InMemoryStore:
    """
    Keeps everything in the process and nothing beyond its end.

    Args:
        incarnation: This store's random name, 32 hexadecimal digits.
    """

    def __init__(self, incarnation: str) -> None:
        self._state: State | None = State(incarnation)
        self._writing = threading.RLock()

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
        with self._writing:
            before = self._open()
            try:
                yield before
            except BaseException:
                self._state = before
                raise

    def commit(self, commit: Commit, /, *, within: "View | None" = None) -> None:  # noqa: ARG002 (the lock is reentrant)
        with self._writing:
            self._state = apply(self._open(), commit)

    def setup(self) -> None:
        self._open()

    def check(self, *, deep: bool = False) -> list[str]:  # noqa: ARG002 (all of it is a reference)
        self._open()
        return []

    def close(self) -> None:
        with self._writing:
            self._state = None


if TYPE_CHECKING:
    _check: type[Store] = InMemoryStore
