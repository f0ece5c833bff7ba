"""Looks a text over for the guard."""

from collections.abc import Collection, Iterable
from typing import Protocol

__all__ = ["Matcher"]


class Matcher(Protocol):
    """
    Finds in one pass what is worth a closer look. Which findings there are in the end depends on no matcher, only how fast.

    Guarantees: linear in the text, whatever it holds. Many threads at once. Texts are ASCII.
    """

    def present(self, text: str) -> Collection[str]:
        """Which of the literals it was made for stand in *text*, in small letters; never one too few."""
        ...

    def runs(self, text: str) -> Iterable[tuple[int, int]]:
        """[start, end) of every run of at least 24 letters of base64, of either alphabet, with up to two equals signs."""
        ...
