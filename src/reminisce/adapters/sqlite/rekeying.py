"""
The store's key, changed by writing the store anew and putting the new file in the old one's place.

A file names its own key, by its salt. So the step that replaces the file is the step that changes the key: whenever a
process is killed, the file that is there opens with the key that is kept for it.
"""

import contextlib
from pathlib import Path
from urllib.parse import quote

from reminisce.adapters.sqlite.keys import KeySource
from reminisce.adapters.sqlite.places import remove, salt_of
from reminisce.adapters.sqlite.replacing import open_alone
from reminisce.adapters.sqlite.schema import check_format, connect, hexkey, name_of
from reminisce.adapters.sqlite.translate import translated
from reminisce.errors import StoreError, StoreUnavailableError

__all__ = ["rekey"]


def rekey(path: Path, old: KeySource, new: KeySource, *, keep_old: bool = False) -> str:
    """
    Change the key of the store at *path*. It is under the one or under the other at every instant.

    Needs as much room again as the store takes, until it is done.

    Args:
        old: Where its key is.
        new: Where the next one is to come from: a fresh one is made and kept, or the secret is used.
        keep_old: Leave the old key where it is kept, for copies of the file. Otherwise it goes when the change is done.

    Returns:
        Where the key comes from now, for people.

    Raises:
        ConfigurationError: The new secret will not do.
        StoreUnavailableError: The store is open elsewhere.
        StoreMissingError, StoreUnreadableError, StoreDamagedError, StoreTooNewError, StoreFullError, KeyMissingError:
            Nothing was changed.
    """
    new.check()
    with open_alone(path) as alone:
        key = old.find(alone.salt)
        with contextlib.closing(connect(alone.path, alone.salt, key, uri=True)) as connection:
            check_format(connection, alone.path)
            with translated():
                (busy, *_), *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            if busy:
                raise StoreUnavailableError("its write-ahead log could not be folded in; nothing was changed")
            target, salt = alone.replacement(keep=keep_old)
            if new.secret is not None:
                # One that a killed try left would be taken for the store's by whoever gives no secret.
                new.drop(salt)
            fresh = new.make(salt)
            try:
                uri = f"file:{quote(name_of(target))}?cipher=chacha20&hexkey={hexkey(salt, fresh)}"
                with translated():
                    connection.execute("VACUUM INTO ?", (uri,))
                _read_back(target, salt, fresh)
            except BaseException:
                remove(target)
                raise
        alone.replace(target)
        alone.settle(salt, old)
    return new.place(salt)


def _read_back(path: Path, salt: bytes, key: bytes) -> None:
    """
    Open the new file as the next start will, and read all of it.

    Raises:
        StoreError: It does not do.
    """
    with contextlib.closing(connect(path, salt, key)) as connection:
        check_format(connection, path)
        with translated():
            found = connection.execute("PRAGMA quick_check(1)").fetchall()
    if found != [("ok",)] or salt_of(path) != salt:
        raise StoreError("the file under the new key could not be read back; nothing was changed")
