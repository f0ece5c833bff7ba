"""Verbs on keys."""

import os
from pathlib import Path

import attrs

from reminisce.app.cli.options import COMMON, Common
from reminisce.app.cli.outcome import KeyMade, Outcome
from reminisce.app.cli.prompting import ask
from reminisce.app.cli.streams import path_of
from reminisce.app.config import Settings
from reminisce.app.wiring import change_key, fresh_key, keep_fresh_key
from reminisce.errors import InvalidError

__all__ = ["keygen", "rekey"]

NEW_KEY = "REMINISCE_NEW_KEY"


def keygen(*, to: str | None = None, common: Common = COMMON) -> Outcome:
    """
    Print a fresh random key, or write it to a file.

    It is 64 hexadecimal digits, as REMINISCE_KEY takes them. No store is changed.

    Args:
        to: A file that is not there yet; only its owner may read it.
    """
    if to is None:
        return Outcome(KeyMade(fresh_key(), None), common.json)
    path = path_of(to)
    if not path:
        raise InvalidError.of("to", "empty", "must be a path")
    keep_fresh_key(Path(path).expanduser())
    return Outcome(KeyMade(None, to), common.json)


def _next(settings: Settings, *, passphrase: bool) -> Settings:
    """The settings with the next secret in the place of the one of now."""
    given = os.environ.get(NEW_KEY) or None
    if passphrase:
        return attrs.evolve(settings, secret=ask("new_passphrase", again=True), secret_from="new_passphrase")  # noqa: S106
    return attrs.evolve(settings, secret=given, secret_from=NEW_KEY)


def rekey(*, new_passphrase: bool = False, keep_old: bool = False, common: Common = COMMON) -> Outcome:
    """
    Change the store's key.

    To a fresh one that is kept, to REMINISCE_NEW_KEY if that is set, or to a new passphrase. Nobody may have the store open,
    and there must be as much room again as it takes. Killed at any instant, the store is under the one key or the other.

    Args:
        new_passphrase: Ask for the new passphrase on the terminal.
        keep_old: Leave the old key where it is kept, for copies of the store's file.
    """
    settings = common.settings()
    new = _next(settings, passphrase=new_passphrase)
    return Outcome(change_key(settings, new, keep_old=keep_old), common.json)
