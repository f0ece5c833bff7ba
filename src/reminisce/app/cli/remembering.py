"""Verbs that keep memories and find them again."""

from typing import Final

from reminisce.app.cli.arguments import ALL, NOTHING, Asked, Bundled, Changed, Filters, Given
from reminisce.app.cli.options import COMMON, Common, Count, Moment, given_of
from reminisce.app.cli.outcome import Outcome
from reminisce.app.cli.streams import content_of, standard_input

__all__ = ["as_of", "bundle", "correct", "recall", "recent", "remember", "why"]

STDIN: Final = "-"

_SAME: Final = Changed()
_ANY: Final = Asked()
_WHOLE: Final = Bundled()


def remember(content: str, *, given: Given = NOTHING, common: Common = COMMON) -> Outcome:
    """
    Keep a memory.

    Args:
        content: The text; - reads standard input. One that begins with a hyphen goes behind --.
    """
    # Commands end their output with a line end that is not part of it.
    text = content_of(standard_input("content"), ended=True) if content == STDIN else content
    with common.mine(create=True) as owner:
        return Outcome(owner.remember(text, **given_of(given)), common.json)


def correct(key: str, *, changes: Changed = _SAME, common: Common = COMMON) -> Outcome:
    """
    Put a memory with changed attributes in the place of another.

    Args:
        key: Of the memory, which must be active. What no option names stays as it is.
    """
    with common.mine() as owner:
        return Outcome(owner.correct(key, **given_of(changes)), common.json)


def recall(query: str, *, filters: Filters = ALL, common: Common = COMMON) -> Outcome:
    """
    Find memories, best first.

    Args:
        query: Any text. One that begins with a hyphen goes behind --.
    """
    with common.mine() as owner:
        return Outcome(owner.recall(query, **given_of(filters)), common.json)


def bundle(query: str, *, filters: Bundled = _WHOLE, common: Common = COMMON) -> Outcome:
    """
    Put together what may be put before a model: text, sources and trust of what ranks first, without near-duplicates.

    Args:
        query: Any text. One that begins with a hyphen goes behind --.
    """
    with common.mine() as owner:
        return Outcome(owner.bundle(query, **given_of(filters)), common.json)


def recent(*, filters: Filters = ALL, common: Common = COMMON) -> Outcome:
    """List memories, newest first."""
    with common.mine() as owner:
        return Outcome(owner.recent(**given_of(filters)), common.json)


def as_of(moment: Moment, *, filters: Asked = _ANY, common: Common = COMMON) -> Outcome:
    """
    List the memories as they stood at an earlier moment, newest first.

    Args:
        moment: A time such as 2026-11-30T18:15:00Z, or a revision in digits.
    """
    with common.mine() as owner:
        return Outcome(owner.as_of(moment, **given_of(filters)), common.json)


def why(
    key: str, *, depth: Count = None, most: Count = None, as_of: Moment | None = None, common: Common = COMMON
) -> Outcome:
    """
    Tell where a memory came from and what became of it.

    Args:
        key: Its key, whatever its status.
        depth: How far to follow what it was derived from, 1 to 10000 (default 16).
        most: How many lines a list of the answer may have, 1 to 10000 (default 1000).
        as_of: As it could have been told at a time, or at a revision.
    """
    with common.mine() as owner:
        return Outcome(owner.why(key, depth, most, as_of), common.json)
