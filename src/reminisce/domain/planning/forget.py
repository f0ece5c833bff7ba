"""Out of recall and back: forget and reinstate."""

import datetime as dt
from collections.abc import Sequence

import attrs

from reminisce.domain.memory import Memory, sameness
from reminisce.domain.planning.plan import Notebook, Plan
from reminisce.domain.planning.reading import named_memories, visible_memories
from reminisce.domain.planning.supersession import direct, is_replaced, replaced
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Viewer
from reminisce.errors import StatusError

__all__ = ["Forgotten", "Reinstated", "plan_forget", "plan_reinstate"]


@attrs.frozen
class Forgotten:
    """What a forget did."""

    forgotten: tuple[str, ...]
    """Keys that went out of recall now, in the order asked."""

    unchanged: tuple[str, ...]
    """Keys that were out already."""

    left_superseded: tuple[str, ...]
    """Keys that stay out of recall although what superseded them is gone: `reinstate` brings one back. Sorted."""

    revision: int
    """The owner's revision after the call."""


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


def plan_forget(
    snapshot: Snapshot,
    owner: str,
    keys: Sequence[str],
    *,
    reason: str | None,
    viewer: Viewer,
    now: dt.datetime,
    actor: str,
    commit_id: str,
) -> Plan[Forgotten]:
    """
    Take memories out of recall, words kept. All or nothing; forgetting twice forgets once.

    Raises:
        NotFoundError: One is not there, or may not be seen.
        StatusError: One waits for review, was rejected, or its words were erased.
    """
    book = Notebook(snapshot, owner, now=now, operation="forget", actor=actor)
    named = named_memories(snapshot, owner, viewer, keys, "keys")
    for memory in named.values():
        if memory.status not in (Status.ACTIVE, Status.SUPERSEDED, Status.RETIRED):
            raise StatusError("keys", memory.status, "only what is active or superseded can be forgotten")
    going = [key for key, memory in named.items() if memory.status is not Status.RETIRED]
    for key in going:
        book.set_status(key, Status.RETIRED, reason)
    older = direct(snapshot, owner, going, "newer", "older") - set(going)
    left = sorted(
        key
        for key, memory in visible_memories(snapshot, owner, viewer, older).items()
        if memory.status is Status.SUPERSEDED and not is_replaced(snapshot, owner, key, going)
    )
    unchanged = tuple(key for key in named if key not in going)
    revision = book.revision if going else book.seen
    return book.plan(Forgotten(tuple(going), unchanged, tuple(left), revision), commit_id)


def _twin(snapshot: Snapshot, memory: Memory) -> Memory | None:
    """
    The active memory that *memory* repeats. One that the host named stands beside its twins, so it is none here: it may
    have been there when *memory* was forgotten, and undoing that must give back what was.
    """
    digest = sameness(memory.given)
    holders = snapshot.holders(memory.owner, [digest]).get(digest, ())
    held = snapshot.memories(memory.owner, holders)
    others = (held[key] for key in holders if key != memory.key)
    return next((other for other in others if other.status is Status.ACTIVE and not other.named), None)


def _returns_to(snapshot: Snapshot, memory: Memory) -> Status:
    if is_replaced(snapshot, memory.owner, memory.key):
        if memory.status is Status.SUPERSEDED:
            raise StatusError("key", memory.status, "what superseded it is active; forget that first")
        return Status.SUPERSEDED
    if memory.status is Status.RETIRED:
        before = [event.status for event in snapshot.history(memory.owner, [memory.key]).get(memory.key, ())][:-1]
        # Undoing a forget gives back what was forgotten, and that may have been a memory already superseded.
        return before[-1] if before else Status.ACTIVE
    return Status.ACTIVE


def plan_reinstate(
    snapshot: Snapshot,
    owner: str,
    key: str,
    *,
    viewer: Viewer,
    now: dt.datetime,
    actor: str,
    commit_id: str,
) -> Plan[Reinstated]:
    """
    Undo a forget, or bring back what is left superseded. By the same sameness rule as a write.

    A memory that superseded others supersedes them again. One that the library named, and whose twin of that kind is active,
    is answered with that twin.

    Raises:
        NotFoundError: It is not there, or may not be seen.
        StatusError: Its superseder is active, it waits for review, was rejected, or its words were erased.
    """
    book = Notebook(snapshot, owner, now=now, operation="reinstate", actor=actor)
    memory = named_memories(snapshot, owner, viewer, [key], "key")[key]
    if memory.status is Status.ACTIVE:
        return book.plan(Reinstated(key, False, memory.status, book.seen), commit_id)
    if memory.status not in (Status.RETIRED, Status.SUPERSEDED):
        raise StatusError("key", memory.status, "only what was forgotten or superseded can be reinstated")
    status = _returns_to(snapshot, memory)
    if status is Status.ACTIVE:
        twin = None if memory.named else _twin(snapshot, memory)
        if twin is not None:
            return book.plan(Reinstated(twin.key, False, twin.status, book.seen), commit_id)
        for found, older in replaced(snapshot, owner, [key]).items():
            book.set_status(found, Status.SUPERSEDED)
            book.rely_on(older.subjects)
    book.rely_on(memory.subjects)
    book.set_status(key, status)
    return book.plan(Reinstated(key, True, status, book.revision), commit_id)
