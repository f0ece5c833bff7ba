"""The Policy port: what a host wants kept."""

from typing import Protocol

from reminisce.domain.memory import Memory
from reminisce.domain.policy import Verdict

__all__ = ["Policy"]


class Policy(Protocol):
    """
    Judges every memory before it is kept: new, imported, believed, corrected or promoted.

    Guarantees: the same memory gets the same verdict within one request, in which it is asked at most once for a memory as
    it would come into force. Many threads may ask at once. It is never asked on what takes words away. A policy that raises,
    answers something else or takes too long refuses the write.
    """

    def check(self, owner: str, memory: Memory, /) -> Verdict:
        """
        Say whether *owner* may keep *memory*: `Allow()`, `Hold(reason)` until somebody has reviewed it, or `Refuse(code)`.

        The memory has its tier and subjects in force, inherited ones too.
        """
        ...
