"""Who sees what: one function, used by recall, why, every write that names a memory, and egress."""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum

import attrs

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
    """Who is asking and where the text would go. Both fixed when a face starts."""

    audience: str | None = None
    """None: the owner itself, which sees all of its own."""

    destination: Destination = Destination.LOCAL


OWNER_ITSELF = Viewer()
"""The owner, on its own machine: sees everything of its own, whole."""


def form_seen(
    viewer: Viewer,
    tier: Tier,
    subjects: Collection[str],
    audiences_of: Callable[[str], Iterable[str]],
    surface: bool,
    *,
    erased: bool = False,
) -> Form | None:
    """
    The form in which *viewer* sees a memory, or None where it must answer like one that does not exist.

    Args:
        tier: In force.
        subjects: In force.
        audiences_of: A subject's consent as it stands now; empty for one without.
        surface: Whether the memory has a surface text.
        erased: Whether its words were erased. Without a subject nobody is left who could consent: the owner alone sees it.
    """
    if viewer.audience is not None and erased and not subjects:
        return None
    if viewer.audience is not None and not all(viewer.audience in audiences_of(ref) for ref in subjects):
        return None
    if viewer.destination is Destination.LOCAL or tier is Tier.OPEN:
        return Form.WHOLE
    return Form.SURFACE if tier is Tier.REDACTED and surface else None


def form_of(memory: Memory | Outline, viewer: Viewer, subjects: Mapping[str, Subject]) -> Form | None:
    """`form_seen` for one memory; *subjects* holds at least its own."""
    return form_seen(
        viewer,
        memory.tier,
        memory.subjects,
        lambda ref: subjects[ref].audiences if ref in subjects else (),
        memory.surface is not None,
        erased=memory.status is Status.WITHDRAWN,
    )
