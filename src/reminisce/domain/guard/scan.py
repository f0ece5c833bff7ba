"""Where the secrets of a text are."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

import attrs

from reminisce.domain.guard.naming import DIGEST_WORDS, beside
from reminisce.domain.guard.rule import Rule
from reminisce.domain.guard.shapes import bits, is_digest, is_placeholder, is_wordlike
from reminisce.domain.guard.views import Runs, View, views

__all__ = ["Match", "Scanner"]

AHEAD: Final = 260
"""Letters after a literal that a pattern with a lead may look at: the longest, a webhook's address, takes 230."""

ENTROPY_FROM: Final = 12
"""Letters from which entropy says anything."""


@attrs.frozen(order=True)
class Match:
    """A rule, and where it found its token in a text: [start, end)."""

    start: int
    end: int
    rule: str


class Scanner:
    """
    Applies rules to texts.

    Args:
        present: Tells which of the rules' literals stand in an ASCII text of small letters; it may name more, never fewer.
        runs: Tells where base64 may stand in an ASCII text.
    """

    def __init__(self, rules: tuple[Rule, ...], present: Callable[[str], Collection[str]], runs: Runs) -> None:
        self._present = present
        self._runs = runs
        self._of: dict[str, list[Rule]] = {}
        for rule in rules:
            for literal in rule.literals:
                self._of.setdefault(literal, []).append(rule)

    def find(self, text: str) -> tuple[Match, ...]:
        """
        Every secret, in the order of the text. NUL parts fields: no token and no name reaches across one.

        Cost: linear in the text.
        """
        found: set[Match] = set()
        for view in views(text, self._runs):
            for rule, start, end in self._in(view):
                found.add(Match(*view.origin(start, end), rule.id))
        return tuple(sorted(found))

    def _in(self, view: View) -> Iterator[tuple[Rule, int, int]]:
        text = view.text
        low = text.lower()
        for literal in self._present(low):
            rules = self._of[literal]
            near = [rule for rule in rules if not rule.across]
            far = [rule for rule in rules if rule.across]
            done = -1
            at = low.find(literal)
            while at >= 0:
                for rule in near:
                    span = _beside(rule, text, at, len(literal)) if rule.named else _here(rule, text, at, len(literal))
                    if span is not None:
                        yield rule, *span
                if far and at > done:
                    first, last = text.rfind("\0", 0, at) + 1, text.find("\0", at)
                    done = len(text) if last < 0 else last
                    for rule in far:
                        for match in rule.compiled.finditer(text, first, done):
                            span = _judged(rule, text, match)
                            if span is not None:
                                yield rule, *span
                at = low.find(literal, at + 1)


def _here(rule: Rule, text: str, at: int, size: int) -> tuple[int, int] | None:
    """The token whose literal, of *size* letters, stands at *at*."""
    if rule.lead:
        match = rule.compiled.search(text, max(0, at - rule.lead), at + AHEAD)
        return None if match is None or match.start() > at else _judged(rule, text, match)
    if rule.before and at and _is_alnum(text[at - 1]):
        return None
    match = rule.compiled.match(text, at)
    if match is not None:
        return _judged(rule, text, match)
    return _split(rule, text, at) if size >= MARK else None


def _token(match: re.Match[str]) -> tuple[int, int]:
    return match.span("t") if "t" in match.re.groupindex else match.span()


def _judged(rule: Rule, text: str, match: re.Match[str]) -> tuple[int, int] | None:
    start, end = _token(match)
    return (start, end) if _stands(rule, text, start, end) else None


MARK: Final = 4
"""Letters of a literal from which it marks a token that is broken over lines: shorter ones stand at the end of many."""

_TO_THE_END: Final = re.compile(r"[A-Za-z0-9_+/.=~-]{4,400}(?=[ ]?\\?\r?\n)", re.ASCII)
_BREAK: Final = re.compile(r"[ ]?\\?\r?\n[ \t>*#|]{0,12}", re.ASCII)
_ABOUT: Final = 1_200
"""Letters after a mark that are looked at in one piece: more than nearly every token has."""


def _split(rule: Rule, text: str, at: int) -> tuple[int, int] | None:
    """The token that begins at *at* and goes on after the end of the line."""
    if _TO_THE_END.match(text, at) is None:
        return None
    window = text[at : at + _ABOUT].partition("\0")[0]
    joined = _BREAK.sub("", window)
    match = rule.compiled.match(joined)
    if match is None:
        return None
    start, end = _token(match)
    if not _stands(rule, joined, start, end):
        return None
    gone = 0
    for lost in _BREAK.finditer(window):
        if lost.start() - gone >= end:
            break
        gone += lost.end() - lost.start()
    return at + start, at + end + gone


def _beside(rule: Rule, text: str, at: int, size: int) -> tuple[int, int] | None:
    """The token that the name at *at* is said of."""
    if size <= SHORT and at and text[at - 1].isalpha() and not (text[at].isupper() and text[at - 1].islower()):
        # Short names stand inside ordinary words: lob in global, etsy in fetsyn.
        return None
    match = beside(rule.pattern).match(text, at + size)
    if match is None:
        return None
    start, end = match.span("t")
    if not _stands(rule, text, start, end):
        return None
    token = text[start:end]
    if rule.check is None and len(token) <= 24 and is_wordlike(token):
        return None
    if is_digest(token) and DIGEST_WORDS.search(text, max(0, at - 40), start):
        return None
    return start, end


SHORT: Final = 5


def _stands(rule: Rule, text: str, start: int, end: int) -> bool:
    if rule.before and start and _is_alnum(text[start - 1]):
        return False
    if rule.after and end < len(text) and _is_alnum(text[end]):
        return False
    token = text[start:end]
    if rule.entropy and len(token) >= ENTROPY_FROM and bits(token) <= rule.entropy:
        return False
    if is_placeholder(token):
        return False
    return rule.check is None or rule.check(text, start, end)


def _is_alnum(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()
