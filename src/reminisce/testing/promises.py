"""What each test of the suite holds a store to."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

__all__ = ["KNOWN", "promise", "promises_of"]

T = TypeVar("T", bound=Callable[..., Any])

KNOWN: Final[set[str]] = set()
"""Every id that a test of the suite names, once the suite is imported."""


def promise(*ids: str) -> Callable[[T], T]:
    """
    Say which promises of the ports a test checks.

    Not a pytest mark: those must be registered, and the suite should run in a project that knows nothing of ours.

    Args:
        ids: One or more, such as ``view.still``. A `StoreCase` names them in `lacks`.
    """
    KNOWN.update(ids)

    def mark(test: T) -> T:
        vars(test)["promises"] = ids
        return test

    return mark


def promises_of(test: Callable[..., Any]) -> tuple[str, ...]:
    """The ids that a test names. Empty for one without."""
    ids: tuple[str, ...] = getattr(test, "promises", ())
    return ids
