"""The Analyser that reminisce uses unless it is given another."""

import unicodedata
from itertools import chain
from typing import TYPE_CHECKING, Final

from reminisce.adapters.analysers import pairs, stopwords
from reminisce.adapters.analysers.folding import fold
from reminisce.adapters.analysers.scripts import COMPOUND, EMOJI, UNSPACED, classify, tokens
from reminisce.adapters.analysers.stemming import Stemmers
from reminisce.adapters.analysers.words import Words

__all__ = ["DefaultAnalyser"]

RULES: Final = 1
"""Raise it whenever any text may give other terms than before: saved indexes are then rebuilt."""

CACHED_CHUNKS: Final = 65_536
"""
Chunks remembered; the cache starts afresh above it. Room for the 50,000 words of the shared work load, some 15 MB when
full of words. Starting afresh costs one miss a word, where keeping an order of use would cost on every hit.
"""

CACHED_CODE_POINTS: Final = 32
CACHED_TERMS: Final = 8
"""Larger chunks are seldom met twice. Together these two keep a cache of hostile text below 100 MB."""

_PLAIN_EDGES: Final = "!\"$%&'()*,-./:;<=>?@[\\]^_`{|}~"
"""ASCII that says nothing at the edge of a word. Without + and #, for C++ and C#."""


class DefaultAnalyser:
    """
    Folds, splits by script, drops stop words and stems.

    A text is cut at white space, and no rule looks beyond a chunk so made: the terms of a chunk never change, so they
    are remembered. The one rule about the whole text is that stop words stay where nothing else is left.

    Guarantees: those of the port. Time and memory are linear in the text. The caches are shared by all threads.
    """

    def __init__(self, languages: tuple[str, ...] = ("english", "russian")) -> None:
        """
        Choose the stemmers and stop words.

        Args:
            languages:
                Names of Snowball algorithms in any order, at most one a script; () stems nothing. English, Porter and
                Russian bring their stop words.

        Raises:
            ConfigurationError: If a name is unknown, or two share a script.
        """
        stemmers = Stemmers(languages)
        self._content = _Chunks(Words(stemmers, stopwords.of(languages)), stopwords.PAIRS)
        self._everything = _Chunks(Words(stemmers, frozenset()), frozenset())
        chosen = ",".join(sorted(languages)) or "none"
        self._identity = f"default/{RULES} unicode={unicodedata.unidata_version} snowball={stemmers.release} {chosen}"

    @property
    def identity(self) -> str:
        """Rules, Unicode data, Snowball release (whichever package brings it), and languages in sorted order."""
        return self._identity

    def terms(self, text: str, /) -> list[str]:
        """
        The terms of *text*, in order of occurrence, repeats kept: an identifier first whole, then its parts.

        Stop words are left out, unless nothing else is there. So "to be or not to be" finds itself, and "the" finds
        only what consists of stop words.
        """
        chunks = text.split()
        found = list(chain.from_iterable(map(self._content.__getitem__, chunks)))
        return found or list(chain.from_iterable(map(self._everything.__getitem__, chunks)))


class _Chunks(dict[str, tuple[str, ...]]):
    """
    The terms of a chunk, worked out at the first use and remembered while there is room.

    Threads may work out the same chunk twice, to the same terms. Each step on the dictionary is atomic.
    """

    def __init__(self, words: Words, stop_pairs: frozenset[str]) -> None:
        super().__init__()
        self._words = words
        self._stop_pairs = stop_pairs

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        terms = self._terms(chunk)
        if len(chunk) <= CACHED_CODE_POINTS and len(terms) <= CACHED_TERMS:
            if len(self) >= CACHED_CHUNKS:
                self.clear()
            self[chunk] = terms
        return terms

    def _terms(self, chunk: str) -> tuple[str, ...]:
        folded = fold(chunk)
        if folded.isascii():
            word = folded.strip(_PLAIN_EDGES)
            if word.isalpha() and (word[1:].islower() or word.isupper() or len(word) == 1):
                lowered = word.lower()
                return self._words.plain(lowered) if lowered == chunk else self[lowered]
        return tuple(self._mixed(folded))

    def _mixed(self, folded: str) -> list[str]:
        """The terms of a chunk that is not one ASCII word."""
        terms: list[str] = []
        classes = classify(folded)
        for token in tokens(classes):
            start, end = token.span()
            text = folded[start:end]
            if token.lastgroup == COMPOUND:
                terms += self._words.compound(text, token.group(), folded[end : end + 2])
            elif token.lastgroup == UNSPACED:
                terms += pairs.of(text, token.group(), self._stop_pairs)
            elif token.lastgroup == EMOJI:
                terms.append(text)
        return terms


if TYPE_CHECKING:
    from reminisce.ports.analyser import Analyser

    _check: type[Analyser] = DefaultAnalyser
