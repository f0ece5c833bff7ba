"""
Folding: the spellings of one letter become one spelling.

Case stays, since `camelCase` is split by it; a term is casefolded where it is made. All rules come after
NFKC, so that canonically equal texts fold alike, and nearly all look at one code point alone.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

__all__ = ["CodePoints", "fold", "script"]

REMEMBERED_CODE_POINTS: Final = 32_768
"""Entries a table keeps before it starts afresh. Daily Chinese, Japanese and Korean together use about 20,000."""


def fold(text: str) -> str:
    """
    *text* with one spelling a letter, case kept. ASCII comes back as it is.

    What cannot be seen goes first, or a zero-width joiner between a letter and its accent would keep them apart.
    """
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKC", text.translate(_SEEN)).translate(_LETTERS)
    return _GERSHAYIM.sub("", _HALF_NASAL.sub("\u0902", letters))


def script(character: str) -> str:
    """
    The first word of the character's Unicode name, such as LATIN, CJK or COMBINING; "" for one without a name.

    Python has no script property. The name says the same for every script that we treat differently.
    """
    return unicodedata.name(character, "").partition(" ")[0]


class CodePoints(dict[int, str]):
    """A table for `str.translate` that asks *rule* at a code point's first use. Safe to share between threads."""

    def __init__(self, rule: Callable[[str], str]) -> None:
        super().__init__()
        self._rule = rule

    def __missing__(self, code: int) -> str:
        if len(self) >= REMEMBERED_CODE_POINTS:
            self.clear()
        result = self[code] = self._rule(chr(code))
        return result


_ACCENTING: Final = frozenset({"LATIN", "GREEK", "CYRILLIC", "COPTIC", "ARABIC", "HEBREW", "SYRIAC"})
"""
Scripts that are read without their marks: accents, points, harakat. Elsewhere a mark is a vowel or ends a syllable
(Devanagari, Thai) and stays.
"""

_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0")
"""Hangul fillers: letters by category, nothing by sight."""

_REPLACED: Final = {
    # Apostrophes, and what is typed for them; geresh and gershayim join Hebrew abbreviations.
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u02bb\u2032\u05f3", "'"),
    "\u05f4": "",
    # Hyphens and the minus sign. Dashes separate and stay.
    **dict.fromkeys("\u2010\u2012\u2212", "-"),
    # Latin letters that do not decompose; those "WITH STROKE" and the like go by their name.
    **dict(zip("ıæÆœŒðÐþÞßẞ", ("i", "ae", "Ae", "oe", "Oe", "d", "D", "th", "Th", "ss", "SS"), strict=True)),
    # Cyrillic letters whose mark is only an accent. й, ї, ў, ѓ and ќ are other letters than their base.
    **dict(zip("ёЁѐЀѝЍ", "еЕеЕиИ", strict=True)),
    # Arabic: letters written for each other by habit or by a Persian keyboard; the tatweel only stretches.
    **dict(zip("ىیکةٱ", "ييكها", strict=True)),
    "\u0640": "",
    # Devanagari: the nukta is often left out, and both nasal signs are written for the same sound.
    "\u093c": "",
    "\u0901": "\u0902",
}

_GERSHAYIM: Final = re.compile('(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])')
"""The quotation mark that people type in Hebrew abbreviations."""

_HALF_NASAL: Final = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")
"""Devanagari writes a nasal before a consonant of its row as a half letter or as a dot: हिन्दी, हिंदी."""

_LATIN_WITH: Final = re.compile(r"LATIN SMALL LETTER ([A-Z]) WITH ")


def _seen(character: str) -> str:
    """Nothing, for what takes no room of its own: joiners, direction marks, soft hyphens, variation selectors."""
    unseen = unicodedata.category(character) == "Cf" or character in _FILLERS or character == "\u034f"
    return "" if unseen or "VARIATION SELECTOR" in unicodedata.name(character, "") else character


def _letter(character: str) -> str:
    """What one NFKC character folds to: none, one or two characters."""
    if character in _REPLACED:
        return _REPLACED[character]
    digit = unicodedata.digit(character, None)
    if digit is not None:
        return str(digit)
    kind = script(character)
    if kind == "MODIFIER" or _is_accent(character):
        return ""
    if kind == "CYRILLIC" or kind not in _ACCENTING | {"DEVANAGARI"}:
        return character
    return "".join(_base(part) for part in unicodedata.normalize("NFD", character) if not _is_accent(part))


def _base(letter: str) -> str:
    """The letter under a stroke, hook or tail. Asked of the small letter: Unicode names some capitals another way."""
    small = letter.lower()
    named = _LATIN_WITH.match(unicodedata.name(small, "")) if len(small) == 1 else None
    if named is None:
        return _REPLACED.get(letter, letter)
    return named[1] if letter != small else named[1].lower()


def _is_accent(character: str) -> bool:
    """Whether *character* is a mark that its script is read without, or one of no script (COMBINING ...)."""
    kind = script(character)
    if kind in {"COMBINING", "VEDIC"}:
        return True
    return kind in _ACCENTING and unicodedata.category(character).startswith("M")


_SEEN: Final = CodePoints(_seen)
_LETTERS: Final = CodePoints(_letter)
