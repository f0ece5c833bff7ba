"""What only a store that outlives its process can do. Other cases skip these, and say why."""

from collections.abc import Callable
from functools import partial

import pytest

from reminisce.domain.changes import Commit, EndLink, PutLink, PutPiece
from reminisce.domain.records import Link, LinkKind, Member, Piece
from reminisce.errors import ConflictError, StoreClosedError
from reminisce.ports.store import Store
from reminisce.testing.contents import contents_of
from reminisce.testing.promises import promise
from reminisce.testing.threads import at_once
from reminisce.testing.writing import ALICE, BOB, consent, forget, fresh_id, next_commit, put, remember, write


def _fill(store: Store) -> str:
    remember(store, ALICE, "something", key="k", sources=["s"], subjects=["p"], request_key="r")
    remember(store, ALICE, "child", derived_from=["k"])
    remember(store, ALICE, "newer", supersedes=["k"])
    forget(store, ALICE, "k", reason="because")
    remember(store, BOB, "of bob", subjects=["p"])
    consent(store, "p", "friends")
    remember(store, ALICE, "lives there", fact=["p", "lives in", "R\u012bga"], subjects=["p"], reviewer="alice")
    members = (Member("side", "k"), Member("side", "k"), Member("claim", "k"))
    link = Link("link", LinkKind.CONTRADICTION, members, 6, label="l", facets=(("a", "b"),), reason="why")
    write(store, ALICE, PutLink(ALICE, link), EndLink(ALICE, "link", 6, "because"))
    commit = Commit(id=fresh_id(), changes=(PutPiece(ALICE, Piece(1, 4, b"\0piece")),))
    store.commit(commit)
    return commit.id


@promise("commit.survives")
def test_everything_is_there_after_closing_and_opening(durable: Callable[[], Store]) -> None:
    first = durable()
    commit_id = _fill(first)
    before = contents_of(first, commits=[commit_id])
    first.close()

    assert contents_of(durable(), commits=[commit_id]) == before


@promise("commit.survives")
def test_a_store_goes_on_where_it_was_after_opening(durable: Callable[[], Store]) -> None:
    keys = []
    for number in range(3):
        store = durable()
        keys.append(remember(store, ALICE, f"words {number}"))
        store.close()

    held = contents_of(durable())["held"][ALICE]
    assert [record.memory.key for record in held["records"]] == keys
    assert [entry.revision for entry in held["log"]] == [1, 2, 3]


@promise("commit.survives")
def test_a_store_that_holds_nothing_yet_is_the_same_store_after_opening(durable: Callable[[], Store]) -> None:
    first = durable()
    before = contents_of(first)
    first.close()

    assert contents_of(durable()) == before


@promise("store.threads", "view.still")
def test_what_one_opening_commits_another_shows(durable: Callable[[], Store]) -> None:
    first, second = durable(), durable()
    _fill(first)

    assert contents_of(second) == contents_of(first)


@promise("store.threads", "fences.exclusive")
def test_fences_hold_between_two_openings(durable: Callable[[], Store]) -> None:
    first, second = durable(), durable()
    planned = next_commit(second, ALICE, put(ALICE, "late", 1))
    remember(first, ALICE, "something", key="k")

    with pytest.raises(ConflictError):
        second.commit(planned)

    assert [record.memory.key for record in contents_of(second)["held"][ALICE]["records"]] == ["k"]


@promise("store.threads", "commit.once")
def test_a_commit_made_by_one_opening_is_not_done_again_by_another(durable: Callable[[], Store]) -> None:
    first, second = durable(), durable()
    commit = next_commit(first, ALICE, put(ALICE, "k", 1))
    first.commit(commit)

    second.commit(commit)

    assert contents_of(second)["held"][ALICE]["head"].revision == 1


@promise("store.closed")
def test_closing_one_opening_leaves_the_other_open(durable: Callable[[], Store]) -> None:
    first, second = durable(), durable()
    first.close()

    remember(second, ALICE, "something", key="k")

    with pytest.raises(StoreClosedError):
        contents_of(first)
    assert list(contents_of(second)["held"][ALICE]["memories"]) == ["k"]


@promise("store.threads", "view.for-writing")
def test_views_for_writing_of_two_openings_take_turns(durable: Callable[[], Store]) -> None:
    def take_turns(store: Store) -> None:
        for _ in range(8):
            with store.view(for_writing=[]) as view:
                revision = view.head(ALICE).revision + 1
                store.commit(next_commit(store, ALICE, put(ALICE, f"k{revision}", revision)), within=view)

    assert at_once([partial(take_turns, durable()), partial(take_turns, durable())]) == [None, None]

    assert [entry.revision for entry in contents_of(durable())["held"][ALICE]["log"]] == list(range(1, 17))
