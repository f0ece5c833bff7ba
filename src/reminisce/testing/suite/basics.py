"""What each question of a snapshot promises."""

import datetime as dt
from typing import Final

import pytest

from reminisce.domain.changes import AddHistory, Fence, FenceKind
from reminisce.domain.records import Event, Head, LinkKind, Member
from reminisce.domain.requests import read_request
from reminisce.domain.values import Status
from reminisce.ports.store import Store
from reminisce.testing.fakes import NOON
from reminisce.testing.promises import promise
from reminisce.testing.writing import ALICE, BOB, forget, next_commit, put, remember, remember_many, write

NOBODY: Final = "agent:nobody"


@promise("snapshot.absent")
@pytest.mark.parametrize("owner", [NOBODY, ALICE])
def test_what_nobody_wrote_is_absent(store: Store, owner: str) -> None:
    remember(store, ALICE, "something", key="k", sources=["s"], subjects=["p"], request_key="r")

    with store.view() as view:
        assert dict(view.memories(owner, ["other"])) == {}
        assert dict(view.holders(owner, [b"0" * 20])) == {}
        assert dict(view.requests(owner, ["other"])) == {}
        assert dict(view.history(owner, ["other"])) == {}
        assert dict(view.links(owner, ["other", "k"])) == {}
        assert dict(view.ties(owner, ["other", "k"], LinkKind.DERIVATION, "source")) == {}
        assert list(view.facts(owner, "p")) == []
        assert dict(view.valued(owner, ["other"])) == {}
        assert dict(view.citing(owner, ["other"])) == {}
        assert dict(view.subjects(["other"])) == {}
        assert list(view.about("other", limit=10)) == []
        assert list(view.pieces(owner)) == []
        assert view.covered(owner) == 0
        assert view.committed("0" * 32) is False


@promise("snapshot.head")
def test_an_owner_that_never_wrote_stands_at_nothing(store: Store) -> None:
    with store.view() as view:
        assert view.head(NOBODY) == Head(0, None)
        assert list(view.log(NOBODY, since=0)) == []
        assert view.revision_at(NOBODY, NOON) == 0
        assert list(view.records(NOBODY)) == []
        assert list(view.owners()) == []


@promise("snapshot.nothing")
def test_asking_for_nothing_answers_nothing(store: Store) -> None:
    remember(store, ALICE, "something", key="k", sources=["s"], subjects=["p"], request_key="r")

    with store.view() as view:
        assert dict(view.fences([])) == {}
        assert dict(view.memories(ALICE, [])) == {}
        assert dict(view.holders(ALICE, [])) == {}
        assert dict(view.requests(ALICE, [])) == {}
        assert dict(view.history(ALICE, [])) == {}
        assert dict(view.links(ALICE, [])) == {}
        assert dict(view.ties(ALICE, [], LinkKind.DERIVATION, "source")) == {}
        assert dict(view.valued(ALICE, [])) == {}
        assert dict(view.citing(ALICE, [])) == {}
        assert dict(view.subjects([])) == {}
        assert list(view.about("p", limit=0)) == []


@promise("snapshot.twice")
def test_names_asked_for_twice_count_once(store: Store) -> None:
    remember(store, ALICE, "something", key="k", sources=["s"], subjects=["p"], request_key="r")
    remember(store, ALICE, "child", key="c", derived_from=["k"])
    digest = read_request({"content": "something", "sources": ["s"], "subjects": ["p"]}).digest

    with store.view() as view:
        assert list(view.memories(ALICE, iter(["k", "no", "k"]))) == ["k"]
        assert list(view.holders(ALICE, iter([digest, digest]))[digest]) == ["k"]
        assert dict(view.requests(ALICE, iter(["r", "r"]))) == {"r": "k"}
        assert len(view.history(ALICE, iter(["k", "k"]))["k"]) == 1
        assert len(view.links(ALICE, iter(["k", "k"]))["k"]) == 1
        assert len(view.ties(ALICE, iter(["k", "k"]), LinkKind.DERIVATION, "source")["k"]) == 1
        assert list(view.citing(ALICE, iter(["s", "s"]))["s"]) == ["k"]
        assert list(view.subjects(iter(["p", "p"]))) == ["p"]


@promise("snapshot.memories")
def test_many_memories_are_found_at_once(store: Store) -> None:
    keys = [f"k{number:04d}" for number in range(1_200)]
    write(store, ALICE, *(put(ALICE, key, 1, ordinal=place) for place, key in enumerate(keys)))

    with store.view() as view:
        found = view.memories(ALICE, [*keys, "other"])

    assert sorted(found) == keys


@promise("snapshot.memories", "snapshot.absent")
def test_the_key_of_another_owner_is_absent(store: Store) -> None:
    remember(store, ALICE, "of alice", key="k", request_key="r", sources=["s"])
    remember(store, BOB, "of bob", key="b")

    with store.view() as view:
        assert dict(view.memories(BOB, ["k"])) == {}
        assert dict(view.requests(BOB, ["r"])) == {}
        assert dict(view.citing(BOB, ["s"])) == {}
        assert dict(view.history(BOB, ["k"])) == {}


@promise("snapshot.memories")
def test_two_owners_may_use_one_key(store: Store) -> None:
    remember(store, ALICE, "of alice", key="k", request_key="r")
    remember(store, BOB, "of bob", key="k", request_key="r")

    with store.view() as view:
        assert view.memories(ALICE, ["k"])["k"].content == "of alice"
        assert view.memories(BOB, ["k"])["k"].content == "of bob"


@promise("snapshot.holders")
def test_twins_are_found_in_canonical_order_whatever_their_status(store: Store) -> None:
    for key in ("z", "a", "m"):
        remember(store, ALICE, "the same words", key=key)
    forget(store, ALICE, "a")
    digest = read_request({"content": "the same words"}).digest

    with store.view() as view:
        assert list(view.holders(ALICE, [digest])[digest]) == ["z", "a", "m"]


@promise("snapshot.requests")
def test_a_request_key_tells_the_memory_it_made(store: Store) -> None:
    key = remember(store, ALICE, "something", request_key="r")

    with store.view() as view:
        assert dict(view.requests(ALICE, ["r", "other"])) == {"r": key}


@promise("snapshot.history")
def test_history_is_told_oldest_first(store: Store) -> None:
    remember(store, ALICE, "something", key="k")
    forget(store, ALICE, "k", reason="old \u00e9 news")

    with store.view() as view:
        events = view.history(ALICE, ["k"])["k"]

    assert [(event.revision, event.operation, event.status, event.reason) for event in events] == [
        (1, "remember", Status.ACTIVE, None),
        (2, "forget", Status.RETIRED, "old \u00e9 news"),
    ]
    assert [(event.time, event.actor) for event in events] == [(NOON, "test")] * 2


@promise("snapshot.history")
@pytest.mark.parametrize("valid_from", [None, dt.datetime(1, 1, 1, tzinfo=dt.UTC), NOON])
@pytest.mark.parametrize("valid_to", [None, dt.datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=dt.UTC), NOON])
def test_events_carry_the_validity_in_force_from_then_on(
    store: Store, valid_from: dt.datetime | None, valid_to: dt.datetime | None
) -> None:
    event = Event(1, NOON, "test", Status.HELD, "t\u00e9st", "why", valid_from, valid_to)
    write(store, ALICE, put(ALICE, "k", 1), AddHistory(ALICE, "k", event))

    with store.view() as view:
        assert list(view.history(ALICE, ["k"])["k"]) == [event]
        assert [record.history for record in view.records(ALICE)] == [(event,)]


@promise("snapshot.holders", "snapshot.citing")
def test_canonical_order_is_that_of_ordinals_however_a_commit_lists_its_memories(store: Store) -> None:
    places = (("a", 2), ("b", 0), ("c", 1))
    changes = [put(ALICE, key, 1, ordinal=ordinal, content="same", sources=["s"]) for key, ordinal in places]
    write(store, ALICE, *changes)

    with store.view() as view:
        assert list(view.holders(ALICE, [changes[0].digest])[changes[0].digest]) == ["b", "c", "a"]
        assert list(view.citing(ALICE, ["s"])["s"]) == ["b", "c", "a"]


@promise("snapshot.links")
def test_links_are_told_for_each_member_by_revision_then_name(store: Store) -> None:
    for key in ("b", "a"):
        remember(store, ALICE, f"source {key}", key=key)
    remember(store, ALICE, "first child", key="c", derived_from=["b", "a"])
    remember(store, ALICE, "second child", key="0", derived_from=["a"], supersedes=["b"])

    with store.view() as view:
        links = view.links(ALICE, ["a", "b", "c", "other"])

    assert {key: [(link.since, link.name) for link in found] for key, found in links.items()} == {
        "a": [(3, "derivation:1:c:a"), (4, "derivation:1:0:a")],
        "b": [(3, "derivation:1:c:b"), (4, "supersession:1:0:b")],
        "c": [(3, "derivation:1:c:a"), (3, "derivation:1:c:b")],
    }
    assert links["b"][1].kind is LinkKind.SUPERSESSION
    assert links["b"][1].members == (Member("newer", "0"), Member("older", "b"))
    assert links["b"][1].until is None


@promise("snapshot.citing")
def test_who_cites_a_source_is_told_in_canonical_order(store: Store) -> None:
    remember_many(
        store, ALICE, [{"content": key, "key": key, "sources": ["doc:x", f"doc:{key}"]} for key in ("z", "a", "m")]
    )

    with store.view() as view:
        citing = view.citing(ALICE, ["doc:x", "doc:a", "doc:other"])

    assert {source: list(keys) for source, keys in citing.items()} == {"doc:x": ["z", "a", "m"], "doc:a": ["a"]}


@promise("snapshot.owners")
def test_owners_are_sorted_by_their_bytes(store: Store) -> None:
    # UTF-16 would put the last one before the one ahead of it.
    owners = ["agent:B", "agent:a", "agent:\u00e9", "agent:\uffee", "agent:\U0001f600"]
    for owner in reversed(owners):
        remember(store, owner, "something")

    with store.view() as view:
        assert list(view.owners()) == owners


@promise("snapshot.head")
def test_the_head_follows_the_owners_last_commit(store: Store) -> None:
    later = NOON + dt.timedelta(microseconds=1)
    remember(store, ALICE, "first")
    remember(store, BOB, "of bob")
    store.commit(next_commit(store, ALICE, put(ALICE, "k", 2), time=later))

    with store.view() as view:
        assert view.head(ALICE) == Head(2, later)
        assert view.head(BOB) == Head(1, NOON)


@promise("snapshot.committed")
def test_only_ids_of_commits_that_happened_are_there(store: Store) -> None:
    commit = next_commit(store, ALICE, put(ALICE, "k", 1))

    with store.view() as before:
        assert not before.committed(commit.id)
    store.commit(commit)
    with store.view() as after:
        assert after.committed(commit.id)


@promise("snapshot.fences")
def test_fences_of_different_kinds_or_names_are_different_fences(store: Store) -> None:
    remember(store, ALICE, "something", subjects=["p"])

    with store.view() as view:
        standing = view.fences([Fence(kind, name) for kind in FenceKind for name in (ALICE, "p", "", NOBODY)])

    assert {fence for fence, value in standing.items() if value} == {
        Fence(FenceKind.OWNER, ALICE),
        Fence(FenceKind.SUBJECT, "p"),
    }
    assert len(standing) == len(FenceKind) * 4


@promise("snapshot.incarnation")
def test_the_incarnation_is_a_name_that_stays(store: Store) -> None:
    with store.view() as view:
        before = view.incarnation()
    remember(store, ALICE, "something")

    with store.view() as view:
        assert view.incarnation() == before
    assert len(before) == 32
    assert set(before) <= set("0123456789abcdef")


@promise("store.setup")
def test_setting_up_twice_changes_nothing(store: Store) -> None:
    remember(store, ALICE, "something", key="k")

    store.setup()
    store.setup()

    with store.view() as view:
        assert list(view.memories(ALICE, ["k"])) == ["k"]
        assert view.head(ALICE).revision == 1


@promise("store.check")
@pytest.mark.parametrize("deep", [False, True])
def test_nothing_is_wrong_with_a_store_in_use(store: Store, deep: bool) -> None:
    remember(store, ALICE, "something", key="k", sources=["s"], subjects=["p"])

    assert store.check(deep=deep) == []
