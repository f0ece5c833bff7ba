"""One open transaction, read by what things are called."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import apsw

from reminisce.adapters.sqlite.rows import EVENT, MEMORY, event_of, link_of, log_of, memory_of
from reminisce.adapters.sqlite.translate import translated
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.memory import Memory
from reminisce.domain.records import Event, Head, Link, LogEntry, Piece, Record, Subject

__all__ = ["SQLiteView"]

_REVISION: Final = 2
"""Where a row of ``id, MEMORY`` holds the revision; the ordinal follows."""

_CHUNK: Final = 500
"""Memories that a stream holds at once: a megabyte or two of the longest that people write."""


class SQLiteView:
    """A view over a connection that has a transaction open. See `Snapshot` for what each answer promises."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        # The first read, not BEGIN, is what fixes SQLite's snapshot.
        self._incarnation: str = self._one("SELECT value FROM meta WHERE name = 'incarnation'")[0]

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with translated():
            return self.connection.execute(sql, values).fetchall()

    def _one(self, sql: str, values: tuple[Any, ...] = ()) -> Any:
        with translated():
            return self.connection.execute(sql, values).fetchone()

    def owner_id(self, owner: str) -> int:
        """The owner's row; 0, which no row has, for one that never committed."""
        row = self._one("SELECT id FROM owners WHERE name = ?", (owner,))
        return row[0] if row else 0

    def incarnation(self) -> str:
        return self._incarnation

    def fences(self, fences: Iterable[Fence], /) -> Mapping[Fence, int]:
        found = {}
        for fence in fences:
            row = self._one("SELECT value FROM fences WHERE kind = ? AND name = ?", fence)
            found[fence] = row[0] if row else 0
        return found

    def head(self, owner: str, /) -> Head:
        row = self._one("SELECT value FROM fences WHERE kind = ? AND name = ?", (FenceKind.OWNER, owner))
        if row is None:
            return Head(0, None)
        sql = "SELECT revision, time, operation, keys FROM log WHERE owner = ? AND revision = ?"
        entry = log_of(owner, (*self._one(sql, (self.owner_id(owner), row[0]))[:3], "[]"))
        return Head(entry.revision, entry.time)

    def committed(self, commit_id: str, /) -> bool:
        return self._one("SELECT 1 FROM commits WHERE id = ?", (commit_id,)) is not None

    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]:
        number, found = self.owner_id(owner), {}
        sql = f"SELECT {MEMORY} FROM memories WHERE owner = ? AND key = ?"  # noqa: S608 (a constant)
        for key in keys:
            row = self._one(sql, (number, key))
            if row:
                found[key] = memory_of(owner, row)
        return found

    def holders(self, owner: str, digests: Iterable[bytes], /) -> Mapping[bytes, Sequence[str]]:
        number, found = self.owner_id(owner), {}
        sql = "SELECT key FROM memories WHERE owner = ? AND digest = ? ORDER BY id"
        for digest in digests:
            rows = self._rows(sql, (number, digest))
            if rows:
                found[digest] = [row[0] for row in rows]
        return found

    def requests(self, owner: str, request_keys: Iterable[str], /) -> Mapping[str, str]:
        number, found = self.owner_id(owner), {}
        for request_key in request_keys:
            row = self._one("SELECT key FROM memories WHERE owner = ? AND request_key = ?", (number, request_key))
            if row:
                found[request_key] = row[0]
        return found

    def history(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Sequence[Event]]:
        number, found = self.owner_id(owner), {}
        sql = (
            f"SELECT {EVENT} FROM history"  # noqa: S608 (a constant)
            " WHERE memory = (SELECT id FROM memories WHERE owner = ? AND key = ?) ORDER BY id"
        )
        for key in keys:
            rows = self._rows(sql, (number, key))
            if rows:
                found[key] = [event_of(row) for row in rows]
        return found

    def links(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Sequence[Link]]:
        number, found = self.owner_id(owner), {}
        sql = (
            "SELECT name, kind, members, since, until FROM link_members JOIN links USING (owner, name)"
            " WHERE owner = ? AND key = ? ORDER BY since, name"
        )
        for key in keys:
            rows = self._rows(sql, (number, key))
            if rows:
                found[key] = [link_of(row) for row in rows]
        return found

    def citing(self, owner: str, sources: Iterable[str], /) -> Mapping[str, Sequence[str]]:
        number, found = self.owner_id(owner), {}
        sql = (
            "SELECT key FROM citations JOIN memories ON memories.id = citations.memory"
            " WHERE citations.owner = ? AND source = ? ORDER BY memory"
        )
        for source in sources:
            rows = self._rows(sql, (number, source))
            if rows:
                found[source] = [row[0] for row in rows]
        return found

    def subjects(self, refs: Iterable[str], /) -> Mapping[str, Subject]:
        found = {}
        for ref in refs:
            row = self._one("SELECT audiences FROM subjects WHERE ref = ?", (ref,))
            if row:
                found[ref] = Subject(ref, tuple(json.loads(row[0])))
        return found

    def about(self, ref: str, /, *, after: tuple[str, str] | None = None, limit: int) -> Sequence[tuple[str, str]]:
        sql = "SELECT owner, key FROM about WHERE ref = ? AND (owner, key) > (?, ?) ORDER BY owner, key LIMIT ?"
        return [(owner, key) for owner, key in self._rows(sql, (ref, *(after or ("", "")), limit))]

    def pieces(self, owner: str, /) -> Sequence[Piece]:
        sql = "SELECT number, through, data FROM pieces WHERE owner = ? ORDER BY number"
        return [Piece(*row) for row in self._rows(sql, (self.owner_id(owner),))]

    def covered(self, owner: str, /) -> int:
        sql = "SELECT coalesce(max(through), 0) FROM pieces WHERE owner = ?"
        covered: int = self._one(sql, (self.owner_id(owner),))[0]
        return covered

    def owners(self) -> Sequence[str]:
        return [row[0] for row in self._rows("SELECT name FROM owners ORDER BY name")]

    def log(self, owner: str, /, *, since: int) -> Iterator[LogEntry]:
        sql = (
            "SELECT revision, time, operation, keys FROM log WHERE owner = ? AND revision > ? ORDER BY revision LIMIT ?"
        )
        number = self.owner_id(owner)
        while True:
            rows = self._rows(sql, (number, since, _CHUNK))
            for row in rows:
                yield log_of(owner, row)
            if len(rows) < _CHUNK:
                return
            since = rows[-1][0]

    def records(self, owner: str, /) -> Iterator[Record]:
        number, last = self.owner_id(owner), (0, -1)
        memories = (
            f"SELECT id, {MEMORY} FROM memories"  # noqa: S608 (a constant)
            " WHERE owner = ? AND (revision, ordinal) > (?, ?) ORDER BY revision, ordinal LIMIT ?"
        )
        events = f"SELECT {EVENT} FROM history WHERE memory = ? ORDER BY id"  # noqa: S608 (constants both)
        while True:
            # By canonical order, which an index holds: by id, SQLite would sort the rest of the owner for every chunk.
            rows = self._rows(memories, (number, *last, _CHUNK))
            for row in rows:
                yield Record(memory_of(owner, row[1:]), tuple(map(event_of, self._rows(events, (row[0],)))))
            if len(rows) < _CHUNK:
                return
            last = (rows[-1][_REVISION], rows[-1][_REVISION + 1])
