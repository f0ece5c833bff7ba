"""Which stores this process has open: what SQLite needs to be protected from, within one process and across a fork."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from reminisce.errors import StoreError
from reminisce.ports.store import FORKED

__all__ = ["enter", "leave"]

Identity = tuple[int, int]
"""Device and inode of a file."""

_guard = threading.RLock()  # reentrant: a finalizer that leaves may run while something enters
_open: dict[Identity, list[bytes]] = {}
"""The salt of each open store, once for every time that it is open."""
_inherited: set[Identity] = set()
"""Stores that a parent process had open when it forked this one."""


def enter(path: Path, read_salt: Callable[[Path], bytes]) -> tuple[Identity, bytes]:
    """
    Note that this process opens the store at *path*, and tell its salt.

    The file is read only when it is not open here yet: POSIX drops all of a process's locks on a file when any descriptor
    of it is closed, those of SQLite's connections among them.

    Raises:
        StoreError: A parent had it open when it forked this process: SQLite would believe that it holds the parent's locks.
    """
    with _guard:
        found = path.stat()
        identity = (found.st_dev, found.st_ino)
        if identity in _inherited:
            raise StoreError(FORKED)
        held = _open.get(identity)
        salt = held[0] if held else read_salt(path)
        _open.setdefault(identity, []).append(salt)
    return identity, salt


def leave(identity: Identity) -> None:
    """Note that one opening of the store has ended, its connections closed."""
    with _guard:
        held = _open.get(identity, [])
        if held:
            held.pop()
        if not held:
            _open.pop(identity, None)


def _after_fork() -> None:
    global _guard
    _guard = threading.RLock()
    _inherited.update(_open)
    _open.clear()


os.register_at_fork(after_in_child=_after_fork)
