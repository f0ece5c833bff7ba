"""Review what waits for it."""

import attrs

from reminisce.domain.planning.correct import CORRECTIONS, carry
from reminisce.domain.planning.effects import ended_by_what_replaces, foresee
from reminisce.domain.planning.keeping import come_into_force, twin_of
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import named_memories, visible_memories
from reminisce.domain.planning.supersession import is_replaced
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Viewer
from reminisce.errors import ConsentNarrowedError, ReviewerError, StatusError

__all__ = ["Reviewed", "plan_review"]

REPEATS = "repeats an active memory"
"""The reason of a memory that was approved when another with the same attributes was in force already."""


@attrs.frozen
class Reviewed:
    """What a review did."""

    key: str
    """The memory reviewed, or the active one with the same attributes, where there is one by now."""

    status: Status
    """What that memory is now."""

    superseded: tuple[str, ...]
    """Keys of what gave way to an approval, or ends where it starts. Sorted."""

    revision: int
    """The owner's revision after the call."""


def plan_review(
    snapshot: Snapshot,
    owner: str,
    key: str,
    *,
    approve: bool,
    viewer: Viewer,
    occasion: Occasion,
    reason: str | None = None,
    confirm: bool = False,
) -> Plan[Reviewed]:
    """
    Put a memory that waits in force, by the sameness and belief rules of a write; or reject it.

    Args:
        occasion: Its actor is the reviewer.
        confirm: Approve although a subject has taken back a consent since the memory was held.

    Raises:
        NotFoundError: It is not there, or may not be seen.
        StatusError: It does not wait for review.
        ReviewerError: Another reviewer was named when it was kept.
        ConsentNarrowedError: What it would show is not what its subjects agreed to when it was held.
    """
    book = Notebook(snapshot, owner, "review", occasion)
    memory = named_memories(snapshot, owner, viewer, [key], "key")[key]
    if memory.status is not Status.HELD:
        raise StatusError("key", memory.status, "only what waits for review can be reviewed, and once")
    if memory.reviewer not in (None, occasion.actor):
        raise ReviewerError
    book.rely_on(memory.subjects)
    if not approve:
        book.become(memory, reason, status=Status.REJECTED)
        return book.plan(Reviewed(key, Status.REJECTED, (), book.reached))
    held = snapshot.subjects(memory.subjects)
    if not confirm and any(
        set(memory.agreed).difference(held[ref].audiences) for ref in memory.subjects if ref in held
    ):
        raise ConsentNarrowedError
    same = twin_of(snapshot, memory)
    if same is not None:
        book.become(memory, REPEATS, status=Status.REJECTED)
        seen = visible_memories(snapshot, owner, viewer, [same.key])
        told = (same.key, same.status) if seen else (key, Status.REJECTED)
        return book.plan(Reviewed(*told, (), book.reached))
    history = snapshot.history(owner, [key]).get(key, ())
    corrects = bool(history) and history[0].operation in CORRECTIONS
    corrected = snapshot.memories(owner, memory.supersedes) if corrects else {}
    if any(old.status is not Status.ACTIVE for old in corrected.values()):
        raise StatusError("key", memory.status, "what it corrects is no longer active: correct what is, or reject this")
    status = Status.SUPERSEDED if is_replaced(book.desk, owner, key) else Status.ACTIVE
    as_it_holds = memory if status is Status.ACTIVE else ended_by_what_replaces(book, memory)
    effects = foresee(book, as_it_holds, corrects=corrects, status=status, yields=status is Status.SUPERSEDED)
    come_into_force(book, memory, effects, reason)
    for old in corrected.values():
        carry(snapshot, book, old, effects.memory)
    ended = tuple(sorted(visible_memories(snapshot, owner, viewer, effects.ended)))
    return book.plan(Reviewed(key, effects.memory.status, ended, book.reached))
