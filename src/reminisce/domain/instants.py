"""Times as whole microseconds since 1970, UTC: exact, and what stores and indexes keep."""

import datetime as dt
from typing import Final

__all__ = ["from_micros", "micros"]

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICRO: Final = dt.timedelta(microseconds=1)


def micros(time: dt.datetime) -> int:
    """Microseconds since 1970; negative before."""
    return (time - _EPOCH) // _MICRO


def from_micros(count: int) -> dt.datetime:
    """The time, in UTC, of `micros`."""
    return _EPOCH + count * _MICRO
