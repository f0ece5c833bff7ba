"""The terminal: text made safe to show, and a console that interprets none of it."""

import re
import sys
from typing import Final, TextIO

from rich.console import Console

__all__ = ["console", "visible"]

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""
What steers a terminal or hides from its reader: controls but tab and newline, marks of direction, invisible characters.

The joiners U+200C and U+200D stay: scripts and emoji are written with them.
"""

_PICTURES: Final = 0x2400
"""The block of Unicode in which each of the first 32 controls has a picture."""

_DELETE: Final = 0x7F


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < ord(" "):
        return chr(_PICTURES + code)
    return "\u2421" if code == _DELETE else f"<U+{code:04X}>"


def visible(text: str) -> str:
    """*text* with a visible sign for each character that would act on the terminal or not be seen."""
    return _UNSEEN.sub(_picture, text)


def console(into: TextIO | None = None) -> Console:
    """
    A console: colour for terminals only, no markup, no emoji codes, no guessing.

    Args:
        into: Takes what is printed, in the form of the present stdout. Left out: the present stderr.
    """
    form = True if into is not None and sys.stdout is not None and sys.stdout.isatty() else None
    return Console(file=into, stderr=into is None, force_terminal=form, markup=False, emoji=False, highlight=False)
