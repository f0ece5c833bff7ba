"""Erase the words of named memories."""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from reminisce.domain.erasure import WORDED
from reminisce.domain.memory import Cause, Erased, Memory
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import linked, named_memories, visible_memories
from reminisce.domain.planning.supersession import NEVER_IN_FORCE
from reminisce.domain.records import Link, LinkKind
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Viewer

__all__ = ["Erasing", "erase_words", "plan_erase"]


@attrs.frozen
class Erasing:
    """What one commit of an erasure did."""

    erased: tuple[str, ...]
    """Keys whose words went."""

    unchanged: tuple[str, ...]
    """Keys whose words were gone already."""

    links: int
    """Contradictions and associations that went with them."""

    derived: tuple[str, ...]
    """Keys derived from these that keep their words and may be seen, sorted."""

    revision: int
    """The owner's revision after the commit."""


def erase_words(snapshot: Snapshot, book: Notebook, memories: Iterable[Memory], by: Erased) -> int:
    """Erase the words of *memories*, and of the links that say something about them. Gives how many links went."""
    memories = list(memories)
    going = _links(snapshot, book.owner, memories, WORDED)
    # What never was in force stands in no place. Its status tells so no longer.
    never = [memory for memory in memories if memory.status in NEVER_IN_FORCE]
    for memory in memories:
        book.erase(memory, by)
    for link in (*going, *_links(snapshot, book.owner, never, [LinkKind.SUPERSESSION])):
        book.drop(link)
    return len(going)


def _links(snapshot: Snapshot, owner: str, memories: Iterable[Memory], kinds: Sequence[LinkKind]) -> list[Link]:
    links = snapshot.links(owner, [memory.key for memory in memories], kinds=kinds)
    return list({link.name: link for touching in links.values() for link in touching}.values())


def plan_erase(
    snapshot: Snapshot, owner: str, keys: Sequence[str], *, viewer: Viewer, occasion: Occasion, found: bool = False
) -> Plan[Erasing]:
    """
    Erase the words of memories, whatever their status. All or nothing; erasing twice erases once.

    Args:
        found: The keys were found, not named: those that are no longer there to be seen are passed over.

    Raises:
        NotFoundError: One is not there, or may not be seen.
    """
    book = Notebook(snapshot, owner, "erase", occasion)
    if found:
        named: Mapping[str, Memory] = visible_memories(snapshot, owner, viewer, keys)
    else:
        named = named_memories(snapshot, owner, viewer, keys, "keys")
    going = [memory for memory in named.values() if memory.status is not Status.WITHDRAWN]
    links = erase_words(snapshot, book, going, Erased(Cause.ERASE))
    children = linked(snapshot, owner, sorted(named), LinkKind.DERIVATION, "source")
    derived = visible_memories(snapshot, owner, viewer, sorted({key for ends in children.values() for key in ends}))
    return book.plan(
        Erasing(
            erased=tuple(memory.key for memory in going),
            unchanged=tuple(key for key, memory in named.items() if memory.status is Status.WITHDRAWN),
            links=links,
            derived=tuple(
                sorted(key for key, far in derived.items() if far.status is not Status.WITHDRAWN and key not in named)
            ),
            revision=book.reached,
        )
    )
