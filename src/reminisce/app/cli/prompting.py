"""Passphrases asked for on the terminal, never shown. An argument would be: other processes read those."""

import os

from cyclopts.exceptions import CycloptsError

from reminisce.errors import InvalidError

__all__ = ["NoTerminalError", "ask"]


class NoTerminalError(CycloptsError):
    """There is nobody to ask."""


def ask(option: str, *, again: bool) -> str:
    """
    Ask for a passphrase on the terminal, whatever standard input is.

    Args:
        option: What asked for it, by its name in the library.
        again: Ask twice, since a slip would be found out too late.

    Raises:
        NoTerminalError: There is no terminal.
        InvalidError: Nothing was typed, or not twice the same.
    """
    import getpass

    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError as error:
        # Otherwise getpass would read standard input, and show what is typed.
        raise NoTerminalError from error
    name = option.replace("_", " ").capitalize()
    try:
        passphrase = getpass.getpass(f"{name}: ")
        repeated = getpass.getpass(f"{name}, again: ") if again and passphrase else passphrase
    except EOFError:
        passphrase = repeated = ""
    if not passphrase:
        raise InvalidError.of(option, "empty", "nothing was typed")
    if passphrase != repeated:
        raise InvalidError.of(option, "differs", "was not typed the same twice; nothing was done")
    return passphrase
