"""Keys of the store's pages: a file made on first use, or a secret given by the host."""

import contextlib
import os
import secrets
import string
from pathlib import Path
from typing import Final

import attrs

from reminisce.errors import ConfigurationError, KeyMissingError, StoreUnreadableError

__all__ = ["KeySource"]

KEY_BYTES: Final = 32
"""ChaCha20's."""

SALT_BYTES: Final = 16
"""SQLite3MC keeps the salt of an encrypted file in its first 16 bytes, in the clear."""

_HEX_DIGITS: Final = 2 * KEY_BYTES

_PASSPHRASE_LEAST: Final = 12
"""Characters. Argon2id makes each guess cost a tenth of a second; fewer characters would still be guessed."""

_OPSLIMIT: Final = 3
_MEMLIMIT: Final = 64 * 1024 * 1024
"""Argon2id: 3 passes over 64 MiB, the second recommended option of RFC 9106, about 0.1 s."""


@attrs.frozen
class KeySource:
    """
    Where the key of a store comes from.

    Args:
        directory: Where key files are, one a store, named after the store's salt.
        secret: 64 hexadecimal digits are the key itself; anything else is a passphrase. None: a key file.
    """

    directory: Path
    secret: str | None = attrs.field(default=None, repr=False)

    def path(self, salt: bytes) -> Path:
        """The key file of the store with this salt."""
        return self.directory / f"{salt.hex()}.key"

    def find(self, salt: bytes) -> bytes:
        """
        The key of an existing store.

        Raises:
            KeyMissingError: There is no key file for it and no secret was given.
            StoreUnreadableError: The key file is there but cannot be read, or holds no key.
        """
        if self.secret is not None:
            return _from_secret(self.secret, salt)
        path = self.path(salt)
        try:
            text = path.read_text("ascii").strip()
            key = bytes.fromhex(text)
        except FileNotFoundError:
            raise KeyMissingError(f"expected it in {path}, or in REMINISCE_KEY") from None
        except (OSError, ValueError) as error:
            raise StoreUnreadableError(f"the key file {path} cannot be read: {type(error).__name__}") from error
        if len(key) != KEY_BYTES:
            raise StoreUnreadableError(f"the key file {path} holds no key of {KEY_BYTES} bytes")
        return key

    def make(self, salt: bytes) -> bytes:
        """
        The key for a store that is about to be made, kept durably before this returns.

        A key file that a first start left when it was killed is used again.
        """
        if self.secret is not None:
            return _from_secret(self.secret, salt)
        path = self.path(salt)
        key = secrets.token_bytes(KEY_BYTES)
        try:
            make_folder(self.directory)
            whole = path.with_suffix(".new")
            with contextlib.suppress(FileNotFoundError):
                whole.unlink()
            descriptor = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(key.hex() + "\n")
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                publish(whole, path)
        except OSError as error:
            raise StoreUnreadableError(f"the key file {path} cannot be made: {type(error).__name__}") from error
        return self.find(salt)

    def complaints(self, salt: bytes) -> list[str]:
        """What is wrong with how the key is kept."""
        path = self.path(salt)
        if self.secret is None and path.exists() and path.stat().st_mode & 0o077:
            return [f"the key file {path} may be read by others: chmod 600 it"]
        return []


def make_folder(path: Path) -> None:
    """Make a folder, owner-only and durable, with those above it that are missing."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in missing:
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


def _from_secret(secret: str, salt: bytes) -> bytes:
    if len(secret) == _HEX_DIGITS and set(secret) <= set(string.hexdigits):
        return bytes.fromhex(secret)
    if len(secret.strip()) < _PASSPHRASE_LEAST:
        raise ConfigurationError(
            "REMINISCE_KEY",
            f"must be {_HEX_DIGITS} hexadecimal digits or a passphrase of {_PASSPHRASE_LEAST} characters",
        )
    from nacl.bindings import crypto_pwhash_alg, crypto_pwhash_ALG_ARGON2ID13

    try:
        words = secret.encode()
    except UnicodeEncodeError:
        raise ConfigurationError("REMINISCE_KEY", "must be UTF-8") from None
    return bytes(crypto_pwhash_alg(KEY_BYTES, words, salt, _OPSLIMIT, _MEMLIMIT, crypto_pwhash_ALG_ARGON2ID13))
