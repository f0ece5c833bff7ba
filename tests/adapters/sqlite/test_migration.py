"""A store of an older format is brought up when it is opened, whole or not at all, and then is as one made today."""

import datetime as dt
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

import pytest

from reminisce import Memories
from reminisce.adapters.sqlite import migration
from reminisce.adapters.sqlite.schema import FORMAT
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.instants import from_micros
from reminisce.domain.memory import sameness
from reminisce.domain.records import Event, Head, Link, LinkKind, Member, Subject, Tie
from reminisce.domain.values import Status, Tier
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock, PlainAnalyser
from reminisce.testing.writing import ALICE, BOB
from tests.support import migrating
from tests.support.migrating import LOCKING
from tests.support.old_stores import by_hand, killed_at, made, schema_of, state_of, stopped_at_any_statement
from tests.support.stores import sqlite_in

FORMAT_1: Final = """
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
"""The tables of format 1, as they were. Never to be changed."""

INCARNATION: Final = "f6399908b88c666af267c26809f71b84"
COFFEE: Final = 'кофе "2"'
CALL: Final = "m_0000000000000000000000000000000b"
COMMIT: Final = "0000000000000000000000000000000c"

TEA: Final = (
    '{"valid_from":1735689600000000,"valid_to":1780272000000000,"sources":["doc:1"],"facets":[["cup","blue"]],'
    '"subjects":["person:ada"]}'
)
BANK: Final = (
    '{"salience":900,"due_at":1769904000000000,"sources":["z","a"],"tier":"redacted","surface":"A call",'
    '"episode":"week:1"}'
)

ROWS: Final[dict[str, list[tuple[Any, ...]]]] = {
    "meta": [("incarnation", INCARNATION)],
    "fences": [
        ("consents", "", 1),
        ("owner", "agent:alice", 5),
        ("owner", "agent:bob", 1),
        ("pieces", "agent:alice", 1),
        ("subject", "person:ada", 2),
    ],
    "commits": [("00000000000000000000000000000001",), (COMMIT,)],
    "owners": [(1, "agent:alice"), (2, "agent:bob")],
    "log": [
        (1, 1, 1767268800000000, "remember", '["tea"]'),
        (1, 2, 1767272400000000, "remember", '["drinks"]'),
        (1, 3, 1767276000000000, "remember", '["кофе \\"2\\"","tea"]'),
        (1, 4, 1767279600000000, "remember", '["rain"]'),
        (1, 5, 1767279600000000, "forget", '["rain"]'),
        (2, 1, 1767283200000000, "remember", '["m_0000000000000000000000000000000b"]'),
    ],
    "memories": [
        (
            *(1, 1, "tea", 1, 0, "superseded", "open", '["person:ada"]', 1000, 500, 1767268800000000, 1, "r1"),
            *(bytes.fromhex("2e4237f50f2675db6c99d3991b1234cf12dc1d63"), "Ada drinks tea"),
            TEA,
        ),
        (
            *(2, 1, "drinks", 2, 0, "active", "open", '["person:ada"]', 1000, 500, 1767272400000000, 1, None),
            *(bytes.fromhex("851da2655a7e0e5833a9e2a69f90cf40f555ea8a"), "Ada likes hot drinks"),
            '{"basis":"inferred","sources":["doc:1","doc:2"],"derived_from":["tea"]}',
        ),
        (
            *(3, 1, COFFEE, 3, 0, "active", "open", '["person:ada"]', 1000, 500, 1767276000000000, 1, None),
            *(bytes.fromhex("04adee3500fc8b07baa018c1371623db78fe3ea1"), "Ada drinks coffee"),
            '{"occurred_at":1766534400000000,"supersedes":["tea"]}',
        ),
        (
            *(4, 1, "rain", 4, 0, "retired", "open", "[]", 1000, 500, 1767279600000000, 1, None),
            *(bytes.fromhex("5e22afdff726173cea627607096091b34037f327"), "Rain"),
            '{"valid_from":1735689600000000}',
        ),
        (
            *(5, 2, CALL, 1, 0, "active", "redacted", "[]", 1000, 900, 1767283200000000, 0, None),
            *(bytes.fromhex("dc8622b7dfb5558e83c8c44dd5da310010ac03f4"), "Call the bank"),
            BANK,
        ),
    ],
    "history": [
        (1, 1, 1, 1767268800000000, "remember", "active", "test", None),
        (2, 2, 2, 1767272400000000, "remember", "active", "test", None),
        (3, 3, 3, 1767276000000000, "remember", "active", "test", None),
        (4, 1, 3, 1767276000000000, "remember", "superseded", "test", None),
        (5, 4, 4, 1767279600000000, "remember", "active", "test", None),
        (6, 4, 5, 1767279600000000, "forget", "retired", "test", "dried"),
        (7, 5, 1, 1767283200000000, "remember", "active", "test", None),
    ],
    "links": [
        (1, "derivation:6:drinks:tea", "derivation", '[["derived","drinks"],["source","tea"]]', 2, None),
        (1, f"supersession:8:{COFFEE}:tea", "supersession", '[["newer","кофе \\"2\\""],["older","tea"]]', 3, None),
    ],
    "link_members": [
        (1, "drinks", "derivation:6:drinks:tea"),
        (1, "tea", "derivation:6:drinks:tea"),
        (1, "tea", f"supersession:8:{COFFEE}:tea"),
        (1, COFFEE, f"supersession:8:{COFFEE}:tea"),
    ],
    "citations": [(1, "doc:1", 1), (1, "doc:1", 2), (1, "doc:2", 2), (2, "a", 5), (2, "z", 5)],
    "subjects": [("person:ada", '["friends"]')],
    "about": [("person:ada", ALICE, "drinks"), ("person:ada", ALICE, "tea"), ("person:ada", ALICE, COFFEE)],
    "pieces": [(1, 1, 5, b'\xfa\x01\x00\x00{"format":1,"analyser":"default"}')],
}
"""What the library of format 1 wrote for four memories of Alice's and one of Bob's, but for the piece, which is cut."""

HOUR: Final = dt.timedelta(hours=1)
GIVEN: Final = from_micros(1735689600000000), from_micros(1780272000000000)
"""From when to when tea was said to be drunk."""

STARTED: Final = NOON + 2 * HOUR
"""When coffee came in tea's place."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store of format 1."""
    return make_format_1(tmp_path / "store")


def make_format_1(folder: Path) -> Path:
    return made(folder, 1, FORMAT_1, ROWS)


@pytest.fixture
def opened(folder: Path) -> Iterator[Any]:
    """A view of the store of `folder`, opened today."""
    with closing(sqlite_in(folder)) as store, store.view() as view:
        yield view


def test_every_older_format_has_a_way_up() -> None:
    assert set(migration._STEPS) == set(range(1, FORMAT))


def test_tables_are_those_of_a_store_made_today(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite_in(folder)) as store, closing(sqlite_in(tmp_path / "new")) as new:
        with store._connection() as connection, new._connection() as other:
            assert schema_of(connection) == schema_of(other)
            assert connection.pragma("user_version") == FORMAT
        assert store.check(deep=True) == []


def test_memories_are_there_with_nothing_new_said_of_them(opened: Any) -> None:
    held = opened.memories(ALICE, ["tea", "drinks", COFFEE, "rain"]) | opened.memories(BOB, [CALL])

    assert [(memory.content, memory.status) for memory in held.values()] == [
        ("Ada drinks tea", Status.SUPERSEDED),
        ("Ada likes hot drinks", Status.ACTIVE),
        ("Ada drinks coffee", Status.ACTIVE),
        ("Rain", Status.RETIRED),
        ("Call the bank", Status.ACTIVE),
    ]
    for memory in held.values():
        assert (memory.fact, memory.many, memory.further_sources, memory.agreed) == (None, False, (), ())
        assert (memory.uses, memory.consolidated_uses, memory.consolidated_at) == (0, 0, None)
    tea, call = held["tea"], held[CALL]
    # What sameness is taken of has grown since.
    assert opened.holders(BOB, [sameness(call.given)]) == {sameness(call.given): [CALL]}
    assert (tea.given.valid_from, tea.given.valid_to) == GIVEN
    assert (tea.sources, tea.facets, tea.subjects) == (("doc:1",), (("cup", "blue"),), ("person:ada",))
    assert (call.tier, call.surface, call.episode, call.salience) == (Tier.REDACTED, "A call", "week:1", 0.9)


def test_validity_is_that_given_until_something_superseded_it(opened: Any) -> None:
    held = opened.memories(ALICE, ["tea", "drinks", COFFEE, "rain"])

    assert {key: (memory.valid_from, memory.valid_to) for key, memory in held.items()} == {
        "tea": (GIVEN[0], STARTED),
        "drinks": (None, None),
        COFFEE: (None, None),
        "rain": (GIVEN[0], None),
    }
    assert opened.history(ALICE, ["tea", "rain"]) == {
        "tea": [
            Event(1, NOON, "remember", Status.ACTIVE, "test", None, *GIVEN),
            Event(3, STARTED, "remember", Status.SUPERSEDED, "test", None, GIVEN[0], STARTED),
        ],
        "rain": [
            Event(4, NOON + 3 * HOUR, "remember", Status.ACTIVE, "test", None, GIVEN[0], None),
            Event(5, NOON + 3 * HOUR, "forget", Status.RETIRED, "test", "dried", GIVEN[0], None),
        ],
    }


def as_superseded(folder: Path, given: str, newer: str, history: list[tuple[Any, ...]], status: str) -> None:
    """Say of tea and coffee what was given of them, and let tea have had this history since."""
    with closing(by_hand(folder)) as connection, connection:
        connection.execute("UPDATE memories SET given = ?, status = ? WHERE key = 'tea'", (given, status))
        connection.execute("UPDATE memories SET given = ? WHERE key = ?", (newer, COFFEE))
        connection.execute("DELETE FROM history WHERE memory = 1 AND revision > 3")
        connection.executemany("INSERT INTO history VALUES (NULL, 1, ?, ?, 'test', ?, 'test', NULL)", history)


FORGOTTEN: Final = [(6, 1767283200000000, "retired")]


@pytest.mark.parametrize(
    ("given", "newer", "history", "status", "ends"),
    [
        ("{}", "{}", [], "superseded", [None, 1767276000000000]),
        ('{"valid_to":9}', "{}", [], "superseded", [9, 9]),
        ("{}", '{"valid_from":-7}', [], "superseded", [None, -7]),
        ('{"valid_from":5}', '{"valid_from":-7}', [], "superseded", [None, 5]),
        ('{"valid_from":5,"valid_to":9}', '{"valid_from":7}', [], "superseded", [9, 7]),
        ("{}", '{"valid_from":7}', FORGOTTEN, "retired", [None, 7, 7]),
        ("{}", '{"valid_from":7}', [*FORGOTTEN, (7, 1767283200000000, "superseded")], "superseded", [None, 7, 7, 7]),
        ("{}", '{"valid_from":7}', [(7, 1767283200000000, "active")], "active", [None, 7, None]),
    ],
    ids=["open", "ended before", "before", "never", "between", "forgotten since", "superseded again", "back in force"],
)
def test_what_was_superseded_ends_where_what_superseded_it_starts(
    folder: Path, given: str, newer: str, history: list[tuple[Any, ...]], status: str, ends: list[int | None]
) -> None:
    as_superseded(folder, given, newer, history, status)

    with closing(sqlite_in(folder)) as store, store.view() as view:
        told = [event.valid_to for event in view.history(ALICE, ["tea"])["tea"]]
        assert told == [None if end is None else from_micros(end) for end in ends]
        assert view.memories(ALICE, ["tea"])["tea"].valid_to == told[-1]


def test_links_are_there_and_can_be_followed_from_both_ends(opened: Any) -> None:
    made = Link(
        "derivation:6:drinks:tea", LinkKind.DERIVATION, (Member("derived", "drinks"), Member("source", "tea")), 2
    )
    members = (Member("newer", COFFEE), Member("older", "tea"))
    replaced = Link(f"supersession:8:{COFFEE}:tea", LinkKind.SUPERSESSION, members, 3)

    assert opened.links(ALICE, ["tea", COFFEE]) == {"tea": [made, replaced], COFFEE: [replaced]}
    assert opened.ties(ALICE, ["tea"], LinkKind.DERIVATION, "source") == {"tea": [Tie("drinks", 2, None)]}
    assert opened.ties(ALICE, ["drinks"], LinkKind.DERIVATION, "derived") == {"drinks": [Tie("tea", 2, None)]}
    assert opened.ties(ALICE, ["tea"], LinkKind.SUPERSESSION, "older") == {"tea": [Tie(COFFEE, 3, None)]}
    assert opened.ties(ALICE, [COFFEE], LinkKind.SUPERSESSION, "newer") == {COFFEE: [Tie("tea", 3, None)]}


def test_everything_else_is_as_it_was(opened: Any) -> None:
    log = list(opened.log(ALICE, since=0))

    assert opened.incarnation() == INCARNATION
    assert opened.owners() == [ALICE, BOB]
    assert [(entry.operation, entry.keys) for entry in log][2:] == [
        ("remember", (COFFEE, "tea")),
        ("remember", ("rain",)),
        ("forget", ("rain",)),
    ]
    assert opened.head(ALICE) == Head(5, NOON + 3 * HOUR)
    assert [opened.revision_at(ALICE, NOON + hours * HOUR) for hours in (-1, 0, 1.5, 2, 3)] == [0, 1, 2, 3, 5]
    assert opened.committed(COMMIT)
    assert opened.requests(ALICE, ["r1"]) == {"r1": "tea"}
    assert opened.citing(ALICE, ["doc:1", "doc:2"]) == {"doc:1": ["tea", "drinks"], "doc:2": ["drinks"]}
    assert opened.subjects(["person:ada"]) == {"person:ada": Subject("person:ada", ("friends",))}
    assert opened.about("person:ada", limit=9) == [(ALICE, "drinks"), (ALICE, "tea"), (ALICE, COFFEE)]
    fences = [Fence(FenceKind(kind), name) for kind, name, _ in ROWS["fences"]]
    assert list(opened.fences(fences).values()) == [value for _, _, value in ROWS["fences"]]


def test_pieces_that_nobody_reads_any_more_are_gone_and_cover_nothing(opened: Any) -> None:
    assert opened.pieces(ALICE) == []
    assert opened.covered(ALICE) == 0


def test_life_goes_on(folder: Path) -> None:
    with Memories(
        sqlite_in(folder),
        analyser=PlainAnalyser(),
        clock=FixedClock(NOON + 24 * HOUR),
        identifiers=CountingIdentifiers(99),
    ) as memories:
        alice, bob = memories.owner(ALICE), memories.owner(BOB)

        assert {hit.memory.key for hit in alice.recall("Ada").hits} == {"drinks", COFFEE}
        assert {hit.memory.key for hit in alice.recall("Ada", valid_at=NOON + HOUR).hits} == {"tea", "drinks", COFFEE}
        assert {hit.memory.key for hit in alice.recall("Ada", valid_at=STARTED).hits} == {"drinks", COFFEE}
        assert {hit.memory.key for hit in alice.recall("Ada", as_of=NOON + HOUR).hits} == {"tea", "drinks"}
        repeats = {"due_at": from_micros(1769904000000000), "sources": ["a", "z"], "salience": 0.9}
        repeated = bob.remember("Call the bank", tier="redacted", surface="A call", episode="week:1", **repeats)
        assert (repeated.key, repeated.created) == (CALL, False)
        assert alice.remember("Ada drinks water", supersedes=[COFFEE]).revision == 6
        assert alice.believe("person:ada", "drink", "water", key="believed").revision == 7
        alice.reinstate("rain")
        alice.forget("believed")
        assert {hit.memory.content for hit in alice.recall("Ada rain").hits} == {
            "Ada likes hot drinks",
            "Ada drinks water",
            "Rain",
        }
        assert memories.doctor(deep=True).findings == ()


def test_opening_again_changes_nothing(folder: Path) -> None:
    with closing(sqlite_in(folder)) as store:
        held = contents_of(store)
    data = (folder / "memory.db").read_bytes()

    with closing(sqlite_in(folder)) as store:
        assert contents_of(store) == held

    assert (folder / "memory.db").read_bytes() == data


def test_a_failure_at_any_statement_leaves_format_1_whole_for_the_next_to_bring_up(folder: Path) -> None:
    step = stopped_at_any_statement(folder, ROWS)

    # Fewer would mean that the trace no longer sees what is done.
    assert step > 20

    assert state_of(folder, ROWS)[0] == FORMAT
    with closing(sqlite_in(folder)) as store, store.view() as view:
        assert len(list(view.records(ALICE))) == 4


@pytest.mark.parametrize("statement", ["DROP TABLE was", "UPDATE memories", "COMMIT"])
def test_a_process_killed_half_way_leaves_format_1_whole_for_the_next_to_bring_up(folder: Path, statement: str) -> None:
    before = state_of(folder, ROWS)

    ended = killed_at(folder, statement)

    assert ended == -signal.SIGKILL
    assert state_of(folder, ROWS) == before
    with closing(sqlite_in(folder)) as store, store.view() as view:
        assert len(list(view.records(ALICE))) == 4


def test_processes_that_open_it_at_once_all_succeed_and_it_is_brought_up_once(folder: Path, tmp_path: Path) -> None:
    with ExitStack() as running:
        with closing(by_hand(folder)) as first:
            # Whoever comes waits here with format 1 seen, so that none is done before all have begun.
            first.execute(LOCKING)
            processes = [
                running.enter_context(
                    subprocess.Popen(
                        [sys.executable, migrating.__file__, str(folder)], stdout=subprocess.PIPE, text=True
                    )
                )
                for _ in range(2)
            ]
            for process in processes:
                assert process.stdout is not None
                assert process.stdout.readline() == "waiting\n"
            first.execute("ROLLBACK")
        assert [process.communicate()[0] for process in processes] == ["open\n"] * 2

    assert [process.returncode for process in processes] == [0, 0]
    with closing(sqlite_in(folder)) as store:
        held = contents_of(store)
    with closing(sqlite_in(make_format_1(tmp_path / "alone"))) as alone:
        assert held == contents_of(alone)
