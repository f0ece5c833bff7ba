"""Where a store's file is, what is beside it, and whether it is one."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from reminisce.adapters.sqlite.keys import SALT_BYTES
from reminisce.errors import StoreDamagedError, StoreUnreadableError

__all__ = ["PAGE", "beside", "in_place", "is_there", "real", "remove", "salt_of", "tidy", "wal_pages"]

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


def beside(path: Path, suffix: str) -> Path:
    """The file whose name is that of *path* and *suffix*."""
    return path.with_name(path.name + suffix)


def real(path: Path) -> Path:
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


def is_there(path: Path) -> bool:
    """Whether a store, whole or not, is at *path*. Anything but a clear no is a yes or an error, so that nothing is lost."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        if os.path.lexists(beside(path, "-wal")):
            raise StoreDamagedError(f"{path} is gone, but its write-ahead log is there") from None
        return False
    if not stat.S_ISREG(found.st_mode):
        raise StoreUnreadableError(f"{path} is not a file")
    return True


def wal_pages(path: Path) -> int:
    """How many pages at most the write-ahead log holds."""
    try:
        return max(0, beside(path, "-wal").stat().st_size - _WAL_HEADER) // (PAGE + _WAL_FRAME)
    except FileNotFoundError:
        return 0


def salt_of(path: Path) -> bytes:
    """
    The salt of the store at *path*, its first bytes.

    Raises:
        StoreUnreadableError, StoreDamagedError: It is no store, or not a whole one.
    """
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


def remove(path: Path) -> None:
    """Remove an unfinished file and what SQLite kept beside it."""
    for leftover in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            beside(path, leftover).unlink()


def tidy(path: Path) -> None:
    """Drop the second name of the store that a first start leaves when it is killed between giving and taking names."""
    new = beside(path, ".new")
    with contextlib.suppress(FileNotFoundError):
        if new.samefile(path):
            new.unlink()


@contextlib.contextmanager
def in_place(path: Path) -> Iterator[None]:
    """Let no error of the system's leave without the store's place."""
    try:
        yield
    except OSError as error:
        raise StoreUnreadableError(f"{path}: {type(error).__name__}") from error
