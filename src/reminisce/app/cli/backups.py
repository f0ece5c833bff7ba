"""Verbs that move whole stores."""

import os
from pathlib import Path
from typing import Final

import attrs

from reminisce.app.cli.options import COMMON, Common
from reminisce.app.cli.outcome import Outcome
from reminisce.app.cli.prompting import ask
from reminisce.app.cli.streams import path_of
from reminisce.app.wiring import read_keyring
from reminisce.domain.keyring import Keyring
from reminisce.errors import InvalidError

__all__ = ["backup", "copy", "restore", "seal", "unseal"]

PASSPHRASE: Final = "REMINISCE_PASSPHRASE"  # noqa: S105 (its name)
"""What seals and unseals, where nobody is there to be asked."""


def _path(file: str, field: str = "path") -> str:
    path = path_of(file)
    if not path or "\0" in path:
        raise InvalidError.of(field, "unusable", "must be the path of a file")
    return str(Path(path).expanduser())


def _passphrase(*, again: bool) -> str:
    return os.environ.get(PASSPHRASE) or ask("seal_passphrase", again=again)


def _keyring(file: str | None) -> Keyring | None:
    return None if file is None else read_keyring(Path(_path(file, "keyring")))


def backup(path: str, *, replace: bool = False, common: Common = COMMON) -> Outcome:
    """
    Write all that the store holds to a file.

    Words about subjects are sealed under keys that the keyring holds: a withdrawal reaches the file, too. All else is
    in the clear; `seal` encrypts it.

    Args:
        path: The file; only its owner may read it.
        replace: Replace a file of that name.
    """
    settings = common.settings()
    with common.memories(settings, create=False) as memories:
        return Outcome(memories.backup(_path(path), replace=replace), common.json)


def restore(path: str, *, keyring: str | None = None, common: Common = COMMON) -> Outcome:
    """
    Bring a backup into a store that holds none of its owners and subjects; the store is made if it is not there.

    Stopped on its way, the store refuses all else until the same has been run again and has ended.

    Args:
        path: What `reminisce backup` wrote.
        keyring: The keyring's file; without it words about subjects stay sealed. REMINISCE_RECOVERY_KEY opens it.
    """
    keys, settings = _keyring(keyring), common.settings()
    with common.memories(settings, create=True) as memories:
        return Outcome(memories.restore(_path(path), keyring=keys), common.json)


def seal(path: str, *, with_keys: bool = False, replace: bool = False, common: Common = COMMON) -> Outcome:
    """
    Write all that the store holds to a file that a passphrase encrypts: REMINISCE_PASSPHRASE, or what is typed.

    Args:
        path: The file.
        with_keys: Put the subjects' keys into it. It needs no keyring then, and no withdrawal reaches it.
        replace: Replace a file of that name.
    """
    settings = common.settings()
    with common.memories(settings, create=False) as memories:
        passphrase = _passphrase(again=True)
        return Outcome(memories.seal(_path(path), passphrase, with_keys=with_keys, replace=replace), common.json)


def unseal(path: str, *, keyring: str | None = None, common: Common = COMMON) -> Outcome:
    """
    Bring what `reminisce seal` wrote into a store, as `restore` does. REMINISCE_PASSPHRASE opens it, or what is typed.

    Args:
        path: The file.
        keyring: The keyring's file, where the subjects' keys are not in it.
    """
    keys, passphrase, settings = _keyring(keyring), _passphrase(again=False), common.settings()
    with common.memories(settings, create=True) as memories:
        return Outcome(memories.unseal(_path(path), passphrase, keyring=keys), common.json)


def copy(target: str, *, common: Common = COMMON) -> Outcome:
    """
    Bring all that the store holds into another store, which is made if it is not there, under a key of its own.

    Stopped on its way, the other store refuses all else until the same has been run again and has ended.

    Args:
        target: The other store's file.
    """
    settings = common.settings()
    other = attrs.evolve(settings, store=_path(target, "target"))
    with common.memories(settings, create=False) as memories, common.memories(other, create=True) as there:
        return Outcome(memories.copy(there), common.json)
