"""What replaces what: chains of supersession, followed through memories that are out of force themselves."""

from collections.abc import Collection, Iterable

from reminisce.domain.memory import Memory
from reminisce.domain.planning.reading import linked
from reminisce.domain.records import LinkKind
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status

__all__ = ["direct", "is_replaced", "replaced"]


def direct(snapshot: Snapshot, owner: str, keys: Iterable[str], mine: str, other: str) -> set[str]:
    """Keys at the *other* end of the supersessions in which one of *keys* plays *mine*: ``newer`` or ``older``."""
    ends = linked(snapshot, owner, keys, LinkKind.SUPERSESSION, mine, other)
    return {far for found in ends.values() for far in found}


def _chain(snapshot: Snapshot, owner: str, keys: Iterable[str], mine: str, other: str) -> set[str]:
    ring = set(keys)
    seen = set(ring)
    found: set[str] = set()
    while ring:
        ring = direct(snapshot, owner, ring, mine, other) - seen
        seen |= ring
        found |= ring
    return found


def is_replaced(snapshot: Snapshot, owner: str, key: str, gone: Collection[str] = ()) -> bool:
    """Whether something active, at any distance, stands in the place of *key*; what is in *gone* no longer counts."""
    newer = snapshot.memories(owner, _chain(snapshot, owner, [key], "older", "newer"))
    return any(memory.status is Status.ACTIVE and memory.key not in gone for memory in newer.values())


def replaced(snapshot: Snapshot, owner: str, keys: Iterable[str]) -> dict[str, Memory]:
    """The active memories in whose place one of *keys* stands, at any distance, those among *keys* not counted."""
    older = snapshot.memories(owner, sorted(_chain(snapshot, owner, keys, "newer", "older")))
    return {key: memory for key, memory in sorted(older.items()) if memory.status is Status.ACTIVE}
