"""Judgements on a token by itself: how random it is, whether it reads like words, whether it only stands for a secret."""

import math
import re
from collections import Counter
from typing import Final

__all__ = ["bits", "is_digest", "is_placeholder", "is_wordlike", "looks_random"]

_COMMON: Final = frozenset(
    re.findall(
        "..",
        "thheineranreonatenndtiesorteofedisitalarsttontngsehaasouiolevecomedehiriroicneearacelichllbemasiomur"
        "caeltalansdifohopeecprnoctusacotiltrlyncetutsssorsunlowageiewheewiemadolrtpowenaulnitsmoowpaimmiaish"
        "irsuidosiviaamficivipligtuevldrympfeblabghtyopwosaayexkeuiavfragupapspckdooddsepefubugueboobogokooei"
        "scclbybrcrdrgrgigagoglfffthtifibvavoysyeeweydadubucufujujajokikslultmbmmnnpipppuqurdrgrkrlrmrnrrrusk"
        "slsmsnsyswtttwudumucuowsxtzazezihy",
    )
)
"""Pairs of letters that make up most of written English, and so of names in programs. Random letters hit a third of them."""

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_FILLERS: Final = (
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "yourkey",
    "your_",
    "your-",
    "abcdefghijklmnopqrstuvwxyz",
    "xxxxxxxx",
)
"""What documentation writes where a secret would stand. No random token of these lengths holds one."""

_DIGEST: Final = re.compile(r"(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{56}|[0-9a-fA-F]{64}|[0-9a-fA-F]{96}"
                            r"|[0-9a-fA-F]{128}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\Z")  # fmt: skip


def bits(token: str) -> float:
    """
    Shannon entropy of the token's own letters, in bits a letter, from 0.

    >>> bits("aaaa"), bits("abab")
    (0.0, 1.0)
    """
    size = len(token)
    if not size:
        return 0.0
    return max(0.0, -sum(count / size * math.log2(count / size) for count in Counter(token).values()))


def is_wordlike(token: str) -> bool:
    """
    Whether most letters of a token stand in words, as in names of things: ``getAuthenticationManager``.

    >>> is_wordlike("bearer_authorization"), is_wordlike("q7uUeANMn32320st3Jqi")
    (True, False)
    """
    letters = said = 0
    for word in _WORDS.findall(token):
        letters += len(word)
        if len(word) < 3:
            continue
        low = word.lower()
        pairs = [low[at : at + 2] for at in range(len(low) - 1)]
        if sum(pair in _COMMON for pair in pairs) >= (0.7 if len(low) < 6 else 0.6) * len(pairs):
            said += len(word)
    digits = sum(map(str.isdigit, token))
    return letters > 0 and said >= 0.7 * letters and said > 2 * digits


def is_placeholder(token: str) -> bool:
    """Whether a token only stands where a secret would: ``xxxxxxxx``, ``YOUR_KEY``, stars, ``AKIA…EXAMPLE``."""
    low = token.lower()
    return len(set(low)) <= 3 or any(filler in low for filler in _FILLERS)


def is_digest(token: str) -> bool:
    """Whether a token has the form of a digest or a UUID, of which most are harmless."""
    return _DIGEST.match(token) is not None


def looks_random(token: str) -> bool:
    """Whether a value that a name calls secret may be one: letters and digits mixed, and no words."""
    kinds = any(map(str.isdigit, token)) + any(map(str.islower, token)) + any(map(str.isupper, token))
    return kinds >= 2 and any(map(str.isdigit, token)) and not is_wordlike(token)
