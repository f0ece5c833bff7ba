"""What of a memory may be shown, once `visibility` has said in which form."""

from collections.abc import Container

import attrs

from reminisce.domain.memory import Attributes, Memory
from reminisce.domain.visibility import Form

__all__ = ["holds_text", "shown", "shown_attributes"]


def shown(memory: Memory, form: Form, seen: Container[str] | None = None) -> Memory:
    """
    *memory* as it may be shown in *form*.

    Args:
        seen: Keys that the viewer may see among those it comes from; others are left out. None: all of them.

    A surface replaces the content; facets and fact go with the content they describe. What remains is structure: key,
    times, sources, basis, tier and status.
    """
    given = memory.given
    if seen is not None:
        given = attrs.evolve(
            given,
            derived_from=tuple(key for key in given.derived_from if key in seen),
            supersedes=tuple(key for key in given.supersedes if key in seen),
        )
    given = shown_attributes(given, form)
    return memory if given is memory.given else attrs.evolve(memory, given=given)


def shown_attributes(given: Attributes, form: Form) -> Attributes:
    """What was given of a memory, as it may be shown in *form*."""
    if form is Form.WHOLE:
        return given
    return attrs.evolve(given, content=given.surface or "", facets=(), fact=None)


def holds_text(memory: Memory, form: Form, text: str) -> bool:
    """Whether *text* stands, letter by letter, in what of *memory* may be shown in *form*."""
    memory = shown(memory, form)
    fact = () if memory.fact is None else attrs.astuple(memory.fact)
    facets = (part for facet in memory.facets for part in facet)
    return any(text in words for words in (memory.content, memory.surface or "", *facets, *fact, *memory.sources))
