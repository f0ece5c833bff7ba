"""The terminal: text made safe to show, and a console that interprets none of it."""

import re
import sys
from typing import Final

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


def console(*, error: bool = False) -> Console:
    """A console on the present stdout or stderr: colour for terminals only, no markup, no emoji codes, no guessing."""
    return Console(file=sys.stderr if error else sys.stdout, markup=False, emoji=False, highlight=False)
