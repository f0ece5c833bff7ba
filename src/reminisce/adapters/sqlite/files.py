"""The store's file: whether it is there, who has it open, and how it is made exactly once."""

import contextlib
import fcntl
import os
import secrets
import stat
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Final

from reminisce.adapters.sqlite.keys import SALT_BYTES, KeySource, make_folder, publish
from reminisce.adapters.sqlite.process import Identity, enter, leave
from reminisce.errors import StoreDamagedError, StoreMissingError, StoreUnavailableError, StoreUnreadableError

__all__ = ["PAGE", "Opened", "open_file", "wal_pages"]

PAGE: Final = 4096
"""Bytes of a page, SQLite's default. No store is smaller than one."""

_PLAIN: Final = b"SQLite format 3\0"

_CLEAR: Final = bytes.fromhex("1000020220402020")
"""
Bytes 16 to 23 of every store, which SQLite3MC leaves in the clear: page size, WAL, reserved bytes, payload fractions.

A file that has fewer than half of them was never a store; one that has most is, though some may be damaged.
"""

_WAL_HEADER: Final = 32
_WAL_FRAME: Final = 24
"""Bytes of the log's header and of each frame's, before its page. Source: SQLite's file format, section 4."""

_WAIT_S: Final = 20.0
"""How long an open waits while another process makes or replaces the file. Making takes milliseconds."""

_POLL_S: Final = 0.01


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


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _lock(descriptor: int, how: int, path: Path, *, unless: Callable[[], bool] = lambda: False) -> bool:
    """Wait for the lock, or for *unless* to become true. Tells whether it is held."""
    end = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if unless():
                return False
            if time.monotonic() > end:
                raise StoreUnavailableError(f"{path} is being made or replaced by another process") from None
            time.sleep(_POLL_S)
        else:
            return True


def _real(path: Path) -> Path:
    """
    The file that *path* means. SQLite names its log after that one, and so do we.

    A link to nothing is an error: what it led to may be on a device that is away, so nothing is made in its place.
    """
    if not path.is_symlink():
        return path.absolute()
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise StoreUnreadableError(f"{path} is a link that leads nowhere: {type(error).__name__}") from error


def _is_there(path: Path) -> bool:
    """Whether a store, whole or not, is at *path*. Anything but a clear no is a yes or an error, so that nothing is lost."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        if os.path.lexists(_beside(path, "-wal")):
            raise StoreDamagedError(f"{path} is gone, but its write-ahead log is there") from None
        return False
    if not stat.S_ISREG(found.st_mode):
        raise StoreUnreadableError(f"{path} is not a file")
    return True


def wal_pages(path: Path) -> int:
    """How many pages at most the write-ahead log holds."""
    try:
        return max(0, _beside(path, "-wal").stat().st_size - _WAL_HEADER) // (PAGE + _WAL_FRAME)
    except FileNotFoundError:
        return 0


def _salt_of(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(SALT_BYTES + len(_CLEAR))
        size = file.seek(0, os.SEEK_END)
    if head.startswith(_PLAIN):
        raise StoreUnreadableError(f"{path} is a plain SQLite file, not a store of reminisce")
    same = sum(found == expected for found, expected in zip(head[SALT_BYTES:], _CLEAR, strict=False))
    if len(head) > SALT_BYTES and same < len(head[SALT_BYTES:]) / 2:
        raise StoreUnreadableError(f"{path} is not a store of reminisce")
    if size < PAGE:
        raise StoreDamagedError(f"{path} holds {size} bytes, less than one page; it was not changed")
    if size % PAGE and not wal_pages(path):
        # With a write-ahead log a power cut may leave a torn last page, which the log mends.
        raise StoreDamagedError(f"{path} ends in the middle of a page; it was not changed")
    return head[:SALT_BYTES]


def _make(path: Path, lock: int, keys: KeySource, build: Callable[[Path, bytes, bytes], None]) -> None:
    # The salt is written down first, so that a start killed before the store was there goes on with the same key file.
    salt = os.pread(lock, SALT_BYTES, 0)
    if len(salt) < SALT_BYTES:
        salt = secrets.token_bytes(SALT_BYTES)
        os.pwrite(lock, salt, 0)
        os.fsync(lock)
    key = keys.make(salt)
    new = _beside(path, ".new")
    for leftover in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            _beside(new, leftover).unlink()
    build(new, salt, key)
    new.chmod(0o600)
    with new.open("rb") as file:
        os.fsync(file.fileno())
    publish(new, path)
    # The next store of this name is another store: it must not take up this one's salt.
    os.ftruncate(lock, 0)


def _tidy(path: Path) -> None:
    """Drop the second name of the store that a first start leaves when it is killed between giving and taking names."""
    new = _beside(path, ".new")
    with contextlib.suppress(FileNotFoundError):
        if new.samefile(path):
            new.unlink()


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
    path = _real(path)
    try:
        if not _is_there(path) and not create:
            raise StoreMissingError(f"{path}; `reminisce init` makes one")
        if create:
            make_folder(path.parent)
        lock = os.open(_beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreUnreadableError(f"{path}: {type(error).__name__}") from error
    try:
        _lock(lock, fcntl.LOCK_SH, path)
        if not _is_there(path):
            # Whoever makes the store goes on holding a shared lock, so the others must not wait until they are alone.
            alone = _lock(lock, fcntl.LOCK_EX, path, unless=lambda: _is_there(path))
            if alone and not _is_there(path):
                _make(path, lock, keys, build)
            _lock(lock, fcntl.LOCK_SH, path)
        _tidy(path)
        identity, salt = enter(path, _salt_of)
        try:
            return Opened(path, identity, salt, keys.find(salt), lock)
        except BaseException:
            leave(identity)
            raise
    except OSError as error:
        os.close(lock)
        raise StoreUnreadableError(f"{path}: {type(error).__name__}") from error
    except BaseException:
        os.close(lock)
        raise
