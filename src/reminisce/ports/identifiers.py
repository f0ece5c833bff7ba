"""The Identifiers port: names that were never used before."""

from typing import Protocol

__all__ = ["Identifiers"]


class Identifiers(Protocol):
    """Draws fresh names. Drawn once a request, so that planning again changes nothing."""

    def key(self) -> str:
        """A key for a memory: ``m_`` and 26 characters of base32 in lower case, 130 bits. It need not be secret."""
        ...

    def commit(self) -> str:
        """An id for a commit: 32 hexadecimal digits, 128 bits."""
        ...
