"""What of a memory may be shown, once `visibility` has said in which form."""

from collections.abc import Container

import attrs

from reminisce.domain.memory import Memory
from reminisce.domain.visibility import Form

__all__ = ["shown"]


def shown(memory: Memory, form: Form, seen: Container[str] | None = None) -> Memory:
    """
    *memory* as it may be shown in *form*.

    Args:
        seen: Keys that the viewer may see among those it comes from; others are left out. None: all of them.

    A surface replaces the content; facets go with the content they describe. What remains is structure: key, times, sources,
    basis, tier and status.
    """
    given = memory.given
    if seen is not None:
        given = attrs.evolve(
            given,
            derived_from=tuple(key for key in given.derived_from if key in seen),
            supersedes=tuple(key for key in given.supersedes if key in seen),
        )
    if form is Form.SURFACE:
        given = attrs.evolve(given, content=given.surface or "", facets=())
    return memory if given is memory.given else attrs.evolve(memory, given=given)
