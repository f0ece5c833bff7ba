"""A caller's question, cleaned."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

import attrs

from reminisce.domain.checks import Checks
from reminisce.domain.cursor import MOST
from reminisce.domain.index.documents import facet_tag, tag
from reminisce.domain.index.query import Window
from reminisce.domain.instants import micros
from reminisce.domain.limits import K
from reminisce.domain.values import Basis

__all__ = ["FILTERS", "OPTIONS", "Moment", "Question", "read_filters", "read_moment", "read_question"]

DEFAULT_K: Final = 8
"""Memories in an answer when nothing is said: about what a model reads with profit. Source: the contract's section 3."""


Moment = dt.datetime | int
"""A point of an owner's past: a time in UTC, or a revision."""


@attrs.frozen(kw_only=True)
class Question:
    """What `recall` is asked."""

    query: str | None
    """None lists what the filters admit, newest first."""

    k: int = DEFAULT_K
    audience: str | None = None
    any_of: tuple[tuple[str, ...], ...] = ()
    windows: tuple[Window, ...] = ()
    valid_at: dt.datetime | None = None
    as_of: Moment | None = None
    cursor: str | None = None
    explain: bool = False


_TIMES: Final = {
    "occurred": "happened",
    "recorded": "recorded",
    "due": "due",
}
"""Windows of time by what the caller calls them, and the column that they read."""

FILTERS: Final = (
    "aspects",
    "subject",
    "episode",
    "sources",
    "facets",
    "basis",
    "min_confidence",
    *(f"{name}_{end}" for name in _TIMES for end in ("from", "to")),
)
"""The names of the filters, the same in every face."""

OPTIONS: Final = ("k", "audience", *FILTERS, "valid_at", "as_of", "cursor", "explain")
"""The names of recall's options, the same in every face."""


def _tags(checks: Checks, raw: Mapping[str, Any]) -> list[tuple[str, ...]]:
    groups: list[tuple[str, ...]] = []
    if raw.get("aspects") is not None:
        groups.append(tuple(tag("aspect", name) for name in checks.texts("aspects", raw["aspects"])))
    if raw.get("subject") is not None:
        groups.append((tag("subject", checks.text("subject", raw["subject"])),))
    if raw.get("episode") is not None:
        groups.append((tag("episode", checks.text("episode", raw["episode"])),))
    if raw.get("sources") is not None:
        groups.append(tuple(tag("source", source) for source in checks.texts("sources", raw["sources"])))
    if raw.get("facets") is not None:
        by_name: dict[str, list[str]] = {}
        for name, value in checks.facets(raw["facets"]):
            by_name.setdefault(name, []).append(facet_tag(name, value))
        groups.extend(tuple(values) for values in by_name.values())
    basis = raw.get("basis")
    if basis is not None:
        several = (basis,) if isinstance(basis, str) else checks.items("basis", basis)
        groups.append(tuple(tag("basis", checks.choice("basis", one, Basis)) for one in several))
    # A list of nothing asks for nothing: models send one for what they leave out.
    return [group for group in groups if group]


def _windows(checks: Checks, raw: Mapping[str, Any]) -> list[Window]:
    windows = []
    if raw.get("min_confidence") is not None:
        windows.append(Window("confidence", checks.share("min_confidence", raw["min_confidence"]), None))
    for name, column in _TIMES.items():
        ends = {}
        for end in ("from", "to"):
            value = raw.get(f"{name}_{end}")
            time = None if value is None else checks.instant(f"{name}_{end}", value)
            ends[end] = None if time is None else micros(time)
        if any(value is not None for value in ends.values()):
            windows.append(Window(column, ends["from"], ends["to"]))
    return windows


def read_moment(checks: Checks, field: str, value: object) -> Moment | None:
    """A time, or a whole number: a revision."""
    if isinstance(value, int) and not isinstance(value, bool):
        return checks.count(field, value, 0, 2**62)
    return checks.instant(field, value)


def read_filters(checks: Checks, raw: Mapping[str, Any]) -> tuple[tuple[tuple[str, ...], ...], tuple[Window, ...]]:
    """Groups of tags of which a memory needs one each, and windows, of the filters in *raw*."""
    return tuple(_tags(checks, raw)), tuple(_windows(checks, raw))


def read_question(query: object, raw: Mapping[str, Any]) -> Question:
    """
    Clean one caller's question. An option of None is one not given.

    Filters that name several values of one kind admit memories with any of them; different kinds, and facets of different
    names, must all be met. Windows of time are half-open.

    Raises:
        InvalidError: With every problem, each under its option's name.
    """
    checks = Checks()
    if not set(raw).issubset(OPTIONS):
        checks.note("arguments", "unknown_name", "takes only query, " + ", ".join(OPTIONS))
    cursor = raw.get("cursor")
    if cursor is not None and not (isinstance(cursor, str) and len(cursor) <= MOST):
        checks.note("cursor", "not_a_cursor", "must be a cursor that an earlier page answered")
    explain = raw.get("explain")
    if explain is not None and not isinstance(explain, bool):
        checks.note("explain", "wrong_type", "must be true or false")
    any_of, windows = read_filters(checks, raw)
    question = Question(
        query=None if query is None else checks.text("query", query, blank=True),
        k=DEFAULT_K if raw.get("k") is None else checks.count("k", raw["k"], 1, K),
        audience=None if raw.get("audience") is None else checks.text("audience", raw["audience"]),
        any_of=any_of,
        windows=windows,
        valid_at=None if raw.get("valid_at") is None else checks.instant("valid_at", raw["valid_at"]),
        as_of=None if raw.get("as_of") is None else read_moment(checks, "as_of", raw["as_of"]),
        cursor=cursor,
        explain=bool(explain),
    )
    checks.finish()
    return question
