"""A store as somebody else would write it: commits pickled into a plain SQLite table, replayed through the pure state."""

import pickle
import sqlite3
import threading
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from reminisce import StoreClosedError, View
from reminisce.domain.changes import Commit, Fence
from reminisce.domain.state import State, apply

__all__ = ["ReplayStore"]

TABLES: Final = """
CREATE TABLE IF NOT EXISTS commits (number INTEGER PRIMARY KEY, pickled BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS names (name TEXT NOT NULL);
"""


class ReplayStore:
    """
    Keeps commits and no tables. Slow to open, quick to write: an honest store in a hundred lines.

    A scrub puts the state in the place of the commits that led to it: words that were erased are in those only.
    """

    def __init__(self, path: Path) -> None:
        self._guard = threading.Lock()
        self._writing = threading.RLock()
        self._reader, self._writer = (
            sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False) for _ in range(2)
        )
        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.executescript(TABLES)
        self._writer.execute("INSERT INTO names SELECT ? WHERE NOT EXISTS (SELECT 1 FROM names)", (uuid.uuid4().hex,))
        self._known = 0, State(self._writer.execute("SELECT name FROM names").fetchone()[0])
        self._draft: State | None = None
        self._closed = False

    def _replayed(self, connection: sqlite3.Connection) -> State:
        with self._guard:
            if self._closed:
                raise StoreClosedError
            known, state = self._known
            sql = "SELECT number, pickled FROM commits WHERE number > ? ORDER BY number"
            for number, pickled in connection.execute(sql, (known,)).fetchall():
                read: Commit | State = pickle.loads(pickled)  # noqa: S301 (our own file)
                state = read if isinstance(read, State) else apply(state, read)
                self._known = number, state
            return state

    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[State]:
        if for_writing is None:
            yield self._replayed(self._reader)
        else:
            with self._transaction() as state:
                yield state

    @contextmanager
    def _transaction(self) -> Iterator[State]:
        with self._writing:
            if self._closed:
                raise StoreClosedError
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                self._draft = self._replayed(self._writer)
                yield self._draft
                self._writer.execute("COMMIT")
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            finally:
                self._draft = None

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        if within is None:
            with self._transaction():
                self._write(commit)
        else:
            self._write(commit)

    def _write(self, commit: Commit) -> None:
        assert self._draft is not None
        before, self._draft = self._draft, apply(self._draft, commit)
        if self._draft is not before:
            self._writer.execute("INSERT INTO commits (pickled) VALUES (?)", (pickle.dumps(commit),))

    def setup(self) -> None:
        self._replayed(self._reader)

    def check(self, *, deep: bool = False) -> list[str]:
        self._replayed(self._reader)
        return []

    def remnants(self) -> tuple[str, ...]:
        self._replayed(self._reader)
        return ("every commit since the last scrub is kept",)

    def scrub(self) -> tuple[str, ...]:
        with self._writing:
            with self._transaction() as state:
                sql = "SELECT max(number) FROM commits"
                (last,) = self._writer.execute(sql).fetchone()
                self._writer.execute("DELETE FROM commits WHERE number < ?", (last,))
                self._writer.execute("UPDATE commits SET pickled = ? WHERE number = ?", (pickle.dumps(state), last))
            self._writer.execute("VACUUM")
            (busy, *_) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return ("another process reads: scrub again",) if busy else ()

    def close(self) -> None:
        with self._writing, self._guard:
            self._closed = True
            self._reader.close()
            self._writer.close()
