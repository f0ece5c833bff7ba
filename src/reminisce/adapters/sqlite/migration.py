"""Stores of older formats, brought up to the one of today."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import apsw

from reminisce.adapters.sqlite.schema import FORMAT, TABLES, check_format
from reminisce.adapters.sqlite.translate import translated
from reminisce.domain.instants import from_micros
from reminisce.domain.memory import Attributes, sameness

__all__ = ["bring_up"]

_TIMES: Final = ("occurred_at", "due_at", "valid_from", "valid_to")

_MEMORIES: Final = """
    INSERT INTO memories (
        id, owner, key, revision, ordinal, status, tier, subjects, confidence_thousandths, salience_thousandths, recorded,
        named, request_key, digest, many, valid_from, valid_to, further_sources, uses, consolidated_uses, agreed, content,
        given
    )
    SELECT
        id, owner, key, revision, ordinal, status, tier, subjects, confidence_thousandths, salience_thousandths, recorded,
        named, request_key, CASE WHEN digest IS NOT NULL THEN sameness(content, given) END, 0, given ->> 'valid_from',
        given ->> 'valid_to', '[]', 0, 0, '[]', content, given
    FROM was ORDER BY id
"""

_HISTORY: Final = """
    INSERT INTO history (id, memory, revision, time, operation, status, actor, reason, valid_from, valid_to)
    SELECT
        was.id, was.memory, was.revision, was.time, was.operation, was.status, was.actor, was.reason, memories.valid_from,
        memories.valid_to
    FROM was LEFT JOIN memories ON memories.id = was.memory ORDER BY was.id
"""

_LINKS: Final = """
    INSERT INTO links (owner, name, kind, members, since, until, facets)
    SELECT owner, name, kind, members, since, until, '[]' FROM was
"""

_LINK_MEMBERS: Final = """
    INSERT OR IGNORE INTO link_members (owner, key, kind, role, name, other, since, until)
    SELECT
        links.owner, mine.value ->> 1, links.kind, mine.value ->> 0, links.name,
        (
            SELECT far.value ->> 1 FROM json_each(links.members) AS far
            WHERE json_array_length(links.members) = 2 AND far.value ->> 0 <> mine.value ->> 0
        ),
        links.since, links.until
    FROM links, json_each(links.members) AS mine
"""

_ENDS: Final = """
    UPDATE history SET valid_to = min(coalesce(valid_to, 9223372036854775807), max(coalesce(valid_from, start), start))
    FROM (
        SELECT event.id AS superseded, min(coalesce(newer.valid_from, newer.recorded)) AS start
        FROM history AS event
        JOIN memories AS older ON older.id = event.memory
        JOIN link_members AS link
            ON link.owner = older.owner AND link.key = older.key AND link.kind = 'supersession' AND link.role = 'older'
        JOIN memories AS newer
            ON newer.owner = link.owner AND newer.key = link.other AND newer.revision <= event.revision
        WHERE event.status = 'superseded' GROUP BY event.id
    )
    WHERE id = superseded;

    UPDATE history SET valid_to = (
        SELECT valid_to FROM history AS before WHERE before.memory = history.memory AND before.id < history.id
        ORDER BY before.id DESC LIMIT 1
    )
    WHERE status = 'retired';

    UPDATE memories SET valid_to = (SELECT valid_to FROM history WHERE memory = memories.id ORDER BY id DESC LIMIT 1)
    WHERE status IN ('superseded', 'retired');
"""
"""
What was superseded stopped to hold when what superseded it started to, or else as given. Forgetting changes no validity.

Format 1 did not say so, but `valid_at` finds what is superseded, too.
"""


def _sameness(*row: Any) -> bytes:
    """`sameness` of content and given of a row of format 1."""
    content, given = row
    parts: dict[str, Any] = json.loads(given)
    parts.update((name, from_micros(parts[name])) for name in _TIMES if name in parts)
    # The other parts stay as JSON gave them: a digest is taken of JSON.
    return sameness(Attributes(content=content, **parts))


def _anew(connection: apsw.Connection, table: str, fill: str) -> None:
    """Make a table anew, by today's statements, and let *fill* take its rows from the old one, which is called ``was``."""
    indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
    for (index,) in connection.execute(indexes, (table,)).fetchall():
        # They would go with the old table, but until then they hold the names.
        connection.execute(f"DROP INDEX {index}")
    connection.execute(f"ALTER TABLE {table} RENAME TO was")
    connection.execute(TABLES[table])
    connection.execute(fill)
    connection.execute("DROP TABLE was")


def _from_1(connection: apsw.Connection) -> None:
    """
    Beliefs, validity in force, reinforcement, links with words and ends.

    What is new was never said in format 1, but for validity: as given, and ended by what superseded. Digests are taken
    anew: what `sameness` is taken of has grown. Pieces of indexes go: none of those is read any more, and without them the
    store does not say that they cover anything. Their fence stays: nobody who reads today's has the store open yet.
    """
    connection.create_scalar_function("sameness", _sameness, 2)
    _anew(connection, "memories", _MEMORIES)
    connection.create_scalar_function("sameness", None, 2)
    _anew(connection, "history", _HISTORY)
    _anew(connection, "links", _LINKS)
    connection.execute("DROP TABLE link_members")
    connection.execute(TABLES["link_members"])
    connection.execute(_LINK_MEMBERS)
    connection.execute(_ENDS)
    connection.execute("CREATE INDEX log_by_time ON log (owner, time)")
    connection.execute("DELETE FROM pieces")


_COLUMNS_2: Final = """
    id, owner, key, revision, ordinal, status, tier, subjects, confidence_thousandths, salience_thousandths, recorded,
    named, request_key, digest, fact_subject, fact_attribute, fact_value, many, valid_from, valid_to, further_sources, uses,
    consolidated_uses, consolidated_at, agreed, content, given
"""
"""Of ``memories`` in format 2."""

_MEMORIES_2: Final = f"INSERT INTO memories ({_COLUMNS_2}) SELECT {_COLUMNS_2} FROM was ORDER BY id"  # noqa: S608 (a constant)


def _from_2(connection: apsw.Connection) -> None:
    """Erasure and withdrawals: nothing was erased in format 2. Pieces go: none of those is read any more."""
    _anew(connection, "memories", _MEMORIES_2)
    _anew(connection, "subjects", "INSERT INTO subjects SELECT ref, audiences, 'open', '[]' FROM was")
    connection.execute(TABLES["subject_keys"])
    connection.execute("CREATE INDEX citations_by_memory ON citations (memory)")
    connection.execute("DELETE FROM pieces")


_STEPS: Final[dict[int, Callable[[apsw.Connection], None]]] = {1: _from_1, 2: _from_2}
"""
What brings a store of each older format to the next.

A step takes from `TABLES` what no later step changes; a later step that changes a table leaves its statements of before to
the steps that are here.
"""


def bring_up(connection: apsw.Connection, path: Path) -> None:
    """
    Make sure that the store is one that can be read, and bring one of an older format up to today's, whole or not at all.

    Of several processes that open such a store at once one does it, and the others wait.

    Raises:
        StoreTooNewError, StoreUnreadableError, StoreDamagedError: As `check_format` finds. Nothing was changed.
        StoreUnavailableError: Another process holds the store for longer than we wait.
    """
    if check_format(connection, path) == FORMAT:
        return
    with translated():
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have done it while this one waited, or have gone further.
            for version in range(check_format(connection, path), FORMAT):
                _STEPS[version](connection)
                connection.pragma("user_version", version + 1)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(apsw.Error):
                connection.execute("ROLLBACK")
            raise
