"""
Every byte that a store leaves in its folder, as it lies there and decrypted page by page: what a thief with the key sees.

Pages are decrypted here and not by SQLite, which shows no page that is free and no frame of its log that was overtaken. The
cipher is SQLite3MC's ChaCha20: the last 32 bytes of a page are its nonce and its tag, and every tag is checked, so that a
page that was read wrongly is never taken for one without words.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.poly1305 import Poly1305

from reminisce.adapters.sqlite.places import PAGE

__all__ = ["Words", "found_in", "pages_of"]

_TAG: Final = 16
_NONCE: Final = 16
_CLEAR: Final = 24
"""Bytes at the start of the first page that are not encrypted."""

_WAL_HEADER: Final = 32
_WAL_FRAME: Final = 24


def _stream(key: bytes, nonce: bytes, counter: int, data: bytes) -> bytes:
    start = (counter & 0xFFFF_FFFF).to_bytes(4, "little")
    return Cipher(ChaCha20(key, start + nonce), mode=None).encryptor().update(data)


def _decrypted(page: bytes, number: int, key: bytes) -> bytes:
    """One page's plaintext, without its tag and nonce."""
    end = len(page) - _TAG - _NONCE
    nonce, tag = page[end : end + _NONCE], page[end + _NONCE :]
    counter = int.from_bytes(nonce[12:], "little") ^ number
    once = _stream(key, nonce[:12], counter, bytes(64))
    Poly1305.verify_tag(once[:32], page[:end] + nonce, tag)
    start = _CLEAR if number == 1 else 0
    return page[:start] + _stream(once[32:], nonce[:12], counter + 1, page[start:end])


def pages_of(store: Path, key: bytes) -> Iterator[tuple[str, bytes]]:
    """
    Every page of a store's file and every frame of its write-ahead log, decrypted, each with where it is.

    Args:
        key: The store's, 32 bytes.
    """
    raw = store.read_bytes()
    for start in range(0, len(raw), PAGE):
        number = start // PAGE + 1
        yield f"page {number}", _decrypted(raw[start : start + PAGE], number, key)
    log = store.with_name(store.name + "-wal")
    frames = log.read_bytes()[_WAL_HEADER:] if log.exists() else b""
    for start in range(0, len(frames) - _WAL_FRAME - PAGE + 1, _WAL_FRAME + PAGE):
        number = int.from_bytes(frames[start : start + 4], "big")
        page = frames[start + _WAL_FRAME : start + _WAL_FRAME + PAGE]
        yield f"frame {start // (_WAL_FRAME + PAGE)}", _decrypted(page, number, key)


def _key_in(folder: Path) -> bytes:
    [file] = (folder / "keys").iterdir()
    return bytes.fromhex(file.read_text("ascii").strip())


Words = dict[str, str]
"""Words that no other text holds, by where they were planted."""


def found_in(folder: Path, words: Iterable[str]) -> dict[str, list[str]]:
    """
    Where in a folder with ``memory.db`` and ``keys`` each word can be found, whatever its case; words that cannot be are
    not named. Looks through every file's bytes as they are, then through every page.
    """
    sought = {word: (word.encode(), word.casefold().encode()) for word in words}
    found: dict[str, list[str]] = {}
    plain = ((file.name, file.read_bytes()) for file in sorted(folder.rglob("*")) if file.is_file())
    for places in (plain, pages_of(folder / "memory.db", _key_in(folder))):
        for place, data in places:
            folded = data.lower()
            for word, (as_is, lower) in sought.items():
                if as_is in data or lower in folded:
                    found.setdefault(word, []).append(place)
    return found
