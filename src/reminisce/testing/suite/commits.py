"""A commit happens whole or not at all, and once."""

from collections.abc import Callable
from typing import Any, Final

import attrs
import pytest

from reminisce.domain.changes import (
    AddHistory,
    Advance,
    Change,
    DestroyKey,
    DropLink,
    EndLink,
    EraseMemory,
    Fence,
    FenceKind,
    PutLink,
    PutPiece,
    PutSubject,
    PutSubjectKey,
    SetFields,
)
from reminisce.domain.erasure import without_words
from reminisce.domain.memory import Cause, Erased
from reminisce.domain.records import Event, Link, LinkKind, Member, Piece, Subject, SubjectKey
from reminisce.domain.values import Status
from reminisce.errors import ConflictError
from reminisce.ports.store import Store
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import NOON
from reminisce.testing.promises import promise
from reminisce.testing.threads import at_once
from reminisce.testing.writing import ALICE, BOB, fresh_id, next_commit, put, remember, write


def _link(name: str, *keys: str) -> PutLink:
    return PutLink(ALICE, Link(name, LinkKind.DERIVATION, tuple(Member("source", key) for key in keys), 2))


BY: Final = Erased(Cause.ERASE)

TAKEN: Final[dict[str, Callable[[], Change]]] = {
    "key": lambda: put(ALICE, "a", 2),
    "request key": lambda: put(ALICE, "new", 2, request_key="r"),
    "link": lambda: _link("link", "a", "b"),
    "link of other members": lambda: _link("link", "c", "d"),
    "absent link's end": lambda: EndLink(ALICE, "absent", 2),
    "ended link's end": lambda: EndLink(ALICE, "ended", 2, "again"),
    "piece": lambda: PutPiece(ALICE, Piece(7, 1, b"other")),
    "absent memory's fields": lambda: SetFields(ALICE, "absent", {"status": Status.RETIRED}),
    "absent memory's history": lambda: AddHistory(ALICE, "absent", Event(2, NOON, "test", Status.ACTIVE, "test")),
    "absent memory's words": lambda: EraseMemory(without_words(put(ALICE, "absent", 1).memory, BY)),
    "words under the other owner's key": lambda: EraseMemory(without_words(put(BOB, "a", 1).memory, BY)),
    "absent link": lambda: DropLink(ALICE, "absent"),
    "link of the other owner": lambda: DropLink(BOB, "link"),
    "subject's second key": lambda: PutSubjectKey(SubjectKey("3" * 32, "person:1", bytes(32))),
    "id of a key": lambda: PutSubjectKey(SubjectKey("1" * 32, "person:3", bytes(32))),
    "id of a key destroyed": lambda: PutSubjectKey(SubjectKey("2" * 32, "person:3", bytes(32))),
    "key of the other owner": lambda: SetFields(BOB, "a", {"status": Status.RETIRED}),
}


def _filled(store: Store) -> None:
    write(
        store,
        ALICE,
        *(put(ALICE, key, 1, ordinal=place) for place, key in enumerate("abcd")),
        put(ALICE, "with request", 1, ordinal=4, request_key="r"),
        _link("link", "a", "b"),
        _link("ended", "a", "c"),
        EndLink(ALICE, "ended", 1, "why"),
        PutPiece(ALICE, Piece(7, 1, b"piece")),
        PutSubjectKey(SubjectKey("1" * 32, "person:1", bytes(32))),
        PutSubjectKey(SubjectKey("2" * 32, "person:2", bytes(32))),
        DestroyKey("person:2"),
    )


@promise("commit.conflict", "commit.whole", "store.errors")
@pytest.mark.parametrize("change", TAKEN.values(), ids=TAKEN)
def test_a_commit_that_needs_a_taken_name_changes_nothing(store: Store, change: Callable[[], Change]) -> None:
    _filled(store)
    before = contents_of(store, refs=["p"])
    commit = next_commit(
        store,
        ALICE,
        PutSubject(Subject("p", ("x",))),
        put(ALICE, "before", 2),
        change(),
        put(ALICE, "after", 2, ordinal=1),
    )

    with pytest.raises(ConflictError):
        store.commit(commit)

    assert contents_of(store, refs=["p"]) == before
    with store.view() as view:
        assert not view.committed(commit.id)
        assert dict(view.memories(ALICE, ["before", "after"])) == {}
        assert view.fences([Fence(FenceKind.OWNER, ALICE)]) == {Fence(FenceKind.OWNER, ALICE): 1}


@promise("commit.conflict")
@pytest.mark.parametrize("twice", [{"key": "same"}, {"request_key": "same"}], ids=["key", "request key"])
def test_one_commit_cannot_use_a_name_twice(store: Store, twice: dict[str, Any]) -> None:
    first, second = ({"key": f"k{place}", **twice} for place in (0, 1))
    commit = next_commit(store, ALICE, put(ALICE, revision=1, **first), put(ALICE, revision=1, ordinal=1, **second))

    with pytest.raises(ConflictError):
        store.commit(commit)

    with store.view() as view:
        assert list(view.records(ALICE)) == []


@promise("commit.conflict", "commit.whole")
@pytest.mark.parametrize("claim", ["advances", "requires"])
def test_a_commit_with_one_stale_fence_changes_nothing(store: Store, claim: str) -> None:
    remember(store, ALICE, "something", subjects=["p"])
    stale, free = Fence(FenceKind.SUBJECT, "p"), Fence(FenceKind.ERASURE, ALICE)
    before = contents_of(store)
    commit = next_commit(
        store,
        ALICE,
        put(ALICE, "k", 2, subjects=["p"]),
        PutSubject(Subject("p", ("x",))),
        advances=[Advance(free, 0, 1), *([Advance(stale, 0, 2)] if claim == "advances" else [])],
        requires=[(stale, 0)] if claim == "requires" else [],
    )

    with pytest.raises(ConflictError):
        store.commit(commit)

    assert contents_of(store) == before


@promise("commit.once")
def test_the_same_commit_twice_happens_once(store: Store) -> None:
    commit = next_commit(store, ALICE, put(ALICE, "k", 1))
    store.commit(commit)
    after = contents_of(store)

    store.commit(commit)

    assert contents_of(store) == after


@promise("commit.once")
def test_a_commit_of_a_known_id_is_not_done_whatever_it_holds(store: Store) -> None:
    commit = write(store, ALICE, put(ALICE, "k", 1))
    after = contents_of(store)

    store.commit(attrs.evolve(commit, changes=(put(ALICE, "other", 2),), advances=(), entries=()))

    assert contents_of(store) == after


@promise("commit.once", "store.threads")
def test_the_same_commit_from_many_threads_at_once_happens_once(store: Store) -> None:
    commit = next_commit(store, ALICE, put(ALICE, "k", 1))

    outcomes = at_once([lambda: store.commit(commit)] * 8)

    assert outcomes == [None] * 8
    with store.view() as view:
        assert [record.memory.key for record in view.records(ALICE)] == ["k"]
        assert view.head(ALICE).revision == 1


@promise("commit.whole")
def test_a_refused_id_may_be_used_again(store: Store) -> None:
    remember(store, ALICE, "something", key="a")
    refused = next_commit(store, ALICE, put(ALICE, "a", 2))
    with pytest.raises(ConflictError):
        store.commit(refused)

    store.commit(attrs.evolve(refused, changes=(put(ALICE, "b", 2),)))

    with store.view() as view:
        assert view.committed(refused.id)
        assert list(view.memories(ALICE, ["b"])) == ["b"]


@promise("commit.order")
def test_changes_of_one_commit_take_effect_in_order(store: Store) -> None:
    events = [Event(1, NOON, "test", status, "test") for status in (Status.ACTIVE, Status.HELD, Status.RETIRED)]
    changes: list[Change] = [put(ALICE, "k", 1, subjects=["p"])]
    for event in events:
        changes += [SetFields(ALICE, "k", {"status": event.status}), AddHistory(ALICE, "k", event)]
    changes += [SetFields(ALICE, "k", {"subjects": ("q",)}), SetFields(ALICE, "k", {"subjects": ("q", "r")})]

    write(store, ALICE, *changes, PutSubject(Subject("p")), PutSubject(Subject("p", ("x",))))

    with store.view() as view:
        held = view.memories(ALICE, ["k"])["k"]
        assert (held.status, held.subjects) == (Status.RETIRED, ("q", "r"))
        assert list(view.history(ALICE, ["k"])["k"]) == events
        assert [list(view.about(ref, limit=9)) for ref in "pqr"] == [[], [(ALICE, "k")], [(ALICE, "k")]]
        assert view.subjects(["p"]) == {"p": Subject("p", ("x",))}


@promise("commit.whole")
def test_one_commit_may_write_for_two_owners(store: Store) -> None:
    of_bob = next_commit(store, BOB, put(BOB, "b", 1))
    commit = next_commit(store, ALICE, put(ALICE, "a", 1), *of_bob.changes, advances=of_bob.advances)

    store.commit(attrs.evolve(commit, entries=(*commit.entries, *of_bob.entries)))

    with store.view() as view:
        assert [view.head(owner).revision for owner in (ALICE, BOB)] == [1, 1]
        assert [list(view.memories(owner, ["a", "b"])) for owner in (ALICE, BOB)] == [["a"], ["b"]]


@promise("commit.once")
def test_a_commit_without_changes_is_remembered_by_its_id(store: Store) -> None:
    commit = attrs.evolve(next_commit(store, ALICE), id=fresh_id(), advances=(), entries=())

    store.commit(commit)

    with store.view() as view:
        assert view.committed(commit.id)
        assert list(view.owners()) == []
