"""The store's file: whether it is there, who has it open, and how it is made exactly once."""

import contextlib
import fcntl
import os
import secrets
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from reminisce.adapters.files import make_folder, publish
from reminisce.adapters.sqlite.keys import SALT_BYTES, KeySource
from reminisce.adapters.sqlite.locks import opened_lock, wait
from reminisce.adapters.sqlite.places import beside, in_place, is_there, real, remove, salt_of, tidy
from reminisce.adapters.sqlite.process import Identity, enter, leave
from reminisce.adapters.sqlite.replacing import settle
from reminisce.errors import StoreMissingError

__all__ = ["Opened", "open_file"]


class Opened:
    """A store's file, found or made, with its key; holds the shared lock that keeps others from replacing the file."""

    def __init__(self, path: Path, identity: Identity, salt: bytes, key: bytes, lock: int) -> None:
        self.path = path
        self.salt = salt
        self.key = key
        # Also when nobody closes the store: an entry that outlives it would speak for whatever file comes by that inode.
        self._end = weakref.finalize(self, _ended, identity, lock)

    def release(self) -> None:
        """Let others replace the file. Every connection must be closed by now."""
        self._end()


def _ended(identity: Identity, lock: int) -> None:
    leave(identity)
    os.close(lock)


def _make(path: Path, lock: int, keys: KeySource, build: Callable[[Path, bytes, bytes], None]) -> None:
    # The salt is written down first, so that a start killed before the store was there goes on with the same key file.
    # Longer is what a change of key left; that salt may be another store's by now.
    salt = os.pread(lock, SALT_BYTES + 1, 0)
    if len(salt) != SALT_BYTES:
        os.ftruncate(lock, 0)
        salt = secrets.token_bytes(SALT_BYTES)
        os.pwrite(lock, salt, 0)
        os.fsync(lock)
    key = keys.make(salt)
    new = beside(path, ".new")
    remove(new)
    build(new, salt, key)
    new.chmod(0o600)
    with new.open("rb") as file:
        os.fsync(file.fileno())
    publish(new, path)
    # The next store of this name is another store: it must not take up this one's salt.
    os.ftruncate(lock, 0)


def open_file(path: Path, keys: KeySource, *, create: bool, build: Callable[[Path, bytes, bytes], None]) -> Opened:
    """
    Find the store's file, or make it when it certainly does not exist. However many processes race, one makes it.

    Args:
        create: Whether a missing store may be made.
        build: Writes an empty store to a path under a salt and a key, closed and durable when it returns.

    Raises:
        StoreMissingError: It is not there, and *create* is False.
        StoreUnreadableError, StoreDamagedError, KeyMissingError, StoreUnavailableError
    """
    path = real(path)
    with in_place(path):
        if not is_there(path) and not create:
            raise StoreMissingError(f"{path}; `reminisce init` makes one")
        if create:
            make_folder(path.parent)
        lock = opened_lock(path)
    busy = f"{path} is being made or replaced by another process"
    with in_place(path), _unless_it_fails(lock):
        wait(lock, fcntl.LOCK_SH, busy)
        if not is_there(path):
            # Whoever makes the store goes on holding a shared lock, so the others must not wait until they are alone.
            alone = wait(lock, fcntl.LOCK_EX, busy, unless=lambda: is_there(path))
            if alone and not is_there(path):
                _make(path, lock, keys, build)
            wait(lock, fcntl.LOCK_SH, busy)
        tidy(path)
        identity, salt = enter(path, salt_of)
        try:
            settle(path, lock, salt, keys)
            return Opened(path, identity, salt, keys.find(salt), lock)
        except BaseException:
            leave(identity)
            raise


@contextlib.contextmanager
def _unless_it_fails(lock: int) -> Iterator[None]:
    """Hand the lock on, or let it go."""
    try:
        yield
    except BaseException:
        os.close(lock)
        raise
