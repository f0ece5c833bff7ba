"""
Files that are whole or not there, however a process ends. The one helper that adapters share.

A file is written under a hidden name beside its own, made durable, and then given its name in one step.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

__all__ = ["make_folder", "publish", "sync_directory", "writing"]

_POLL_S: Final = 0.01

_UNFINISHED: Final = ".reminisce-unfinished"
"""What ends the hidden name. Long, because whatever has it and is nobody's is removed."""


def make_folder(path: Path) -> None:
    """Make a folder, owner-only and durable, with those above it that are missing."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        # Whoever may not replace a file must not take this for it.
        raise NotADirectoryError from None
    for folder in missing:
        # `parents` gives those in between the mode of the umask.
        folder.chmod(0o700)
        sync_directory(folder.parent)


def publish(whole: Path, path: Path) -> None:
    """
    Give a finished file its name, durably. A link never replaces what is there already.

    Raises:
        FileExistsError: Something is; *whole* is gone all the same.
    """
    try:
        path.hardlink_to(whole)
    finally:
        whole.unlink()
        sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make names in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def writing(path: Path, *, over: bool, wait_s: float = 0.0) -> Iterator[BinaryIO]:
    """
    Write a file, owner-only, that appears under its name whole and durable when the block ends, and not at all if it fails.

    Missing folders are made, owner-only. What a writer that was killed left unfinished is removed by the next. Within the
    block nobody else writes that file, so what it holds may be read and written anew.

    Args:
        over: Whether it replaces what has that name already.
        wait_s: How long to wait for another writer of the same file, in seconds.

    Raises:
        FileExistsError: Something has the name, and *over* is False.
        BlockingIOError: Another writer is at the same file.
        OSError
    """
    make_folder(path.parent)
    if not over and os.path.lexists(path):
        _remove_leftover(_unfinished(path))
        raise FileExistsError
    unfinished = _unfinished(path)
    with os.fdopen(_taken(unfinished, wait_s), "wb") as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if over:
                unfinished.replace(path)
                sync_directory(path.parent)
                return
        except BaseException:
            unfinished.unlink()
            raise
        publish(unfinished, path)


def _unfinished(path: Path) -> Path:
    return path.with_name(f".{path.name}{_UNFINISHED}")


def _taken(unfinished: Path, wait_s: float) -> int:
    """A descriptor of a new file that this process alone may write, by a lock that ends with it."""
    end = time.monotonic() + wait_s
    while True:
        try:
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            try:
                _remove_leftover(unfinished)
            except BlockingIOError:
                if time.monotonic() > end:
                    raise
                time.sleep(_POLL_S)
            continue
        # Between the making and the lock another may have taken it for a leftover.
        if _locked(descriptor) and _is_named(descriptor, unfinished):
            return descriptor
        os.close(descriptor)


def _remove_leftover(unfinished: Path) -> None:
    # Removed, never written over: it may be a second name of the finished file.
    try:
        descriptor = os.open(unfinished, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return
    try:
        if not _locked(descriptor):
            raise BlockingIOError
        if _is_named(descriptor, unfinished):
            unfinished.unlink()
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_named(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False
