"""What of a memory may be shown, once `visibility` has said in which form."""

import attrs

from reminisce.domain.memory import Memory
from reminisce.domain.visibility import Form

__all__ = ["shown"]


def shown(memory: Memory, form: Form) -> Memory:
    """
    *memory* as it may be shown in *form*.

    A surface replaces the content; facets go with the content they describe. What remains is structure: key, times, sources,
    basis, tier and status.
    """
    if form is Form.WHOLE:
        return memory
    return attrs.evolve(memory, given=attrs.evolve(memory.given, content=memory.given.surface or "", facets=()))
