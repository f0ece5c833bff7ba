"""Reinforcement: a use that is counted, or something said again."""

from typing import Any

import attrs

from reminisce.domain.limits import ITEMS
from reminisce.domain.memory import Memory
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import named_memories
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status, strictest
from reminisce.domain.visibility import Viewer
from reminisce.errors import StatusError

__all__ = ["Reinforced", "plan_reinforce", "reinforcement"]


@attrs.frozen
class Reinforced:
    """A memory whose use was counted."""

    key: str
    uses: int
    """How often it was reinforced, this time included."""

    revision: int
    """The owner's revision after the call."""


def reinforcement(held: Memory, again: Memory) -> dict[str, Any]:
    """
    What changes of *held* when *again* says the same: surer, about all of both, as strictly kept, and better sourced, up to
    as many sources as a memory may have.
    """
    more = [source for source in again.sources if source not in held.sources]
    room = max(0, ITEMS["sources"] - len(held.sources))
    return {
        "uses": held.uses + 1,
        "confidence_thousandths": max(held.confidence_thousandths, again.confidence_thousandths),
        "further_sources": (*held.further_sources, *more[:room]),
        "tier": strictest((held.tier, again.tier)),
        "subjects": tuple(sorted({*held.subjects, *again.subjects})),
    }


def plan_reinforce(snapshot: Snapshot, owner: str, key: str, *, viewer: Viewer, occasion: Occasion) -> Plan[Reinforced]:
    """
    Count a use of a memory that is in force.

    Raises:
        NotFoundError: It is not there, or may not be seen.
        StatusError: It is not active.
    """
    book = Notebook(snapshot, owner, "reinforce", occasion)
    memory = named_memories(snapshot, owner, viewer, [key], "key")[key]
    if memory.status is not Status.ACTIVE:
        raise StatusError("key", memory.status, "only what is active can be reinforced")
    book.rely_on(memory.subjects)
    book.weigh(memory, uses=memory.uses + 1)
    return book.plan(Reinforced(key, memory.uses + 1, book.reached))
