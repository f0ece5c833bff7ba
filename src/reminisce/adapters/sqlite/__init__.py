"""The default store: one encrypted SQLite file, for many threads and processes at once."""

from reminisce.adapters.sqlite.keys import KeySource
from reminisce.adapters.sqlite.rekeying import rekey
from reminisce.adapters.sqlite.store import SQLiteStore

__all__ = ["KeySource", "SQLiteStore", "rekey"]
