"""The caller's files: read without following a link out of their folder, written whole or not at all."""

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import attrs

from reminisce.errors import InvalidError

__all__ = ["Entry", "entries", "look", "named", "opened", "write_file", "write_folder"]

FILE: Final = 16 * 1024 * 1024
"""Bytes of a note or document at most: a book has two million."""

MARK: Final = ".reminisce-export"
"""The file that says that a folder is an export, and may be put in the place of by another."""


@attrs.frozen
class Entry:
    """One file of a folder, or why it cannot be read."""

    name: str
    """Below the folder, with ``/`` between, whatever the system writes."""

    path: Path
    size: int = 0
    problem: tuple[str, str] | None = None
    """Code and sentence."""

    def read(self) -> bytes | tuple[str, str]:
        """What is in it, or code and sentence of what stands in the way."""
        if self.problem is not None:
            return self.problem
        try:
            # Whatever was put there since the folder was listed: no link is followed, no pipe waited for.
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            with os.fdopen(os.open(self.path, flags), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return "not_a_file", "is no ordinary file"
                data = file.read(FILE + 1)
        except OSError as error:
            return "unreadable", f"cannot be read: {type(error).__name__}"
        return data if len(data) <= FILE else ("too_large", f"must be at most {FILE} bytes")


def _sorted(folder: Path) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as found:
        # By bytes, so that the order is that of every system.
        return sorted(found, key=lambda entry: os.fsencode(entry.name))


def _link(path: Path, name: str, root: Path) -> Iterator[Entry]:
    """A link. One to what is in the folder is passed over: that is read where it is."""
    try:
        inside = path.resolve(strict=True).is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        yield Entry(name, path, problem=("unreadable", "is a link to nothing"))
        return
    if not inside:
        yield Entry(name, path, problem=("outside", "is a link out of the folder, and is not followed"))


def entries(root: Path, *, below: str = "") -> Iterator[Entry]:
    """
    The files of a folder and those below it, in the order of their names. Hidden ones are passed over.

    Raises:
        InvalidError: The folder itself cannot be read.
    """
    try:
        found = _sorted(root / below)
    except OSError as error:
        if not below:
            raise InvalidError.of("source", "unreadable", f"cannot be read: {type(error).__name__}") from error
        yield Entry(below, root / below, problem=("unreadable", f"cannot be read: {type(error).__name__}"))
        return
    for entry in found:
        if entry.name.startswith("."):
            continue
        name, path = f"{below}/{entry.name}".lstrip("/"), Path(entry.path)
        try:
            name.encode()
        except UnicodeEncodeError:
            readable = os.fsencode(name).decode(errors="replace")
            yield Entry(readable, path, problem=("bad_name", "must have a name in UTF-8"))
            continue
        if entry.is_symlink():
            yield from _link(path, name, root)
        elif entry.is_dir():
            yield from entries(root, below=name)
        else:
            yield Entry(name, path, _size(entry))


def _size(entry: "os.DirEntry[str]") -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def named(path: Path) -> Entry:
    """
    A file that the caller named, be it by way of a link.

    Raises:
        InvalidError
    """
    try:
        real = path.resolve(strict=True)
        return Entry(path.name, real, real.stat().st_size)
    except (OSError, RuntimeError, ValueError) as error:
        raise InvalidError.of("source", "unreadable", f"cannot be read: {type(error).__name__}") from error


def look(path: Path) -> None:
    """
    See whether a file or folder can be read, before anything is made for what it holds.

    Raises:
        InvalidError
    """
    try:
        if path.is_dir():
            with os.scandir(path):
                return
        os.close(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)))
    except (OSError, ValueError) as error:
        raise InvalidError.of("source", "unreadable", f"cannot be read: {type(error).__name__}") from error


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """
    A file that the caller named, to be read line by line.

    Raises:
        InvalidError
    """
    try:
        file = path.open("rb")
    except (OSError, ValueError) as error:
        raise InvalidError.of("source", "unreadable", f"cannot be read: {type(error).__name__}") from error
    with file:
        yield file


def _refuse(code: str, message: str) -> InvalidError:
    return InvalidError.of("into", code, message)


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Failures of the file system, as refusals that name the argument."""
    try:
        yield
    except OSError as error:
        raise _refuse("unwritable", f"cannot be written: {type(error).__name__}") from error


def _sync(path: str | Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _beside(path: Path, word: str) -> Path:
    return path.with_name(f".{path.name[:100]}.{word}-{secrets.token_hex(8)}")


def _made(path: Path) -> Path:
    """*path*, with its folder there. What is made for it is its owner's alone."""
    if not path.name:
        raise _refuse("not_a_name", "must name what is to be written")
    missing = [folder for folder in path.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    return path


def _new(path: Path, lines: Iterator[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.writelines(lines)


def write_file(path: Path, lines: Iterator[bytes], *, replace: bool) -> None:
    """
    Write a file, whole or not at all. Readable by its owner alone.

    Raises:
        InvalidError: Something is there and *replace* was not said, or it cannot be written.
    """
    with _told():
        if path.is_dir() or (path.exists() and not path.is_file()):
            raise _refuse("taken", "something else than a file is there")
        if os.path.lexists(path) and not replace:
            raise _refuse("taken", "a file is there; say replace to put this in its place")
        new = _beside(_made(path), "new")
        try:
            _new(new, lines)
            _sync(new)
            if not replace and os.path.lexists(path):
                raise _refuse("taken", "a file was put there meanwhile")
            new.replace(path)
            _sync(path.parent)
        finally:
            new.unlink(missing_ok=True)


def _may_stand_in_for(path: Path, *, replace: bool) -> bool:
    """
    Whether there is a folder that has to go first.

    Raises:
        InvalidError: It is not ours, or *replace* was not said.
    """
    if not os.path.lexists(path):
        return False
    if path.is_symlink() or not path.is_dir():
        raise _refuse("taken", "something else than a folder is there")
    if any(path.iterdir()):
        if not (path / MARK).is_file():
            raise _refuse("taken", "a folder is there that is no export; name another")
        if not replace:
            raise _refuse("taken", "an export is there; say replace to put this in its place")
    return True


def write_folder(path: Path, files: Iterator[tuple[str, bytes]], *, replace: bool) -> int:
    """
    Write a folder of files, whole or not at all. Readable by its owner alone.

    Args:
        files: Names and what is in them.
        replace: An earlier export may be there. Nothing else is ever replaced.

    Returns:
        How many files.

    Raises:
        InvalidError: Something else is there, or it cannot be written.
    """
    with _told():
        going = _may_stand_in_for(path, replace=replace)
        new, old = _beside(_made(path), "new"), _beside(path, "old")
        try:
            count = _fill(new, files)
            if going:
                path.rename(old)
            try:
                new.rename(path)
            except OSError:
                if going:
                    old.rename(path)
                raise
            _sync(path.parent)
        finally:
            shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
        return count


def _fill(folder: Path, files: Iterator[tuple[str, bytes]]) -> int:
    folder.mkdir(mode=0o700)
    _new(folder / MARK, iter([b"An export of reminisce. Another one may be put in the place of this folder.\n"]))
    count = 0
    for name, data in files:
        _new(folder / name, iter([data]))
        count += 1
    # All at the end, when most of them are on the disk already: a third of the time that one by one takes.
    with os.scandir(folder) as written:
        for entry in written:
            _sync(entry.path)
    _sync(folder)
    return count
