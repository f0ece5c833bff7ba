"""A memory as a Markdown note: its attributes above, its text below, exactly."""

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from reminisce.codec.frontmatter import split, to_block, value_of
from reminisce.codec.records import ONLY_SURFACE, BadRecordError
from reminisce.domain.requests import NAMES

__all__ = ["MARK", "Note", "read_note", "to_note"]

MARK: Final = "reminisce"
"""The name in front matter that says that a file is one memory, and by which version of this form."""

VERSION: Final = "1"

_LISTS: Final = frozenset({"aspects", "sources", "subjects", "derived_from", "supersedes"})
_PLACE: Final = re.compile("[0-9]{1,18}")
_RESAVED: Final = re.compile("---[ \t]*\r\n")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")


@attrs.frozen
class Note:
    """A file of text with what its front matter says."""

    said: Mapping[str, Any]
    """By the names of `remember`'s arguments."""

    text: str
    """All that stands below."""

    ignored: frozenset[str]
    """Names in the front matter that mean nothing here."""

    marked: bool
    """Whether it says itself that it is one memory."""

    only_surface: bool
    place: tuple[int, int] | None = None
    """Of an exported one, its revision and ordinal: what it comes from has an earlier place."""

    line: int = 1
    """Where the text begins in the file."""

    @property
    def content(self) -> str:
        """The text of the one memory that it is: without the last line end, see `to_note`."""
        return self.text.removesuffix("\n")


def to_note(record: Mapping[str, Any]) -> str:
    """The file of a record. Its text is followed by one line end that is no part of it, since editors want one there."""
    said = {name: value for name, value in record.items() if name != "content"}
    return f"{to_block({MARK: int(VERSION), **said})}{record['content']}\n"


def read_note(text: str) -> Note:
    """
    A file's front matter and the text below; all of it is text where there is none.

    Raises:
        BadRecordError: The front matter cannot be read.
    """
    if _RESAVED.match(text):
        # A note is written with line feeds. An editor that wrote others in its head wrote them in its text, too.
        text = text.replace("\r\n", "\n")
    block, below = split(text)
    said = None if block is None else value_of(block)
    if said is None:
        return Note({}, text, frozenset(), marked=False, only_surface=False)
    version = said.get(MARK, VERSION)
    if version != VERSION:
        raise BadRecordError("it was written by a newer reminisce", "note_too_new")
    known = {name: _typed(name, value) for name, value in said.items() if name in NAMES and name != "content"}
    ignored = frozenset(said) - frozenset(known) - {MARK}
    return Note(
        known,
        below,
        ignored,
        marked=MARK in said,
        only_surface=said.get(ONLY_SURFACE) == "true",
        place=_place(said.get("revision"), said.get("ordinal")),
        line=text[: len(text) - len(below)].count("\n") + 1,
    )


def _typed(name: str, value: Any) -> Any:
    """A value as `remember` takes it: what is a number or a list there may be written as a text here."""
    if name in ("confidence", "salience"):
        return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
    if name in _LISTS and isinstance(value, str):
        return [value]
    if name == "fact" and isinstance(value, dict) and value.get("many") in ("true", "false"):
        return value | {"many": value["many"] == "true"}
    return value


def _place(*numbers: Any) -> tuple[int, int] | None:
    revision, ordinal = (int(n) if isinstance(n, str) and _PLACE.fullmatch(n) else None for n in numbers)
    return None if revision is None or ordinal is None else (revision, ordinal)
