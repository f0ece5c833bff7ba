"""The Keyholder port: where a machine keeps its keys."""

from typing import Protocol

__all__ = ["Keyholder"]


class Keyholder(Protocol):
    """
    Keeps keys of 32 bytes under names, for this user alone.

    Guarantees: what `add` or `put` has returned from survives the death of the process, and a kill during either leaves the
    name as it was or as it was to be. Names are hexadecimal digits and dots.

    Every call may raise `ConfigurationError` (there is no such place here), `StoreUnreadableError` (it answers, but not with
    a key) or `StoreUnavailableError` (it is locked or busy: trying again may work).
    """

    def get(self, name: str, /) -> bytes | None:
        """The key of that name; None when certainly none is there."""
        ...

    def add(self, name: str, key: bytes, /) -> bytes:
        """Keep *key* unless the name has one already, which then stays. Returns the one that is kept."""
        ...

    def drop(self, name: str, /) -> None:
        """Forget the key of that name. Nothing happens when there is none."""
        ...

    def place(self, name: str, /) -> str:
        """Where it is or would be, for people."""
        ...

    def complaints(self, name: str, /) -> list[str]:
        """What is wrong with how it is kept, a sentence each."""
        ...
