"""Takes out of a text what a store's masks find, and nothing by guessing. What is left may stand for a redacted memory."""

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, Protocol

import attrs

from reminisce.domain.memory import Attributes
from reminisce.domain.values import Tier

__all__ = ["MARK", "NO_MASKS", "Masks", "Span", "folded_term", "surface_of"]

MARK: Final = "\N{FULL BLOCK}"
"""
Stands where something was taken out, one for each run.

No term may hold it, so that no term can be put together from what stands on both sides. It is no letter of any script.
"""

_UNSEEN: Final = frozenset("\u115f\u1160\u3164\uffa0")
"""Fillers of Hangul: letters by their category, that nobody sees."""


class Span(Protocol):
    """A part of a text, half-open, in characters. The guard's findings are such."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


@lru_cache(maxsize=4096)
def _fold(character: str) -> str:
    """
    One character as it is compared: case, width, ligatures, accents and what nobody sees make no difference.

    Since marks go, no character's form depends on those beside it, and normalising a text before changes nothing.
    """
    plain = "".join(filter(_counts, unicodedata.normalize("NFKD", character))).casefold()
    return "".join(" " if one.isspace() else one for one in unicodedata.normalize("NFKD", plain) if _counts(one))


def _counts(character: str) -> bool:
    if character in _UNSEEN or unicodedata.combining(character):
        return False
    return unicodedata.category(character) not in ("Mn", "Me", "Cf")


def _folded(text: str) -> tuple[str, list[int]]:
    """*text* as it is compared, runs of white space as one space, and for each character of that the one it comes from."""
    found: list[str] = []
    origins: list[int] = []
    for place, character in enumerate(text):
        for one in _fold(character):
            if one != " " or (found and found[-1] != " "):
                found.append(one)
                origins.append(place)
    return "".join(found), origins


def folded_term(term: str) -> str:
    """A term as it is looked for; empty when nothing of it would be left to look for."""
    return _folded(term)[0].strip()


def _standing(needle: str, text: str) -> Iterator[int]:
    """Every place where *needle* stands, overlapping ones too: what is left must not hold it."""
    place = text.find(needle)
    while place >= 0:
        yield place
        place = text.find(needle, place + 1)


def _terms(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({folded_term(term) for term in given} - {""}))


@attrs.frozen(kw_only=True)
class Masks:
    """What must not be read where a text was masked. Pure: the same text gives the same, in every process."""

    terms: tuple[str, ...] = attrs.field(default=(), converter=_terms, repr=False)
    """Literal terms, kept `folded_term`. They are found inside of words, too."""

    find: Callable[[str], Iterable[Span]] | None = None
    """Says what else is to go, such as the secret guard's findings. When it raises, nothing of the text may leave."""

    rules: str = ""
    """Names the rules that `find` goes by, so that an index made under others is made anew."""

    def __bool__(self) -> bool:
        return bool(self.terms) or self.find is not None

    @property
    def identity(self) -> str:
        """The same masks, the same identity; empty for none. Tells no term."""
        if not self:
            return ""
        parts = "\0".join((self.rules, "" if self.find is None else "find", *self.terms))
        return f" masks {hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()}"

    def masked(self, text: str) -> str | None:
        """
        *text* with a `MARK` in place of everything that is found.

        None when nothing is found, since then nobody has said what about it is sensitive, and when nothing but marks and
        punctuation would be left.
        """
        if not self:
            return None
        hidden = bytearray(len(text))
        for start, end in self._found(text):
            hidden[start:end] = b"\1" * (end - start)
        if not any(hidden):
            return None
        for place in range(1, len(text)):
            # An accent goes with its letter.
            if hidden[place - 1] and not _fold(text[place]):
                hidden[place] = 1
        left: list[str] = []
        for place, character in enumerate(text):
            if not hidden[place]:
                left.append(character)
            elif not place or not hidden[place - 1]:
                left.append(MARK)
        return "".join(left) if any(one.isalnum() for one in left) else None

    def _found(self, text: str) -> Iterator[tuple[int, int]]:
        folded, origins = _folded(text)
        for term in self.terms:
            for place in _standing(term, folded):
                yield origins[place], origins[place + len(term) - 1] + 1
        if self.find is not None:
            try:
                spans = [(max(0, span.start), min(len(text), span.end)) for span in self.find(text)]
            except Exception:  # noqa: BLE001 (whatever went wrong, what is sensitive is not known: all of it is)
                spans = [(0, len(text))]
            yield from ((start, end) for start, end in spans if start < end)


NO_MASKS: Final = Masks()
"""Nothing is masked: what is redacted has the surface that it was given, or none."""


def surface_of(given: Attributes, tier: Tier, masks: Masks) -> str | None:
    """
    What stands for a memory elsewhere: the surface that was given, else of a redacted one what its masked text leaves.

    Args:
        tier: In force.
    """
    if given.surface is not None or tier is not Tier.REDACTED:
        return given.surface
    return masks.masked(given.content)
