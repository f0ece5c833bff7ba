"""A store's file replaced by another, in one step, while nobody has it open."""

import contextlib
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from reminisce.adapters.files import sync_directory
from reminisce.adapters.sqlite.keys import SALT_BYTES, KeySource
from reminisce.adapters.sqlite.locks import opened_lock, wait
from reminisce.adapters.sqlite.places import beside, in_place, is_there, real, remove, salt_of, tidy
from reminisce.errors import ReminisceError, StoreMissingError, StoreUnavailableError

__all__ = ["Alone", "open_alone", "settle"]

_ALONE_S: Final = 2.0
"""How long one who wants to be alone waits for the others: a command's verb ends within it, a server does not."""

_REPLACING: Final = ".rekey"
"""What ends the name of the file that is to replace the store's."""


_KEPT: Final = b"k"
"""
Ends the note in the lock when the old key is to stay.

The note of a change of key: the new salt, the old salt, and possibly that.
"""


def settle(path: Path, lock: int, salt: bytes, keys: KeySource) -> None:
    """
    Tidy up after a change of key, also after one that was killed. The store's salt says whether it has come about.

    Called under the lock: nobody else is about to change the key.
    """
    noted = os.pread(lock, 3 * SALT_BYTES, 0)
    new, old, kept = noted[:SALT_BYTES], noted[SALT_BYTES : 2 * SALT_BYTES], noted[2 * SALT_BYTES :]
    if salt == new and old:
        # When the keys cannot be reached today, the store still can, and the next to open it does this.
        with contextlib.suppress(ReminisceError):
            if kept != _KEPT:
                keys.drop(old)
            os.ftruncate(lock, 0)
    remove(beside(path, _REPLACING))


class Alone:
    """A store's file that nobody else has open or can open, so that it can be replaced."""

    def __init__(self, path: Path, lock: int, salt: bytes) -> None:
        self.path = path
        self.salt = salt
        self._lock = lock

    def replacement(self, *, keep: bool) -> tuple[Path, bytes]:
        """
        A path and a salt for the file that is to replace this one. At the path is an empty file, owner-only.

        The salt is written down first: one who was killed goes on with the same, so that no key is left over for each try.

        Args:
            keep: Whether the key of this one stays where it is kept.
        """
        noted = os.pread(self._lock, 2 * SALT_BYTES, 0)
        salt = noted[:SALT_BYTES]
        if noted[SALT_BYTES:] != self.salt:
            salt = secrets.token_bytes(SALT_BYTES)
        note = salt + self.salt + (_KEPT if keep else b"")
        # Never empty in between: a key that nothing names would stay for good.
        os.pwrite(self._lock, note, 0)
        os.ftruncate(self._lock, len(note))
        os.fsync(self._lock)
        new = beside(self.path, _REPLACING)
        remove(new)
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        return new, salt

    def replace(self, new: Path) -> None:
        """Put the finished file in this one's place, durably, in one step."""
        if os.path.lexists(beside(self.path, "-wal")):
            raise StoreUnavailableError(
                f"the write-ahead log of {self.path} could not be folded in; nothing was changed"
            )
        new.chmod(stat.S_IMODE(self.path.stat().st_mode))
        with new.open("rb") as file:
            os.fsync(file.fileno())
        new.replace(self.path)
        sync_directory(self.path.parent)

    def settle(self, salt: bytes, keys: KeySource) -> None:
        """Forget the key of the file that was replaced, unless it stays."""
        settle(self.path, self._lock, salt, keys)


@contextlib.contextmanager
def open_alone(path: Path) -> Iterator[Alone]:
    """
    Have a store's file to oneself. It is there; nothing is made.

    Raises:
        StoreUnavailableError: Others have it open.
        StoreMissingError, StoreUnreadableError, StoreDamagedError
    """
    path = real(path)
    with in_place(path):
        if not is_there(path):
            raise StoreMissingError(str(path))
        lock = opened_lock(path)
        try:
            wait(lock, fcntl.LOCK_EX, f"{path} is open elsewhere; end what uses it first", wait_s=_ALONE_S)
            # Nobody in this process has it open either, so reading it takes no lock away.
            tidy(path)
            yield Alone(path, lock, salt_of(path))
        finally:
            os.close(lock)
