"""Values to rows and back."""

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any, Final

import attrs

from reminisce.domain.instants import from_micros, micros
from reminisce.domain.memory import Attributes, Memory
from reminisce.domain.records import Event, Link, LinkKind, LogEntry, Member
from reminisce.domain.values import Basis, Status, Tier

__all__ = [
    "EVENT",
    "MEMORY",
    "dumped",
    "event_of",
    "event_row",
    "link_of",
    "link_row",
    "log_of",
    "log_row",
    "memory_of",
    "memory_row",
    "settable",
]

MEMORY: Final = (
    "key, revision, ordinal, status, tier, subjects, confidence_thousandths, salience_thousandths, recorded, named,"
    " request_key, content, given"
)
"""The columns that `memory_of` reads, in its order."""

EVENT: Final = "revision, time, operation, status, actor, reason"

_GIVEN: Final = tuple((field.name, field.default) for field in attrs.fields(Attributes) if field.name != "content")
"""What of the given attributes goes into the JSON column: all but the content, and only what is not the default."""

_READ: Final[dict[str, Any]] = {
    "basis": Basis,
    "tier": Tier,
    "facets": lambda pairs: tuple((name, value) for name, value in pairs),
    **dict.fromkeys(("aspects", "sources", "subjects", "derived_from", "supersedes"), tuple),
    **dict.fromkeys(("occurred_at", "due_at", "valid_from", "valid_to"), from_micros),
}


dumped: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""A value as compact JSON. One encoder for all: making one costs as much as using it."""


def memory_row(memory: Memory, digest: bytes) -> tuple[Any, ...]:
    """The columns of ``memories`` after id and owner."""
    given = memory.given
    parts: dict[str, Any] = {}
    for name, default in _GIVEN:
        value = getattr(given, name)
        if value != default:
            parts[name] = micros(value) if isinstance(value, dt.datetime) else value
    return (
        memory.key, memory.revision, memory.ordinal, memory.status, memory.tier, dumped(memory.subjects),
        memory.confidence_thousandths, memory.salience_thousandths, micros(memory.recorded_at), memory.named,
        memory.request_key, digest, given.content, dumped(parts),
    )  # fmt: skip


def memory_of(owner: str, row: Sequence[Any]) -> Memory:
    """The memory of a row of `MEMORY`."""
    (
        key, revision, ordinal, status, tier, subjects, confidence, salience, recorded, named, request_key, content, given
    ) = row  # fmt: skip
    parts = json.loads(given)
    for name, value in parts.items():
        if name in _READ:
            parts[name] = _READ[name](value)
    return Memory(
        owner=owner,
        key=key,
        given=Attributes(content=content, **parts),
        status=Status(status),
        tier=Tier(tier),
        subjects=tuple(json.loads(subjects)) if subjects != "[]" else (),
        confidence_thousandths=confidence,
        salience_thousandths=salience,
        recorded_at=from_micros(recorded),
        revision=revision,
        ordinal=ordinal,
        named=bool(named),
        request_key=request_key,
    )


def settable(value: Any) -> Any:
    """A value of a settable field as its column holds it."""
    return dumped(value) if isinstance(value, tuple) else value


def event_row(event: Event) -> tuple[Any, ...]:
    """The columns of `EVENT`."""
    return (event.revision, micros(event.time), event.operation, event.status, event.actor, event.reason)


def event_of(row: Sequence[Any]) -> Event:
    """The event of a row of `EVENT`."""
    revision, time, operation, status, actor, reason = row
    return Event(revision, from_micros(time), operation, Status(status), actor, reason)


def link_row(link: Link) -> tuple[Any, ...]:
    """The columns of ``links`` after the owner."""
    return (link.name, link.kind, dumped(link.members), link.since, link.until)


def link_of(row: Sequence[Any]) -> Link:
    """The link of a row of ``links`` after the owner."""
    name, kind, members, since, until = row
    return Link(name, LinkKind(kind), tuple(Member(role, key) for role, key in json.loads(members)), since, until)


def log_row(entry: LogEntry) -> tuple[Any, ...]:
    """The columns of ``log`` after the owner."""
    return (entry.revision, micros(entry.time), entry.operation, dumped(entry.keys))


def log_of(owner: str, row: Sequence[Any]) -> LogEntry:
    """The entry of a row of ``log`` after the owner."""
    revision, time, operation, keys = row
    return LogEntry(owner, revision, from_micros(time), operation, tuple(json.loads(keys)))
