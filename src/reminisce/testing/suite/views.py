"""Views: still while open, fresh when opened, and those that hold fences."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Final

import attrs
import pytest

from reminisce.domain.changes import (
    Advance,
    Commit,
    DestroyKey,
    DropLink,
    DropPieces,
    DropSubject,
    EndLink,
    EraseMemory,
    Fence,
    FenceKind,
    PutLink,
    PutPiece,
    PutSubject,
    PutSubjectKey,
)
from reminisce.domain.erasure import without_words
from reminisce.domain.memory import Cause, Erased
from reminisce.domain.records import Link, LinkKind, Member, Piece, Subject, SubjectKey, SubjectState
from reminisce.errors import ConflictError
from reminisce.ports.store import Store
from reminisce.testing.contents import contents, contents_of
from reminisce.testing.fakes import NOON
from reminisce.testing.promises import promise
from reminisce.testing.threads import PATIENCE_S, at_once, in_thread
from reminisce.testing.writing import ALICE, BOB, consent, forget, fresh_id, next_commit, put, remember, write

_OWNER: Final = Fence(FenceKind.OWNER, ALICE)


class Oops(Exception):  # noqa: N818 (it stands for whatever a caller raises)
    """A failure of the caller's own."""


def _hold(store: Store, mine: Commit, held: threading.Event) -> None:
    with store.view(for_writing=tuple(mine.fences())) as view:
        held.set()
        for _ in range(50):
            contents(view)
        store.commit(mine, within=view)


def _commit_and_fail(store: Store, commit: Commit) -> None:
    with store.view(for_writing=tuple(commit.fences())) as view:
        store.commit(commit, within=view)
        raise Oops


def _rival(store: Store, rival: Commit, held: threading.Event) -> None:
    assert held.wait(PATIENCE_S)
    store.commit(rival)


def _change_everything(store: Store) -> None:
    remember(store, ALICE, "child", derived_from=["k"], sources=["s"], subjects=["p"], request_key="r2")
    remember(store, ALICE, "newer", supersedes=["k"])
    remember(store, BOB, "of bob", subjects=["p"])
    forget(store, ALICE, "other")
    remember(store, ALICE, "moved", fact=["p", "lives in", "Tartu"], subjects=["p"], valid_from=NOON)
    write(store, ALICE, EndLink(ALICE, "link", 9, "why"))
    consent(store, "p", "friends")
    with store.view() as view:
        memory = view.memories(ALICE, ["k"])["k"]
    erasing = EraseMemory(without_words(memory, Erased(Cause.WITHDRAWAL, "p", 3)))
    write(store, ALICE, erasing, DropLink(ALICE, "other link"), DropPieces(ALICE))
    write(store, ALICE, PutSubject(Subject("p", (), SubjectState.WITHDRAWN)), DestroyKey("p"), DropSubject("q"))
    write(store, ALICE, PutSubjectKey(SubjectKey("2" * 32, "p", bytes(32))))


@promise("view.still", "snapshot.instant")
@pytest.mark.parametrize("where", [in_thread, lambda task: task()], ids=["another thread", "this thread"])
def test_a_view_never_changes_while_it_is_open(store: Store, where: Callable[[Callable[[], object]], object]) -> None:
    remember(store, ALICE, "something", key="k", sources=["s"], subjects=["p"], request_key="r")
    remember(store, ALICE, "something else", key="other", fact=["p", "lives in", "Riga"], subjects=["p"])
    link = Link("link", LinkKind.SUPERSESSION, (Member("newer", "other"), Member("older", "k")), 3)
    write(store, ALICE, PutLink(ALICE, link), PutLink(ALICE, attrs.evolve(link, name="other link")))
    write(store, ALICE, PutSubjectKey(SubjectKey("1" * 32, "p", bytes(32))), PutPiece(ALICE, Piece(1, 4, b"piece")))
    consent(store, "q", "work")

    with store.view() as view:
        before = contents(view, refs=["q"])
        where(partial(_change_everything, store))

        assert contents(view, refs=["q"]) == before


@promise("view.still")
def test_a_view_is_fixed_when_it_is_opened_not_when_it_is_first_asked(store: Store) -> None:
    with store.view() as view:
        remember(store, ALICE, "something", key="k")

        assert view.head(ALICE).revision == 0
        assert dict(view.memories(ALICE, ["k"])) == {}


@promise("view.still")
def test_a_view_opened_after_a_commit_shows_it(store: Store) -> None:
    commit = next_commit(store, ALICE, put(ALICE, "k", 1))
    in_thread(partial(store.commit, commit))

    with store.view() as view:
        assert view.committed(commit.id)
        assert list(view.memories(ALICE, ["k"])) == ["k"]


@promise("view.still")
def test_several_views_each_show_their_own_moment(store: Store) -> None:
    with store.view() as first:
        remember(store, ALICE, "one")
        with store.view() as second:
            remember(store, ALICE, "two")
            with store.view() as third:
                assert [view.head(ALICE).revision for view in (third, first, second)] == [2, 0, 1]


@promise("view.ordinary")
def test_an_ordinary_view_and_a_view_for_writing_do_not_wait_for_each_other(store: Store) -> None:
    remember(store, ALICE, "something")

    with store.view() as reading, store.view(for_writing=[_OWNER]):
        assert in_thread(lambda: contents_of(store)["held"][ALICE]["head"].revision) == 1
        assert reading.head(ALICE).revision == 1


@promise("commit.within")
def test_a_commit_within_a_view_stands_when_the_view_closes(store: Store) -> None:
    with store.view(for_writing=[_OWNER]) as view:
        commit = next_commit(store, ALICE, put(ALICE, "k", 1))
        store.commit(commit, within=view)

    with store.view() as after:
        assert after.committed(commit.id)
        assert list(after.memories(ALICE, ["k"])) == ["k"]


@promise("commit.within", "commit.whole")
def test_nobody_sees_a_commit_before_its_view_has_closed(store: Store) -> None:
    with store.view(for_writing=[_OWNER]) as view:
        store.commit(next_commit(store, ALICE, put(ALICE, "k", 1)), within=view)

        assert in_thread(lambda: contents_of(store)["owners"]) == []

    assert contents_of(store)["owners"] == [ALICE]


@promise("commit.within", "commit.whole")
def test_an_error_in_a_view_for_writing_undoes_what_was_committed_within(store: Store) -> None:
    remember(store, ALICE, "something", subjects=["p"])
    before = contents_of(store)

    commit = next_commit(store, ALICE, put(ALICE, "k", 2, subjects=["p"]))

    with pytest.raises(Oops):
        _commit_and_fail(store, commit)

    assert contents_of(store, commits=[commit.id])["committed"] == {commit.id: False}
    assert contents_of(store) == before


@promise("commit.within", "store.errors")
def test_a_store_goes_on_after_an_error_in_a_view(store: Store) -> None:
    for fences in (None, [_OWNER]):
        with pytest.raises(Oops), store.view(for_writing=fences):
            raise Oops

    write(store, ALICE, put(ALICE, "k", 1))

    assert in_thread(lambda: remember(store, ALICE, "more", key="l")) == "l"


@promise("commit.within", "commit.whole", "commit.conflict")
@pytest.mark.parametrize("reason", ["fence", "name"])
def test_a_commit_refused_within_a_view_leaves_nothing_when_the_view_closes(store: Store, reason: str) -> None:
    remember(store, ALICE, "something", key="taken")
    before = contents_of(store)
    good = next_commit(
        store, ALICE, put(ALICE, "before", 2), put(ALICE, "taken" if reason == "name" else "k", 2, ordinal=1)
    )
    stale = [Advance(Fence(FenceKind.SUBJECT, "p"), 3, 4)] if reason == "fence" else []
    refused = next_commit(store, ALICE, *good.changes, advances=stale)

    with store.view(for_writing=tuple(refused.fences())) as view, pytest.raises(ConflictError):
        store.commit(refused, within=view)

    assert contents_of(store) == before


@promise("commit.within")
def test_a_good_commit_after_a_refused_one_within_the_same_view_stands(store: Store) -> None:
    remember(store, ALICE, "something", key="taken")
    refused = next_commit(store, ALICE, put(ALICE, "before", 2), put(ALICE, "taken", 2, ordinal=1))
    good = next_commit(store, ALICE, put(ALICE, "k", 2))

    with store.view(for_writing=[_OWNER]) as view:
        with pytest.raises(ConflictError):
            store.commit(refused, within=view)
        store.commit(good, within=view)

    assert [record.memory.key for record in contents_of(store)["held"][ALICE]["records"]] == ["taken", "k"]


@promise("commit.within", "commit.once")
def test_a_known_commit_within_a_view_is_not_done_again(store: Store) -> None:
    commit = write(store, ALICE, put(ALICE, "k", 1))
    before = contents_of(store)

    with store.view(for_writing=[_OWNER]) as view:
        store.commit(commit, within=view)

    assert contents_of(store) == before


@promise("view.for-writing")
def test_a_commit_within_a_view_for_writing_cannot_lose_a_race(store: Store) -> None:
    for revision in range(1, 9):
        rival = next_commit(store, ALICE, put(ALICE, fresh_id(), revision))
        mine = next_commit(store, ALICE, put(ALICE, fresh_id(), revision))
        held = threading.Event()

        outcomes = at_once([partial(_hold, store, mine, held), partial(_rival, store, rival, held)])

        assert [type(outcome) for outcome in outcomes] == [type(None), ConflictError]


@promise("view.for-writing", "store.threads")
def test_views_for_writing_of_one_owner_take_turns(store: Store) -> None:
    def take_a_turn() -> None:
        with store.view(for_writing=[_OWNER]) as view:
            seen = view.head(ALICE).revision
            change = put(ALICE, f"k{seen + 1}", seen + 1)
            store.commit(next_commit(store, ALICE, change), within=view)

    assert at_once([take_a_turn] * 16) == [None] * 16

    assert [record.memory.key for record in contents_of(store)["held"][ALICE]["records"]] == [
        f"k{number}" for number in range(1, 17)
    ]


@promise("snapshot.instant")
def test_every_answer_of_a_view_comes_from_one_instant(store: Store) -> None:
    def write_pairs() -> None:
        for number in range(20):
            remember(store, ALICE, f"words {number}", key=f"k{number}", subjects=["p"], sources=["s"])

    def read_pairs() -> None:
        for _ in range(20):
            with store.view() as view:
                revision = view.head(ALICE).revision
                assert len(list(view.log(ALICE, since=0))) == revision
                assert len(list(view.records(ALICE))) == revision
                assert len(view.about("p", limit=100)) == revision
                assert len(view.citing(ALICE, ["s"]).get("s", ())) == revision

    assert at_once([write_pairs, read_pairs, read_pairs]) == [None] * 3
