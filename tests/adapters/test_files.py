"""Files that are whole or not there, however a process ends."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from reminisce.adapters.files import writing
from tests.support import writing_files

ROOT = Path(__file__).parents[2]
NEW = b"new " * 10_000


def killed_writer(path: Path, step: int, how: str) -> bool:
    """Whether it was killed; otherwise it did all it had to."""
    command = [sys.executable, writing_files.__file__, str(path), str(step), how]
    done = subprocess.run(command, check=False, capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


def write(path: Path, words: bytes, *, over: bool) -> None:
    with writing(path, over=over) as file:
        file.write(words)


@pytest.mark.parametrize("how", ["over", "once"])
def test_a_writer_killed_at_any_step_leaves_the_old_file_or_the_new_one(tmp_path: Path, how: str) -> None:
    step, killed, seen = 0, True, set()
    while killed:
        step += 1
        path = tmp_path / str(step) / "deep" / "file"
        if how == "over":
            write(path, b"old", over=True)

        killed = killed_writer(path, step, how)

        left = path.read_bytes() if path.exists() else None
        assert left in ((b"old", NEW) if how == "over" else (None, NEW))
        seen.add(left)
        write(path.with_name("other"), b"another", over=True)
        try:
            write(path, b"next", over=how == "over")
        except FileExistsError:
            assert left == NEW
        assert path.read_bytes() == (left if how == "once" and left else b"next")
        assert sorted(found.name for found in path.parent.iterdir()) == ["file", "other"]
    assert len(seen) == 2
    assert step > 3


@pytest.mark.parametrize("over", [True, False])
def test_a_file_is_for_its_owner_alone(tmp_path: Path, over: bool) -> None:
    before = os.umask(0)
    try:
        write(tmp_path / "made" / "deep" / "file", b"words", over=over)
    finally:
        os.umask(before)

    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "made").rglob("*")}
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o700
    assert modes == {"deep": 0o700, "file": 0o600}


def test_folders_that_are_there_keep_their_modes(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o755)

    write(tmp_path / "shared" / "file", b"words", over=True)

    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755


def test_what_is_there_stays_unless_it_may_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")

    with pytest.raises(FileExistsError):
        write(tmp_path / "file", b"new", over=False)

    assert (tmp_path / "file").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("over", [True, False])
def test_a_file_that_appears_while_another_is_written_stays_unless_it_may_be_replaced(
    tmp_path: Path, over: bool
) -> None:
    def racing() -> None:
        with writing(tmp_path / "file", over=over) as file:
            file.write(b"mine")
            (tmp_path / "file").write_bytes(b"theirs")

    if over:
        racing()
    else:
        with pytest.raises(FileExistsError):
            racing()

    assert (tmp_path / "file").read_bytes() == (b"mine" if over else b"theirs")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("over", [True, False])
def test_a_block_that_fails_leaves_nothing(tmp_path: Path, over: bool) -> None:
    def interrupted() -> None:
        with writing(tmp_path / "file", over=over) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_of_the_same_file_is_refused(tmp_path: Path) -> None:
    with writing(tmp_path / "file", over=True) as first:
        first.write(b"first")
        with pytest.raises(BlockingIOError):
            write(tmp_path / "file", b"second", over=True)

    assert (tmp_path / "file").read_bytes() == b"first"


def test_writers_that_wait_take_turns(tmp_path: Path) -> None:
    path, ready = tmp_path / "file", threading.Barrier(8)
    path.write_bytes(b"")

    def append() -> None:
        ready.wait()
        for _ in range(5):
            with writing(path, over=True, wait_s=60) as file:
                file.write(path.read_bytes() + b"x")

    threads = [threading.Thread(target=append) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert path.read_bytes() == b"x" * 40
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_link_in_place_of_the_unfinished_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / ".file.reminisce-unfinished").symlink_to(tmp_path / "precious")

    with pytest.raises(OSError, match="symbolic links"):
        write(tmp_path / "file", b"words", over=True)

    assert (tmp_path / "precious").read_bytes() == b"precious"
