"""The one place that chooses adapters."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from reminisce.app.config import IN_MEMORY, KEYRING, Settings, read_settings, review_aspects_of, words_of
from reminisce.app.service.backups import Tools
from reminisce.app.service.core import Face
from reminisce.app.service.memories import Memories
from reminisce.domain.answers import Rekeyed
from reminisce.domain.checks import Checks
from reminisce.domain.keyring import Keyring
from reminisce.domain.retention import Decay, retention
from reminisce.domain.values import Destination
from reminisce.errors import ConfigurationError, InvalidError
from reminisce.ports.cipher import KEY_BYTES
from reminisce.ports.policy import Policy
from reminisce.ports.store import Store

if TYPE_CHECKING:
    from reminisce.adapters.sqlite import KeySource

__all__ = ["Secret", "assemble", "change_key", "fresh_key", "keep_fresh_key", "open_memory", "read_keyring", "rekey"]

RECOVERY_KEY: Final = "REMINISCE_RECOVERY_KEY"

Secret = str | Callable[[], str]
"""A passphrase or a key of 64 hexadecimal digits, or what asks for one when it is needed."""


def _store(settings: Settings, *, create: bool) -> Store:
    if settings.store == IN_MEMORY:
        from reminisce.adapters.identifiers import RandomIdentifiers
        from reminisce.adapters.inmemory import InMemoryStore

        return InMemoryStore(RandomIdentifiers().commit())
    from reminisce.adapters.sqlite import SQLiteStore

    return SQLiteStore(Path(settings.store).expanduser(), _keys(settings), create=create)


def _keys(settings: Settings) -> "KeySource":
    from reminisce.adapters.keyholders import SystemKeyring
    from reminisce.adapters.sqlite import KeySource

    # One who gives the secret needs no keyring, and there may be none.
    system = SystemKeyring() if settings.key_from == KEYRING and settings.secret is None else None
    return KeySource(settings.keys, settings.secret, system, settings.secret_from)


def assemble(
    settings: Settings,
    *,
    face: Face | None = None,
    create: bool = True,
    policy: Policy | None = None,
    decay: Decay = retention,
) -> Memories:
    """
    Put a service together.

    Args:
        face: What is fixed for this start. Aspects and reviewer come from *settings*.
        create: Whether a store that certainly does not exist may be made.
        policy: The host's own, instead of the one that *settings* name.
        decay: What is left of a salience in time.

    Raises:
        ConfigurationError, StoreError
    """
    from reminisce.adapters.analysers import DefaultAnalyser
    from reminisce.adapters.ciphers import SodiumCipher
    from reminisce.adapters.clocks import SystemClock
    from reminisce.adapters.disk import LocalFiles
    from reminisce.adapters.identifiers import RandomIdentifiers
    from reminisce.adapters.policies import NamedPolicy

    if policy is None and settings.policy is not None:
        policy = NamedPolicy(settings.policy)
    analyser = DefaultAnalyser(languages=settings.languages)
    face = attrs.evolve(
        face or Face(),
        aspects=settings.aspects,
        reviewer=settings.reviewer,
        review_aspects=frozenset(settings.review_aspects),
    )
    _check(face)
    return Memories(
        _store(settings, create=create),
        analyser=analyser,
        clock=SystemClock(),
        identifiers=RandomIdentifiers(),
        face=face,
        policy=policy,
        decay=decay,
        tools=Tools(SodiumCipher(), LocalFiles()),
    )


def _check(face: Face) -> None:
    """
    Look at the names that a face was started with.

    Raises:
        InvalidError
    """
    checks = Checks()
    for field in ("actor", "reviewer", "audience"):
        value = getattr(face, field)
        if value is not None:
            checks.text(field, value)
    checks.finish()


def _said(secret: Secret | None, settings: Settings, called: str) -> Settings:
    """The settings with a secret of the caller's, who may want to be asked only now."""
    if secret is None:
        return settings
    said: object = secret() if callable(secret) else secret
    if not isinstance(said, str):
        raise ConfigurationError(called, "must be text, or a function that returns text")
    return attrs.evolve(settings, secret=said, secret_from=called)


def _opened(
    store: str | os.PathLike[str] | None, keys: str | os.PathLike[str] | None, secret: Secret | None
) -> Settings:
    settings = read_settings(store=None if store is None else os.fspath(store))
    if keys is not None:
        settings = attrs.evolve(settings, keys=Path(keys))
    return settings if settings.store == IN_MEMORY else _said(secret, settings, "secret")


def read_keyring(path: Path) -> Keyring:
    """
    The keyring in a file, opened with the recovery key in ``REMINISCE_RECOVERY_KEY``.

    Raises:
        ConfigurationError: That is not set, or no key.
        KeyringMissingError, SealError, StoreUnreadableError: The file is not there, or cannot be opened.
    """
    from reminisce.adapters.ciphers import SodiumCipher
    from reminisce.adapters.keyrings import KeyringFile

    secret = os.environ.get(RECOVERY_KEY) or ""
    try:
        key = bytes.fromhex(secret)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigurationError(RECOVERY_KEY, f"must be set to the recovery key, {2 * KEY_BYTES} hexadecimal digits")
    return KeyringFile(SodiumCipher()).read(path, key)


def change_key(settings: Settings, new: Settings, *, keep_old: bool = False) -> Rekeyed:
    """
    Change the key of the store that *settings* name to the one that *new* lead to.

    Raises:
        ConfigurationError, StoreError: As `rekey` does.
    """
    if settings.store == IN_MEMORY:
        raise ConfigurationError("store", "lives in the process and has no key")
    from reminisce.adapters.sqlite import rekey as change

    place = change(Path(settings.store).expanduser(), _keys(settings), _keys(new), keep_old=keep_old)
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
    settings = _opened(store, keys, secret)
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


def open_memory(
    store: str | os.PathLike[str] | None = None,
    *,
    keys: str | os.PathLike[str] | None = None,
    secret: Secret | None = None,
    aspects: tuple[str, ...] | None = None,
    audience: str | None = None,
    destination: str = "local",
    actor: str = "library",
    reviewer: str | None = None,
    review_aspects: tuple[str, ...] | None = None,
    policy: Policy | None = None,
    decay: Decay = retention,
    create: bool = True,
) -> Memories:
    """
    Open a memory: one encrypted file, made on first use.

    Args:
        store: Its path; ``":memory:"`` for one that lives in the process. Left out: ``REMINISCE_STORE``, the configuration
            file, or the user's data folder.
        keys: The folder of key files. Left out: beside the configuration.
        secret: A passphrase of at least 12 characters, or a key of 64 hexadecimal digits; or a function that asks for one,
            called once. Instead of ``REMINISCE_KEY``, which is instead of a key file. It is never shown or logged.
        aspects: What memories may be, instead of the configured ones.
        audience: See only what this audience may. Fixed for as long as it is open.
        destination: ``local``, or ``remote`` when what is recalled goes to a model elsewhere: then private memories stay
            unseen and redacted ones show their surface.
        actor: What histories call this face.
        reviewer: Who answers for reviews made through it, instead of ``REMINISCE_REVIEWER`` or the configured one.
        review_aspects: Memories with one of these wait for review, instead of the configured ones.
        policy: Judges every memory before it is kept, instead of the configured one.
        decay: What is left of a salience in time, instead of `retention`: of age, half-life and thousandths to thousandths.
        create: Whether to make a store where certainly none is.

    Raises:
        ConfigurationError, StoreMissingError, StoreUnreadableError, StoreDamagedError, StoreTooNewError, KeyMissingError
    """
    settings = _opened(store, keys, secret)
    if aspects is not None:
        settings = attrs.evolve(settings, aspects=words_of("aspects", aspects))
    if review_aspects is not None:
        settings = attrs.evolve(settings, review_aspects=review_aspects_of(review_aspects, settings.aspects))
    if reviewer is not None:
        settings = attrs.evolve(settings, reviewer=reviewer)
    try:
        going = Destination(destination)
    except ValueError:
        raise ConfigurationError("destination", "must be local or remote") from None
    face = Face(actor=actor, audience=audience, destination=going)
    return assemble(settings, face=face, create=create, policy=policy, decay=decay)
