"""The way to the next page: a text that carries what the pages before stood on, and no words."""

import base64
import hashlib
import json
from typing import Final

import attrs

from reminisce.errors import CursorExpiredError, InvalidError

__all__ = ["Cursor", "Ground", "question_of", "read_cursor", "written"]

MOST: Final = 1024
"""Characters of a cursor. The longest, with a key of 256 bytes of escapes, is below this."""


@attrs.frozen
class Ground:
    """What must be the same on every page of one answer."""

    incarnation: str
    owner: str
    erasure: int
    consents: int
    question: str
    """A digest of the query, its options and who asks."""


@attrs.frozen
class Cursor:
    """Where the next page begins."""

    revision: int
    """The owner's revision that every page answers for."""

    rank: int
    key: str
    """Of the last match of the page before."""


def question_of(*parts: object) -> str:
    """A digest of what was asked, 16 hexadecimal digits."""
    text = json.dumps(parts, ensure_ascii=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _bound(ground: Ground) -> str:
    return question_of(ground.owner, ground.erasure, ground.consents)


def _seal(ground: Ground, parts: list[object]) -> str:
    """Nobody who does not know the store's random name can make one, so nobody can look at another revision."""
    text = json.dumps(parts, ensure_ascii=True).encode()
    return hashlib.blake2b(text, key=ground.incarnation.encode()[:64], digest_size=12).hexdigest()


def written(cursor: Cursor, ground: Ground) -> str:
    """*cursor* as an opaque text of at most `MOST` characters of URL-safe base64."""
    parts: list[object] = [2, cursor.revision, cursor.rank, cursor.key, ground.question, _bound(ground)]
    sealed = [*parts, _seal(ground, parts)]
    text = json.dumps(sealed, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode()


def read_cursor(text: str, ground: Ground, head: int) -> Cursor:
    """
    The cursor of a text that `written` made for the same question.

    Args:
        head: The owner's revision now.

    Raises:
        InvalidError: It is no cursor, or it belongs to another question.
        CursorExpiredError: What it stood on has changed since, or another store made it, or somebody changed it.
    """
    not_one = InvalidError.of("cursor", "not_a_cursor", "must be a cursor that an earlier page answered")
    try:
        *parts, seal = json.loads(base64.b64decode(text, altchars=b"-_", validate=True))
        version, revision, rank, key, question, bound = parts
    except (ValueError, TypeError, RecursionError):
        raise not_one from None
    if version != 2 or type(revision) is not int or type(rank) is not int or type(key) is not str:
        raise not_one
    if question != ground.question:
        raise InvalidError.of("cursor", "other_question", "belongs to another query or other options")
    if seal != _seal(ground, parts) or bound != _bound(ground) or not 0 <= revision <= head:
        raise CursorExpiredError
    return Cursor(revision, rank, key)
