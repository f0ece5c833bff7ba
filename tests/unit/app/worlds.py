"""One store, one clock, and as many services over them as a test needs: each stands for a process of its own."""

import datetime as dt
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import define, field

from reminisce import Allow, Face, Memories, Memory, Owner, Policy, Recalled, Store
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock
from reminisce.testing.writing import ALICE

__all__ = ["Deciding", "World", "contents", "day"]

APART = 1_000_000
"""Names that one service may draw before it meets those of the next."""


def day(number: float) -> dt.datetime:
    """So many days after the clock starts."""
    return NOON + dt.timedelta(days=number)


def contents(found: Recalled) -> list[str]:
    """The texts of an answer, best first."""
    return [hit.memory.content for hit in found]


@define
class World:
    """A store and the time."""

    store: Store
    clock: FixedClock = field(factory=FixedClock)
    _opened: int = 0

    def memories(self, *, face: dict[str, Any] | None = None, **options: Any) -> Memories:
        """
        A service over the store.

        Args:
            face: What is fixed for it, as `Face` takes it.
            options: What `Memories` takes beside its ports.
        """
        self._opened += 1
        return Memories(
            self.store,
            analyser=DefaultAnalyser(),
            clock=self.clock,
            identifiers=CountingIdentifiers(self._opened * APART),
            face=Face(**(face or {})),
            **options,
        )

    def owner(self, name: str = ALICE, *, face: dict[str, Any] | None = None, **options: Any) -> Owner:
        """An owner, through a service of its own."""
        return self.memories(face=face, **options).owner(name)

    def through(self, store: Store) -> "World":
        """The same world by way of *store*, which passes on to the one that is there."""
        return World(store, self.clock, self._opened + 100)

    def wait(self, days: float) -> dt.datetime:
        """Let time pass. Gives what it is then."""
        self.clock.time += dt.timedelta(days=days)
        return self.clock.time


@define
class Deciding:
    """A policy that a test decides for, and what it was asked. Deciding nothing allows."""

    decide: Callable[[Memory], Any] = lambda _: None
    asked: list[Memory] = field(factory=list)

    def check(self, owner: str, memory: Memory, /) -> Any:
        self.asked.append(memory)
        verdict = self.decide(memory)
        return Allow() if verdict is None else verdict


if TYPE_CHECKING:
    _check: type[Policy] = Deciding
