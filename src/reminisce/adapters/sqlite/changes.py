"""Each kind of change to rows, once."""

import json
from collections.abc import Callable
from typing import Any, Final

import apsw

from reminisce.adapters.sqlite.rows import (
    dumped,
    event_row,
    link_member_rows,
    link_row,
    log_row,
    memory_row,
    settable,
    subject_row,
)
from reminisce.domain.changes import (
    AddHistory,
    Commit,
    DestroyKey,
    DropLink,
    DropPieces,
    DropSubject,
    EndLink,
    EraseMemory,
    FenceKind,
    PutLink,
    PutMemory,
    PutPiece,
    PutSubject,
    PutSubjectKey,
    SetFields,
)
from reminisce.errors import ConflictError

__all__ = ["write"]

_INSERTS: Final = {
    "memories": "INSERT INTO memories VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "history": (
        "INSERT INTO history (memory, revision, time, operation, status, actor, reason, valid_from, valid_to)"
        " VALUES (?,?,?,?,?,?,?,?,?)"
    ),
    "links": "INSERT INTO links VALUES (?,?,?,?,?,?,?,?,?,?)",
    "link_members": "INSERT OR IGNORE INTO link_members VALUES (?,?,?,?,?,?,?,?)",
    "citations": "INSERT OR IGNORE INTO citations VALUES (?,?,?)",
    "about": "INSERT OR IGNORE INTO about VALUES (?,?,?)",
}
"""In the order in which they are flushed."""

_ERASURES: Final = (
    "DELETE FROM citations WHERE memory = ?",
    "UPDATE history SET reason = NULL WHERE memory = ? AND reason IS NOT NULL",
)
"""What takes words away that stand beside the row of a memory, by its number."""

_IDENTITY: Final = ("id", "owner", "key", "revision", "ordinal")
"""The first columns of ``memories``: what nothing changes, and no index of them has to be written again."""


class _Writer:
    """Gathers rows, so that a batch is a handful of statements run many times."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self._rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in _INSERTS}
        self._owners: dict[str, int] = {}
        self._known: dict[tuple[str, str], int] = {}
        self._queued: set[int] = set()
        """Memories that rows are gathered for. What takes rows away has to wait for them."""
        self._erasing: list[tuple[int]] = []
        self._left: list[tuple[Any, ...]] = []
        self._about: list[tuple[str, str, str]] = []
        self._next = 0

    def owner(self, name: str) -> int:
        if name not in self._owners:
            self.connection.execute("INSERT OR IGNORE INTO owners (name) VALUES (?)", (name,))
            self._owners[name] = self._number("SELECT id FROM owners WHERE name = ?", (name,))
        return self._owners[name]

    def _number(self, sql: str, values: tuple[Any, ...]) -> int:
        row: Any = self.connection.execute(sql, values).fetchone()
        if row is None:
            raise ConflictError
        number: int = row[0]
        return number

    def _memory(self, owner: str, key: str) -> int:
        number = self._known.get((owner, key))
        if number is None:
            sql = "SELECT id FROM memories WHERE owner = ? AND key = ?"
            number = self._known[owner, key] = self._number(sql, (self.owner(owner), key))
        return number

    def flush(self) -> None:
        if self._erasing:
            for sql in _ERASURES:
                self.connection.executemany(sql, self._erasing)
            self.connection.executemany(self._erase_sql(), self._left)
            # What a memory is still about stays where it is.
            sql = "DELETE FROM about WHERE owner = ? AND key = ? AND ref NOT IN (SELECT value FROM json_each(?))"
            self.connection.executemany(sql, self._about)
            self._erasing, self._left, self._about = [], [], []
        self._queued.clear()
        for table, sql in _INSERTS.items():
            if self._rows[table]:
                self.connection.executemany(sql, self._rows[table])
                self._rows[table] = []

    def put_memory(self, change: PutMemory) -> None:
        memory = change.memory
        owner = self.owner(memory.owner)
        if not self._next:
            self._next = self._number("SELECT coalesce(max(id), 0) + 1 FROM memories", ())
        number, self._next = self._next, self._next + 1
        self._known[memory.owner, memory.key] = number
        self._queued.add(number)
        self._rows["memories"].append((number, owner, *memory_row(memory, change.digest)))
        self._rows["citations"].extend((owner, source, number) for source in memory.sources)
        self._rows["about"].extend((ref, memory.owner, memory.key) for ref in memory.subjects)

    def set_fields(self, change: SetFields) -> None:
        self.flush()
        owner = self.owner(change.owner)
        names = ", ".join([f"{name} = ?" for name in change.values]) or "key = key"
        sql = f"UPDATE memories SET {names} WHERE owner = ? AND key = ?"  # noqa: S608 (from a closed list)
        self.connection.execute(sql, (*map(settable, change.values.values()), owner, change.key))
        if not self.connection.changes():
            raise ConflictError
        if "subjects" in change.values:
            self.connection.execute("DELETE FROM about WHERE owner = ? AND key = ?", (change.owner, change.key))
            self._rows["about"].extend((ref, change.owner, change.key) for ref in change.values["subjects"])
            self._queued.add(self._memory(change.owner, change.key))
        further = change.values.get("further_sources", ())
        if further:
            number = self._memory(change.owner, change.key)
            self._rows["citations"].extend((owner, source, number) for source in further)
            self._queued.add(number)

    def erase_memory(self, change: EraseMemory) -> None:
        memory = change.memory
        number = self._memory(memory.owner, memory.key)
        if number in self._queued:
            self.flush()
        self._queued.add(number)
        self._erasing.append((number,))
        self._left.append((*memory_row(memory, None)[len(_IDENTITY) - 2 :], number))
        self._about.append((memory.owner, memory.key, dumped(memory.subjects)))
        self._rows["about"].extend((ref, memory.owner, memory.key) for ref in memory.subjects)

    def _erase_sql(self) -> str:
        # Every column that the table has, so that none of a later format is forgotten here.
        columns = [row[1] for row in self.connection.execute("PRAGMA table_info(memories)")][len(_IDENTITY) :]
        return f"UPDATE memories SET {' = ?, '.join(columns)} = ? WHERE id = ?"  # noqa: S608 (names of our own columns)

    def add_history(self, change: AddHistory) -> None:
        number = self._memory(change.owner, change.key)
        self._queued.add(number)
        self._rows["history"].append((number, *event_row(change.event)))

    def put_link(self, change: PutLink) -> None:
        owner = self.owner(change.owner)
        self._rows["links"].append((owner, *link_row(change.link)))
        self._rows["link_members"].extend(link_member_rows(owner, change.link))

    def end_link(self, change: EndLink) -> None:
        self.flush()
        owner = self.owner(change.owner)
        ending = (change.until, change.resolution, owner, change.name)
        sql = "UPDATE links SET until = ?, resolution = ? WHERE owner = ? AND name = ? AND until IS NULL RETURNING members"
        row: Any = self.connection.execute(sql, ending).fetchone()
        if row is None:
            raise ConflictError
        for _, key in json.loads(row[0]):
            sql = "UPDATE link_members SET until = ? WHERE owner = ? AND key = ? AND name = ?"
            self.connection.execute(sql, (change.until, owner, key, change.name))

    def drop_link(self, change: DropLink) -> None:
        self.flush()
        owner = self.owner(change.owner)
        sql = "DELETE FROM links WHERE owner = ? AND name = ? RETURNING members"
        row: Any = self.connection.execute(sql, (owner, change.name)).fetchone()
        if row is None:
            raise ConflictError
        for _, key in json.loads(row[0]):
            sql = "DELETE FROM link_members WHERE owner = ? AND key = ? AND name = ?"
            self.connection.execute(sql, (owner, key, change.name))

    def put_subject(self, change: PutSubject) -> None:
        self.connection.execute("INSERT OR REPLACE INTO subjects VALUES (?,?,?,?)", subject_row(change.subject))

    def drop_subject(self, change: DropSubject) -> None:
        self.connection.execute("DELETE FROM subjects WHERE ref = ?", (change.ref,))
        fence = (FenceKind.SUBJECT, change.ref)
        self.connection.execute("DELETE FROM fences WHERE kind = ? AND name = ?", fence)

    def put_subject_key(self, change: PutSubjectKey) -> None:
        key = change.key
        self.connection.execute("INSERT INTO subject_keys VALUES (?,?,?)", (key.id, key.ref, key.key))

    def destroy_key(self, change: DestroyKey) -> None:
        self.connection.execute("UPDATE subject_keys SET ref = NULL, key = NULL WHERE ref = ?", (change.ref,))

    def put_piece(self, change: PutPiece) -> None:
        piece = change.piece
        row = (self.owner(change.owner), piece.number, piece.through, piece.data)
        self.connection.execute("INSERT INTO pieces VALUES (?,?,?,?)", row)

    def drop_pieces(self, change: DropPieces) -> None:
        owner = self.owner(change.owner)
        if change.numbers is None:
            self.connection.execute("DELETE FROM pieces WHERE owner = ?", (owner,))
        else:
            pairs = [(owner, number) for number in change.numbers]
            self.connection.executemany("DELETE FROM pieces WHERE owner = ? AND number = ?", pairs)


_WRITERS: Final[dict[type, Callable[[_Writer, Any], None]]] = {
    PutMemory: _Writer.put_memory,
    SetFields: _Writer.set_fields,
    EraseMemory: _Writer.erase_memory,
    AddHistory: _Writer.add_history,
    PutLink: _Writer.put_link,
    EndLink: _Writer.end_link,
    DropLink: _Writer.drop_link,
    PutSubject: _Writer.put_subject,
    DropSubject: _Writer.drop_subject,
    PutSubjectKey: _Writer.put_subject_key,
    DestroyKey: _Writer.destroy_key,
    PutPiece: _Writer.put_piece,
    DropPieces: _Writer.drop_pieces,
}


def _claim(connection: apsw.Connection, commit: Commit) -> None:
    needed = [*((fence, seen) for fence, seen, _ in commit.advances), *commit.requires]
    for fence, value in needed:
        row: Any = connection.execute("SELECT value FROM fences WHERE kind = ? AND name = ?", fence).fetchone()
        if (row[0] if row else 0) != value:
            raise ConflictError
    for fence, _, to in commit.advances:
        connection.execute("INSERT OR REPLACE INTO fences VALUES (?,?,?)", (*fence, to))


def write(connection: apsw.Connection, commit: Commit) -> None:
    """
    Do *commit* in the transaction that is open. Does nothing when its id is there already.

    Raises:
        ConflictError: A fence stands elsewhere, or a name is taken. The transaction must then be rolled back.
    """
    known = connection.execute("SELECT 1 FROM commits WHERE id = ?", (commit.id,)).fetchone()
    if known is not None:
        return
    _claim(connection, commit)
    writer = _Writer(connection)
    for change in commit.changes:
        _WRITERS[type(change)](writer, change)
    writer.flush()
    connection.execute("INSERT INTO commits VALUES (?)", (commit.id,))
    for entry in commit.entries:
        connection.execute("INSERT INTO log VALUES (?,?,?,?,?)", (writer.owner(entry.owner), *log_row(entry)))
