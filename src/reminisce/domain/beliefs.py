"""
Where a belief stands in valid time among the others of its kind: the one rule of `docs/beliefs.md`.

Of one subject and a one-valued attribute, beliefs are ordered by when they start to hold; each holds until its own end, or
until the next one starts, whichever is first; of two that start at once the one said later stands. Of a many-valued
attribute the same is true of each value by itself.
"""

import datetime as dt
from collections.abc import Container, Iterable, Sequence
from enum import StrEnum
from typing import Final

import attrs

from reminisce.domain.records import Event, Standing
from reminisce.domain.values import Status

__all__ = ["COUNTED", "Outcome", "Placing", "counted", "holds_at", "overlapping", "placed", "stated_end"]

COUNTED: Final = frozenset({Status.ACTIVE, Status.SUPERSEDED})
"""What was forgotten, waits for review or was rejected takes no place in time."""


class Outcome(StrEnum):
    """What became of something believed."""

    NEW = "new"
    """It stands, and no other had to give way."""

    REINFORCED = "reinforced"
    """The same value was believed for that time already."""

    SUPERSEDED = "superseded"
    """It stands, and ended another."""

    HISTORY = "history"
    """It was true earlier: another stands after it by now."""


def holds_at(valid_from: dt.datetime | None, valid_to: dt.datetime | None, time: dt.datetime) -> bool:
    """Whether a half-open interval of valid time holds *time*; None leaves an end open."""
    return (valid_from is None or valid_from <= time) and (valid_to is None or time < valid_to)


def counted(lines: Iterable[Standing]) -> list[Standing]:
    """Those that take a place in time: in force or once in force, and not ended before they started."""
    return [
        line
        for line in lines
        if line.status in COUNTED
        and (line.valid_to is None or line.valid_from is None or line.valid_from < line.valid_to)
    ]


@attrs.frozen
class Placing:
    """Where a belief comes to stand, and what gives way to it."""

    valid_to: dt.datetime | None
    status: Status
    """``active``, or ``superseded`` where another stands after it and its own time is past."""

    changed: tuple[Standing, ...]
    """Others as they are from now on, those that change."""

    followed: tuple[str, ...]
    """Keys of those that it ended, and stands behind."""


def _start(line: Standing) -> dt.datetime:
    assert line.valid_from is not None  # noqa: S101 (a fact always says from when, in force)
    return line.valid_from


def placed(
    others: Sequence[Standing],
    valid_from: dt.datetime,
    valid_to: dt.datetime | None,
    now: dt.datetime,
    *,
    said_later: Container[str] = (),
    yields: bool = False,
) -> Placing:
    """
    Place a belief that holds from *valid_from* to *valid_to* among *others*, whose intervals do not overlap.

    Args:
        others: Of the same owner, subject and attribute; of a many-valued one also of the same value.
        now: The commit's time: what has ended by then is superseded, what ends later is live until then.
        said_later: Keys of those that were said after it: of two that start at once, such a one stands.
        yields: It takes only what room there is, and ends nothing.
    """
    standing = counted(others)
    covering = [
        line for line in standing if _start(line) <= valid_from and holds_at(line.valid_from, line.valid_to, valid_from)
    ]
    if any(yields or (line.key in said_later and _start(line) == valid_from) for line in covering):
        return Placing(valid_from, Status.SUPERSEDED, (), ())
    later = min((_start(line) for line in standing if _start(line) > valid_from), default=None)
    end = min((time for time in (valid_to, later) if time is not None), default=None)
    latest = max([valid_from, *map(_start, standing)])
    changed = []
    for line in () if yields else standing:
        until = valid_from if line in covering else line.valid_to
        gone = until is not None and until <= now and latest > _start(line)
        # One that starts at the same time never holds at all.
        status = Status.SUPERSEDED if gone or until == line.valid_from else line.status
        if (until, status) != (line.valid_to, line.status):
            changed.append(line._replace(valid_to=until, status=status))
    past = end is not None and end <= now and later is not None
    status = Status.SUPERSEDED if past else Status.ACTIVE
    return Placing(end, status, tuple(changed), tuple(line.key for line in covering))


def stated_end(history: Iterable[Event]) -> dt.datetime | None:
    """The end that a memory had before anything ended it; None for none."""
    ends = [event.valid_to for event in history]
    return None if None in ends else max((end for end in ends if end is not None), default=None)


def overlapping(
    others: Iterable[Standing], value: str, valid_from: dt.datetime, valid_to: dt.datetime | None
) -> tuple[Standing, dt.datetime, dt.datetime | None] | None:
    """
    The belief that says the same already of some of that time, and from when to when it holds once this is added to it.

    Args:
        others: As for `placed`; any values.
        value: Folded.
    """
    standing = counted(others)
    differing = [_start(line) for line in standing if line.value != value and _start(line) > valid_from]
    end = min((time for time in (valid_to, *differing) if time is not None), default=None)
    same = sorted((line for line in standing if line.value == value), key=_start)
    for line in same:
        begins_before_our_end = end is None or _start(line) < end
        ends_after_our_start = line.valid_to is None or valid_from < line.valid_to
        if begins_before_our_end and ends_after_our_start:
            next_ = min((_start(other) for other in standing if _start(other) > _start(line)), default=None)
            longest = None if end is None or line.valid_to is None else max(end, line.valid_to)
            until = min((time for time in (longest, next_) if time is not None), default=None)
            return line, min(valid_from, _start(line)), until
    return None
