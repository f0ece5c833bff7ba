"""Which key a store has, and how it gets another one."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from reminisce.app.config import IN_MEMORY, KEYRING, Settings, read_settings
from reminisce.domain.answers import Rekeyed
from reminisce.domain.keyring import Keyring
from reminisce.errors import ConfigurationError, InvalidError
from reminisce.ports.keyrings import Keyrings

if TYPE_CHECKING:
    from reminisce.adapters.sqlite import KeySource

__all__ = [
    "Secret",
    "change_key",
    "fresh_key",
    "keep_fresh_key",
    "keyrings_of",
    "keys_of",
    "read_keyring",
    "rekey",
    "settings_of",
]

Secret = str | Callable[[], str]
"""A passphrase or a key of 64 hexadecimal digits, or what asks for one when it is needed."""


def keys_of(settings: Settings) -> "KeySource":
    from reminisce.adapters.keyholders import SystemKeyring
    from reminisce.adapters.sqlite import KeySource

    # One who gives the secret needs no keyring, and there may be none.
    system = SystemKeyring() if settings.key_from == KEYRING and settings.secret is None else None
    return KeySource(settings.keys, settings.secret, system, settings.secret_from)


def _said(secret: Secret | None, settings: Settings, called: str) -> Settings:
    """The settings with a secret of the caller's, who may want to be asked only now."""
    if secret is None:
        return settings
    said: object = secret() if callable(secret) else secret
    if not isinstance(said, str):
        raise ConfigurationError(called, "must be text, or a function that returns text")
    return attrs.evolve(settings, secret=said, secret_from=called)


def settings_of(
    store: str | os.PathLike[str] | None, keys: str | os.PathLike[str] | None, secret: Secret | None
) -> Settings:
    settings = read_settings(store=None if store is None else os.fspath(store))
    if keys is not None:
        settings = attrs.evolve(settings, keys=Path(keys))
    return settings if settings.store == IN_MEMORY else _said(secret, settings, "secret")


def keyrings_of(settings: Settings) -> Keyrings:
    """Where the keyrings of stores are: beside their keys."""
    from reminisce.adapters.ciphers import SodiumCipher
    from reminisce.adapters.keyholders import KeyFiles, SystemKeyring
    from reminisce.adapters.keyrings import KeptKeyrings, KeyringFile, RecoveryKeys

    holder = SystemKeyring() if settings.key_from == KEYRING else KeyFiles(settings.keys)
    recovery = RecoveryKeys(holder, settings.recovery)
    return KeptKeyrings(settings.keys, recovery, KeyringFile(SodiumCipher()))


def read_keyring(path: Path) -> Keyring:
    """
    The keyring in a file, opened with the recovery key in ``REMINISCE_RECOVERY_KEY``.

    Raises:
        ConfigurationError: That is not set, or no key.
        KeyringMissingError, SealError, StoreUnreadableError: The file is not there, or cannot be opened.
    """
    from reminisce.adapters.ciphers import SodiumCipher
    from reminisce.adapters.keyrings import KeyringFile, recovery_key

    return KeyringFile(SodiumCipher()).read(path, recovery_key(os.environ.get("REMINISCE_RECOVERY_KEY", "")))


def change_key(settings: Settings, new: Settings, *, keep_old: bool = False) -> Rekeyed:
    """
    Change the key of the store that *settings* name to the one that *new* lead to.

    Raises:
        ConfigurationError, StoreError: As `rekey` does.
    """
    if settings.store == IN_MEMORY:
        raise ConfigurationError("store", "lives in the process and has no key")
    from reminisce.adapters.sqlite import rekey as change

    place = change(Path(settings.store).expanduser(), keys_of(settings), keys_of(new), keep_old=keep_old)
    return Rekeyed(settings.store, place, keep_old)


def rekey(
    store: str | os.PathLike[str] | None = None,
    *,
    keys: str | os.PathLike[str] | None = None,
    secret: Secret | None = None,
    new_secret: Secret | None = None,
    keep_old: bool = False,
) -> Rekeyed:
    """
    Change the key of a store that nobody has open. Killed at any instant, it leaves the store under one of the two keys.

    The file is written anew, so there must be as much room again as it takes.

    Args:
        store: Its path, as for `open_memory`.
        keys: The folder of key files, as for `open_memory`.
        secret: The key or passphrase of now. Left out: ``REMINISCE_KEY``, or the key that is kept.
        new_secret: The key or passphrase from now on. Left out: a fresh random key, kept where keys are kept.
        keep_old: Leave the old key where it is kept, for copies of the file that need it. Otherwise it is removed.

    Raises:
        ConfigurationError: A secret will not do, or the store lives in the process.
        StoreUnavailableError: The store is open, in this process or another.
        StoreMissingError, StoreUnreadableError, StoreDamagedError, StoreTooNewError, StoreFullError, KeyMissingError
    """
    settings = settings_of(store, keys, secret)
    new = _said(new_secret, attrs.evolve(settings, secret=None), "new_secret")
    return change_key(settings, new, keep_old=keep_old)


def fresh_key() -> str:
    """A new random key, 64 hexadecimal digits."""
    from reminisce.adapters.ciphers import SodiumCipher

    return SodiumCipher().fresh_key().hex()


def keep_fresh_key(path: Path) -> None:
    """
    Write a new random key to a file that is not there yet, for its owner alone.

    Raises:
        InvalidError: Something is there, or it cannot be written; names the field ``to``.
    """
    from reminisce.adapters.files import writing

    try:
        with writing(path, over=False) as file:
            file.write(fresh_key().encode("ascii") + b"\n")
    except FileExistsError:
        raise InvalidError.of("to", "exists", "names what is there already; it was left as it is") from None
    except (OSError, ValueError) as error:
        raise InvalidError.of("to", "unwritable", f"cannot be written: {type(error).__name__}") from error
