"""A store of an older format is brought up to today's whole or not at all, and holds what it held."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import apsw
import pytest

from reminisce import Status, StoreError
from reminisce.adapters.sqlite import KeySource, SQLiteStore, migration
from reminisce.adapters.sqlite.files import open_file
from reminisce.adapters.sqlite.schema import APPLICATION, FORMAT, connect
from reminisce.domain.instants import micros
from reminisce.domain.memory import sameness
from reminisce.domain.records import LinkKind, Tie
from reminisce.testing.fakes import NOON
from tests.support.stores import sqlite_in

OLD: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE fences (kind TEXT, name TEXT, value INTEGER NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
CREATE TABLE commits (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE log (
    owner INTEGER, revision INTEGER, time INTEGER NOT NULL, operation TEXT NOT NULL, keys TEXT NOT NULL,
    PRIMARY KEY (owner, revision)
);
CREATE TABLE memories (
    id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    status TEXT NOT NULL, tier TEXT NOT NULL, subjects TEXT NOT NULL,
    confidence_thousandths INTEGER NOT NULL, salience_thousandths INTEGER NOT NULL,
    recorded INTEGER NOT NULL, named INTEGER NOT NULL, request_key TEXT, digest BLOB,
    content TEXT NOT NULL, given TEXT NOT NULL,
    UNIQUE (owner, key)
);
CREATE INDEX memories_in_order ON memories (owner, revision, ordinal);
CREATE INDEX memories_by_digest ON memories (owner, digest);
CREATE UNIQUE INDEX memories_by_request ON memories (owner, request_key) WHERE request_key IS NOT NULL;
CREATE TABLE history (
    id INTEGER PRIMARY KEY, memory INTEGER NOT NULL, revision INTEGER NOT NULL, time INTEGER NOT NULL,
    operation TEXT NOT NULL, status TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT
);
CREATE INDEX history_by_memory ON history (memory, id);
CREATE TABLE links (
    owner INTEGER, name TEXT, kind TEXT NOT NULL, members TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER,
    PRIMARY KEY (owner, name)
);
CREATE TABLE link_members (owner INTEGER, key TEXT, name TEXT, PRIMARY KEY (owner, key, name)) WITHOUT ROWID;
CREATE TABLE citations (owner INTEGER, source TEXT, memory INTEGER, PRIMARY KEY (owner, source, memory)) WITHOUT ROWID;
CREATE TABLE subjects (ref TEXT PRIMARY KEY, audiences TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE about (ref TEXT, owner TEXT, key TEXT, PRIMARY KEY (ref, owner, key)) WITHOUT ROWID;
CREATE INDEX about_by_memory ON about (owner, key);
CREATE TABLE pieces (
    owner INTEGER, number INTEGER, through INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (owner, number)
);
"""
"""The statements of format 1."""

ROWS: Final[tuple[tuple[str, tuple[Any, ...]], ...]] = (
    ("INSERT INTO meta VALUES (?,?)", ("incarnation", "0" * 32)),
    ("INSERT INTO owners VALUES (?,?)", (1, "agent:a")),
    ("INSERT INTO fences VALUES (?,?,?)", ("owner", "agent:a", 2)),
    ("INSERT INTO fences VALUES (?,?,?)", ("pieces", "agent:a", 1)),
    ("INSERT INTO fences VALUES (?,?,?)", ("subject", "person:p", 1)),
    ("INSERT INTO commits VALUES (?)", ("c1",)),
    ("INSERT INTO log VALUES (?,?,?,?,?)", (1, 1, micros(NOON), "remember", '["a"]')),
    ("INSERT INTO log VALUES (?,?,?,?,?)", (1, 2, micros(NOON) + 5, "remember", '["b","a"]')),
    (
        "INSERT INTO memories VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (1, 1, "a", 1, 0, "superseded", "open", '["person:p"]', 1000, 500, micros(NOON), 1, "r1", b"then", "the first",
         '{"sources":["doc:1"],"subjects":["person:p"],"valid_from":7}'),
    ),
    (
        "INSERT INTO memories VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (2, 1, "b", 2, 0, "active", "private", '["person:p"]', 900, 500, micros(NOON) + 5, 0, None, b"then", "the second",
         '{"derived_from":["a"],"supersedes":["a"],"tier":"private","confidence":900}'),
    ),
    ("INSERT INTO history VALUES (?,?,?,?,?,?,?,?)", (1, 1, 1, micros(NOON), "remember", "active", "cli", None)),
    ("INSERT INTO history VALUES (?,?,?,?,?,?,?,?)", (2, 2, 2, micros(NOON) + 5, "remember", "active", "cli", None)),
    ("INSERT INTO history VALUES (?,?,?,?,?,?,?,?)", (3, 1, 2, micros(NOON) + 5, "remember", "superseded", "cli", "why")),
    (
        "INSERT INTO links VALUES (?,?,?,?,?,?)",
        (1, "derivation:1:b:a", "derivation", '[["derived","b"],["source","a"]]', 2, None),
    ),
    (
        "INSERT INTO links VALUES (?,?,?,?,?,?)",
        (1, "supersession:1:b:a", "supersession", '[["newer","b"],["older","a"]]', 2, None),
    ),
    ("INSERT INTO link_members VALUES (?,?,?)", (1, "b", "derivation:1:b:a")),
    ("INSERT INTO citations VALUES (?,?,?)", (1, "doc:1", 1)),
    ("INSERT INTO subjects VALUES (?,?)", ("person:p", '["team"]')),
    ("INSERT INTO about VALUES (?,?,?)", ("person:p", "agent:a", "a")),
    ("INSERT INTO about VALUES (?,?,?)", ("person:p", "agent:a", "b")),
    ("INSERT INTO pieces VALUES (?,?,?,?)", (1, 1, 2, b"an index of then")),
)  # fmt: skip


def _build(path: Path, salt: bytes, key: bytes) -> None:
    with closing(connect(path, salt, key, create=True)) as connection, connection:
        connection.execute(OLD)
        for sql, row in ROWS:
            connection.execute(sql, row)
        connection.pragma("application_id", APPLICATION)
        connection.pragma("user_version", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a store of format 1, closed."""
    opened = open_file(tmp_path / "memory.db", KeySource(tmp_path / "keys"), create=True, build=_build)
    opened.release()
    return tmp_path


def _version(folder: Path) -> Any:
    opened = open_file(folder / "memory.db", KeySource(folder / "keys"), create=False, build=_build)
    try:
        with closing(connect(folder / "memory.db", opened.salt, opened.key)) as connection:
            return connection.pragma("user_version")
    finally:
        opened.release()


def test_everything_of_an_older_store_is_there_in_todays_form(folder: Path) -> None:
    with closing(sqlite_in(folder)) as store, store.view() as view:
        held = view.memories("agent:a", ["a", "b"])
        history = view.history("agent:a", ["a"])["a"]
        ties = view.ties("agent:a", ["b"], LinkKind.DERIVATION, "derived")

        assert [(m.content, m.status, m.sources, m.uses, m.fact, m.many) for m in held.values()] == [
            ("the first", Status.SUPERSEDED, ("doc:1",), 0, None, False),
            ("the second", Status.ACTIVE, (), 0, None, False),
        ]
        assert held["a"].valid_from == held["a"].given.valid_from is not None
        assert [(event.status, event.reason, event.valid_from) for event in history] == [
            (Status.ACTIVE, None, held["a"].valid_from),
            (Status.SUPERSEDED, "why", held["a"].valid_from),
        ]
        assert dict(ties) == {"b": [Tie("a", 2, None)]}
        assert [link.name for link in view.links("agent:a", ["a"])["a"]] == ["derivation:1:b:a", "supersession:1:b:a"]
        assert view.holders("agent:a", [sameness(m.given) for m in held.values()]) == {
            sameness(memory.given): [key] for key, memory in held.items()
        }
        assert view.revision_at("agent:a", NOON) == 1
        assert view.citing("agent:a", ["doc:1"]) == {"doc:1": ["a"]}
        assert list(view.about("person:p", limit=9)) == [("agent:a", "a"), ("agent:a", "b")]
        assert view.requests("agent:a", ["r1"]) == {"r1": "a"}
        assert view.committed("c1")
        assert (list(view.pieces("agent:a")), view.covered("agent:a")) == ([], 0)
    assert _version(folder) == FORMAT


def test_an_older_store_is_written_and_recalled_after_it_was_opened_twice(folder: Path) -> None:
    script = """
import sys
from reminisce import open_memory
with open_memory(sys.argv[1] + "/memory.db", keys=sys.argv[1] + "/keys", create=False) as memories:
    owner = memories.owner("agent:a")
    owner.believe("person:p", "city", "Riga", request_key=sys.argv[2])
    assert len(owner.recall("second")) == 1, "not found"
"""
    words = [[sys.executable, "-c", script, str(folder), str(place)] for place in range(2)]

    # Both at once: one brings it up, the other waits.
    ran = [subprocess.Popen(word) for word in words]

    assert [process.wait(60) for process in ran] == [0, 0]
    with closing(sqlite_in(folder)) as store, store.view() as view:
        assert len(view.facts("agent:a", "person:p", attribute="city")) == 1


@pytest.mark.parametrize("table", ["memories", "history", "links", "link_members"])
def test_one_that_fails_half_way_is_left_as_it_was_and_brought_up_later(
    folder: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    bring_up: Callable[[apsw.Connection], None] = migration._STEPS[1]

    def broken(connection: apsw.Connection) -> None:
        bring_up(connection)
        connection.execute(f"INSERT INTO {table} VALUES ()")  # noqa: S608 (a constant)

    with monkeypatch.context() as patch:
        patch.setitem(migration._STEPS, 1, broken)
        with pytest.raises(StoreError):
            sqlite_in(folder)

    assert _version(folder) == 1
    with closing(sqlite_in(folder)) as store, store.view() as view:
        assert set(view.memories("agent:a", ["a", "b"])) == {"a", "b"}


def test_a_store_of_today_is_opened_without_a_change(folder: Path) -> None:
    sqlite_in(folder).close()
    before = (folder / "memory.db").read_bytes()

    SQLiteStore(folder / "memory.db", KeySource(folder / "keys"), create=False).close()

    assert (folder / "memory.db").read_bytes() == before
