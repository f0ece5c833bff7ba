"""Scrubbing: nothing of erased words is left, nothing of what is kept is lost, and nobody who reads is stopped."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from reminisce.domain.changes import EraseMemory
from reminisce.domain.erasure import without_words
from reminisce.domain.memory import Cause, Erased, Memory
from reminisce.ports.store import Store
from reminisce.testing.contents import contents, contents_of
from reminisce.testing.promises import promise
from reminisce.testing.threads import PATIENCE_S, at_once
from reminisce.testing.writing import ALICE, BOB, put, remember, write

WORDS = "zweieinhalb Nilpferde"


def _erased(store: Store) -> Memory:
    """A memory that was erased, among others that were not."""
    for number in range(30):
        remember(store, BOB, f"of bob {number}")
    memory = put(ALICE, "k", 1, content=WORDS, sources=[f"doc:{WORDS}"], request_key=WORDS, subjects=["p"]).memory
    write(store, ALICE, put(ALICE, "k", 1, content=WORDS, sources=[f"doc:{WORDS}"], request_key=WORDS, subjects=["p"]))
    write(store, ALICE, EraseMemory(without_words(memory, Erased(Cause.ERASE))))
    return memory


def _sentences(told: Sequence[str]) -> bool:
    return not isinstance(told, str) and all(type(one) is str and one for one in told)


@promise("store.remnants", "store.scrub")
def test_what_is_left_and_what_waits_is_told_in_sentences(store: Store) -> None:
    for _ in range(2):
        assert _sentences(store.remnants())
        assert _sentences(store.scrub())
        remember(store, ALICE, "something")


@promise("store.scrub")
def test_a_scrub_that_nobody_disturbs_is_done_and_changes_no_answer(store: Store) -> None:
    memory = _erased(store)
    before = contents_of(store, told=[memory])

    assert [list(store.scrub()) for _ in range(2)] == [[], []]

    assert contents_of(store, told=[memory]) == before
    assert store.check(deep=True) == []


@promise("store.scrub", "view.still")
def test_a_view_that_is_open_goes_on_through_a_scrub_and_the_next_one_finishes_it(store: Store) -> None:
    memory = _erased(store)

    with store.view() as view:
        before = contents(view, told=[memory])
        waits = store.scrub()
        assert contents(view, told=[memory]) == before
        remember(store, ALICE, "meanwhile")
        assert contents(view, told=[memory]) == before

    assert _sentences(waits)
    assert list(store.scrub()) == []
    assert contents_of(store)["held"][ALICE]["head"].revision == 3


@promise("store.scrub", "store.threads", "commit.whole")
def test_writers_wait_for_a_scrub_and_lose_nothing(store: Store) -> None:
    _erased(store)
    started = threading.Event()

    def scrub() -> None:
        started.set()
        for _ in range(3):
            store.scrub()

    def keep(name: str) -> None:
        assert started.wait(PATIENCE_S)
        for number in range(10):
            remember(store, f"agent:{name}", f"words {number}", key=f"{name}{number}")

    assert at_once([scrub, *(partial(keep, name) for name in "xyz")]) == [None] * 4

    with store.view() as view:
        assert [len(list(view.records(f"agent:{name}"))) for name in "xyz"] == [10] * 3


@promise("store.scrub", "commit.survives")
def test_no_file_of_a_store_that_was_scrubbed_holds_erased_words(durable: Callable[[], Store], tmp_path: Path) -> None:
    store = durable()
    memory = _erased(store)
    assert list(store.scrub()) == []
    before = contents_of(store, told=[memory])

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files != []
    # Of a store that encrypts its files, this says nothing: such a one has to look into its pages by itself.
    assert [path.name for path in files if b"Nilpferde" in path.read_bytes()] == []

    store.close()
    assert contents_of(durable(), told=[memory]) == before
