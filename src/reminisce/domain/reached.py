"""Whether a withdrawal reached a memory."""

from typing import Final

from reminisce.domain.memory import Cause, Memory
from reminisce.domain.planning.reading import Shown, linked, visible_outlines
from reminisce.domain.records import LinkKind, SubjectState
from reminisce.domain.values import Status
from reminisce.domain.visibility import Viewer

__all__ = ["withdrawal_of"]


_REACHED: Final = frozenset({Cause.WITHDRAWAL, Cause.PURGE})
"""What goes on to everything derived: a withdrawal. Other erasures reach only what they name."""


def withdrawal_of(ground: Shown, owner: str, viewer: Viewer, memory: Memory) -> str:
    """
    ``none``; ``complete``, also when it was erased by name; ``incomplete`` while a withdrawal is on its way, or where
    something derived from words that are gone still has its own; ``purged`` when the subject is gone, too.
    """
    subjects = ground.subjects(memory.subjects).values()
    # Openings of two subjects may have one number.
    under_way = {
        (subject.ref, subject.withdrawals[-1].opening)
        for subject in subjects
        if subject.state is SubjectState.WITHDRAWING
    }
    by = memory.erased
    if by is None:
        parents = ground.memories(owner, memory.derived_from).values()
        left = any(parent.erased is not None and parent.erased.cause in _REACHED for parent in parents)
        return "incomplete" if under_way or left else "none"
    if by.cause not in _REACHED:
        return "complete"
    if (by.subject, by.opening) in under_way:
        return "incomplete"
    children = linked(ground, owner, [memory.key], LinkKind.DERIVATION, "source").get(memory.key, ())
    seen = visible_outlines(ground, owner, viewer, children)
    if any(child.status is not Status.WITHDRAWN for child in seen.values()):
        return "incomplete"
    return "purged" if by.cause is Cause.PURGE else "complete"
