"""The system's clock."""

import datetime as dt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reminisce.ports.clock import Clock

__all__ = ["SystemClock"]


class SystemClock:
    """The machine's wall clock, in UTC whatever zone the process lives in."""

    def now(self) -> dt.datetime:
        return dt.datetime.now(dt.UTC)  # noqa: TID251 (this is the adapter that may)


if TYPE_CHECKING:
    _check: type[Clock] = SystemClock
