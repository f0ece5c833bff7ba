"""Verbs on time passing."""

from typing import Any

from reminisce.app.cli.options import COMMON, Common, Length
from reminisce.app.cli.outcome import Outcome

__all__ = ["consolidate", "prune", "reinforce"]


def _said(**options: object) -> dict[str, Any]:
    """What the caller said; the rest is for the library to choose."""
    return {name: value for name, value in options.items() if value is not None}


def reinforce(key: str, *, common: Common = COMMON) -> Outcome:
    """
    Count a use of a memory.

    Args:
        key: Its key.
    """
    with common.mine() as owner:
        return Outcome(owner.reinforce(key), common.json)


def consolidate(
    *, until: str | None = None, half_life: Length = None, threshold: float | None = None, common: Common = COMMON
) -> Outcome:
    """
    Bring every memory's salience up to date: faded by time, raised by uses.

    Args:
        until: To this time instead of now.
        half_life: How long until half of a salience is gone: seconds, or such as 12h or 30d (the default); 0 is never.
        threshold: From 0 to 1: what falls below it is forgotten, too (default 0).
    """
    with common.mine() as owner:
        return Outcome(owner.consolidate(until, **_said(half_life=half_life, threshold=threshold)), common.json)


def prune(
    *, half_life: Length = None, threshold: float | None = None, dry_run: bool = False, common: Common = COMMON
) -> Outcome:
    """
    Forget the memories whose salience time has left below a threshold.

    Args:
        half_life: How long until half of a salience is gone: seconds, or such as 12h or 30d (the default); 0 is never.
        threshold: From 0 to 1 (default 0.05); 0 prunes nothing.
        dry_run: Only list what would go.
    """
    with common.mine() as owner:
        return Outcome(owner.prune(**_said(half_life=half_life, threshold=threshold), dry_run=dry_run), common.json)
