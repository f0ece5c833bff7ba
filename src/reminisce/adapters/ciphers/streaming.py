"""
A sealed stream of chunks: libsodium's secretstream, each chunk behind its length.

The lengths are there so that a file which was cut can be told from one that was changed. They need no seal of their own: a
chunk of any other length does not open.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from nacl.bindings import (
    crypto_secretstream_xchacha20poly1305_ABYTES,
    crypto_secretstream_xchacha20poly1305_HEADERBYTES,
    crypto_secretstream_xchacha20poly1305_init_pull,
    crypto_secretstream_xchacha20poly1305_init_push,
    crypto_secretstream_xchacha20poly1305_pull,
    crypto_secretstream_xchacha20poly1305_push,
    crypto_secretstream_xchacha20poly1305_state,
    crypto_secretstream_xchacha20poly1305_TAG_FINAL,
    crypto_secretstream_xchacha20poly1305_TAG_MESSAGE,
)
from nacl.exceptions import CryptoError

from reminisce.errors import SealBrokenError, SealCutError

__all__ = ["CHUNK", "Pieces", "opened", "sealed"]

CHUNK: Final = 64 * 1024
"""Bytes of plain text in a chunk; the last may have fewer. Measured: larger ones are no faster."""

_EXTRA: Final = crypto_secretstream_xchacha20poly1305_ABYTES
_LENGTH: Final = 4
"""Bytes of a chunk's length, the highest first."""

_MESSAGE: Final = crypto_secretstream_xchacha20poly1305_TAG_MESSAGE
_FINAL: Final = crypto_secretstream_xchacha20poly1305_TAG_FINAL


class Pieces:
    """Bytes that come in pieces of any size, taken in pieces of another."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._held = bytearray()

    def take(self, size: int) -> bytes:
        """The next *size* bytes; fewer when they end."""
        while len(self._held) < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._held += piece
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken


def sealed(key: bytes, head: bytes, plain: Iterable[bytes]) -> Iterator[bytes]:
    """
    *head* in the clear, then *plain* sealed.

    Args:
        head: Authenticated with every chunk.
    """
    state = crypto_secretstream_xchacha20poly1305_state()
    yield head + crypto_secretstream_xchacha20poly1305_init_push(state, key)
    pieces = Pieces(plain)
    chunk = pieces.take(CHUNK)
    while True:
        # The last chunk must be known for one, and a full chunk may be the last.
        following = pieces.take(CHUNK) if len(chunk) == CHUNK else b""
        tag = _MESSAGE if following else _FINAL
        closed = crypto_secretstream_xchacha20poly1305_push(state, chunk, head, tag)
        yield len(closed).to_bytes(_LENGTH) + closed
        if not following:
            return
        chunk = following


def opened(key: bytes, head: bytes, pieces: Pieces) -> Iterator[bytes]:
    """
    The plain text of what follows *head*.

    Raises:
        SealBrokenError, SealCutError: Possibly after pieces that were right, none of which may then be used.
    """
    state = crypto_secretstream_xchacha20poly1305_state()
    header = _exactly(pieces, crypto_secretstream_xchacha20poly1305_HEADERBYTES)
    crypto_secretstream_xchacha20poly1305_init_pull(state, header, key)
    tag = _MESSAGE
    while tag != _FINAL:
        length = int.from_bytes(_exactly(pieces, _LENGTH))
        if not _EXTRA <= length <= CHUNK + _EXTRA:
            raise SealBrokenError
        closed = _exactly(pieces, length)
        try:
            chunk, tag = crypto_secretstream_xchacha20poly1305_pull(state, closed, head)
        except (CryptoError, RuntimeError) as error:
            raise SealBrokenError from error
        yield chunk
    if pieces.take(1):
        raise SealBrokenError("something follows its end")


def _exactly(pieces: Pieces, size: int) -> bytes:
    taken = pieces.take(size)
    if len(taken) < size:
        raise SealCutError
    return taken
