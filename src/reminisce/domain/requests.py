"""A caller's wish to keep one memory, cleaned."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Final

import attrs

from reminisce.domain.checks import Checks
from reminisce.domain.limits import ITEMS
from reminisce.domain.memory import Attributes, Fact, sameness
from reminisce.domain.values import DEFAULT_ASPECTS, Basis, Tier
from reminisce.errors import InvalidError

__all__ = [
    "CHANGES",
    "NAMES",
    "Request",
    "check_fact",
    "check_validity",
    "read_belief",
    "read_changes",
    "read_request",
]


@attrs.frozen(kw_only=True)
class Request:
    """One memory to keep: its attributes, and what names the request without being part of what is kept."""

    attributes: Attributes
    key: str | None = None
    request_key: str | None = None
    digest: bytes = b""
    """The `sameness` of the attributes."""

    many: bool | None = None
    """Whether its fact's attribute holds several values; None for whatever the attribute's first use said."""

    size: int = 0
    """UTF-8 bytes of all its texts."""


def _aspects(checks: Checks, value: object, allowed: tuple[str, ...]) -> tuple[str, ...]:
    aspects = checks.texts("aspects", value)
    if not aspects:
        checks.note("aspects", "empty", "must name at least one")
    elif not set(aspects).issubset(allowed):
        checks.note("aspects", "unknown_word", "must be among " + ", ".join(allowed))
    return tuple(sorted(aspects))


def read_fact(checks: Checks, value: object) -> tuple[Fact | None, bool | None]:
    """A mapping of subject, attribute, value and perhaps many, or the first three in order."""
    parts: dict[str, object] = {}
    if isinstance(value, Mapping):
        parts = dict(value)
    elif isinstance(value, list | tuple) and len(value) == len(_FACT):
        parts = dict(zip(_FACT, value, strict=True))
    if not set(_FACT).issubset(parts) or not set(parts).issubset({*_FACT, "many"}):
        checks.note("fact", "wrong_type", "must be a mapping of subject, attribute and value, and perhaps many")
        return None, None
    many = parts.get("many")
    if many is not None and not isinstance(many, bool):
        checks.note("fact", "wrong_type", "must say many as true or false")
        many = None
    texts = [checks.text("fact", parts[name], limit=name) for name in _FACT]
    return Fact(*texts), many


_FACT: Final = ("subject", "attribute", "value")

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
    "reviewer": lambda checks, value: checks.text("reviewer", value),
    "derived_from": lambda checks, value: checks.texts("derived_from", value),
    "supersedes": lambda checks, value: checks.texts("supersedes", value),
}

NAMES: Final = ("content", "key", "aspects", *_READERS, "fact", "request_key")
"""The names of `remember`'s arguments, the same in every face."""

CHANGES: Final = (
    "content",
    "aspects",
    *(name for name in _READERS if name != "supersedes"),
    "fact",
    "new_key",
    "request_key",
)
"""The names of what `correct` may change, and of what it may call the new memory."""

_NAMING: Final = frozenset({"key", "new_key", "request_key"})
"""Names of a request that are no part of what is kept."""


def check_validity(checks: Checks, since: object, until: object) -> None:
    """What holds from *since* to *until* must hold at some time; anything but two times is another problem, or none."""
    if isinstance(since, dt.datetime) and isinstance(until, dt.datetime) and since >= until:
        checks.note("valid_to", "out_of_range", "must come after valid_from")


def check_fact(checks: Checks, fact: object, subjects: object) -> None:
    """A fact must be of one of its memory's subjects; anything but a fact is another problem, or none."""
    if isinstance(fact, Fact) and isinstance(subjects, tuple) and fact.subject not in subjects:
        checks.note("fact", "no_subject", "must be of one of the memory's subjects")


def _cleaned(
    checks: Checks, raw: Mapping[str, object], allowed_aspects: tuple[str, ...], allowed: tuple[str, ...]
) -> tuple[dict[str, object], bool | None]:
    """The attributes in *raw*, clean, by their names; and what was said of many values."""
    cleaned: dict[str, object] = {}
    many = None
    for name, value in raw.items():
        if name not in allowed:
            checks.note("arguments", "unknown_name", "takes only " + ", ".join(allowed))
        elif value is None or name in _NAMING:
            continue
        elif name == "aspects":
            cleaned[name] = _aspects(checks, value, allowed_aspects)
        elif name == "fact":
            cleaned[name], many = read_fact(checks, value)
        elif name == "content":
            cleaned[name] = checks.text(name, value)
        else:
            cleaned[name] = _READERS[name](checks, value)
    check_validity(checks, cleaned.get("valid_from"), cleaned.get("valid_to"))
    return cleaned, many


def _name(checks: Checks, raw: Mapping[str, object], field: str) -> str | None:
    return None if raw.get(field) is None else checks.text(field, raw[field], limit="key")


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
    cleaned, many = _cleaned(checks, raw, allowed_aspects, NAMES)
    if raw.get("content") is None:
        checks.note("content", "missing", "must be given")
    if "aspects" not in cleaned and "episodic" not in allowed_aspects:
        cleaned["aspects"] = allowed_aspects[:1]
    key, request_key = _name(checks, raw, "key"), _name(checks, raw, "request_key")
    check_fact(checks, cleaned.get("fact"), cleaned.get("subjects", ()))
    checks.finish()
    attributes = Attributes(**cleaned)  # type: ignore[arg-type]
    if key is not None and key in (*attributes.derived_from, *attributes.supersedes):
        checks.note("key", "own_source", "must not be among what it derives from or supersedes")
        checks.finish()
    return Request(
        attributes=attributes,
        key=key,
        request_key=request_key,
        digest=sameness(attributes),
        many=many,
        size=checks.size,
    )


def read_changes(
    raw: Mapping[str, object], allowed_aspects: tuple[str, ...] = DEFAULT_ASPECTS, corrected: object = "-"
) -> tuple[Request, tuple[str, ...]]:
    """
    Clean what a correction changes.

    Args:
        raw: By the names in `CHANGES`.
        corrected: The key of what is corrected, to be told of together with the rest when it is none.

    Returns:
        A request of which only the attributes named beside it count.

    Raises:
        InvalidError: With every problem, each under its argument's name; or nothing is changed.
    """
    checks = Checks()
    checks.text("key", corrected)
    cleaned, many = _cleaned(checks, raw, allowed_aspects, CHANGES)
    key, request_key = _name(checks, raw, "new_key"), _name(checks, raw, "request_key")
    if not cleaned:
        checks.note("arguments", "empty", "must name what is changed")
    checks.finish()
    attributes = Attributes(**{"content": "", **cleaned})  # type: ignore[arg-type]
    return Request(attributes=attributes, key=key, request_key=request_key, many=many), tuple(cleaned)


def read_belief(
    subject: object,
    attribute: object,
    value: object,
    many: object,
    raw: Mapping[str, object],
    allowed_aspects: tuple[str, ...] = DEFAULT_ASPECTS,
) -> Request:
    """
    Clean something to be believed.

    Args:
        raw: By the names of `remember`'s arguments, without the fact.

    Raises:
        InvalidError: With every problem, each under its argument's name.
    """
    checks = Checks()
    said = [checks.text(name, part) for name, part in zip(_FACT, (subject, attribute, value), strict=True)]
    if many is not None:
        checks.flag("many", many)
    if "fact" in raw:
        checks.note("arguments", "unknown_name", "takes no fact beside subject, attribute and value")
    refs = raw.get("subjects")
    if isinstance(refs, Iterable) and not isinstance(refs, str | bytes | Mapping):
        refs = list(dict.fromkeys((said[0], *islice(refs, ITEMS["subjects"] + 1))))
    whole = {
        **raw,
        "fact": (*said,),
        "subjects": [said[0]] if refs is None else refs,
    }
    if raw.get("content") is None:
        whole["content"] = Fact(*said).told
    if checks.problems:
        # What is wrong with the fact is said once, under its own names.
        whole = {**raw, "content": raw.get("content") or "-"}
        whole.pop("fact", None)
    try:
        request = read_request(whole, allowed_aspects)
    except InvalidError as error:
        raise InvalidError((*checks.problems, *error.problems)) from None
    checks.finish()
    return attrs.evolve(request, many=many if isinstance(many, bool) else None)
