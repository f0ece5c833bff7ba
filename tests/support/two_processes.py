"""Two processes that remember for one owner at once. Both retry on conflict, and every write is kept, once."""

import json
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import attrs

from reminisce import open_memory
from reminisce.adapters.sqlite import KeySource, SQLiteStore

__all__ = ["PROCESSES", "Race", "race"]

OWNER: Final = "agent:both"
PROCESSES: Final = 2


@attrs.frozen
class Race:
    """What the processes were told, and what is there."""

    acknowledged: tuple[str, ...]
    """Keys, from both processes, in no order."""

    kept: tuple[str, ...]
    """Keys in canonical order."""

    revisions: tuple[int, ...]
    """Of the owner's log, in order."""

    seconds: float
    """From the second write of the first process to the last of either."""


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def write(folder: Path, name: str, count: int) -> None:
    """
    Remember *count* memories, and tell their keys.

    Waits for a line before the first and before the second, so that whoever starts the processes can see to it that none is
    done before all have begun.
    """
    with open_memory(folder / "memory.db", keys=folder / "keys") as memories:
        owner, keys = memories.owner(OWNER), []
        for number in range(count):
            if number < 2:
                _tell("waiting")
                sys.stdin.readline()
            keys.append(owner.remember(f"words {number} of {name}", subjects=["person:1"]).key)
        _tell(json.dumps(keys))


def _start(folder: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command: list[Any] = [sys.executable, __file__, folder, name, str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _told(writer: "subprocess.Popen[str]") -> str:
    assert writer.stdout is not None
    return writer.stdout.readline()


def _all_on(writers: "list[subprocess.Popen[str]]") -> None:
    for writer in writers:
        assert _told(writer) == "waiting\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("on\n")
        writer.stdin.flush()


def race(folder: Path, *, count: int) -> Race:
    """Let two processes remember *count* memories each, 2 or more, into the store of *folder*."""
    with ExitStack() as running:
        writers = [running.enter_context(_start(folder, str(number), count)) for number in range(PROCESSES)]
        _all_on(writers)
        _all_on(writers)
        begun = time.monotonic()
        acknowledged = [key for writer in writers for key in json.loads(_told(writer))]
        seconds = time.monotonic() - begun
    assert [writer.returncode for writer in writers] == [0] * PROCESSES
    store = SQLiteStore(folder / "memory.db", KeySource(folder / "keys"), create=False)
    try:
        with store.view() as view:
            return Race(
                tuple(acknowledged),
                tuple(record.memory.key for record in view.records(OWNER)),
                tuple(entry.revision for entry in view.log(OWNER, since=0)),
                seconds,
            )
    finally:
        store.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
