"""The only way to a less strict tier."""

import attrs

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.planning.effects import raise_descendants
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import forms_seen, named_memories
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Tier, strictest
from reminisce.domain.visibility import Form, Viewer
from reminisce.errors import NotFoundError

__all__ = ["Reclassified", "plan_reclassify"]


@attrs.frozen
class Reclassified:
    """How far a memory's text may travel after the call."""

    key: str
    tier: Tier
    changed: bool
    revision: int
    """The owner's revision after the call."""


def plan_reclassify(
    snapshot: Snapshot, owner: str, key: str, tier: Tier, *, viewer: Viewer, occasion: Occasion
) -> Plan[Reclassified]:
    """
    Set a memory's tier. A stricter one is handed on to all that comes from it; a less strict one is this memory's alone.

    Raises:
        NotFoundError: It is not there, or may not be seen; whole, for a less strict tier.
    """
    book = Notebook(snapshot, owner, "reclassify", occasion)
    memory = named_memories(snapshot, owner, viewer, [key], "key")[key]
    if memory.tier is tier:
        return book.plan(Reclassified(key, tier, False, book.seen))
    stricter = strictest((memory.tier, tier)) is tier
    if not stricter and forms_seen(snapshot, viewer, [memory])[key] is not Form.WHOLE:
        # Whoever sees a surface would lay open what is behind it.
        raise NotFoundError("key")
    book.become(memory, tier=tier)
    if stricter:
        raise_descendants(book, key, tier, ())
    # Pages that were begun before stand on who could see what.
    book.advance(Fence(FenceKind.CONSENTS))
    return book.plan(Reclassified(key, tier, True, book.reached))
