"""Terms of words and identifiers, in scripts that put a space between words."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from reminisce.adapters.analysers.scripts import DIGIT, QUOTE, RUN, script_class
from reminisce.adapters.analysers.stemming import Stemmers

__all__ = ["LONGEST_TERM", "Words"]

LONGEST_TERM: Final = 64
"""
Code points of a term; what a longer token has beyond them is not looked at. Words and names stay far below it, a digest
of 256 bits in hexadecimal just fits, and no index has to carry a data URL.
"""

LONGEST_PREFIX: Final = 4
"""Letters before a hyphen up to which people write the word in one as well: e-mail, wi-fi, non-profit, anti-virus."""

_LATIN: Final = script_class("LATIN")
_OPENERS: Final = frozenset(":/\\@#&")
"""Joiners that begin a part with parts of its own: of src/main.py, main.py is one."""

_CAMEL: Final = re.compile(r"[A-Z]{2,}+(?=s(?![a-z]))|[A-Z]+(?![a-z])|[A-Z]?[a-z]++")
"""
HTTPServer is HTTP and Server; LLMs is LLM and s, since the English stemmer knows no plural without a vowel. Going back
costs one pass over a run of capitals at most.
"""

_DIGITS: Final = re.compile(r"[0-9]++|[^0-9]++")
_NUMBER: Final = re.compile(r"[0-9]++(?:[-.,:/][0-9]++)++")
_GROUPED: Final = re.compile(r"[0-9]{1,3}+(?:,[0-9]{3})++(?:\.[0-9]++)?+")
_DIGIT: Final = re.compile(r"[0-9]")
_NO_LETTER: Final = re.compile(r"[0-9._+=,:/\\@#&']")
_ACRONYM: Final = re.compile(r"[^\W\d_](?:\.[^\W\d_])++")
_CLITIC: Final = re.compile(r"'(?:s|d|m|ll|re|ve)$", re.IGNORECASE)
"""Possessive and short verbs: Alice's, Alice'll. What stays of I'm, it's or they've is a stop word."""


class _Run(NamedTuple):
    """Letters and digits of one script between joiners."""

    start: int
    end: int
    script: str
    """The class of its letters; that of a digit when it has none."""

    opens: bool
    """Whether one of the openers stands before it."""


class Words:
    """Turns words and compounds into terms. Has no state but the stemmers'."""

    def __init__(self, stemmers: Stemmers, stop: frozenset[str]) -> None:
        """Leave out the words of *stop*, which are casefolded and without apostrophes."""
        self._stemmers = stemmers
        self._stop = stop

    def plain(self, word: str, script: str = _LATIN) -> tuple[str, ...]:
        """The terms of one casefolded word of letters. Empty for a stop word."""
        if word in self._stop:
            return ()
        return self._stemmers.terms(word[:LONGEST_TERM], script)

    def compound(self, text: str, classes: str, after: str) -> Iterator[str]:
        """
        The terms of runs of letters and digits held together by joiners, or of a single run.

        Args:
            text:
                Folded, case kept.

            classes:
                The class of each character of *text*.

            after:
                Up to two characters behind it, for C++ and C#.

        Returns:
            The whole, then the parts, each before parts of its own.
        """
        if "," in text and _GROUPED.fullmatch(text):
            text, classes = text.replace(",", ""), classes.replace("c", "")
        runs = list(_runs(text, classes))
        if len(runs) == 1:
            yield from _with_sign(text, after)
            yield from self._run(text, runs[0].script, alone=True)
            return
        groups = list(_groups(runs))
        if len(groups) > 1:
            yield _cut(text)
        for group in groups:
            yield from self._group(text, group)

    def _group(self, text: str, runs: Sequence[_Run]) -> Iterator[str]:
        """The terms of a compound that has no smaller ones in it."""
        if len(runs) > 1:
            whole = text[runs[0].start : runs[-1].end]
            in_one = _in_one(whole, runs)
            if _cut(whole) in self._stop or in_one in self._stop:
                return
            yield _cut(whole)
            if in_one:
                yield from self.plain(in_one, runs[0].script)
            if any(run.script != DIGIT for run in runs):
                yield from map(_cut, _NUMBER.findall(whole))
        for run in runs:
            yield from self._run(text[run.start : run.end], run.script, alone=False)

    def _run(self, run: str, script: str, *, alone: bool) -> Iterator[str]:
        """The terms of one run. One letter says something by itself (plan B), but nothing as a part (E404, x-ray)."""
        if _without_quotes(run) in self._stop:
            return
        pieces = _CLITIC.sub("", run).split("'")
        if len(pieces) > 1:
            yield from self._word("".join(pieces), script)
            alone = False
        for piece in pieces:
            parts = _DIGITS.findall(piece)
            if len(parts) > 1:
                yield _cut(piece)
                alone = False
            for part in parts:
                yield from self._part(part, script, alone=alone)

    def _part(self, part: str, script: str, *, alone: bool) -> Iterator[str]:
        """The terms of digits alone, or letters alone: the word, then the words that capitals show within it."""
        if _DIGIT.match(part):
            yield _cut(part)
        elif alone or len(part) > 1:
            yield from self._word(part, script)
            humps = _CAMEL.findall(part) if part.isascii() else ()
            if len(humps) > 1:
                for hump in humps:
                    if len(hump) > 1:
                        yield from self._word(hump, script)

    def _word(self, word: str, script: str) -> tuple[str, ...]:
        return self.plain(word.casefold(), script)


def _runs(text: str, classes: str) -> Iterator[_Run]:
    before = 0
    for match in RUN.finditer(classes):
        start, end = match.span()
        letters = match.group().strip(DIGIT + QUOTE)
        yield _Run(start, end, letters[:1] or DIGIT, opens=text[before:start][:1] in _OPENERS)
        before = end


def _groups(runs: Sequence[_Run]) -> Iterator[list[_Run]]:
    """Neighbours that make a smaller compound: cut at openers and where the script changes. Digits go with any."""
    group: list[_Run] = []
    script = DIGIT
    for run in runs:
        other = run.script != script and DIGIT not in {run.script, script}
        if group and (run.opens or other):
            yield group
            group, script = [], DIGIT
        group.append(run)
        script = run.script if run.script != DIGIT else script
    yield group


def _in_one(text: str, runs: Sequence[_Run]) -> str:
    """The same written in one, casefolded: usa of U.S.A, email of e-mail. "" where nobody writes it so."""
    if _ACRONYM.fullmatch(text):
        return text.replace(".", "").casefold()
    first, *rest = runs
    if len(rest) == 1 and first.script == rest[0].script and first.end - first.start <= LONGEST_PREFIX:
        joined = text.replace("-", "")
        if len(joined) == len(text) - 1 and not _NO_LETTER.search(joined):
            return joined.casefold()
    return ""


def _with_sign(word: str, after: str) -> Iterator[str]:
    """The names of programming languages that end in a sign: C++, C#, F#."""
    if len(word) <= 2 and word.isalpha():
        if after == "++":
            yield word.casefold() + after
        elif after[:1] == "#":
            yield word.casefold() + "#"


def _without_quotes(run: str) -> str:
    return run.replace("'", "").casefold()


def _cut(text: str) -> str:
    """The term of *text* as it is. Cut first, since it may be a megabyte; cut again, since casefolding may lengthen."""
    return text[:LONGEST_TERM].casefold()[:LONGEST_TERM]
