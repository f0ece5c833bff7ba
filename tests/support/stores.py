"""The stores that the suite is run over: adding an adapter is adding a case."""

from pathlib import Path
from typing import Final

from reminisce.adapters.inmemory import InMemoryStore
from reminisce.adapters.sqlite import KeySource, SQLiteStore
from reminisce.testing import StoreCase

__all__ = ["STORE_CASES", "sqlite_in"]


def sqlite_in(folder: Path) -> SQLiteStore:
    """The store of a folder, made when it is not there. Its key is in the folder too."""
    return SQLiteStore(folder / "memory.db", KeySource(folder / "keys"))


STORE_CASES: Final = (
    StoreCase(name="inmemory", open=lambda _: InMemoryStore("0" * 32), durable=False),
    StoreCase(name="sqlite", open=sqlite_in, durable=True),
)
