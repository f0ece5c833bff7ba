"""Plain stand-ins for what is not under test. They keep the promises of their ports."""

import datetime as dt
import itertools
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reminisce.ports.analyser import Analyser
    from reminisce.ports.clock import Clock
    from reminisce.ports.identifiers import Identifiers

__all__ = ["NOON", "CountingIdentifiers", "FixedClock", "PlainAnalyser"]

NOON: Final = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)


class FixedClock:
    """Tells the time it is set to."""

    def __init__(self, time: dt.datetime = NOON) -> None:
        self.time = time

    def now(self) -> dt.datetime:
        return self.time


class CountingIdentifiers:
    """
    Names in order, the same in every run; safe to share between threads.

    Args:
        first: Two processes that write to one store must not count over the same numbers.
    """

    def __init__(self, first: int = 1) -> None:
        self._keys = itertools.count(first)
        self._commits = itertools.count(first)

    def key(self) -> str:
        return f"m_{next(self._keys):026d}"

    def commit(self) -> str:
        return f"{next(self._commits):032x}"


class PlainAnalyser:
    """Words between spaces, in lower case."""

    identity = "plain"

    def terms(self, text: str, /) -> list[str]:
        return [word for word in text.casefold().split() if word >= " "]


if TYPE_CHECKING:
    _clock: type[Clock] = FixedClock
    _identifiers: type[Identifiers] = CountingIdentifiers
    _analyser: type[Analyser] = PlainAnalyser
