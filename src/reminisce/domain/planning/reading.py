"""Memories as a caller may name them: what it may not see is not there."""

from collections.abc import Iterable, Mapping

from reminisce.domain.memory import Memory
from reminisce.domain.records import LinkKind
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.visibility import OWNER_ITSELF, Viewer, form_of
from reminisce.errors import NotFoundError

__all__ = ["linked", "named_memories", "origins_seen", "visible_memories"]


def visible_memories(snapshot: Snapshot, owner: str, viewer: Viewer, keys: Iterable[str]) -> dict[str, Memory]:
    """The owner's memories of those keys that *viewer* may see; the rest is absent, as if it did not exist."""
    found = snapshot.memories(owner, keys)
    subjects = snapshot.subjects({ref for memory in found.values() for ref in memory.subjects})
    return {key: memory for key, memory in found.items() if form_of(memory, viewer, subjects) is not None}


def linked(
    snapshot: Snapshot, owner: str, keys: Iterable[str], kind: LinkKind, mine: str, other: str
) -> dict[str, list[str]]:
    """For each key the keys at the *other* end of its links of *kind* in force in which it plays *mine*, sorted."""
    return {
        key: sorted(
            far
            for link in links
            if link.kind is kind and link.until is None and key in link.role(mine)
            for far in link.role(other)
        )
        for key, links in snapshot.links(owner, keys).items()
    }


def origins_seen(snapshot: Snapshot, owner: str, viewer: Viewer, memories: Iterable[Memory]) -> frozenset[str] | None:
    """Of the keys that *memories* name as what they come from, those that *viewer* may see; None for an owner: all."""
    if viewer == OWNER_ITSELF:
        return None
    keys = {key for memory in memories for key in (*memory.derived_from, *memory.supersedes)}
    return frozenset(visible_memories(snapshot, owner, viewer, keys))


def named_memories(
    snapshot: Snapshot, owner: str, viewer: Viewer, keys: Iterable[str], field: str
) -> Mapping[str, Memory]:
    """
    All of the memories named by a caller.

    Raises:
        NotFoundError: One is not there, or may not be seen. The error names *field*, never the key.
    """
    wanted = dict.fromkeys(keys)
    found = visible_memories(snapshot, owner, viewer, wanted)
    if len(found) < len(wanted):
        raise NotFoundError(field)
    return {key: found[key] for key in wanted}
