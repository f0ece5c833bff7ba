"""A store of format 2, of before anything could be erased, is brought up when it is opened, whole or not at all."""

import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from reminisce import Memories
from reminisce.adapters.sqlite.schema import FORMAT
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.memory import folded, sameness
from reminisce.domain.records import Subject, SubjectState
from reminisce.domain.values import Status
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock, PlainAnalyser
from reminisce.testing.writing import ALICE, BOB
from tests.support.old_stores import killed_at, made, rows_of, schema_of, state_of, stopped_at_any_statement
from tests.support.stores import sqlite_in

FORMAT_2: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE fences (kind TEXT, name TEXT, value INTEGER NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
CREATE TABLE commits (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE log (
    owner INTEGER, revision INTEGER, time INTEGER NOT NULL, operation TEXT NOT NULL, keys TEXT NOT NULL,
    PRIMARY KEY (owner, revision)
);
CREATE INDEX log_by_time ON log (owner, time);
CREATE TABLE memories (
    id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    status TEXT NOT NULL, tier TEXT NOT NULL, subjects TEXT NOT NULL,
    confidence_thousandths INTEGER NOT NULL, salience_thousandths INTEGER NOT NULL,
    recorded INTEGER NOT NULL, named INTEGER NOT NULL, request_key TEXT, digest BLOB,
    fact_subject TEXT, fact_attribute TEXT, fact_value TEXT, many INTEGER NOT NULL,
    valid_from INTEGER, valid_to INTEGER, further_sources TEXT NOT NULL,
    uses INTEGER NOT NULL, consolidated_uses INTEGER NOT NULL, consolidated_at INTEGER, agreed TEXT NOT NULL,
    content TEXT NOT NULL, given TEXT NOT NULL,
    UNIQUE (owner, key)
);
CREATE INDEX memories_in_order ON memories (owner, revision, ordinal);
CREATE INDEX memories_by_digest ON memories (owner, digest);
CREATE UNIQUE INDEX memories_by_request ON memories (owner, request_key) WHERE request_key IS NOT NULL;
CREATE INDEX memories_by_fact ON memories (owner, fact_subject, fact_attribute, fact_value)
    WHERE fact_subject IS NOT NULL;
CREATE INDEX memories_by_attribute ON memories (owner, fact_attribute) WHERE fact_attribute IS NOT NULL;
CREATE TABLE history (
    id INTEGER PRIMARY KEY, memory INTEGER NOT NULL, revision INTEGER NOT NULL, time INTEGER NOT NULL,
    operation TEXT NOT NULL, status TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT,
    valid_from INTEGER, valid_to INTEGER
);
CREATE INDEX history_by_memory ON history (memory, id);
CREATE TABLE links (
    owner INTEGER, name TEXT, kind TEXT NOT NULL, members TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER,
    label TEXT, facets TEXT NOT NULL, reason TEXT, resolution TEXT,
    PRIMARY KEY (owner, name)
);
CREATE TABLE link_members (
    owner INTEGER, key TEXT, kind TEXT, role TEXT, name TEXT, other TEXT, since INTEGER NOT NULL, until INTEGER,
    PRIMARY KEY (owner, key, kind, role, name)
) WITHOUT ROWID;
CREATE TABLE citations (
    owner INTEGER, source TEXT, memory INTEGER, PRIMARY KEY (owner, source, memory)
) WITHOUT ROWID;
CREATE TABLE subjects (ref TEXT PRIMARY KEY, audiences TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE about (ref TEXT, owner TEXT, key TEXT, PRIMARY KEY (ref, owner, key)) WITHOUT ROWID;
CREATE INDEX about_by_memory ON about (owner, key);
CREATE TABLE pieces (
    owner INTEGER, number INTEGER, through INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (owner, number)
);
"""
"""The tables of format 2, as they were. Never to be changed."""

# fmt: off
ROWS: Final[dict[str, list[tuple[Any, ...]]]] = {
    "meta": [
        ('incarnation', 'f97c1409932fab4bd848be15a152a7d1'),
    ],
    "fences": [
        ('consents', '', 1),
        ('consolidation', 'agent:alice', 1767301200000000),
        ('owner', 'agent:alice', 12),
        ('owner', 'agent:bob', 1),
        ('pieces', 'agent:alice', 1),
        ('subject', 'person:ada', 1),
    ],
    "commits": [
        ('00000000000000000000000000000001',),
        ('00000000000000000000000000000002',),
    ],
    "owners": [
        (1, 'agent:alice'),
        (2, 'agent:bob'),
    ],
    "log": [
        (1, 1, 1767268800000000, 'remember', '["tea"]'),
        (1, 2, 1767272400000000, 'believe', '["m_00000000000000000000000002"]'),
        (1, 3, 1767276000000000, 'believe', '["m_00000000000000000000000003","m_00000000000000000000000002"]'),
        (1, 4, 1767279600000000, 'believe', '["m_00000000000000000000000003"]'),
        (1, 5, 1767283200000000, 'remember', '["ask"]'),
        (1, 6, 1767286800000000, 'contradict', '["ask","tea"]'),
        (1, 7, 1767290400000000, 'associate', '["ask","tea"]'),
        (1, 8, 1767294000000000, 'contradict', '["ask","m_00000000000000000000000003"]'),
        (1, 9, 1767294000000000, 'resolve', '["ask","m_00000000000000000000000003"]'),
        (1, 10, 1767297600000000, 'forget', '["tea"]'),
        (1, 11, 1767301200000000, 'reinforce', '[]'),
        (1, 12, 1767301200000000, 'consolidate', '[]'),
        (2, 1, 1767304800000000, 'remember', '["m_00000000000000000000000006"]'),
    ],
    "memories": [
        (1, 1, 'tea', 1, 0, 'retired', 'redacted', '["person:ada"]', 1000, 500, 1767268800000000, 1, 'r1',
         bytes.fromhex("d6738e1fbad481f4da37d1ed8d57667c0ddd0663"), None, None, None, 0, None, None, '[]', 0, 0, None,
         '[]', 'Ada drinks tea',
         ('{"sources":["doc:1"],"facets":[["cup","blue"]],"subjects":["person:ada"],"tier":"redacted","surface"'
          ':"A drink","episode":"week:1"}')),
        (2, 1, 'm_00000000000000000000000002', 2, 0, 'superseded', 'open', '["person:ada"]', 1000, 500,
         1767272400000000, 0, None, bytes.fromhex("f77f7da30e91c14ce270e5d783dd2ae0e1a6ba68"), 'person:ada', 'lives in',
         'rīga', 0, 1767272400000000, 1767276000000000, '[]', 0, 0, None, '[]', 'person:ada lives in: Rīga',
         '{"sources":["doc:2"],"subjects":["person:ada"],"fact":["person:ada","lives in","Rīga"]}'),
        (3, 1, 'm_00000000000000000000000003', 3, 0, 'active', 'open', '["person:ada"]', 1000, 593, 1767276000000000, 0,
         None, bytes.fromhex("d0c5ecad4aa4df06ab3ac8e114343c390ffbea4d"), 'person:ada', 'lives in', 'tartu', 0,
         1767276000000000, None, '["doc:3"]', 2, 2, 1767301200000000, '[]', 'person:ada lives in: Tartu',
         '{"subjects":["person:ada"],"fact":["person:ada","lives in","Tartu"]}'),
        (4, 1, 'ask', 5, 0, 'held', 'redacted', '["person:ada"]', 1000, 500, 1767283200000000, 1, None,
         bytes.fromhex("a6e45263e27cbf23ebe931ee0ede9928f903c56e"), None, None, None, 0, None, None, '[]', 0, 0, None,
         '["friends","work"]', 'Ask Ada first', '{"aspects":["procedural"],"derived_from":["tea"]}'),
        (5, 2, 'm_00000000000000000000000006', 1, 0, 'active', 'open', '[]', 1000, 900, 1767304800000000, 0, None,
         bytes.fromhex("f7c819da92a9a656345e72cebc260d53c6a51e44"), None, None, None, 0, None, None, '[]', 0, 0, None,
         '[]', 'Call the bank', '{"salience":900,"due_at":1769860800000000}'),
    ],
    "history": [
        (1, 1, 1, 1767268800000000, 'remember', 'active', 'library', None, None, None),
        (2, 2, 2, 1767272400000000, 'believe', 'active', 'library', None, 1767272400000000, None),
        (3, 3, 3, 1767276000000000, 'believe', 'active', 'library', None, 1767276000000000, None),
        (4, 2, 3, 1767276000000000, 'believe', 'superseded', 'library', None, 1767272400000000, 1767276000000000),
        (5, 3, 4, 1767279600000000, 'believe', 'active', 'library', None, 1767276000000000, None),
        (6, 4, 5, 1767283200000000, 'remember', 'held', 'library', 'review_aspects', None, None),
        (7, 1, 10, 1767297600000000, 'forget', 'retired', 'library', 'dried', None, None),
        (8, 5, 1, 1767304800000000, 'remember', 'active', 'library', None, None, None),
    ],
    "links": [
        (1, 'succession:28:m_00000000000000000000000003:m_00000000000000000000000002', 'succession',
         '[["newer","m_00000000000000000000000003"],["older","m_00000000000000000000000002"]]', 3, None, None, '[]',
         None, None),
        (1, 'derivation:3:ask:tea', 'derivation', '[["derived","ask"],["source","tea"]]', 5, None, None, '[]', None,
         None),
        (1, 'contradiction:00000000000000000000000000000007:1', 'contradiction',
         '[["side","ask"],["side","tea"],["claim","ask"]]', 6, None, None, '[]', 'not both', None),
        (1, 'association:00000000000000000000000000000008:1', 'association', '[["member","ask"],["member","tea"]]', 7,
         None, 'drinks', '[["place","Rīga"]]', None, None),
        (1, 'contradiction:00000000000000000000000000000009:1', 'contradiction',
         '[["side","ask"],["side","m_00000000000000000000000003"]]', 8, 9, None, '[]', 'odd', 'no'),
    ],
    "link_members": [
        (1, 'ask', 'association', 'member', 'association:00000000000000000000000000000008:1', None, 7, None),
        (1, 'ask', 'contradiction', 'claim', 'contradiction:00000000000000000000000000000007:1', None, 6, None),
        (1, 'ask', 'contradiction', 'side', 'contradiction:00000000000000000000000000000007:1', None, 6, None),
        (1, 'ask', 'contradiction', 'side', 'contradiction:00000000000000000000000000000009:1', None, 8, 9),
        (1, 'ask', 'derivation', 'derived', 'derivation:3:ask:tea', 'tea', 5, None),
        (1, 'm_00000000000000000000000002', 'succession', 'older',
         'succession:28:m_00000000000000000000000003:m_00000000000000000000000002', 'm_00000000000000000000000003', 3,
         None),
        (1, 'm_00000000000000000000000003', 'contradiction', 'side', 'contradiction:00000000000000000000000000000009:1',
         None, 8, 9),
        (1, 'm_00000000000000000000000003', 'succession', 'newer',
         'succession:28:m_00000000000000000000000003:m_00000000000000000000000002', 'm_00000000000000000000000002', 3,
         None),
        (1, 'tea', 'association', 'member', 'association:00000000000000000000000000000008:1', None, 7, None),
        (1, 'tea', 'contradiction', 'side', 'contradiction:00000000000000000000000000000007:1', None, 6, None),
        (1, 'tea', 'derivation', 'source', 'derivation:3:ask:tea', 'ask', 5, None),
    ],
    "citations": [
        (1, 'doc:1', 1),
        (1, 'doc:2', 2),
        (1, 'doc:3', 3),
    ],
    "subjects": [
        ('person:ada', '["friends","work"]'),
    ],
    "about": [
        ('person:ada', 'agent:alice', 'ask'),
        ('person:ada', 'agent:alice', 'm_00000000000000000000000002'),
        ('person:ada', 'agent:alice', 'm_00000000000000000000000003'),
        ('person:ada', 'agent:alice', 'tea'),
    ],
    "pieces": [
        (1, 1, 12, b'\xdf\x02\x00\x00{"format":2,"analyser":"plain","seen'),
    ],
}
# fmt: on
"""What the library of format 2 wrote for four memories of Alice's and one of Bob's, but for the piece, which is cut."""

BELIEVED: Final = "m_00000000000000000000000003"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store of format 2."""
    return made(tmp_path / "store", 2, FORMAT_2, ROWS)


@pytest.fixture
def opened(folder: Path) -> Iterator[Any]:
    """A view of the store of `folder`, opened today."""
    with closing(sqlite_in(folder)) as store, store.view() as view:
        yield view


def test_tables_are_those_of_a_store_made_today(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite_in(folder)) as store, closing(sqlite_in(tmp_path / "new")) as new:
        with store._connection() as connection, new._connection() as other:
            assert schema_of(connection) == schema_of(other)
            assert connection.pragma("user_version") == FORMAT
        assert store.check(deep=True) == []


def test_every_row_is_there_as_it_was_but_pieces_that_nobody_reads_any_more(folder: Path) -> None:
    sqlite_in(folder).close()

    after = rows_of(folder, ROWS)

    changed = {"memories", "subjects", "pieces"}
    for table in ROWS.keys() - changed:
        assert sorted(after[table], key=repr) == sorted(ROWS[table], key=repr), table
    assert after["memories"] == [(*row, None) for row in ROWS["memories"]]
    assert after["subjects"] == [(*row, "open", "[]") for row in ROWS["subjects"]]
    assert after["pieces"] == []


def test_nothing_is_said_of_erasure(opened: Any) -> None:
    memories = [record.memory for owner in (ALICE, BOB) for record in opened.records(owner)]

    assert [memory.status for memory in memories] == [
        Status.RETIRED,
        Status.SUPERSEDED,
        Status.ACTIVE,
        Status.HELD,
        Status.ACTIVE,
    ]
    assert {memory.erased for memory in memories} == {None}
    assert opened.subjects(["person:ada"]) == {
        "person:ada": Subject("person:ada", ("friends", "work"), SubjectState.OPEN, ())
    }
    assert opened.keyring() == ([], [])
    fences = [Fence(FenceKind.KEYS), Fence(FenceKind.FLOOR), Fence(FenceKind.ERASURE, ALICE)]
    assert opened.fences(fences) == dict.fromkeys(fences, 0)
    assert (opened.pieces(ALICE), opened.covered(ALICE)) == ([], 0)


def test_what_was_said_is_found_by_all_that_leads_to_it(opened: Any) -> None:
    held = opened.memories(ALICE, ["tea", BELIEVED])
    fact = held[BELIEVED].fact

    digest = sameness(held["tea"].given)
    assert opened.holders(ALICE, [digest]) == {digest: ["tea"]}
    assert opened.requests(ALICE, ["r1"]) == {"r1": "tea"}
    assert opened.citing(ALICE, ["doc:1", "doc:3"]) == {"doc:1": ["tea"], "doc:3": [BELIEVED]}
    assert [
        line.key for line in opened.facts(ALICE, fact.subject, attribute=fact.attribute, value=folded(fact.value))
    ] == [BELIEVED]
    assert opened.valued(ALICE, ["lives in"]) == {"lives in": False}
    assert len(opened.links(ALICE, ["ask"])["ask"]) == 4
    assert [event.reason for event in opened.history(ALICE, ["tea"])["tea"]] == [None, "dried"]


def test_what_was_said_then_can_be_erased_now(folder: Path) -> None:
    with Memories(
        sqlite_in(folder), analyser=PlainAnalyser(), clock=FixedClock(NOON), identifiers=CountingIdentifiers(99)
    ) as memories:
        alice = memories.owner(ALICE)
        assert [hit.memory.key for hit in alice.recall("Tartu")] == [BELIEVED]

        receipt = memories.withdraw("person:ada", scrub=True)

        assert (receipt.memories, receipt.links, receipt.waits) == (4, 3, ())
        assert alice.recall(None).hits == ()
        assert [hit.memory.content for hit in memories.owner(BOB).recall("bank")] == ["Call the bank"]
        assert memories.doctor(deep=True).findings == ()
    told = repr(rows_of(folder, ROWS))
    assert [word for word in ("drinks tea", "Tartu", "tartu", "doc:", "dried", "odd", "week:1") if word in told] == []
    assert "Call the bank" in told


def test_opening_again_changes_nothing(folder: Path) -> None:
    with closing(sqlite_in(folder)) as store:
        held = contents_of(store)
    data = (folder / "memory.db").read_bytes()

    with closing(sqlite_in(folder)) as store:
        assert contents_of(store) == held

    assert (folder / "memory.db").read_bytes() == data


def test_a_failure_at_any_statement_leaves_format_2_whole_for_the_next_to_bring_up(folder: Path) -> None:
    step = stopped_at_any_statement(folder, ROWS)

    # Fewer would mean that the trace no longer sees what is done.
    assert step > 15

    assert state_of(folder, ROWS)[0] == FORMAT
    with closing(sqlite_in(folder)) as store, store.view() as view:
        assert len(list(view.records(ALICE))) == 4


@pytest.mark.parametrize("statement", ["DROP TABLE was", "CREATE TABLE subject_keys", "DELETE FROM pieces", "COMMIT"])
def test_a_process_killed_half_way_leaves_format_2_whole_for_the_next_to_bring_up(folder: Path, statement: str) -> None:
    before = state_of(folder, ROWS)

    ended = killed_at(folder, statement)

    assert ended == -signal.SIGKILL
    assert state_of(folder, ROWS) == before
    with closing(sqlite_in(folder)) as store, store.view() as view:
        assert len(list(view.records(ALICE))) == 4
