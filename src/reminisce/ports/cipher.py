"""The Cipher port: how words are sealed, so that only who has the key reads them."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, Protocol

__all__ = ["KEY_BYTES", "Cipher"]

KEY_BYTES: Final = 32
"""Bytes of every key."""


class Cipher(Protocol):
    """
    Seals bytes and opens them again. It knows neither memories nor files, and keeps nothing.

    Guarantees: what opens is what was sealed, whole and unchanged, or nothing opens. Any number of threads may use one
    cipher. A key that is not `KEY_BYTES` long is a mistake of the caller: `ValueError`.
    """

    def fresh_key(self) -> bytes:
        """Draw a new random key."""
        ...

    def combined(self, keys: Collection[bytes], /) -> bytes:
        """
        One key that takes all of *keys* to make, so that losing any one of them is losing it.

        Neither their order nor a repeat matters. The combined key of a single key is another key than that one.

        Raises:
            ValueError: There are none.
        """
        ...

    def seal(self, key: bytes, text: bytes, *, about: bytes) -> bytes:
        """
        Seal *text*. Equal key, text and *about* give equal bytes, and who sees two of them learns no more than that.

        Args:
            about: What it is, such as record and field, not kept: whoever opens must say the same. May be empty.

        Returns:
            40 bytes more than *text*.
        """
        ...

    def open(self, key: bytes, sealed: bytes, *, about: bytes) -> bytes:
        """
        Open what `seal` made, given the same key and *about*.

        Raises:
            SealBrokenError: Another key or *about*, or a changed byte.
        """
        ...

    def lock(self, passphrase: str, plain: Iterable[bytes], /) -> Iterator[bytes]:
        """
        Seal a file of any size under a passphrase, a piece at a time; each time other bytes.

        Args:
            passphrase: At least 12 characters.
            plain: The file in pieces of any size. Read as the answer is, never far ahead.

        Raises:
            InvalidError: The passphrase is too short or cannot be written as UTF-8. Raised by the call itself.
        """
        ...

    def unlock(self, passphrase: str, locked: Iterable[bytes], /) -> Iterator[bytes]:
        """
        Open what `lock` made.

        **No piece may be used for good before the iteration has ended without an error**: the end may be missing.

        Args:
            locked: The sealed file in pieces of any size.

        Raises:
            SealUnknownError, SealTooNewError: Told by the first bytes, before the passphrase is looked at.
            SealBrokenError: Wrong passphrase or a changed byte, which cannot be told apart, or bytes after the end.
            SealCutError: It ends too early.
        """
        ...
