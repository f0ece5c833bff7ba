"""A closed store answers nothing, and says so."""

import threading
from collections.abc import Callable
from typing import Final

import pytest

from reminisce.errors import StoreClosedError
from reminisce.ports.store import Store
from reminisce.testing.contents import contents, contents_of
from reminisce.testing.promises import promise
from reminisce.testing.threads import PATIENCE_S, at_once
from reminisce.testing.writing import ALICE, next_commit, put, remember


def _view(store: Store) -> None:
    with store.view():
        pass


def _view_for_writing(store: Store) -> None:
    with store.view(for_writing=[]):
        pass


def _refuses(store: Store) -> bool:
    try:
        _view(store)
    except StoreClosedError:
        return True
    return False


CALLS: Final[dict[str, Callable[[Store], object]]] = {
    "view": _view,
    "view for writing": _view_for_writing,
    "setup": lambda store: store.setup(),
    "check": lambda store: store.check(),
    "deep check": lambda store: store.check(deep=True),
    "remnants": lambda store: store.remnants(),
    "scrub": lambda store: store.scrub(),
}


@promise("store.closed")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_closed_store_refuses_every_call(store: Store, call: Callable[[Store], object]) -> None:
    remember(store, ALICE, "something")
    store.close()

    with pytest.raises(StoreClosedError):
        call(store)


@promise("store.closed")
def test_a_closed_store_refuses_to_commit(store: Store) -> None:
    commit = next_commit(store, ALICE, put(ALICE, "k", 1))
    store.close()

    with pytest.raises(StoreClosedError):
        store.commit(commit)


@promise("store.closed")
def test_a_closed_store_refuses_calls_from_other_threads(store: Store) -> None:
    store.close()

    outcomes = at_once([lambda: contents_of(store)] * 4)

    assert [type(outcome) for outcome in outcomes] == [StoreClosedError] * 4


@promise("store.closed")
def test_closing_twice_closes_once(store: Store) -> None:
    store.close()
    store.close()

    with pytest.raises(StoreClosedError):
        _view(store)


@promise("store.closed")
def test_closing_from_many_threads_at_once_closes_once(store: Store) -> None:
    assert at_once([store.close] * 8) == [None] * 8


@promise("close.waits")
def test_a_view_that_is_open_answers_while_another_thread_closes(store: Store) -> None:
    remember(store, ALICE, "something")
    opened, closing, closed = threading.Event(), threading.Event(), threading.Event()

    def read() -> bool:
        with store.view() as view:
            before = contents(view)
            opened.set()
            assert closing.wait(PATIENCE_S)
            return contents(view) == before

    def close() -> None:
        assert opened.wait(PATIENCE_S)
        try:
            store.close()
        finally:
            closed.set()

    def notice() -> None:
        assert opened.wait(PATIENCE_S)
        # The store refusing new views proves that closing has begun, while the first view is still open.
        done = False
        while not (_refuses(store) or done):
            done = closed.is_set()
        closing.set()
        assert _refuses(store)

    assert at_once([read, close, notice]) == [True, None, None]


@promise("close.waits", "commit.whole")
def test_a_view_for_writing_that_is_open_ends_before_the_store_closes(store: Store) -> None:
    opened = threading.Event()
    commit = next_commit(store, ALICE, put(ALICE, "k", 1))
    outcomes: list[str] = []

    def write() -> None:
        with store.view(for_writing=tuple(commit.fences())) as view:
            opened.set()
            contents(view)
            store.commit(commit, within=view)
            outcomes.append("committed")

    def close() -> None:
        assert opened.wait(PATIENCE_S)
        store.close()
        outcomes.append("closed")

    assert at_once([write, close]) == [None, None]
    assert outcomes == ["committed", "closed"]
