"""Keys of the store's pages: kept on first use, or made of a secret given by the host."""

import secrets
import string
from pathlib import Path
from typing import Final

import attrs

from reminisce.adapters.keyholders import KeyFiles
from reminisce.errors import ConfigurationError, KeyMissingError, StoreError
from reminisce.ports.cipher import KEY_BYTES
from reminisce.ports.keyholder import Keyholder

__all__ = ["SALT_BYTES", "KeySource"]

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
        secret: 64 hexadecimal digits are the key itself; anything else is a passphrase. None: a key that is kept.
        system: Keeps the keys instead of the directory.
        called: What the secret is called where it is refused.
    """

    directory: Path
    secret: str | None = attrs.field(default=None, repr=False)
    system: Keyholder | None = None
    called: str = "REMINISCE_KEY"

    @property
    def _holder(self) -> Keyholder:
        return self.system or KeyFiles(self.directory)

    def check(self) -> None:
        """
        Look at the secret.

        Raises:
            ConfigurationError: It will not do.
        """
        if self.secret is not None:
            _words(self.secret, self.called)

    def find(self, salt: bytes) -> bytes:
        """
        The key of an existing store.

        Raises:
            KeyMissingError: None is kept for it, and no secret was given.
            StoreUnreadableError: Something is kept, but cannot be read or is no key.
        """
        if self.secret is not None:
            return self._stretched(self.secret, salt)
        name = _name(salt)
        # A store from before the system's keyring was chosen has a file; `rekey` moves it.
        key = self._holder.get(name) or KeyFiles(self.directory).get(name)
        if key is None:
            raise KeyMissingError(f"expected it in {self._holder.place(name)}, or in REMINISCE_KEY")
        return key

    def make(self, salt: bytes) -> bytes:
        """
        The key for a store that is about to be made, kept durably before this returns.

        A key that a first start left when it was killed is used again.
        """
        if self.secret is not None:
            return self._stretched(self.secret, salt)
        return self._holder.add(_name(salt), secrets.token_bytes(KEY_BYTES))

    def drop(self, salt: bytes) -> None:
        """Forget the key kept for this salt, wherever it is."""
        KeyFiles(self.directory).drop(_name(salt))
        if self.system is not None:
            self.system.drop(_name(salt))

    def place(self, salt: bytes) -> str:
        """Where the key comes from, for people."""
        return self.called if self.secret is not None else self._holder.place(_name(salt))

    def complaints(self, salt: bytes) -> list[str]:
        """What is wrong with how the key is kept."""
        if self.secret is None:
            return self._holder.complaints(_name(salt))
        try:
            kept = self._holder.get(_name(salt))
        except (StoreError, ConfigurationError):
            return []
        if kept is not None and kept != self._stretched(self.secret, salt):
            return [f"{self._holder.place(_name(salt))} is not this store's key: remove it"]
        return []

    def _stretched(self, secret: str, salt: bytes) -> bytes:
        words = _words(secret, self.called)
        if _is_key(secret):
            return words
        from nacl.bindings import crypto_pwhash_alg, crypto_pwhash_ALG_ARGON2ID13

        return bytes(crypto_pwhash_alg(KEY_BYTES, words, salt, _OPSLIMIT, _MEMLIMIT, crypto_pwhash_ALG_ARGON2ID13))


def _name(salt: bytes) -> str:
    return f"{salt.hex()}.key"


def _is_key(secret: str) -> bool:
    return len(secret) == _HEX_DIGITS and set(secret) <= set(string.hexdigits)


def _words(secret: str, called: str) -> bytes:
    """
    A key itself, or a passphrase as bytes.

    Raises:
        ConfigurationError: It is neither.
    """
    if _is_key(secret):
        return bytes.fromhex(secret)
    if len(secret.strip()) < _PASSPHRASE_LEAST:
        raise ConfigurationError(
            called,
            f"must be {_HEX_DIGITS} hexadecimal digits or a passphrase of {_PASSPHRASE_LEAST} characters",
        )
    try:
        return secret.encode()
    except UnicodeEncodeError:
        raise ConfigurationError(called, "must be UTF-8") from None
