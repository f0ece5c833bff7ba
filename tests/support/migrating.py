"""A process that opens a store, stopped at a statement. Run as a script, so that it is a process of its own."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import apsw

from reminisce.adapters.sqlite import KeySource, SQLiteStore
from reminisce.adapters.sqlite.files import Opened

__all__ = ["LOCKING", "before_statements"]

LOCKING: Final = "BEGIN IMMEDIATE"
"""The statement with which a store of an older format starts to be brought up."""


@contextmanager
def before_statements(do: Callable[[str], object]) -> Iterator[None]:
    """Within, *do* is called with each statement that a store is about to run on a connection it opens."""
    connect = SQLiteStore._connect

    def traced(store: SQLiteStore, file: Opened) -> apsw.Connection:
        def trace(_: apsw.Cursor, statement: str, __: Any) -> bool:
            do(statement)
            return True

        connection = connect(store, file)
        connection.exec_trace = trace
        return connection

    with patch.object(SQLiteStore, "_connect", traced):
        yield


def open_and_tell(folder: Path) -> None:
    """Open the store; tell when it is about to wait for its turn to bring it up, and at last that it is open."""

    def tell(statement: str) -> None:
        if statement == LOCKING:
            sys.stdout.write("waiting\n")
            sys.stdout.flush()

    with before_statements(tell):
        SQLiteStore(folder / "memory.db", KeySource(folder / "keys")).close()
    sys.stdout.write("open\n")


def die_at(folder: Path, start: str) -> None:
    """Open the store and be killed before the first statement that starts so."""

    def die(statement: str) -> None:
        if statement.strip().startswith(start):
            os.kill(os.getpid(), signal.SIGKILL)

    with before_statements(die):
        SQLiteStore(folder / "memory.db", KeySource(folder / "keys"))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        die_at(Path(sys.argv[1]), sys.argv[2])
    else:
        open_and_tell(Path(sys.argv[1]))
