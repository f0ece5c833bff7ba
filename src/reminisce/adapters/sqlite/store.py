"""The store: connections, transactions, and nothing about meaning."""

import os
import secrets
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw

from reminisce.adapters.sqlite.changes import write
from reminisce.adapters.sqlite.files import Opened, open_file
from reminisce.adapters.sqlite.keys import KeySource
from reminisce.adapters.sqlite.migration import bring_up
from reminisce.adapters.sqlite.schema import BUSY_MS, build, check_format, connect
from reminisce.adapters.sqlite.translate import translated
from reminisce.adapters.sqlite.view import SQLiteView
from reminisce.domain.changes import Commit, Fence
from reminisce.errors import StoreClosedError, StoreError, StoreUnavailableError
from reminisce.ports.store import FORKED

if TYPE_CHECKING:
    from reminisce.ports.store import Store, View

__all__ = ["SQLiteStore"]

IDLE: Final = 8
"""Connections kept open for the next caller: more threads than this at once are rare, and one costs a millisecond."""

POLL_S: Final = 0.001
"""How often a writer that waits for a thread of its own process looks again: a commit takes about half of it."""


READERS_MS: Final = 2_000
"""How long a scrub waits for readers of an older state: recalls take milliseconds, and it may be tried again."""


class _Use:
    """A use of the store. It ends with the call that holds it, however that ends: an interrupt cannot leave it open."""

    __slots__ = ("__weakref__",)


def _nobody() -> _Use | None:
    return None


class SQLiteStore:
    """
    Keeps memories in one encrypted file.

    Args:
        path: The file. Its folder is made when it is missing and *create* is set.
        keys: Where the key comes from.
        create: Whether to make a store where none is. An existing file is never overwritten.

    Raises:
        StoreMissingError, StoreUnreadableError, StoreDamagedError, StoreTooNewError, KeyMissingError
    """

    def __init__(self, path: Path, keys: KeySource, *, create: bool = True) -> None:
        self._keys = keys
        self._held = threading.Lock()
        self._out: weakref.WeakSet[_Use] = weakref.WeakSet()
        self._writer: Callable[[], _Use | None] = _nobody
        self._idle: list[apsw.Connection] = []
        self._process = os.getpid()
        self._file: Opened | None = open_file(
            path, keys, create=create, build=lambda p, s, k: build(p, s, k, secrets.token_hex(16))
        )
        self.path = self._file.path
        try:
            first = self._connect(self._file)
            try:
                bring_up(first, self.path)
            except BaseException:
                first.close()
                raise
        except BaseException:
            self._file.release()
            raise
        self._idle.append(first)

    def _connect(self, file: Opened) -> apsw.Connection:
        return connect(self.path, file.salt, file.key)

    def _opened(self) -> Opened:
        """
        The open file.

        Raises:
            StoreClosedError: It was closed.
            StoreError: It was opened by the process that forked this one. SQLite's locks do not pass to a child.
        """
        if self._process != os.getpid():
            raise StoreError(FORKED)
        if self._file is None:
            raise StoreClosedError
        return self._file

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        use, connection = _Use(), None
        try:
            self._opened()
            with self._held:
                file = self._opened()
                self._out.add(use)
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = self._connect(file)
            yield connection
        finally:
            self._give_back(connection, use)

    def _give_back(self, connection: apsw.Connection | None, use: _Use) -> None:
        if self._process != os.getpid():
            return
        with self._held:
            self._out.discard(use)
            # One that an interrupt left in a transaction is no good to anybody.
            if connection is not None and len(self._idle) < IDLE and not connection.in_transaction:
                self._idle.append(connection)
            elif connection is not None:
                connection.close()

    @contextmanager
    def _transaction(self, connection: apsw.Connection, begin: str) -> Iterator[None]:
        try:
            with translated():
                connection.execute(begin)
            yield
            with translated():
                connection.execute("COMMIT")
        except BaseException:
            # A failed statement may have ended the transaction already; what matters is that none is left open.
            with suppress(apsw.Error):
                connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _turn(self) -> Iterator[apsw.Connection]:
        """A connection for this process's one writer."""
        self._opened()
        turn = _Use()
        try:
            self._wait_for(turn)
            with self._connection() as connection:
                yield connection
        finally:
            if self._writer() is turn:
                self._writer = _nobody

    @contextmanager
    def _write_transaction(self) -> Iterator[apsw.Connection]:
        with self._turn() as connection, self._transaction(connection, "BEGIN IMMEDIATE"):
            yield connection

    def _wait_for(self, turn: _Use) -> None:
        """Let the writers of this process take turns here, instead of polling the file against one another."""
        end = time.monotonic() + BUSY_MS / 1000
        while True:
            with self._held:
                if self._writer() is None:
                    self._writer = weakref.ref(turn)
                    return
            if time.monotonic() > end:
                raise StoreUnavailableError("another thread is writing for longer than we wait")
            time.sleep(POLL_S)

    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[SQLiteView]:
        if for_writing is None:
            with self._connection() as connection, self._transaction(connection, "BEGIN"):
                yield SQLiteView(connection)
        else:
            # SQLite has one writer at a time: holding the file's write lock holds every fence.
            with self._write_transaction() as connection:
                yield SQLiteView(connection)

    def commit(self, commit: Commit, /, *, within: "View | None" = None) -> None:
        if within is not None:
            assert isinstance(within, SQLiteView)  # noqa: S101 (views come from this store)
            # A savepoint, so that a commit refused half way leaves nothing for the view to close with.
            with translated(), within.connection:
                write(within.connection, commit)
            return
        with self._write_transaction() as connection, translated():
            write(connection, commit)

    def setup(self) -> None:
        with self._connection() as connection:
            check_format(connection, self.path)

    def check(self, *, deep: bool = False) -> list[str]:
        file = self._opened()
        found = self._keys.complaints(file.salt)
        try:
            with self._connection() as connection, translated():
                rows = connection.execute("PRAGMA integrity_check" if deep else "PRAGMA quick_check(1)").fetchall()
        except StoreError as error:
            return [*found, str(error)]
        return [*found, *(str(row[0]) for row in rows if row[0] != "ok")]

    def remnants(self) -> tuple[str, ...]:
        self._opened()
        return ("erased words may remain in free room of the file's pages and in its log, until a scrub",)

    def scrub(self) -> tuple[str, ...]:
        with self._turn() as connection, translated():
            # Deleting overwrites rows, but pages that split keep what moved away from them: all are written anew.
            connection.execute("VACUUM")
            # That went through the log, which is emptied only when nobody reads an older state.
            connection.set_busy_timeout(READERS_MS)
            try:
                row: Any = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                connection.set_busy_timeout(BUSY_MS)
        if row[0]:
            return ("somebody reads an older state of the store, which keeps erased words in its files: scrub again",)
        return ()

    def close(self) -> None:
        if self._process != os.getpid():
            # The parent's to close. Closing here would take its log away.
            return
        with self._held:
            file, self._file = self._file, None
            if file is None:
                return
        while self._out:
            time.sleep(POLL_S)
        with self._held:
            for connection in self._idle:
                connection.close()
            self._idle.clear()
        file.release()


if TYPE_CHECKING:
    _check: type[Store] = SQLiteStore
