"""Values to rows and back."""

import datetime as dt
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import attrs

from reminisce.domain.instants import from_micros, micros
from reminisce.domain.memory import Attributes, Cause, Erased, Fact, Memory, folded
from reminisce.domain.records import (
    Event,
    Link,
    LinkKind,
    LogEntry,
    Member,
    Outline,
    Standing,
    Subject,
    SubjectState,
    Withdrawal,
)
from reminisce.domain.values import Basis, Status, Tier

__all__ = [
    "EVENT",
    "LINK",
    "MEMORY",
    "OUTLINE",
    "STANDING",
    "dumped",
    "event_of",
    "event_row",
    "link_member_rows",
    "link_of",
    "link_row",
    "log_of",
    "log_row",
    "memory_of",
    "memory_row",
    "outline_of",
    "settable",
    "standing_of",
    "subject_of",
    "subject_row",
]

MEMORY: Final = (
    "key, revision, ordinal, status, tier, subjects, confidence_thousandths, salience_thousandths, recorded, named,"
    " request_key, many, valid_from, valid_to, further_sources, uses, consolidated_uses, consolidated_at, agreed, content,"
    " given, erased"
)
"""The columns that `memory_of` reads, in its order."""

OUTLINE: Final = "key, status, tier, subjects, confidence_thousandths, given"
"""The columns that `outline_of` reads, in its order."""

EVENT: Final = "revision, time, operation, status, actor, reason, valid_from, valid_to"

LINK: Final = "name, kind, members, since, until, label, facets, reason, resolution"

STANDING: Final = "key, fact_subject, fact_attribute, fact_value, status, valid_from, valid_to"

_STATUS: Final = {str(status): status for status in Status}
_TIER: Final = {str(tier): tier for tier in Tier}
"""Looked up: calling an enum costs four times as much, and a walk reads thousands."""

_GIVEN: Final = tuple((field.name, field.default) for field in attrs.fields(Attributes) if field.name != "content")
"""What of the given attributes goes into the JSON column: all but the content, and only what is not the default."""

_READ: Final[dict[str, Any]] = {
    "basis": Basis,
    "tier": Tier,
    "facets": lambda pairs: tuple((name, value) for name, value in pairs),
    "fact": lambda parts: Fact(*parts),
    **dict.fromkeys(("aspects", "sources", "subjects", "derived_from", "supersedes"), tuple),
    **dict.fromkeys(("occurred_at", "due_at", "valid_from", "valid_to"), from_micros),
}


dumped: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""A value as compact JSON. One encoder for all: making one costs as much as using it."""


def _micros(time: dt.datetime | None) -> int | None:
    return None if time is None else micros(time)


def _time(count: int | None) -> dt.datetime | None:
    return None if count is None else from_micros(count)


def _listed(texts: tuple[str, ...]) -> str:
    # Most lists are empty, and a batch has many of them.
    return dumped(texts) if texts else "[]"


def _tuple(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _held(value: Any) -> Any:
    """A given attribute as the JSON column holds it."""
    if isinstance(value, dt.datetime):
        return micros(value)
    return attrs.astuple(value) if isinstance(value, Fact) else value


@lru_cache(maxsize=8)
def _erased(by: Erased | None) -> str | None:
    # All memories of a batch went by the same.
    return None if by is None else dumped(attrs.astuple(by))


def memory_row(memory: Memory, digest: bytes | None) -> tuple[Any, ...]:
    """The columns of ``memories`` after id and owner."""
    given = memory.given
    parts: dict[str, Any] = {}
    for name, default in _GIVEN:
        value = getattr(given, name)
        if value != default:
            parts[name] = _held(value)
    fact = given.fact
    said = (None, None, None) if fact is None else (fact.subject, fact.attribute, folded(fact.value))
    return (
        memory.key, memory.revision, memory.ordinal, memory.status, memory.tier, _listed(memory.subjects),
        memory.confidence_thousandths, memory.salience_thousandths, micros(memory.recorded_at), memory.named,
        memory.request_key, digest, *said, memory.many, _micros(memory.valid_from), _micros(memory.valid_to),
        _listed(memory.further_sources), memory.uses, memory.consolidated_uses, _micros(memory.consolidated_at),
        _listed(memory.agreed), given.content, dumped(parts), _erased(memory.erased),
    )  # fmt: skip


def memory_of(owner: str, row: Sequence[Any]) -> Memory:
    """The memory of a row of `MEMORY`."""
    (
        key, revision, ordinal, status, tier, subjects, confidence, salience, recorded, named, request_key, many,
        valid_from, valid_to, further_sources, uses, consolidated_uses, consolidated_at, agreed, content, given, erased,
    ) = row  # fmt: skip
    parts = json.loads(given)
    for name, value in parts.items():
        if name in _READ:
            parts[name] = _READ[name](value)
    return Memory(
        owner=owner,
        key=key,
        given=Attributes(content=content, **parts),
        status=_STATUS[status],
        tier=_TIER[tier],
        subjects=_tuple(subjects),
        confidence_thousandths=confidence,
        salience_thousandths=salience,
        recorded_at=from_micros(recorded),
        revision=revision,
        ordinal=ordinal,
        named=bool(named),
        request_key=request_key,
        valid_from=_time(valid_from),
        valid_to=_time(valid_to),
        many=bool(many),
        further_sources=_tuple(further_sources),
        uses=uses,
        consolidated_uses=consolidated_uses,
        consolidated_at=_time(consolidated_at),
        agreed=_tuple(agreed),
        erased=None if erased is None else _erased_of(*json.loads(erased)),
    )


def _erased_of(cause: str, subject: str | None, opening: int) -> Erased:
    return Erased(Cause(cause), subject, opening)


def outline_of(row: Sequence[Any]) -> Outline:
    """The outline of a row of `OUTLINE`."""
    key, status, tier, subjects, confidence, given = row
    # Most memories say neither, and reading JSON is half of what a walk costs.
    parts = json.loads(given) if '"basis"' in given or '"surface"' in given else {}
    basis = Basis(parts["basis"]) if "basis" in parts else Basis.OBSERVED
    return Outline(key, _STATUS[status], _TIER[tier], _tuple(subjects), confidence, basis, parts.get("surface"))


def settable(value: Any) -> Any:
    """A value of a settable field as its column holds it."""
    if isinstance(value, dt.datetime):
        return micros(value)
    return dumped(value) if isinstance(value, tuple) else value


def standing_of(row: Sequence[Any]) -> Standing:
    """The standing of a row of `STANDING`."""
    key, subject, attribute, value, status, valid_from, valid_to = row
    return Standing(key, subject, attribute, value, _STATUS[status], _time(valid_from), _time(valid_to))


def event_row(event: Event) -> tuple[Any, ...]:
    """The columns of `EVENT`."""
    return (
        event.revision, micros(event.time), event.operation, event.status, event.actor, event.reason,
        _micros(event.valid_from), _micros(event.valid_to),
    )  # fmt: skip


def event_of(row: Sequence[Any]) -> Event:
    """The event of a row of `EVENT`."""
    revision, time, operation, status, actor, reason, valid_from, valid_to = row
    return Event(
        revision, from_micros(time), operation, Status(status), actor, reason, _time(valid_from), _time(valid_to)
    )


def link_row(link: Link) -> tuple[Any, ...]:
    """The columns of ``links`` after the owner."""
    return (
        link.name, link.kind, dumped(link.members), link.since, link.until, link.label, dumped(link.facets), link.reason,
        link.resolution,
    )  # fmt: skip


def link_member_rows(owner: int, link: Link) -> list[tuple[Any, ...]]:
    """The rows of ``link_members``. Of a link of two roles, each end names the other."""
    others = link.ends()
    return [
        (owner, key, link.kind, role, link.name, others.get(role), link.since, link.until) for role, key in link.members
    ]


def link_of(row: Sequence[Any]) -> Link:
    """The link of a row of `LINK`."""
    name, kind, members, since, until, label, facets, reason, resolution = row
    return Link(
        name,
        LinkKind(kind),
        tuple(Member(role, key) for role, key in json.loads(members)),
        since,
        until,
        label,
        tuple((name, value) for name, value in json.loads(facets)),
        reason,
        resolution,
    )


def subject_row(subject: Subject) -> tuple[Any, ...]:
    """The columns of ``subjects``."""
    withdrawals = [
        (one.opening, micros(one.time), one.actor, one.reason, _micros(one.closed_at)) for one in subject.withdrawals
    ]
    return (subject.ref, dumped(subject.audiences), subject.state, dumped(withdrawals))


def subject_of(row: Sequence[Any]) -> Subject:
    """The subject of a row of ``subjects``."""
    ref, audiences, state, withdrawals = row
    return Subject(
        ref,
        _tuple(audiences),
        SubjectState(state),
        tuple(
            Withdrawal(opening, from_micros(time), actor, reason, _time(closed))
            for opening, time, actor, reason, closed in json.loads(withdrawals)
        ),
    )


def log_row(entry: LogEntry) -> tuple[Any, ...]:
    """The columns of ``log`` after the owner."""
    return (entry.revision, micros(entry.time), entry.operation, dumped(entry.keys))


def log_of(owner: str, row: Sequence[Any]) -> LogEntry:
    """The entry of a row of ``log`` after the owner."""
    revision, time, operation, keys = row
    return LogEntry(owner, revision, from_micros(time), operation, tuple(json.loads(keys)))
