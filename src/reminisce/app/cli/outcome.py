"""What a verb gives back to be printed."""

from typing import Final

import attrs

__all__ = ["UNAVAILABLE", "Health", "KeyMade", "Made", "Outcome", "Unedited"]

UNAVAILABLE: Final = 3
"""The exit code for what is worth trying again."""


@attrs.frozen
class Outcome:
    """A verb's answer. Verbs print nothing themselves, so that all of them look alike."""

    answer: object
    """One of the library's answers or of those below. None: nothing is left to print."""

    json: bool = False
    code: int = 0


@attrs.frozen
class Made:
    """What `init` did."""

    store: str
    keys: str
    """Where keys are kept, or what the secret given is called."""

    created: bool
    """False: the store was there already, and its key opens it."""


@attrs.frozen
class Health:
    """What `doctor` found, and where it looked."""

    store: str
    keys: str
    findings: tuple[str, ...]
    """What is wrong and what to do, a sentence each. Empty: all is well."""

    checked: tuple[str, ...]
    repaired: tuple[str, ...] = ()


@attrs.frozen
class Unedited:
    """What `edit` says when it changed nothing."""

    key: str
    reason: str
    """Why: ``editor_failed`` or ``unchanged``."""

    created: bool = False
    """As in the answer to a correction: no new memory."""


@attrs.frozen
class KeyMade:
    """What `keygen` made. One of the two is None."""

    key: str | None
    """64 hexadecimal digits, when it was not written to a file."""

    file: str | None
