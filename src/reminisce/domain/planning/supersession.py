"""What replaces what: chains of supersession, followed through memories that are out of force themselves."""

from collections.abc import Collection, Iterable

from reminisce.domain.memory import Memory
from reminisce.domain.planning.desk import Ground
from reminisce.domain.planning.reading import linked
from reminisce.domain.records import LinkKind
from reminisce.domain.values import Status

__all__ = ["direct", "is_replaced", "replaced"]


def direct(
    ground: Ground, owner: str, keys: Iterable[str], mine: str, kind: LinkKind = LinkKind.SUPERSESSION
) -> set[str]:
    """Keys at the other end of the supersessions in which one of *keys* plays *mine*: ``newer`` or ``older``."""
    return {far for found in linked(ground, owner, keys, kind, mine).values() for far in found}


def _chain(ground: Ground, owner: str, keys: Iterable[str], mine: str) -> set[str]:
    ring = set(keys)
    seen = set(ring)
    found: set[str] = set()
    while ring:
        ring = direct(ground, owner, ring, mine) - seen
        seen |= ring
        found |= ring
    return found


def is_replaced(ground: Ground, owner: str, key: str, gone: Collection[str] = ()) -> bool:
    """Whether something active, at any distance, stands in the place of *key*; what is in *gone* no longer counts."""
    newer = ground.memories(owner, _chain(ground, owner, [key], "older"))
    return any(memory.status is Status.ACTIVE and memory.key not in gone for memory in newer.values())


def replaced(ground: Ground, owner: str, keys: Iterable[str]) -> dict[str, Memory]:
    """The active memories in whose place one of *keys* stands, at any distance, those among *keys* not counted."""
    older = ground.memories(owner, sorted(_chain(ground, owner, keys, "newer")))
    return {key: memory for key, memory in sorted(older.items()) if memory.status is Status.ACTIVE}
