"""The Analyser port: text into search terms."""

from typing import Protocol


class Analyser(Protocol):
    """
    Turns text into the terms that recall indexes and searches by.

    Guarantees: the same text gives the same terms in any process that reports the same `identity`. A memory and a query
    go through the same call. Safe to use from many threads.
    """

    @property
    def identity(self) -> str:
        """
        What the terms depend on: rules, Unicode data, stemmer, languages. At most 200 ASCII characters.

        It is saved with an index; an index made under another identity is rebuilt, never searched.
        """
        ...

    def terms(self, text: str, /) -> list[str]:
        """
        The terms of *text*, in order of occurrence, repeats kept. May be empty.

        Any text is accepted: operators, quotes and lone punctuation are plain text. No term contains a character
        below U+0020, so that callers may mark terms of their own with one.
        """
        ...
