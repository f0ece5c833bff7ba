"""Refusals and misuse in words. No sentence repeats what the caller wrote: it may be a memory."""

import datetime as dt
import difflib
import json as json_
import sys
from typing import Final, get_args

from cyclopts import exceptions as usage

from reminisce.app.cli.prompting import NoTerminalError
from reminisce.app.cli.screen import visible
from reminisce.codec import to_json
from reminisce.errors import InternalError, InvalidError, ReminisceError

__all__ = ["tell", "tell_usage"]

_KINDS: Final[dict[type | None, str]] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dt.timedelta: "a number of seconds, or a number with s, m, h or d, such as 30d",
}


def tell(error: ReminisceError, *, json: bool) -> None:
    """Say what was refused: as one JSON object on stdout, or a line a problem on stderr."""
    if json:
        sys.stdout.write(to_json(error) + "\n")
        return
    lines = [str(error)]
    if isinstance(error, InvalidError):
        lines = [f"{problem.field}: {problem.message}" for problem in error.problems]
    if isinstance(error, InternalError):
        lines.append("REMINISCE_DEBUG=1 shows where")
    _red(lines)


def tell_usage(error: usage.CycloptsError, *, json: bool) -> None:
    """Say how the command is used, in the same form as a refusal, with the code ``usage``."""
    sentence = _sentence(error)
    if json:
        plain = {"error": {"code": "usage", "message": sentence, "fields": _fields(error)}}
        sys.stdout.write(json_.dumps(plain, ensure_ascii=False) + "\n")
        return
    verb = " ".join(["reminisce", *(error.command_chain or ())])
    _red([sentence, f"`{verb} --help` tells more"])


def _red(lines: list[str]) -> None:
    from rich.text import Text

    from reminisce.app.cli.screen import console

    screen = console()
    for line in lines:
        screen.print(Text.assemble(("reminisce: ", "bold red"), (visible(line), "red")), soft_wrap=True)


def _fields(error: usage.CycloptsError) -> list[str]:
    return [] if error.argument is None else [error.argument.name.lstrip("-").replace("-", "_").lower()]


def _name(error: usage.CycloptsError) -> str:
    if error.argument is None:
        return "an option"
    name = error.argument.name
    return name if error.argument.index is None else name.lstrip("-").upper()


def _meant(word: str, names: list[str]) -> str:
    close = difflib.get_close_matches(word, names, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _verb(error: usage.UnknownCommandError) -> str:
    verbs = [] if error.app is None else [name for name in error.app if not name.startswith("-")]
    meant = _meant((error.unused_tokens or [""])[0], verbs)
    return f"no such verb{meant or '; there are ' + ', '.join(verbs)}"


def _option(error: usage.UnknownOptionError) -> str:
    names = [name for argument in error.argument_collection for name in argument.names]
    meant = _meant((error.token.keyword or error.token.value).partition("=")[0], names)
    return f"no such option{meant or '; text that begins with a hyphen goes behind --'}"


def _value(error: usage.CycloptsError) -> str:
    if isinstance(error, usage.ValidationError) and error.exception_message:
        return error.exception_message
    kind = error.target_type if isinstance(error, usage.CoercionError) else None
    words = ", ".join(map(str, get_args(kind)))
    return f"must be one of {words}" if words else f"must be {_KINDS.get(kind, 'of another form')}"


def _sentence(error: usage.CycloptsError) -> str:
    match error:
        case NoTerminalError():
            return "a passphrase is asked for on a terminal, and there is none; set REMINISCE_KEY instead"
        case usage.UnknownCommandError():
            return _verb(error)
        case usage.UnknownOptionError():
            return _option(error)
        case usage.RepeatArgumentError():
            return "an option that takes one value is given twice"
        case usage.MissingArgumentError():
            return f"{_name(error)}: needs a value"
        case usage.UnusedCliTokensError():
            return "more arguments than this verb takes; text of several words goes in quotes"
        case usage.CoercionError() | usage.ValidationError():
            return f"{_name(error)}: {_value(error)}"
        case _:
            return "the arguments cannot be read"
