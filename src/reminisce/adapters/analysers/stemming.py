"""Stems, by Snowball: one stemmer a script."""

import threading
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from reminisce.adapters.analysers.scripts import script_class
from reminisce.errors import ConfigurationError

__all__ = ["Stemmers"]

_LANGUAGES: Final = {
    **dict.fromkeys(
        (
            *("basque", "catalan", "czech", "danish", "dutch", "dutch_porter", "english", "esperanto", "estonian"),
            *("finnish", "french", "german", "hungarian", "indonesian", "irish", "italian", "lithuanian", "norwegian"),
            *("polish", "porter", "portuguese", "romanian", "serbian", "sesotho", "spanish", "swedish", "turkish"),
        ),
        "LATIN",
    ),
    "russian": "CYRILLIC",
    "greek": "GREEK",
    **dict.fromkeys(("arabic", "persian"), "ARABIC"),
    "yiddish": "HEBREW",
    **dict.fromkeys(("hindi", "nepali"), "DEVANAGARI"),
    "armenian": "ARMENIAN",
    "tamil": "TAMIL",
}
"""Snowball's algorithms and the script each works on. Serbian's turns Cyrillic into Latin, which ours never are."""

_BESIDE_ORIGINAL: Final = frozenset({"russian"})
"""
Languages whose words are indexed beside their stem. The Russian stemmer cuts less evenly (память and памяти part), so
the exact form should count for more. For English the pair would double the index to say the same.
"""


class Stemmers:
    """
    The stemmers of the chosen languages, by class of script.

    Guarantees: the same stems with and without PyStemmer of the same release. Safe to use from many threads.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        """
        Load the stemmers.

        Raises:
            ConfigurationError: If a language is unknown, or two are of one script.
        """
        engine = _engine()
        unknown = [name for name in languages if name not in _LANGUAGES or name not in engine.languages]
        if unknown:
            known = ", ".join(sorted(_LANGUAGES.keys() & set(engine.languages)))
            raise ConfigurationError("languages", f"unknown; Snowball has {known}")
        scripts = [script_class(_LANGUAGES[name]) for name in languages]
        if len(set(scripts)) < len(scripts):
            raise ConfigurationError("languages", "two are written in one script; choose one of them")
        self.release: Final = engine.release
        self._stems = {of: engine.stemmer(name) for of, name in zip(scripts, languages, strict=True)}
        self._beside = {of for of, name in zip(scripts, languages, strict=True) if name in _BESIDE_ORIGINAL}
        self._lock = threading.Lock()

    def terms(self, word: str, script: str) -> tuple[str, ...]:
        """
        The terms of one folded word: its stem, or the word and its stem, or the word where no stemmer knows the script.

        Args:
            word:
                Letters, casefolded, at least one.

            script:
                Its class, as `script_class` gives it.
        """
        stem = self._stems.get(script)
        if stem is None:
            return (word,)
        with self._lock:  # Snowball's stemmers, native or pure, keep the word they work on in themselves.
            stemmed = stem(word)
        if not stemmed or stemmed == word:
            return (word,)
        return (word, stemmed) if script in self._beside else (stemmed,)


class _Engine(NamedTuple):
    languages: Sequence[str]
    release: str
    stemmer: Callable[[str], Callable[[str], str]]


def _engine() -> _Engine:
    """
    PyStemmer when it is installed, else the pure stemmers, some 40 times slower.

    The two packages are made from one source and share its version, whose third number never changes an algorithm. So
    the release is that of whichever runs: installing the other one of the same release rebuilds no index, and a pair
    of different releases does.
    """
    try:
        import Stemmer
    except ImportError:
        # Only here: reading a version takes 40 ms in a fresh process, for packages that are looked through by file.
        from importlib.metadata import version

        import snowballstemmer

        return _Engine(
            snowballstemmer.algorithms(),
            _release(version("snowballstemmer")),
            lambda name: snowballstemmer.stemmer(name).stemWord,
        )
    # No cache of its own: ours is in front of it, and PyStemmer's is purged by sorting all of it.
    return _Engine(
        Stemmer.algorithms(),
        _release(Stemmer.version()),
        lambda name: Stemmer.Stemmer(name, 0).stemWord,
    )


def _release(version: str) -> str:
    """The first two numbers of a version."""
    return ".".join(version.split(".")[:2])
