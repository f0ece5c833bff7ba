"""The Clock port: what time it is."""

import datetime as dt
from typing import Protocol

__all__ = ["Clock"]


class Clock(Protocol):
    """Tells the time. The service reads it once a request and hands it down; it measures no durations."""

    def now(self) -> dt.datetime:
        """The time now, timezone-aware, UTC. May go back: the domain never lets commit times do so."""
        ...
