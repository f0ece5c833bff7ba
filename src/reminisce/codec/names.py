"""Names for files, links and keys, made from any text: the same on every system, and never two alike."""

import re
import unicodedata
from typing import Final

from reminisce.domain.naming import digest_of

__all__ = ["NOTE", "file_name", "key_of", "slug"]

NOTE: Final = ".md"

_PLAIN: Final = re.compile("[a-z0-9][a-z0-9_-]{0,99}")
"""
Keys that are their own file's name: in no file system are two of them one, or one of them too long.

No capital is among them, since to some systems that is the same letter, and no dot, which some drop at the end.
"""

_RESERVED: Final = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]")
"""What Windows takes for a device, whatever the ending."""

_UNSAFE: Final = re.compile("[^a-z0-9_-]+")
_READABLE: Final = 60
"""Characters of a key that a file's name shows when it cannot show the key."""


def file_name(key: str) -> str:
    """The name of a memory's note. Two keys never share one, whatever a file system takes for the same letter."""
    if _PLAIN.fullmatch(key) and not _RESERVED.fullmatch(key):
        return key + NOTE
    readable = _UNSAFE.sub("-", key.lower())[:_READABLE].strip("-")
    # No plain key has this sign.
    return f"{readable}~{digest_of(key)}{NOTE}"


def key_of(kind: str, *parts: str) -> str:
    """A key for what has no name of its own but is told apart by these texts."""
    return f"{kind}_{digest_of(''.join(f'{len(part)}:{part}' for part in parts))}"


_NO_WORD: Final = re.compile(
    "[\x00-\x1f!-,./:-@\\[-^`{-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\u2000-\u206f\u3000-\u303f\uff01-\uff0f]"
)
"""What a heading's link leaves out. A fixed list, so that keys do not depend on the Unicode of this Python."""


def slug(heading: str) -> str:
    """A heading as the end of a link: letters, digits, hyphens and underscores, as the hosts of repositories make it."""
    return _NO_WORD.sub("", unicodedata.normalize("NFC", heading).lower()).strip().replace(" ", "-")
