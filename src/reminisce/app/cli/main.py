"""One run of the command, from its words to its exit code."""

import os
import sys
from collections.abc import Sequence
from typing import Final

from cyclopts.exceptions import CycloptsError, UnknownCommandError

from reminisce.app.cli.outcome import UNAVAILABLE, Outcome
from reminisce.app.cli.streams import give_up, text_of, utf8_streams
from reminisce.app.cli.verbs import GROUPS, build
from reminisce.errors import InternalError, ReminisceError, StoreUnavailableError

__all__ = ["main"]

REFUSED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
GONE: Final = 141
"""The reader of our output went away. As shells report it: 128 and the signal's number, as for an interrupt."""

_TAKING: Final = frozenset({"--store", "--owner"})
_EVERYWHERE: Final = _TAKING | {"--json", "--passphrase"}
"""What may stand before the verb as well as after it."""

_ORDERED: Final = frozenset({"believe", "contradict", "resolve", "reclassify"})
"""Verbs of several arguments."""


def _led(words: list[str]) -> tuple[list[str], list[str]]:
    """The options of every verb that *words* begin with, and the rest."""
    head: list[str] = []
    rest = list(words)
    while rest and rest[0].partition("=")[0] in _EVERYWHERE:
        head.append(rest.pop(0))
        if head[-1] in _TAKING and rest:
            head.append(rest.pop(0))
    return head, rest


def _arranged(words: Sequence[str]) -> list[str]:
    """
    The same words as cyclopts reads them: what stands before the verb after it, and a lone ``-`` as an argument.

    Only words before ``--`` are moved; what follows it is text, whatever it looks like. Empty when there is no verb.
    """
    head, rest = _led(list(words))
    verb, rest = rest[:1], rest[1:]
    if verb and verb[0] in GROUPS:
        more, rest = _led(rest)
        head += more
        if not rest or rest[0].startswith("-"):
            return [*verb, *rest, *head]
        verb.append(rest.pop(0))
    if not verb:
        return []
    rest = [*head, *rest]
    end = rest.index("--") if "--" in rest else len(rest)
    # Where several arguments mean different things none of them may change its place.
    options = rest[:end] if verb[0] in _ORDERED else [word for word in rest[:end] if word != "-"]
    texts = ["-"] * (end - len(options)) + rest[end + 1 :]
    return [*verb, *options, "--", *texts] if texts else [*verb, *options]


def _wants_json(words: Sequence[str]) -> bool:
    """Whether a failure should be told as JSON, also when the words could not be read as a whole."""
    before = words[: words.index("--")] if "--" in words else words
    return "--json" in before


def _answer(words: list[str], *, json: bool) -> Outcome:
    """
    Run the verb.

    Raises:
        CycloptsError, ReminisceError
    """
    app = build()
    bare = [word for word in words if word != "--json"]
    if not bare or (len(bare) == 1 and bare[0] in GROUPS):
        if json:
            raise UnknownCommandError(unused_tokens=[""], app=app[bare[0]] if bare else app)
        # Somebody who only looks around is helped, but a script that lost its verb must not go on.
        from reminisce.app.cli.screen import console

        app.help_print(bare, console=console())
        return Outcome(None, code=USAGE)
    outcome = app(words, exit_on_error=False, print_error=False)
    return outcome if isinstance(outcome, Outcome) else Outcome(None)


class _LostError(Exception):
    """The answer could not be written. Whatever the verb did is done."""


def _print(outcome: Outcome) -> None:
    if outcome.answer is None:
        return
    if outcome.json:
        from reminisce.codec import to_json

        text = to_json(outcome.answer) + "\n"
    else:
        from reminisce.app.cli.tables import as_text

        text = as_text(outcome.answer)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise _LostError from error


def _lost(cause: BaseException | None) -> int:
    give_up()
    if isinstance(cause, BrokenPipeError):
        return GONE
    sys.stderr.write("reminisce: the answer could not be written\n")
    return REFUSED


def _fail(error: ReminisceError, *, json: bool) -> int:
    from reminisce.app.cli.failures import tell

    tell(error, json=json)
    return UNAVAILABLE if isinstance(error, StoreUnavailableError) else REFUSED


def _run(words: Sequence[str]) -> int:
    json = _wants_json(words)
    try:
        outcome = _answer(_arranged(words), json=json)
        _print(outcome)
    except CycloptsError as error:
        from reminisce.app.cli.failures import tell_usage

        tell_usage(error, json=json)
        return USAGE
    except ReminisceError as error:
        return _fail(error, json=json)
    except _LostError as error:
        return _lost(error.__cause__)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 (nobody should meet a traceback; REMINISCE_DEBUG shows it)
        if os.environ.get("REMINISCE_DEBUG"):
            import traceback

            traceback.print_exception(error)
        return _fail(InternalError(), json=json)
    return outcome.code


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command.

    Args:
        argv: Its words without the program's name; the process's own when left out.

    Returns:
        0 done; 1 refused or failed; 2 usage; 3 the store is busy or out of reach, so that trying again may help; 130
        interrupted; 141 nobody reads the output any more.
    """
    words = [text_of(word) for word in (sys.argv[1:] if argv is None else argv)]
    try:
        with utf8_streams():
            return _run(words)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return _lost(error)
