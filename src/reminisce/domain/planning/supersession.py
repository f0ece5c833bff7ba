"""What replaces what: chains of supersession, followed through memories that are out of force themselves."""

from collections.abc import Collection, Iterable
from typing import Final

from reminisce.domain.memory import Memory
from reminisce.domain.planning.desk import Ground
from reminisce.domain.planning.reading import linked
from reminisce.domain.records import LinkKind
from reminisce.domain.values import Status

__all__ = ["NEVER_IN_FORCE", "behind", "direct", "is_replaced", "replaced", "replacing"]


def direct(
    ground: Ground, owner: str, keys: Iterable[str], mine: str, kind: LinkKind = LinkKind.SUPERSESSION
) -> set[str]:
    """Keys at the other end of the supersessions in which one of *keys* plays *mine*: ``newer`` or ``older``."""
    return {far for found in linked(ground, owner, keys, kind, mine).values() for far in found}


NEVER_IN_FORCE: Final = frozenset({Status.HELD, Status.REJECTED})
"""What has this status stands in no place yet, or never did: no chain reaches through it."""


def _chain(
    ground: Ground, owner: str, keys: Iterable[str], mine: str, closed: Collection[Status] = NEVER_IN_FORCE
) -> dict[str, Memory]:
    """The memories at the other end of supersessions, at any distance, reached through none whose status is in *closed*."""
    ring = set(keys)
    seen = set(ring)
    found: dict[str, Memory] = {}
    while ring:
        ahead = ground.memories(owner, sorted(direct(ground, owner, sorted(ring), mine) - seen))
        seen.update(ahead)
        found.update(ahead)
        ring = {key for key, memory in ahead.items() if memory.status not in closed}
    return found


def replacing(ground: Ground, owner: str, key: str) -> list[Memory]:
    """What stands active in the place of *key*, at any distance."""
    return [m for m in _chain(ground, owner, [key], "older").values() if m.status is Status.ACTIVE]


def is_replaced(ground: Ground, owner: str, key: str, gone: Collection[str] = ()) -> bool:
    """Whether something active, at any distance, stands in the place of *key*; what is in *gone* no longer counts."""
    return any(memory.key not in gone for memory in replacing(ground, owner, key))


def behind(ground: Ground, owner: str, keys: Iterable[str]) -> dict[str, Memory]:
    """The memories in whose place one of *keys* stands, at any distance, whatever their status."""
    return _chain(ground, owner, keys, "newer")


def replaced(ground: Ground, owner: str, keys: Iterable[str]) -> dict[str, Memory]:
    """The active memories in whose place one of *keys* stands, at any distance, those among *keys* not counted."""
    # Nothing active stands behind something active.
    older = _chain(ground, owner, keys, "newer", NEVER_IN_FORCE | {Status.ACTIVE})
    return {key: memory for key, memory in sorted(older.items()) if memory.status is Status.ACTIVE}
