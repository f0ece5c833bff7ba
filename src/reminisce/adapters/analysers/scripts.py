"""
Splitting a folded chunk by script.

A chunk is turned into a string of the same length with one letter a character, its class. The patterns run over that
string, so they name a few classes instead of ranges of Unicode, and a match's span is the token's.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from reminisce.adapters.analysers.folding import CodePoints, script

__all__ = ["COMPOUND", "EMOJI", "HAN", "HANGUL", "RUN", "UNSPACED", "classify", "script_class", "tokens"]

DIGIT: Final = "D"
HAN: Final = "H"
KANA: Final = "K"
HANGUL: Final = "N"
OTHER_UNSPACED: Final = "T"
SYMBOL: Final = "E"
FLAG: Final = "R"
QUOTE: Final = "Q"
NOTHING: Final = " "

_WORD_CLASSES: Final = {
    "LATIN": "L",
    "CYRILLIC": "C",
    "GREEK": "G",
    "ARABIC": "A",
    "HEBREW": "B",
    "DEVANAGARI": "V",
    "ARMENIAN": "M",
    "TAMIL": "Y",
}
"""Scripts with a stemmer have a class each. The rest share one: they never meet within a word."""

_OTHER_WORD: Final = "W"

_UNSPACED_CLASSES: Final = {
    **dict.fromkeys(("CJK", "IDEOGRAPHIC"), HAN),
    **dict.fromkeys(("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO"), KANA),
    "HANGUL": HANGUL,
    **dict.fromkeys(("THAI", "LAO", "KHMER", "MYANMAR", "JAVANESE", "BALINESE", "TANGUT", "NUSHU"), OTHER_UNSPACED),
}
"""Scripts that do not put a space between words; Korean does, but glues particles to them."""

_JOINERS: Final = {**dict.fromkeys("-.+=", "J"), **dict.fromkeys(":/\\@#&", "P"), "_": "U", ",": "c", "'": QUOTE}
"""Characters that hold an identifier together. Class P also begins a part with parts of its own: a/b.c is a and b.c."""

_FIRST_SYMBOL: Final = 0x2000
"""Below it, symbols are signs beside words (degree, copyright)."""

_DRAWING: Final = (range(0x2190, 0x2300), range(0x2500, 0x2600), range(0x2800, 0x2900), range(0xFFFC, 0xFFFE))
"""Arrows, operators, boxes, blocks, Braille art, replacement characters: drawn around words, not looked for."""

COMPOUND: Final = "compound"
UNSPACED: Final = "unspaced"
EMOJI: Final = "emoji"

_JOIN: Final = r"(?:J|P{1,3}|U{1,2}|(?<=D)c(?=D))"
"""One joiner, or the few doubles that have a meaning: :// and __."""

_RUN: Final = "(?:{}|D++(?:QL++)?+)".format(
    "|".join(f"D*+{c}[{c}D]*+(?:Q{c}[{c}D]*+)*+" for c in (*_WORD_CLASSES.values(), _OTHER_WORD))
)
"""Letters of one script, with digits anywhere and single apostrophes inside."""

RUN: Final = re.compile(_RUN)

_TOKEN: Final = re.compile(
    rf"(?P<{COMPOUND}>{_RUN}(?:{_JOIN}{_RUN})*+)|(?P<{UNSPACED}>[{HAN}{KANA}]++|{HANGUL}++|{OTHER_UNSPACED}++)"
    rf"|(?P<{EMOJI}>{FLAG}{FLAG}|[{FLAG}{SYMBOL}])"
)
"""Every repetition is possessive: the pattern never goes back, so the time is linear."""


def classify(folded: str) -> str:
    """The class of each character of *folded*: a string of the same length."""
    return folded.translate(_CLASSES)


def tokens(classes: str) -> Iterator[re.Match[str]]:
    """The tokens of a string of classes, in order. `lastgroup` says which kind each is."""
    return _TOKEN.finditer(classes)


def script_class(name: str) -> str:
    """The class of the letters of the script that Unicode calls *name*, such as LATIN. Rare scripts share one."""
    return _WORD_CLASSES.get(name, _OTHER_WORD)


def _class(character: str) -> str:
    category = unicodedata.category(character)
    if character in _JOINERS:
        return _JOINERS[character]
    if category == "Nd":
        return DIGIT
    kind = script(character)
    if category[0] in "LM" or category in {"Nl", "No"}:
        return _UNSPACED_CLASSES.get(kind) or script_class(kind)
    if kind == "REGIONAL":
        return FLAG
    return SYMBOL if _is_symbol(character, category) else NOTHING


def _is_symbol(character: str, category: str) -> bool:
    """Whether *character* is looked for by itself: emoji, and what a later Unicode or nobody has given a meaning."""
    code = ord(character)
    if category in {"Cn", "Co"}:
        return True
    return category == "So" and code >= _FIRST_SYMBOL and not any(code in block for block in _DRAWING)


_CLASSES: Final = CodePoints(_class)
