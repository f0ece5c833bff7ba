"""Words under subjects' keys: sealed for a backup, opened at a restore."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from reminisce.codec.backup import Sealed
from reminisce.codec.canonical import read, written
from reminisce.codec.parts import Words
from reminisce.ports.cipher import Cipher

__all__ = ["Sealer"]

_TOGETHER: Final = 4096
"""Combined keys that are kept: subjects that are spoken of together mostly come together again soon."""


class Sealer:
    """
    Seals and opens words.

    Args:
        keys: Subjects' keys by id. Looked into at each use, so that it may grow.
    """

    def __init__(self, cipher: Cipher, keys: Mapping[str, bytes]) -> None:
        self.keys = keys
        self._cipher = cipher
        self._combined: Callable[[tuple[str, ...]], bytes] = lru_cache(_TOGETHER)(
            lambda ids: cipher.combined([keys[name] for name in ids])
        )

    def seal(self, ids: tuple[str, ...], words: Words, about: tuple[str, str, str]) -> Sealed:
        """
        Seal words. The same give the same bytes.

        Args:
            ids: Of the keys, sorted. All are needed to open it.
            about: ``memory`` or ``link``, the owner, and the key or name.
        """
        return Sealed(ids, self._cipher.seal(self._combined(ids), written(words), about=_about(about)))

    def open(self, sealed: Sealed, about: tuple[str, str, str]) -> Words:
        """
        Open what `seal` sealed, with keys that are all there.

        Raises:
            SealBrokenError: One is another key, or the words were changed.
            ValueError: What was sealed is not canonical.
        """
        return read(self._cipher.open(self._combined(sealed.keys), sealed.text, about=_about(about)))

    def lacks(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        """Which of the keys are not there."""
        return tuple(name for name in ids if name not in self.keys)


def _about(parts: tuple[str, str, str]) -> bytes:
    # No text that a store holds has a NUL.
    return "\0".join(parts).encode()
