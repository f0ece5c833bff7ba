"""Out of recall and back: forget and reinstate."""

from collections.abc import Sequence
from typing import Final

import attrs

from reminisce.domain.beliefs import COUNTED, stated_end
from reminisce.domain.memory import Memory
from reminisce.domain.planning.effects import Effects, ended_by_what_replaces, foresee, group
from reminisce.domain.planning.keeping import come_into_force, twin_of
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import named_memories, visible_memories
from reminisce.domain.planning.supersession import direct, is_replaced
from reminisce.domain.records import Event
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Viewer
from reminisce.errors import StatusError

__all__ = ["FORGET_BY_IMPORT", "Forgotten", "Reinstated", "plan_forget", "plan_reinstate"]

FORGET_BY_IMPORT: Final = "forget by import"
"""The operation's name in histories where a document no longer holds a section: what comes back there, comes back here."""


@attrs.frozen
class Forgotten:
    """What a forget did, or of a dry run would do."""

    forgotten: tuple[str, ...]
    """Keys that went out of recall now, in the order asked."""

    unchanged: tuple[str, ...]
    """Keys that were out already."""

    left_superseded: tuple[str, ...]
    """
    Keys that stay superseded, or of beliefs that stay ended, although what did that is gone: `reinstate` brings one back.
    Sorted.
    """

    revision: int
    """The owner's revision after the call."""

    dry_run: bool = False
    """True: nothing was written."""


@attrs.frozen
class Reinstated:
    """What a reinstate did."""

    key: str
    """The memory asked for, or the active twin that it repeats."""

    changed: bool
    status: Status
    """What that memory is now: superseded again, when it was so before it was forgotten or has been replaced since."""
    revision: int
    """The owner's revision after the call."""


_STANDS: Final = "what stands in its place, or follows it, is in force; forget that first"


def retire(
    book: Notebook, memories: Sequence[Memory], reason: str | None, *, of_caller: bool = True
) -> tuple[str, ...]:
    """
    Take memories that are in force, or were, out of recall. Gives their keys.

    Args:
        of_caller: The reason is a caller's: words about whom the memory is about.
    """
    for memory in memories:
        if reason is not None and of_caller:
            book.rely_on(memory.subjects)
        book.become(memory, reason, status=Status.RETIRED)
    return tuple(memory.key for memory in memories)


def left_superseded(snapshot: Snapshot, owner: str, viewer: Viewer, going: Sequence[Memory]) -> tuple[str, ...]:
    """What *viewer* may see of the memories that stay superseded, or ended in time, when *going* are gone. Sorted."""
    gone = {memory.key for memory in going}
    left = {key for key in _next_behind(snapshot, owner, gone) if not is_replaced(snapshot, owner, key, gone)}
    for memory in going:
        left |= _ended_by(snapshot, memory) - gone
    return tuple(sorted(visible_memories(snapshot, owner, viewer, sorted(left))))


def _next_behind(snapshot: Snapshot, owner: str, gone: set[str]) -> set[str]:
    """The first superseded memories behind *gone*, past what was forgotten itself: what would come back in its place."""
    found, ring, seen = set[str](), set(gone), set(gone)
    while ring:
        ahead = snapshot.memories(owner, sorted(direct(snapshot, owner, sorted(ring), "newer") - seen))
        seen.update(ahead)
        found |= {key for key, memory in ahead.items() if memory.status is Status.SUPERSEDED}
        ring = {key for key, memory in ahead.items() if memory.status is Status.RETIRED}
    return found


def _ended_by(snapshot: Snapshot, memory: Memory) -> set[str]:
    """The beliefs that end where *memory* starts."""
    if memory.fact is None:
        return set()
    others = group(snapshot, memory)
    return {line.key for line in others if line.status in COUNTED and line.valid_to == memory.valid_from}


def plan_forget(
    snapshot: Snapshot,
    owner: str,
    keys: Sequence[str],
    *,
    viewer: Viewer,
    occasion: Occasion,
    reason: str | None = None,
    found: bool = False,
    dry_run: bool = False,
    operation: str = "forget",
) -> Plan[Forgotten]:
    """
    Take memories out of recall, words kept. All or nothing; forgetting twice forgets once.

    Args:
        found: The keys were found by a search, not named: those that are no longer active are passed over.
        dry_run: Only tell what would happen.
        operation: What histories call it.

    Raises:
        NotFoundError: One is not there, or may not be seen.
        StatusError: One waits for review, was rejected, or its words were erased.
    """
    book = Notebook(snapshot, owner, operation, occasion)
    if found:
        seen = visible_memories(snapshot, owner, viewer, keys)
        named = {key: seen[key] for key in keys if key in seen and seen[key].status is Status.ACTIVE}
    else:
        named = dict(named_memories(snapshot, owner, viewer, keys, "keys"))
    for memory in named.values():
        if memory.status not in (Status.ACTIVE, Status.SUPERSEDED, Status.RETIRED):
            raise StatusError("keys", memory.status, "only what is active or superseded can be forgotten")
    going = [memory for memory in named.values() if memory.status is not Status.RETIRED]
    forgotten = tuple(memory.key for memory in going)
    if not dry_run:
        retire(book, going, reason)
    unchanged = tuple(key for key, memory in named.items() if memory.status is Status.RETIRED)
    left = left_superseded(snapshot, owner, viewer, going)
    return book.plan(Forgotten(forgotten, unchanged, left, book.reached, dry_run))


def _stated(memory: Memory, history: Sequence[Event]) -> Memory:
    """A memory with the validity that it had before anything ended it."""
    return attrs.evolve(memory, valid_to=stated_end(history))


def _returning(book: Notebook, memory: Memory, history: Sequence[Event]) -> Effects:
    """
    What happens when a memory that is out of force comes back.

    Raises:
        StatusError: What stands in its place, or after it, is still there.
    """
    is_out = is_replaced(book.desk, book.owner, memory.key)
    if memory.status is Status.SUPERSEDED:
        if is_out:
            raise StatusError("key", memory.status, _STANDS)
        effects = foresee(book, _stated(memory, history))
        if effects.later:
            raise StatusError("key", memory.status, _STANDS)
        return effects
    # Undoing a forget gives back what was forgotten, and that may have been a memory already superseded.
    was_out = any(event.status is Status.SUPERSEDED for event in history[:-1][-1:])
    status = Status.SUPERSEDED if is_out or was_out else Status.ACTIVE
    if is_out and not was_out:
        memory = ended_by_what_replaces(book, memory)
    # What was out of force takes the room that is left: it has no say over what is in force.
    effects = foresee(book, memory, status=status, yields=status is Status.SUPERSEDED)
    if effects.later and effects.memory.valid_to == memory.valid_to and not _came_between(book, memory, history):
        # What had ended by itself, unnoticed, is as unnoticed as before.
        effects = attrs.evolve(effects, memory=attrs.evolve(effects.memory, status=status))
    return effects


def _came_between(book: Notebook, memory: Memory, history: Sequence[Event]) -> bool:
    """Whether anything was believed of the same since *memory* was forgotten."""
    fact = memory.fact
    assert fact is not None  # noqa: S101 (only a belief stands before another)
    lines = book.desk.facts(book.owner, fact.subject, attribute=fact.attribute)
    others = book.desk.memories(book.owner, [line.key for line in lines])
    return any(other.revision > history[-1].revision for other in others.values())


def plan_reinstate(snapshot: Snapshot, owner: str, key: str, *, viewer: Viewer, occasion: Occasion) -> Plan[Reinstated]:
    """
    Undo a forget, or bring back what is left superseded. By the same sameness and belief rules as a write.

    A memory that superseded others supersedes them again; a belief takes its place in time again. One that the library
    named, and whose twin of that kind is active, is answered with that twin.

    Raises:
        NotFoundError: It is not there, or may not be seen.
        StatusError: Its superseder is active, it waits for review, was rejected, or its words were erased.
    """
    book = Notebook(snapshot, owner, "reinstate", occasion)
    memory = named_memories(snapshot, owner, viewer, [key], "key")[key]
    if memory.status not in (Status.ACTIVE, Status.RETIRED, Status.SUPERSEDED):
        raise StatusError("key", memory.status, "only what was forgotten or superseded can be reinstated")
    history = snapshot.history(owner, [key]).get(key, ())
    if memory.status is Status.ACTIVE:
        effects = foresee(book, _stated(memory, history))
        if effects.memory.valid_to == memory.valid_to or effects.later:
            return book.plan(Reinstated(key, False, memory.status, book.seen))
        # Its end was that of something that is gone.
        come_into_force(book, memory, effects)
        return book.plan(Reinstated(key, True, memory.status, book.reached))
    effects = _returning(book, memory, history)
    if effects.memory.status is Status.ACTIVE:
        # A twin that the host named may have been there when this was forgotten: undoing that must give back what was.
        same = twin_of(snapshot, memory, unnamed=True)
        if same is not None:
            # To a caller that may not see it, it has no name.
            told = same if visible_memories(snapshot, owner, viewer, [same.key]) else memory
            return book.plan(Reinstated(told.key, False, told.status, book.seen))
    come_into_force(book, memory, effects)
    return book.plan(Reinstated(key, True, effects.memory.status, book.reached))
