"""Who sees what: one function, used by recall, why, every write that names a memory, and egress."""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum

import attrs

from reminisce.domain.masking import NO_MASKS, Masks, surface_of
from reminisce.domain.memory import Memory
from reminisce.domain.records import Outline, Subject
from reminisce.domain.values import Destination, Status, Tier

__all__ = ["OWNER_ITSELF", "Form", "Viewer", "form_of", "form_seen"]


class Form(Enum):
    """In which form a memory may be shown."""

    WHOLE = 0
    """All of it."""

    SURFACE = 1
    """Its surface text in place of content, fact and facets."""


@attrs.frozen
class Viewer:
    """Who is asking and where the text would go. All fixed when a face starts."""

    audience: str | None = None
    """None: the owner itself, which sees all of its own."""

    destination: Destination = Destination.LOCAL
    masks: Masks = NO_MASKS
    """What makes a surface of a redacted memory that was given none. Of no account where nothing leaves."""


OWNER_ITSELF = Viewer()
"""The owner, on its own machine: sees everything of its own, whole."""


def form_seen(
    viewer: Viewer,
    tier: Tier,
    subjects: Collection[str],
    audiences_of: Callable[[str], Iterable[str]],
    surface: Callable[[], bool],
    *,
    erased: bool = False,
) -> Form | None:
    """
    The form in which *viewer* sees a memory, or None where it must answer like one that does not exist.

    Args:
        tier: In force.
        subjects: In force.
        audiences_of: A subject's consent as it stands now; empty for one without.
        surface: Whether the memory has a surface text, given or made by masking. Asked only where that decides.
        erased: Whether its words were erased. Without a subject nobody is left who could consent: the owner alone sees it.
    """
    if viewer.audience is not None and erased and not subjects:
        return None
    if viewer.audience is not None and not all(viewer.audience in audiences_of(ref) for ref in subjects):
        return None
    if viewer.destination is Destination.LOCAL or tier is Tier.OPEN:
        return Form.WHOLE
    return Form.SURFACE if tier is Tier.REDACTED and surface() else None


def form_of(memory: Memory | Outline, viewer: Viewer, subjects: Mapping[str, Subject]) -> Form | None:
    """
    `form_seen` for one memory; *subjects* holds at least its own.

    An outline has no words to mask: of one that was given no surface, ask with the memory where the viewer has masks.
    """

    def surface() -> bool:
        if isinstance(memory, Outline):
            return memory.surface is not None
        return surface_of(memory.given, memory.tier, viewer.masks) is not None

    return form_seen(
        viewer,
        memory.tier,
        memory.subjects,
        lambda ref: subjects[ref].audiences if ref in subjects else (),
        surface,
        erased=memory.status is Status.WITHDRAWN,
    )
