"""Names made from texts that are too long to be one, or have none: never two alike."""

import base64
import hashlib
from typing import Final

from reminisce.domain.limits import BYTES

__all__ = ["ANCHOR", "DOCUMENT", "digest_of", "fitting", "section_key", "section_source"]

DOCUMENT: Final = 1024
"""Bytes of a document's name at most: with an anchor behind it, it still is a source that fits."""

ANCHOR: Final = 512
"""Bytes of an anchor that a source shows."""


def digest_of(text: str) -> str:
    """26 characters of base32: 128 bits, so that two texts do not meet by chance, and hardly on purpose."""
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return base64.b32encode(digest).decode().rstrip("=").lower()


def fitting(text: str, most: int) -> str:
    """*text* if it is at most so many bytes of UTF-8, else as much of it as fits with a digest of all of it behind."""
    data = text.encode()
    if len(data) <= most:
        return text
    digest = digest_of(text)
    return data[: most - len(digest) - 1].decode(errors="ignore") + "~" + digest


def section_source(document: str, anchor: str) -> str:
    """What a section of a document cites: a link to it. What stands before the first heading has an empty anchor."""
    return f"{document}#{fitting(anchor, ANCHOR)}"


def section_key(source: str) -> str:
    """The key of the memory that was made of a section first, by the link to it."""
    return fitting(source, BYTES["key"])
