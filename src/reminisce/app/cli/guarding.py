"""The verb that looks for secrets in files."""

import codecs
import json as json_
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from reminisce.app.cli.options import COMMON, Common
from reminisce.app.cli.outcome import Looked, Outcome, Spot
from reminisce.app.cli.upkeep import opened
from reminisce.app.service.importing import lines_of
from reminisce.app.wiring import looking
from reminisce.errors import InvalidError

__all__ = ["guard"]

AT_A_TIME: Final = 1024 * 1024
"""Letters looked at in one piece, and the rest of the last line."""

OVERLAP: Final = 8 * 1024
"""Letters looked at again with the next piece: more than any token has, so that none is cut."""


def guard(files: list[str], /, *, jsonl: bool = False, common: Common = COMMON) -> Outcome:
    """
    Look for secrets in files, as every write does. Opens no store; exit code 1 when something was found.

    Args:
        files: Text files; - reads standard input.
        jsonl: Each line is a JSON object with a text. With --json each is answered at once by an object with its rules.
    """
    found: list[Spot] = []
    for file in files:
        with opened(file) as stream:
            if jsonl and common.json:
                found.extend(_answered(file, stream))
            else:
                found.extend(_spots(file, stream) if not jsonl else _records(file, stream))
    answer = None if jsonl and common.json else Looked(tuple(found), len(files))
    return Outcome(answer, common.json, int(bool(found)))


def _spots(file: str, stream: BinaryIO) -> Iterator[Spot]:
    """Where the secrets of a text file are, each line and rule once."""
    reader = codecs.getreader("utf-8")(stream, "replace")
    line, kept, told = 1, "", set[tuple[int, str]]()
    while True:
        read = reader.read(AT_A_TIME, AT_A_TIME)
        piece = kept + read + (reader.readline(AT_A_TIME) if read else "")
        for match in looking().find(piece):
            spot = (line + piece.count("\n", 0, match.start), match.rule)
            if spot not in told:
                told.add(spot)
                yield Spot(file, *spot)
        if not read:
            return
        line += piece.count("\n", 0, max(0, len(piece) - OVERLAP))
        kept = piece[-OVERLAP:]


def _text(line: bytes, number: int) -> str:
    """
    The text of one JSON object.

    Raises:
        InvalidError: It is none, or has no text.
    """
    try:
        record: Any = json_.loads(line)
    except (ValueError, RecursionError):
        record = None
    text = record.get("text") if isinstance(record, dict) else None
    if not isinstance(text, str):
        raise InvalidError.of("file", "not_a_record", f"line {number} must be a JSON object with a text")
    return text


def _rules(stream: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines_of(stream.readline), 1):
        if line.strip():
            yield number, list(dict.fromkeys(match.rule for match in looking().find(_text(line, number))))


def _records(file: str, stream: BinaryIO) -> Iterator[Spot]:
    for number, rules in _rules(stream):
        yield from (Spot(file, number, rule) for rule in rules)


def _answered(file: str, stream: BinaryIO) -> Iterator[Spot]:
    for number, rules in _rules(stream):
        sys.stdout.write(json_.dumps({"rules": rules}) + "\n")
        sys.stdout.flush()
        yield from (Spot(file, number, rule) for rule in rules)
