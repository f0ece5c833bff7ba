"""
The keyring as bytes: one form for each keyring, and one keyring or none for any bytes. `docs/formats.md` describes it.
"""

from typing import Final

from reminisce.domain.keyring import Keyring
from reminisce.errors import SealBrokenError, SealCutError, SealTooNewError, SealUnknownError
from reminisce.ports.cipher import KEY_BYTES, Cipher

__all__ = ["from_bytes", "to_bytes"]

MAGIC: Final = b"reminisce-keys"
VERSION: Final = 1
VERSION_BYTES: Final = 2

_HEAD: Final = MAGIC + VERSION.to_bytes(VERSION_BYTES)

_NAME: Final = 16
_NUMBER: Final = 8
_COUNT: Final = 4
"""Bytes of an id, of the number, and of how many follow. The highest byte first."""

_ENTRY: Final = _NAME + KEY_BYTES


def to_bytes(keyring: Keyring, recovery_key: bytes, cipher: Cipher) -> bytes:
    """The file of *keyring*. Equal keyrings under one key are equal files."""
    body = bytearray(bytes.fromhex(keyring.store))
    body += keyring.number.to_bytes(_NUMBER)
    body += len(keyring.keys).to_bytes(_COUNT)
    for name, key in sorted(keyring.keys.items()):
        body += bytes.fromhex(name) + key
    body += len(keyring.destroyed).to_bytes(_COUNT)
    for name in sorted(keyring.destroyed):
        body += bytes.fromhex(name)
    return _HEAD + cipher.seal(recovery_key, bytes(body), about=_HEAD)


def from_bytes(data: bytes, recovery_key: bytes, cipher: Cipher) -> Keyring:
    """
    The keyring in a file.

    Raises:
        SealUnknownError: It is no keyring.
        SealTooNewError: A newer reminisce wrote it.
        SealCutError: It ends before it can be one.
        SealBrokenError: Another recovery key, or damage.
    """
    head, sealed = data[: len(_HEAD)], data[len(_HEAD) :]
    if not head or head[: len(MAGIC)] != MAGIC[: len(head)]:
        raise SealUnknownError("it is no keyring")
    if len(head) < len(_HEAD):
        raise SealCutError
    if head != _HEAD:
        version = int.from_bytes(head[len(MAGIC) :])
        raise SealTooNewError(f"its version is {version}, this reminisce reads {VERSION}")
    body = cipher.open(recovery_key, sealed, about=_HEAD)
    try:
        keyring = _parsed(_Reader(body))
    except ValueError as error:
        raise SealBrokenError("what was sealed is no keyring") from error
    if to_bytes(keyring, recovery_key, cipher) != data:
        raise SealBrokenError("what was sealed is not in the form of a keyring")
    return keyring


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) < size:
            raise ValueError("it ends too early")
        self._at += size
        return taken

    def entries(self, size: int) -> list[bytes]:
        """As many of *size* bytes each as the next number says."""
        count = int.from_bytes(self.take(_COUNT))
        # Taken at once, so that a false count is found before anything is made of it.
        taken = self.take(count * size)
        return [taken[start : start + size] for start in range(0, len(taken), size)]


def _parsed(body: _Reader) -> Keyring:
    store, number = body.take(_NAME).hex(), int.from_bytes(body.take(_NUMBER))
    keys = {entry[:_NAME].hex(): entry[_NAME:] for entry in body.entries(_ENTRY)}
    destroyed = frozenset(entry.hex() for entry in body.entries(_NAME))
    return Keyring(store=store, number=number, keys=keys, destroyed=destroyed)
