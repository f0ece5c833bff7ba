"""One open transaction, read by what things are called."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import apsw

from reminisce.adapters.sqlite.rows import (
    EVENT,
    LINK,
    MEMORY,
    OUTLINE,
    STANDING,
    event_of,
    link_of,
    log_of,
    memory_of,
    outline_of,
    standing_of,
    subject_of,
)
from reminisce.adapters.sqlite.translate import translated
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.instants import micros
from reminisce.domain.memory import Memory
from reminisce.domain.records import (
    Event,
    Head,
    Link,
    LinkKind,
    LogEntry,
    Outline,
    Piece,
    Record,
    Standing,
    Subject,
    SubjectKey,
    Tie,
)

__all__ = ["SQLiteView"]

_REVISION: Final = 2
"""Where a row of ``id, MEMORY`` holds the revision; the ordinal follows."""

_IN_ORDER: Final = "ORDER BY +revision, +ordinal"
"""Canonical order of a few rows. The signs keep SQLite from walking the whole owner in that order instead of sorting."""

_CHUNK: Final = 500
"""Memories that a stream holds at once: a megabyte or two of the longest that people write."""


class SQLiteView:
    """A view over a connection that has a transaction open. See `Snapshot` for what each answer promises."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self._owners: dict[str, int] = {}
        # The first read, not BEGIN, is what fixes SQLite's snapshot.
        self._incarnation: str = self._one("SELECT value FROM meta WHERE name = 'incarnation'")[0]

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with translated():
            return self.connection.execute(sql, values).fetchall()

    def _one(self, sql: str, values: tuple[Any, ...] = ()) -> Any:
        with translated():
            return self.connection.execute(sql, values).fetchone()

    def _paged(self, sql: str, *values: Any, after: Any) -> Iterator[Any]:
        """Rows in the order of their first column, behind *after*."""
        while True:
            rows = self._rows(sql, (*values, after, _CHUNK))
            yield from rows
            if len(rows) < _CHUNK:
                return
            after = rows[-1][0]

    def owner_id(self, owner: str) -> int:
        """The owner's row; 0, which no row has, for one that never committed."""
        if not self._owners.get(owner):
            row = self._one("SELECT id FROM owners WHERE name = ?", (owner,))
            self._owners[owner] = row[0] if row else 0
        return self._owners[owner]

    def incarnation(self) -> str:
        return self._incarnation

    def fences(self, fences: Iterable[Fence], /) -> Mapping[Fence, int]:
        sql = "SELECT value FROM fences WHERE kind = ? AND name = ?"
        rows = {fence: self._one(sql, fence) for fence in fences}
        return {fence: row[0] if row else 0 for fence, row in rows.items()}

    def head(self, owner: str, /) -> Head:
        row = self._one("SELECT value FROM fences WHERE kind = ? AND name = ?", (FenceKind.OWNER, owner))
        if row is None:
            return Head(0, None)
        sql = "SELECT revision, time, operation, keys FROM log WHERE owner = ? AND revision = ?"
        entry = log_of(owner, (*self._one(sql, (self.owner_id(owner), row[0]))[:3], "[]"))
        return Head(entry.revision, entry.time)

    def committed(self, commit_id: str, /) -> bool:
        return self._one("SELECT 1 FROM commits WHERE id = ?", (commit_id,)) is not None

    def _by_key(self, columns: str, owner: str, keys: Iterable[str]) -> list[Any]:
        number = self.owner_id(owner)
        sql = f"SELECT {columns} FROM memories WHERE owner = ? AND key = ?"  # noqa: S608 (constants)
        with translated():
            execute = self.connection.execute
            rows = [execute(sql, (number, key)).fetchone() for key in keys]
        return [row for row in rows if row]

    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]:
        return {row[0]: memory_of(owner, row) for row in self._by_key(MEMORY, owner, keys)}

    def outlines(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Outline]:
        return {row[0]: outline_of(row) for row in self._by_key(OUTLINE, owner, keys)}

    def holders(self, owner: str, digests: Iterable[bytes], /) -> Mapping[bytes, Sequence[str]]:
        number, found = self.owner_id(owner), {}
        sql = f"SELECT key FROM memories WHERE owner = ? AND digest = ? {_IN_ORDER}"  # noqa: S608 (a constant)
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

    def links(
        self, owner: str, keys: Iterable[str], /, *, kinds: Collection[LinkKind] = tuple(LinkKind)
    ) -> Mapping[str, Sequence[Link]]:
        number, found, among = self.owner_id(owner), {}, f"kind IN ({', '.join('?' * len(kinds))})"
        # Most memories have none, and to see that takes a fifth of the time.
        any_sql = f"SELECT 1 FROM link_members WHERE owner = ? AND key = ? AND {among} LIMIT 1"  # noqa: S608 (place holders)
        sql = (
            f"SELECT {LINK} FROM links WHERE owner = ?1 AND name IN"  # noqa: S608 (a constant)
            " (SELECT name FROM link_members WHERE owner = ?1 AND key = ?2"
            f" AND {among}) ORDER BY since, name"
        )
        for key in keys:
            if self._one(any_sql, (number, key, *kinds)):
                rows = self._rows(sql, (number, key, *kinds))
                found[key] = [link_of(row) for row in rows]
        return found

    def all_links(self, owner: str, /) -> Iterator[Link]:
        sql = f"SELECT {LINK} FROM links WHERE owner = ? AND name > ? ORDER BY name LIMIT ?"  # noqa: S608 (a constant)
        return map(link_of, self._paged(sql, self.owner_id(owner), after=""))

    def ties(self, owner: str, keys: Iterable[str], kind: LinkKind, role: str, /) -> Mapping[str, Sequence[Tie]]:
        number, found = self.owner_id(owner), {}
        sql = (
            "SELECT other, since, until FROM link_members"
            " WHERE owner = ? AND key = ? AND kind = ? AND role = ? AND other IS NOT NULL"
        )
        with translated():
            execute = self.connection.execute
            for key in keys:
                rows: list[Any] = execute(sql, (number, key, kind, role)).fetchall()
                if rows:
                    # Sorting one row costs SQLite as much as finding it.
                    found[key] = sorted(map(Tie._make, rows)) if len(rows) > 1 else [Tie._make(rows[0])]
        return found

    def facts(
        self,
        owner: str,
        subject: str,
        /,
        *,
        attribute: str | None = None,
        value: str | None = None,
        since: dt.datetime | None = None,
    ) -> Sequence[Standing]:
        sql = f"SELECT {STANDING} FROM memories WHERE owner = ? AND fact_subject = ?"  # noqa: S608 (a constant)
        named: list[Any] = [self.owner_id(owner), subject]
        for column, sought in (("fact_attribute", attribute), ("fact_value", value)):
            if sought is not None:
                sql += f" AND {column} = ?"
                named.append(sought)
        if since is not None:
            sql += " AND (status = 'active' OR valid_to IS NULL OR valid_to >= ?)"
            named.append(micros(since))
        return [standing_of(row) for row in self._rows(f"{sql} {_IN_ORDER}", tuple(named))]

    def valued(self, owner: str, attributes: Iterable[str], /) -> Mapping[str, bool]:
        number, found = self.owner_id(owner), {}
        for attribute in attributes:
            sql = "SELECT many FROM memories WHERE owner = ? AND fact_attribute = ? ORDER BY id LIMIT 1"
            row = self._one(sql, (number, attribute))
            if row:
                found[attribute] = bool(row[0])
        return found

    def citing(self, owner: str, sources: Iterable[str], /) -> Mapping[str, Sequence[str]]:
        number, found = self.owner_id(owner), {}
        sql = (
            "SELECT key FROM citations JOIN memories ON memories.id = citations.memory"  # noqa: S608 (a constant)
            f" WHERE citations.owner = ? AND source = ? {_IN_ORDER}"
        )
        for source in sources:
            rows = self._rows(sql, (number, source))
            if rows:
                found[source] = [row[0] for row in rows]
        return found

    def subjects(self, refs: Iterable[str], /) -> Mapping[str, Subject]:
        found = {}
        for ref in refs:
            row = self._one("SELECT ref, audiences, state, withdrawals FROM subjects WHERE ref = ?", (ref,))
            if row:
                found[ref] = subject_of(row)
        return found

    def all_subjects(self) -> Iterator[Subject]:
        sql = "SELECT ref, audiences, state, withdrawals FROM subjects WHERE ref > ? ORDER BY ref LIMIT ?"
        return map(subject_of, self._paged(sql, after=""))

    def subject_keys(self, refs: Iterable[str], /) -> Mapping[str, SubjectKey]:
        found = {}
        for ref in refs:
            row = self._one("SELECT id, ref, key FROM subject_keys WHERE ref = ?", (ref,))
            if row:
                found[ref] = SubjectKey(*row)
        return found

    def keyring(self) -> tuple[Sequence[SubjectKey], Sequence[str]]:
        rows = self._rows("SELECT id, ref, key FROM subject_keys ORDER BY id")
        return [SubjectKey(*row) for row in rows if row[2] is not None], [row[0] for row in rows if row[2] is None]

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

    def revision_at(self, owner: str, time: dt.datetime, /) -> int:
        # Times never go back, so the last line not after the time is the one of the largest revision.
        sql = "SELECT revision FROM log WHERE owner = ? AND time <= ? ORDER BY time DESC, revision DESC LIMIT 1"
        row = self._one(sql, (self.owner_id(owner), micros(time)))
        return row[0] if row else 0

    def log(self, owner: str, /, *, since: int) -> Iterator[LogEntry]:
        sql = (
            "SELECT revision, time, operation, keys FROM log WHERE owner = ? AND revision > ? ORDER BY revision LIMIT ?"
        )
        return (log_of(owner, row) for row in self._paged(sql, self.owner_id(owner), after=since))

    def _in_order(self, owner: str, last: tuple[int, int]) -> Iterator[Any]:
        """The rows of ``id, MEMORY`` behind a place in canonical order."""
        number = self.owner_id(owner)
        sql = (
            f"SELECT id, {MEMORY} FROM memories"  # noqa: S608 (a constant)
            " WHERE owner = ? AND (revision, ordinal) > (?, ?) ORDER BY revision, ordinal LIMIT ?"
        )
        while True:
            # By canonical order, which an index holds: by id, SQLite would sort the rest of the owner for every chunk.
            rows = self._rows(sql, (number, *last, _CHUNK))
            yield from rows
            if len(rows) < _CHUNK:
                return
            last = (rows[-1][_REVISION], rows[-1][_REVISION + 1])

    def in_order(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Memory]:
        return (memory_of(owner, row[1:]) for row in self._in_order(owner, after))

    def records(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Record]:
        sql = f"SELECT {EVENT} FROM history WHERE memory = ? ORDER BY id"  # noqa: S608 (a constant)
        for row in self._in_order(owner, after):
            yield Record(memory_of(owner, row[1:]), tuple(map(event_of, self._rows(sql, (row[0],)))))
