"""The lock beside a store's file. Shared: it is open. Exclusive: it is being made or replaced."""

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from reminisce.adapters.sqlite.places import beside
from reminisce.errors import StoreUnavailableError

__all__ = ["WAIT_S", "opened_lock", "wait"]

WAIT_S: Final = 20.0
"""How long an open waits while another process makes or replaces the file. Making takes milliseconds."""

_POLL_S: Final = 0.01


def opened_lock(path: Path) -> int:
    """A descriptor of the lock beside *path*, not locked yet. The file stays when it is closed."""
    return os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def wait(
    descriptor: int,
    how: int,
    otherwise: str,
    *,
    wait_s: float | None = None,
    unless: Callable[[], bool] = lambda: False,
) -> bool:
    """
    Wait for the lock, or for *unless* to become true. Tells whether it is held.

    Args:
        otherwise: What it means when the wait was in vain.
        wait_s: How long, instead of `WAIT_S`.

    Raises:
        StoreUnavailableError: Saying *otherwise*.
    """
    end = time.monotonic() + (WAIT_S if wait_s is None else wait_s)
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if unless():
                return False
            if time.monotonic() > end:
                raise StoreUnavailableError(otherwise) from None
            time.sleep(_POLL_S)
        else:
            return True
