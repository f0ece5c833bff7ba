"""Verbs on memories."""

from typing import Annotated, Final

import attrs
from cyclopts import Parameter

from reminisce.app.cli.options import COMMON, Common, Count, Facets, Moment, given_of
from reminisce.app.cli.outcome import Outcome
from reminisce.app.cli.streams import standard_input
from reminisce.domain.limits import BYTES
from reminisce.errors import InvalidError

__all__ = ["forget", "recall", "recent", "reinstate", "remember", "why"]

STDIN: Final = "-"


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Given:
    """The attributes of a memory. A list's option may be repeated."""

    key: str | None = None
    """A name for it, never free again. Made when left out."""

    aspects: list[str] | None = None
    """episodic (default), semantic, procedural, prospective, autobiographical."""

    basis: str | None = None
    """observed (default), told, inferred, generated, imported."""

    confidence: float | None = None
    """From 0 to 1 (default 1)."""

    salience: float | None = None
    """From 0 to 1 (default 0.5)."""

    occurred_at: str | None = None
    """When it happened, such as 2026-11-30T18:15:00+01:00."""

    due_at: str | None = None
    """When it falls due."""

    valid_from: str | None = None
    """From when it holds."""

    valid_to: str | None = None
    """Until when it holds, that moment excluded."""

    sources: list[str] | None = None
    """What it cites, such as doc:runbook or a URL."""

    facets: Facets = None
    """NAME=VALUE."""

    subjects: list[str] | None = None
    """Whom it is about, by pseudonym."""

    tier: str | None = None
    """open (default), redacted, private."""

    surface: str | None = None
    """What may leave in its place when it is redacted."""

    episode: str | None = None
    """The conversation or task that it belongs to."""

    fact: tuple[str, str, str] | None = None
    """What it says of one of its subjects: SUBJECT ATTRIBUTE VALUE, three words."""

    reviewer: str | None = None
    """Who alone may review it, should it have to wait for that."""

    derived_from: list[str] | None = None
    """Keys of memories that it was made from."""

    supersedes: list[str] | None = None
    """Keys of memories that it replaces."""

    request_key: str | None = None
    """A name for this request, so that sending it again keeps nothing twice."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Filters:
    """What memories an answer may hold. A list's option may be repeated, and admits any of its values."""

    k: Annotated[Count, Parameter(name=("--k", "-k"))] = None
    """How many at most, 1 to 1000 (default 8)."""

    audience: str | None = None
    """Only what this audience may see."""

    aspects: list[str] | None = None
    """Only these aspects."""

    subject: str | None = None
    """Only what is about this subject."""

    episode: str | None = None
    """Only this episode."""

    sources: list[str] | None = None
    """Only what cites these."""

    facets: Facets = None
    """Only with NAME=VALUE."""

    basis: list[str] | None = None
    """Only on these bases."""

    min_confidence: float | None = None
    """Only with this confidence or more, 0 to 1."""

    occurred_from: str | None = None
    """Only what happened then or later, such as 2026-11-30T00:00:00Z."""

    occurred_to: str | None = None
    """Only what happened before."""

    recorded_from: str | None = None
    """Only what was recorded then or later."""

    recorded_to: str | None = None
    """Only what was recorded before."""

    due_from: str | None = None
    """Only what falls due then or later."""

    due_to: str | None = None
    """Only what falls due before."""

    valid_at: str | None = None
    """Only what held then, superseded by now or not."""

    as_of: Moment = None
    """As the memories stood at a time, or at a revision."""

    cursor: str | None = None
    """What an earlier answer gave for its next page."""

    explain: bool | None = None
    """Say what earned each score."""


_NOTHING: Final = Given()
_ALL: Final = Filters()


def _read_text() -> str:
    """
    Standard input as one memory, without its last line end: commands end their output with one that is not part of it.

    Raises:
        InvalidError: It is no UTF-8, or longer than any memory.
    """
    most = BYTES["content"]
    data = standard_input("content").read(most + len("\r\n") + 1)
    data = data.removesuffix(b"\n").removesuffix(b"\r") if data.endswith(b"\n") else data
    if len(data) > most:
        raise InvalidError.of("content", "too_large", f"must be at most {most} bytes of UTF-8")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidError.of("content", "not_utf8", "must be UTF-8 on standard input") from None


def remember(content: str, *, given: Given = _NOTHING, common: Common = COMMON) -> Outcome:
    """
    Keep a memory.

    Args:
        content: The text; - reads standard input. One that begins with a hyphen goes behind --.
    """
    text = _read_text() if content == STDIN else content
    with common.mine(create=True) as owner:
        return Outcome(owner.remember(text, **given_of(given)), common.json)


def recall(query: str, *, filters: Filters = _ALL, common: Common = COMMON) -> Outcome:
    """
    Find memories, best first.

    Args:
        query: Any text. One that begins with a hyphen goes behind --.
    """
    with common.mine() as owner:
        return Outcome(owner.recall(query, **given_of(filters)), common.json)


def recent(*, filters: Filters = _ALL, common: Common = COMMON) -> Outcome:
    """List memories, newest first."""
    with common.mine() as owner:
        return Outcome(owner.recent(**given_of(filters)), common.json)


def why(key: str, *, depth: Count = None, most: Count = None, common: Common = COMMON) -> Outcome:
    """
    Tell where a memory came from and what became of it.

    Args:
        key: Its key, whatever its status.
        depth: How far to follow what it was derived from, 1 to 10000 (default 16).
        most: How many lines a list of the answer may have, 1 to 10000 (default 1000).
    """
    with common.mine() as owner:
        given = {name: value for name, value in (("depth", depth), ("most", most)) if value is not None}
        return Outcome(owner.why(key, **given), common.json)


def forget(keys: list[str], /, *, reason: str | None = None, common: Common = COMMON) -> Outcome:
    """
    Take memories out of recall; their words are kept.

    Args:
        keys: One or more keys.
        reason: Kept in the history.
    """
    with common.mine() as owner:
        return Outcome(owner.forget(keys, reason), common.json)


def reinstate(key: str, *, common: Common = COMMON) -> Outcome:
    """
    Undo a forget.

    Args:
        key: Its key.
    """
    with common.mine() as owner:
        return Outcome(owner.reinstate(key), common.json)
