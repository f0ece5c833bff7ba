"""Tables, their version, and connections to them."""

import os
from pathlib import Path
from typing import Final

import apsw

from reminisce.adapters.sqlite.places import PAGE, wal_pages
from reminisce.adapters.sqlite.translate import translated
from reminisce.errors import StoreDamagedError, StoreTooNewError, StoreUnreadableError

__all__ = ["BUSY_MS", "FORMAT", "TABLES", "build", "check_format", "connect", "hexkey", "name_of"]

FORMAT: Final = 3
"""SQLite's ``user_version``. Newer is refused; older is brought up to it when the store is opened."""

APPLICATION: Final = 0x724D_4E53
"""SQLite's ``application_id``: ``rMNS``."""

BUSY_MS: Final = 20_000
"""How long a writer waits for another process. A batch of 100,000 memories holds the lock for about 5 s."""

CACHE_KIB: Final = 32 * 1024
"""Decrypted pages kept by a connection. The pages that 10,000 memories live in take about half of it."""

TABLES: Final = {
    "meta": "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;",
    "fences": """
        CREATE TABLE fences (kind TEXT, name TEXT, value INTEGER NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
    """,
    "commits": "CREATE TABLE commits (id TEXT PRIMARY KEY) WITHOUT ROWID;",
    "owners": "CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);",
    "log": """
        CREATE TABLE log (
            owner INTEGER, revision INTEGER, time INTEGER NOT NULL, operation TEXT NOT NULL, keys TEXT NOT NULL,
            PRIMARY KEY (owner, revision)
        );
        CREATE INDEX log_by_time ON log (owner, time);
    """,
    "memories": """
        CREATE TABLE memories (
            id INTEGER PRIMARY KEY,
            owner INTEGER NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, ordinal INTEGER NOT NULL,
            status TEXT NOT NULL, tier TEXT NOT NULL, subjects TEXT NOT NULL,
            confidence_thousandths INTEGER NOT NULL, salience_thousandths INTEGER NOT NULL,
            recorded INTEGER NOT NULL, named INTEGER NOT NULL, request_key TEXT, digest BLOB,
            fact_subject TEXT, fact_attribute TEXT, fact_value TEXT, many INTEGER NOT NULL,
            valid_from INTEGER, valid_to INTEGER, further_sources TEXT NOT NULL,
            uses INTEGER NOT NULL, consolidated_uses INTEGER NOT NULL, consolidated_at INTEGER, agreed TEXT NOT NULL,
            content TEXT NOT NULL, given TEXT NOT NULL, erased TEXT,
            UNIQUE (owner, key)
        );
        CREATE INDEX memories_in_order ON memories (owner, revision, ordinal);
        CREATE INDEX memories_by_digest ON memories (owner, digest);
        CREATE UNIQUE INDEX memories_by_request ON memories (owner, request_key) WHERE request_key IS NOT NULL;
        CREATE INDEX memories_by_fact ON memories (owner, fact_subject, fact_attribute, fact_value)
            WHERE fact_subject IS NOT NULL;
        CREATE INDEX memories_by_attribute ON memories (owner, fact_attribute) WHERE fact_attribute IS NOT NULL;
    """,
    "history": """
        CREATE TABLE history (
            id INTEGER PRIMARY KEY, memory INTEGER NOT NULL, revision INTEGER NOT NULL, time INTEGER NOT NULL,
            operation TEXT NOT NULL, status TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT,
            valid_from INTEGER, valid_to INTEGER
        );
        CREATE INDEX history_by_memory ON history (memory, id);
    """,
    "links": """
        CREATE TABLE links (
            owner INTEGER, name TEXT, kind TEXT NOT NULL, members TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER,
            label TEXT, facets TEXT NOT NULL, reason TEXT, resolution TEXT,
            PRIMARY KEY (owner, name)
        );
    """,
    "link_members": """
        CREATE TABLE link_members (
            owner INTEGER, key TEXT, kind TEXT, role TEXT, name TEXT, other TEXT, since INTEGER NOT NULL, until INTEGER,
            PRIMARY KEY (owner, key, kind, role, name)
        ) WITHOUT ROWID;
    """,
    "citations": """
        CREATE TABLE citations (
            owner INTEGER, source TEXT, memory INTEGER, PRIMARY KEY (owner, source, memory)
        ) WITHOUT ROWID;
        CREATE INDEX citations_by_memory ON citations (memory);
    """,
    "subjects": """
        CREATE TABLE subjects (
            ref TEXT PRIMARY KEY, audiences TEXT NOT NULL, state TEXT NOT NULL, withdrawals TEXT NOT NULL
        ) WITHOUT ROWID;
    """,
    "subject_keys": """
        CREATE TABLE subject_keys (id TEXT PRIMARY KEY, ref TEXT UNIQUE, key BLOB);
    """,
    "about": """
        CREATE TABLE about (ref TEXT, owner TEXT, key TEXT, PRIMARY KEY (ref, owner, key)) WITHOUT ROWID;
        CREATE INDEX about_by_memory ON about (owner, key);
    """,
    "pieces": """
        CREATE TABLE pieces (
            owner INTEGER, number INTEGER, through INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (owner, number)
        );
    """,
}
"""The statements that make each table and its indexes, in a store of format `FORMAT`."""


def name_of(path: Path) -> str:
    """
    The path as SQLite takes it: UTF-8 whatever the locale, though Python gave its bytes in the locale's way.

    Raises:
        StoreUnreadableError: It is not UTF-8.
    """
    try:
        return os.fsencode(path).decode()
    except UnicodeDecodeError:
        raise StoreUnreadableError("the path of the store is not UTF-8") from None


def hexkey(salt: bytes, key: bytes) -> str:
    """Key and salt as SQLite3MC takes them, so that it derives neither itself."""
    return (b"raw:" + key + salt).hex()


def connect(path: Path, salt: bytes, key: bytes, *, create: bool = False, uri: bool = False) -> apsw.Connection:
    """
    Open one connection, keyed and set up for durable concurrent use.

    Args:
        create: Whether to make the file when it is not there.
        uri: Whether statements may name further files by URIs.

    Raises:
        StoreDamagedError: The key does not fit, or the first page is damaged: the two cannot be told apart.
        StoreUnreadableError: The file cannot be opened.
    """
    flags = (
        apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0) | (apsw.SQLITE_OPEN_URI if uri else 0)
    )
    name = name_of(path)
    with translated():
        connection = apsw.Connection(name, flags)
        try:
            connection.set_busy_timeout(BUSY_MS)
            connection.pragma("cipher", "chacha20")
            connection.pragma("hexkey", hexkey(salt, key))
            connection.pragma("journal_mode", "wal")
            connection.pragma("synchronous", "full")
            connection.pragma("temp_store", "memory")
            connection.pragma("cache_size", -CACHE_KIB)
            connection.pragma("secure_delete", "on")
        except BaseException:
            connection.close()
            raise
    return connection


def build(path: Path, salt: bytes, key: bytes, incarnation: str) -> None:
    """Write an empty store and close it, leaving one whole file."""
    connection = connect(path, salt, key, create=True)
    with translated():
        try:
            with connection:
                connection.execute("".join(TABLES.values()))
                connection.execute("INSERT INTO meta VALUES ('incarnation', ?)", (incarnation,))
                connection.pragma("application_id", APPLICATION)
                connection.pragma("user_version", FORMAT)
        finally:
            connection.close()


def check_format(connection: apsw.Connection, path: Path) -> int:
    """
    Make sure that the tables are ours and not newer than we are, and that the file is not cut short. Gives their format.

    Raises:
        StoreTooNewError, StoreUnreadableError, StoreDamagedError
    """
    with translated():
        application, version = connection.pragma("application_id"), connection.pragma("user_version")
        pages = connection.pragma("page_count")
    # SQLite looks at this itself, but not while it has a log that tells the size.
    if pages > path.stat().st_size // PAGE + wal_pages(path):
        raise StoreDamagedError(f"{path} holds fewer pages than it should")
    if application != APPLICATION or not isinstance(version, int) or version < 1:
        raise StoreUnreadableError("the file is an SQLite database, but not a store of reminisce")
    if version > FORMAT:
        raise StoreTooNewError(f"its format is {version}, this version of reminisce reads up to {FORMAT}")
    return version
