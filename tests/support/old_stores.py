"""Stores of older formats, made by hand and looked at by hand, and the ways in which bringing one up is stopped."""

import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import apsw

from reminisce.adapters.sqlite import KeySource
from reminisce.adapters.sqlite.schema import APPLICATION, connect
from tests.support import migrating
from tests.support.migrating import before_statements
from tests.support.stores import sqlite_in

__all__ = ["by_hand", "killed_at", "made", "rows_of", "schema_of", "state_of", "stopped_at_any_statement"]

SALT: Final = bytes(range(16))


def by_hand(folder: Path, *, create: bool = False) -> apsw.Connection:
    """A connection to the store's file that brings nothing up."""
    keys = KeySource(folder / "keys")
    return connect(folder / "memory.db", SALT, keys.make(SALT) if create else keys.find(SALT), create=create)


def made(folder: Path, version: int, statements: str, held: Mapping[str, list[Any]]) -> Path:
    """A folder with a store of an older format: its tables' statements, and the rows of each."""
    folder.mkdir()
    with closing(by_hand(folder, create=True)) as connection, connection:
        connection.execute(statements)
        for table, rows in held.items():
            places = ",".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608 (names are ours)
        connection.pragma("application_id", APPLICATION)
        connection.pragma("user_version", version)
    return folder


def schema_of(connection: apsw.Connection) -> dict[str, str]:
    """The statements of all tables and indexes, white space aside."""
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {str(name): "".join(str(sql).split()) for name, sql in rows}


def rows_of(folder: Path, tables: Iterable[str]) -> dict[str, list[Any]]:
    """All rows of these tables, as they are in the file."""
    with closing(by_hand(folder)) as connection:
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}  # noqa: S608 (ours)


def state_of(folder: Path, tables: Iterable[str]) -> tuple[int, dict[str, str], dict[str, list[Any]]]:
    """Format, schema and all rows of these tables, as they are in the file."""
    with closing(by_hand(folder)) as connection:
        version, schema = connection.pragma("user_version"), schema_of(connection)
    assert isinstance(version, int)
    return version, schema, rows_of(folder, tables)


class _StoppedError(Exception):
    """Something that no store expects."""


def stopped_at_any_statement(folder: Path, tables: Iterable[str]) -> int:
    """
    Have opening the store fail before its first statement, then before its second, and so on, until it opens; each time it
    must be left as it was. Tells how many statements there were.
    """
    before, step, failed = state_of(folder, tables), 0, True
    while failed:
        step, failed, statements = step + 1, False, list[str]()

        def stop(statement: str, step: int = step, statements: list[str] = statements) -> None:
            statements.append(statement)
            if len(statements) == step:
                raise _StoppedError

        try:
            with before_statements(stop):
                sqlite_in(folder).close()
        except _StoppedError:
            failed = True
            assert state_of(folder, tables) == before, statements[-1]
    return step


def killed_at(folder: Path, statement: str) -> int:
    """Open the store in a process that is killed before the first statement that starts so. Tells how it ended."""
    return subprocess.run([sys.executable, migrating.__file__, str(folder), statement], check=False).returncode
