"""A caller's wish to keep one memory, cleaned."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Final

import attrs

from reminisce.domain.checks import Checks
from reminisce.domain.memory import Attributes, sameness
from reminisce.domain.values import DEFAULT_ASPECTS, Basis, Tier

__all__ = ["NAMES", "Request", "read_request"]


@attrs.frozen(kw_only=True)
class Request:
    """One memory to keep: its attributes, and what names the request without being part of what is kept."""

    attributes: Attributes
    key: str | None = None
    request_key: str | None = None
    digest: bytes = b""
    """The `sameness` of the attributes."""

    size: int = 0
    """UTF-8 bytes of all its texts."""


def _aspects(checks: Checks, value: object, allowed: tuple[str, ...]) -> tuple[str, ...]:
    aspects = checks.texts("aspects", value)
    if not aspects:
        checks.note("aspects", "empty", "must name at least one")
    elif not set(aspects).issubset(allowed):
        checks.note("aspects", "unknown_word", "must be among " + ", ".join(allowed))
    return tuple(sorted(aspects))


_READERS: Final[dict[str, Callable[[Checks, object], object]]] = {
    "basis": lambda checks, value: checks.choice("basis", value, Basis),
    "confidence": lambda checks, value: checks.share("confidence", value),
    "salience": lambda checks, value: checks.share("salience", value),
    "occurred_at": lambda checks, value: checks.instant("occurred_at", value),
    "due_at": lambda checks, value: checks.instant("due_at", value),
    "valid_from": lambda checks, value: checks.instant("valid_from", value),
    "valid_to": lambda checks, value: checks.instant("valid_to", value),
    "sources": lambda checks, value: checks.texts("sources", value),
    "facets": lambda checks, value: checks.facets(value),
    "subjects": lambda checks, value: tuple(sorted(checks.texts("subjects", value))),
    "tier": lambda checks, value: checks.choice("tier", value, Tier),
    "surface": lambda checks, value: checks.text("surface", value),
    "episode": lambda checks, value: checks.text("episode", value),
    "derived_from": lambda checks, value: checks.texts("derived_from", value),
    "supersedes": lambda checks, value: checks.texts("supersedes", value),
}

NAMES: Final = ("content", "key", "aspects", *_READERS, "request_key")
"""The names of `remember`'s arguments, the same in every face."""


def read_request(raw: Mapping[str, object], allowed_aspects: tuple[str, ...] = DEFAULT_ASPECTS) -> Request:
    """
    Clean one caller's arguments. An argument of None is one not given.

    Args:
        raw: By the names of `remember`'s arguments. Times as aware datetimes or ISO 8601 text; facets as a mapping.
        allowed_aspects: What the store is configured with.

    Raises:
        InvalidError: With every problem, each under its argument's name.
    """
    checks = Checks()
    cleaned: dict[str, object] = {}
    for name, value in raw.items():
        if value is None or name in ("content", "key", "request_key"):
            continue
        reader = _READERS.get(name)
        if reader is not None:
            cleaned[name] = reader(checks, value)
        elif name == "aspects":
            cleaned[name] = _aspects(checks, value, allowed_aspects)
        else:
            checks.note("arguments", "unknown_name", "takes only " + ", ".join(NAMES))
    if raw.get("content") is None:
        checks.note("content", "missing", "must be given")
    else:
        cleaned["content"] = checks.text("content", raw["content"])
    if "aspects" not in cleaned and "episodic" not in allowed_aspects:
        cleaned["aspects"] = allowed_aspects[:1]
    key = None if raw.get("key") is None else checks.text("key", raw["key"])
    request_key = None if raw.get("request_key") is None else checks.text("request_key", raw["request_key"])
    since, until = cleaned.get("valid_from"), cleaned.get("valid_to")
    if isinstance(since, dt.datetime) and isinstance(until, dt.datetime) and since >= until:
        checks.note("valid_to", "out_of_range", "must come after valid_from")
    checks.finish()
    attributes = Attributes(**cleaned)  # type: ignore[arg-type]
    if key is not None and key in (*attributes.derived_from, *attributes.supersedes):
        checks.note("key", "own_source", "must not be among what it derives from or supersedes")
        checks.finish()
    return Request(
        attributes=attributes, key=key, request_key=request_key, digest=sameness(attributes), size=checks.size
    )
