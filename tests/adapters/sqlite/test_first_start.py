"""The first start: however many race it, and wherever it is killed, there is one key and one store."""

import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support import first_start
from tests.support.first_start import opened

SCRIPT = [sys.executable, first_start.__file__]

ROUNDS = 25


def _keys(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (folder / "keys").iterdir()}


@pytest.mark.parametrize("racers", [2, 4])
def test_processes_that_race_the_first_start_make_one_store_with_one_key(tmp_path: Path, racers: int) -> None:
    told: list[list[str]] = []
    with ExitStack() as running:
        processes = [
            running.enter_context(subprocess.Popen(SCRIPT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            for _ in range(racers)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for number in range(ROUNDS):
            for process in processes:
                assert process.stdin is not None
                process.stdin.write(f"{tmp_path / str(number)}\n")
                process.stdin.flush()
            told.append([process.stdout.readline().strip() for process in processes if process.stdout is not None])

    for number, incarnations in enumerate(told):
        folder = tmp_path / str(number)
        assert incarnations == [opened(folder)] * racers
        assert [Path(name).suffix for name in _keys(folder)] == [".key"]
        assert sorted(path.name for path in folder.iterdir()) == ["keys", "memory.db", "memory.db.lock"]
    assert len({incarnations[0] for incarnations in told}) == ROUNDS


def test_a_first_start_killed_at_any_step_is_finished_by_the_next_with_the_same_key(tmp_path: Path) -> None:
    step, killed = 0, True
    while killed:
        step += 1
        folder = tmp_path / str(step)
        folder.mkdir()
        done = subprocess.run([*SCRIPT, str(folder), str(step)], check=False, capture_output=True)
        killed = done.returncode == -signal.SIGKILL
        assert killed or done.returncode == 0, done.stderr
        before = _keys(folder) if (folder / "keys").exists() else {}

        first = opened(folder)

        after = _keys(folder)
        assert [Path(name).suffix for name in after] == [".key"]
        assert {name: key for name, key in before.items() if name.endswith(".key")} in ({}, after)
        assert opened(folder) == first
        assert sorted(path.name for path in folder.iterdir()) == ["keys", "memory.db", "memory.db.lock"]
    # Fewer would mean that the hook no longer sees what a start does.
    assert step > 8


def test_what_a_start_killed_while_building_left_is_not_taken_for_a_store(tmp_path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        (tmp_path / f"memory.db.new{suffix}").write_bytes(b"half a store" * 1_000)

    opened(tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["keys", "memory.db", "memory.db.lock"]


def test_a_store_made_after_another_of_its_name_was_removed_is_another_store(tmp_path: Path) -> None:
    first = opened(tmp_path)
    (tmp_path / "memory.db").unlink()

    assert opened(tmp_path) != first
    assert len(_keys(tmp_path)) == 2


def test_nobody_else_may_read_the_key_or_the_store(tmp_path: Path) -> None:
    opened(tmp_path / "new")

    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").rglob("*")}
    assert modes.pop("keys") == 0o700
    assert set(modes.values()) == {0o600}
