"""An interrupt may come anywhere; what comes after it works."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reminisce import InvalidError, Memories, open_memory
from reminisce.adapters.sqlite import KeySource, SQLiteStore
from reminisce.domain.index.part import GrowingTerms

OTHER = """
import sys
from reminisce import open_memory
with open_memory(sys.argv[1], keys=sys.argv[2], create=False) as memories:
    print(memories.owner("agent:a").remember(sys.argv[3]).revision)
"""


@pytest.fixture
def memories(tmp_path: Path) -> Iterator[Memories]:
    with open_memory(tmp_path / "memory.db", keys=tmp_path / "keys") as memories:
        yield memories


@pytest.mark.parametrize("writing", [None, ()])
def test_an_interrupt_in_a_view_leaves_no_transaction_behind(tmp_path: Path, writing: tuple[()] | None) -> None:
    store = SQLiteStore(tmp_path / "memory.db", KeySource(tmp_path / "keys"))
    with pytest.raises(KeyboardInterrupt), store.view(for_writing=writing):
        raise KeyboardInterrupt

    with store.view(for_writing=()) as view:
        assert view.owners() == []
    store.close()


def test_a_connection_left_in_a_transaction_is_not_used_again(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "memory.db", KeySource(tmp_path / "keys"))
    with store._connection() as connection:
        connection.execute("BEGIN IMMEDIATE")

    with store.view(for_writing=()) as view:
        assert view.owners() == []
    store.close()


def test_an_interrupt_while_the_index_grows_loses_no_memory(
    memories: Memories, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = memories.owner("agent:a")
    alice.remember("tea one")
    alice.recall("tea")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(GrowingTerms, "add", interrupt)
        with pytest.raises(KeyboardInterrupt):
            alice.remember("tea two")
    alice.remember("tea three")

    assert len(alice.recall("tea")) == 3


def test_a_store_reached_through_a_link_is_the_same_store(tmp_path: Path, memories: Memories) -> None:
    memories.owner("agent:a").remember("tea")
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(tmp_path / "memory.db")

    told = subprocess.run(
        [sys.executable, "-c", OTHER, str(link), str(tmp_path / "keys"), "rain"], capture_output=True, check=True
    )

    assert told.stdout.strip() == b"2"
    assert memories.owner("agent:a").recall("rain").hits
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["link.db"]


def test_two_openings_in_one_process_may_end_in_any_order(tmp_path: Path, memories: Memories) -> None:
    alice = memories.owner("agent:a")
    for number in range(3):
        with open_memory(tmp_path / "memory.db", keys=tmp_path / "keys") as second:
            second.owner("agent:a").remember(f"tea {number}")
            alice.remember(f"rain {number}")
        argv = [sys.executable, "-c", OTHER, str(tmp_path / "memory.db"), str(tmp_path / "keys"), f"snow {number}"]
        subprocess.run(argv, capture_output=True, check=True)

    assert len(alice.recent(k=100)) == 9


def test_an_import_leaves_out_what_is_refused_in_few_commits(memories: Memories) -> None:
    alice = memories.owner("agent:a")
    lines = [f'{{"content": "tea {number}"}}' for number in range(1_000)]
    lines[500] = '{"content": "tea", "derived_from": ["nobody"]}'

    done = alice.import_(lines)

    assert (done.created, [bad.line for bad in done.bad]) == (999, [501])
    # By halves: about twice the binary logarithm of a thousand.
    assert done.revision <= 20


def test_an_endless_list_is_refused(memories: Memories) -> None:
    def endless() -> Iterator[str]:
        while True:
            yield "doc:x"

    with pytest.raises(InvalidError) as caught:
        memories.owner("agent:a").remember("tea", sources=endless())

    assert caught.value.fields == ("sources",)
