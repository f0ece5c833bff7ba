"""A store does not cross a fork: nothing acknowledged may be lost through locks that a child only seems to have."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from reminisce import Memories, StoreError, open_memory


def in_a_child(work: Callable[[], object]) -> int:
    """The exit code of a forked child that does *work*: 0, or 7 when it was refused by a `StoreError`."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except StoreError:
            code = 7
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with _open(tmp_path) as memories:
        memories.owner("agent:a").remember("tea", key="first")
    return tmp_path


def _open(folder: Path) -> Memories:
    return open_memory(folder / "memory.db", keys=folder / "keys")


def test_a_child_may_not_use_its_parents_store(folder: Path) -> None:
    with _open(folder) as memories:
        alice = memories.owner("agent:a")
        for work in (lambda: alice.remember("rain"), lambda: alice.recall("tea"), alice.stats, memories.setup):
            assert in_a_child(lambda work=work: work()) == 7  # type: ignore[misc]


def test_a_child_may_not_open_what_its_parent_has_open(folder: Path) -> None:
    with _open(folder):
        assert in_a_child(lambda: _open(folder).close()) == 7


def test_a_child_may_open_what_its_parent_has_closed(folder: Path) -> None:
    def work() -> None:
        with _open(folder) as memories:
            memories.owner("agent:a").remember("rain", key="second")

    assert in_a_child(work) == 0
    with _open(folder) as memories:
        assert len(memories.owner("agent:a").recent()) == 2


def test_a_child_that_closes_leaves_its_parents_store_alone(folder: Path) -> None:
    with _open(folder) as memories:
        alice = memories.owner("agent:a")
        alice.remember("rain", key="second")

        assert in_a_child(memories.close) == 0

        alice.remember("snow", key="third")
    with _open(folder) as memories:
        assert len(memories.owner("agent:a").recent()) == 3


def test_a_child_is_refused_at_once_while_another_thread_has_the_locks(folder: Path) -> None:
    with _open(folder) as memories:
        alice = memories.owner("agent:a")
        reached, go_on = threading.Event(), threading.Event()

        def hold() -> None:
            with memories._core.indexes.at("agent:a"), memories._core.store.view(for_writing=()):
                reached.set()
                go_on.wait()

        holder = threading.Thread(target=hold)
        holder.start()
        reached.wait()
        try:
            codes = [
                in_a_child(lambda: alice.recall("tea")),
                in_a_child(lambda: alice.remember("x")),
                in_a_child(memories.close),
            ]
        finally:
            go_on.set()
            holder.join()

        assert codes == [7, 7, 0]
