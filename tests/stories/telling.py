"""How stories are told: by days, and by what is believed on them."""

import datetime as dt
from typing import Any

from reminisce import Owner, Status
from tests.unit.app.worlds import World

__all__ = ["at", "on", "status", "values"]


def on(day: str) -> dt.datetime:
    """A day, or a day and a time, in UTC."""
    return dt.datetime.fromisoformat(day).replace(tzinfo=dt.UTC)


def at(world: World, day: str) -> None:
    """Let it be that day."""
    world.clock.time = on(day)


def values(owner: Owner, subject: str, **options: Any) -> list[str]:
    """What is believed of somebody."""
    return [belief.value for belief in owner.beliefs(subject, **options)]


def status(owner: Owner, key: str) -> Status:
    """What a memory is now."""
    return owner.why(key).memory.status
