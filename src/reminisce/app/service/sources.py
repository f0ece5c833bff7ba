"""From lines and files to pieces: every form that an import reads."""

import itertools
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import attrs

from reminisce.app.service.folders import Entry, entries, named
from reminisce.app.service.importing import Ended, Piece
from reminisce.codec.documents import sections
from reminisce.codec.knowledge import looks_like_it, memories_of, more_than_it
from reminisce.codec.notes import Note, read_note
from reminisce.codec.records import LINE, NEVER, ONLY_SURFACE, BadRecordError, read_lines
from reminisce.domain.limits import BYTES
from reminisce.domain.naming import DOCUMENT, fitting, section_key, section_source

__all__ = ["TEXTS", "Folder", "Format", "lines_of", "pieces_of_lines"]


class Format(StrEnum):
    """What an import reads."""

    AUTO = "auto"
    """What it looks like."""

    JSONL = "jsonl"
    """Records, one a line."""

    MARKDOWN = "markdown"
    """Notes, each file a memory."""

    DOCUMENTS = "documents"
    """Texts, each section a memory."""

    MEMORY_JSON = "memory-json"
    """The file of the reference MCP memory server."""


TEXTS: Final = frozenset({".md", ".markdown", ".txt"})
"""Endings of what is read in a folder. The others are passed over and counted."""

_OF_ONE: Final = frozenset(
    {"key", "request_key", "fact", "surface", "derived_from", "supersedes", "valid_from", "valid_to"}
)
"""What front matter cannot say of every section of a document alike."""


def lines_of(readline: Callable[[int], bytes]) -> Iterator[bytes]:
    """The lines of a binary file by its ``readline``, one longer than `LINE` cut just above it: none is held whole."""
    while line := readline(LINE + 2):
        yield line
        while len(line) == LINE + 2 and not line.endswith(b"\n"):
            line = readline(LINE + 2)


def _records(found: Iterable[tuple[int, dict[str, Any] | BadRecordError]]) -> Iterator[Piece]:
    for number, record in found:
        if isinstance(record, BadRecordError):
            yield Piece(line=number, problem=record)
            continue
        ignored = NEVER.intersection(record)
        said = {name: value for name, value in record.items() if name not in ignored}
        yield Piece(line=number, record=said, ignored=ignored, only_surface=record.get(ONLY_SURFACE) is True)


def _knowledge(found: Iterable[tuple[int, dict[str, Any] | BadRecordError]]) -> Iterator[Piece]:
    for number, record in found:
        if isinstance(record, BadRecordError):
            yield Piece(line=number, problem=record)
            continue
        try:
            told = list(memories_of(record))
        except BadRecordError as error:
            yield Piece(line=number, problem=error)
            continue
        ignored = frozenset(more_than_it(record))
        for memory in told:
            yield Piece(line=number, record=memory, ignored=ignored, mends=True)


def pieces_of_lines(lines: Iterable[bytes | str], format_: Format) -> Iterator[Piece]:
    """The memories of a file that holds one object a line. By itself the first that can be read says of which form."""
    found = read_lines(lines)
    if format_ is Format.AUTO:
        first: list[tuple[int, dict[str, Any] | BadRecordError]] = []
        for number, record in found:
            first.append((number, record))
            if isinstance(record, dict):
                format_ = Format.MEMORY_JSON if looks_like_it(record) else Format.JSONL
                break
        found = itertools.chain(first, found)
    return _knowledge(found) if format_ is Format.MEMORY_JSON else _records(found)


@attrs.define
class Folder:
    """
    A folder, or one file, of texts.

    Args:
        name: What its documents are called: each by this and its place below.
        format: ``auto``, ``markdown`` or ``documents``. By itself a file is a note when its front matter says so or names
            its key, and else a document.
        progress: Is told the bytes done and the bytes of all.
    """

    path: Path
    name: str
    format: Format
    progress: Callable[[int, int], object] | None = None
    passed_over: int = 0
    """Files of other kinds."""

    def _texts(self) -> Iterator[Entry]:
        if not self.path.is_dir():
            yield named(self.path)
            return
        for entry in entries(self.path):
            if entry.problem is None and entry.path.suffix.lower() not in TEXTS:
                self.passed_over += 1
            else:
                yield entry

    def pieces(self) -> Iterator[Piece | Ended]:
        """
        Their memories, file by file.

        Raises:
            InvalidError: The folder cannot be read.
        """
        files = list(self._texts())
        total, done = sum(entry.size for entry in files), 0
        twice, places = self._looked_at(files)
        # What a memory comes from goes before it, as it was recorded; what was written by hand goes last, by its name.
        for entry in sorted(
            files, key=lambda entry: (entry.name not in places, places.get(entry.name, (0, 0)), entry.name)
        ):
            yield from self._file(entry, twice)
            done += entry.size
            if self.progress is not None:
                self.progress(done, total)

    def _key(self, entry: Entry, note: Note) -> object:
        """The key of a note: the one that it names, or its place."""
        if note.said.get("key") is not None:
            return note.said["key"]
        return fitting(self._document(entry), BYTES["key"])

    def _is_note(self, note: Note) -> bool:
        if self.format is Format.AUTO:
            return note.marked or note.said.get("key") is not None
        return self.format is Format.MARKDOWN

    def _looked_at(self, files: list[Entry]) -> tuple[dict[str, str], dict[str, tuple[int, int]]]:
        """
        The notes that share a key with another, each with the name of one of those; and the places of exported ones.

        Which of two is the copy nobody can tell, so that neither is taken. This reads the folder once more.
        """
        first: dict[str, str] = {}
        twice: dict[str, str] = {}
        places: dict[str, tuple[int, int]] = {}
        for entry in files if len(files) > 1 and self.format is not Format.DOCUMENTS else ():
            try:
                note = self._note(entry)
            except BadRecordError:
                continue
            key = note.said.get("key")
            if not isinstance(key, str) or not self._is_note(note):
                continue
            if note.place is not None:
                places[entry.name] = note.place
            other = first.setdefault(key, entry.name)
            if other != entry.name:
                twice[entry.name] = other
                twice.setdefault(other, entry.name)
        return twice, places

    def _note(self, entry: Entry) -> Note:
        read = entry.read()
        if isinstance(read, tuple):
            raise BadRecordError(read[1], read[0])
        try:
            text = read.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadRecordError("must be UTF-8", "not_utf8") from None
        if "\0" in text:
            raise BadRecordError("must be text", "not_text")
        return read_note(text)

    def _file(self, entry: Entry, twice: Mapping[str, str]) -> Iterator[Piece | Ended]:
        try:
            if entry.name in twice:
                raise BadRecordError(f"has the same key as {twice[entry.name]}: neither is taken", "key_twice")
            note = self._note(entry)
            if len(self._document(entry).encode()) > DOCUMENT:
                raise BadRecordError(f"must have a name of at most {DOCUMENT} bytes", "bad_name")
        except BadRecordError as error:
            yield Piece(file=entry.name, line=1, problem=error)
            return
        if self._is_note(note):
            record = {**note.said, "key": self._key(entry, note), "content": note.content}
            yield Piece(
                file=entry.name,
                line=1,
                record=record,
                ignored=note.ignored,
                mends=True,
                only_surface=note.only_surface,
            )
        else:
            yield from self._sections(entry, note)

    def _document(self, entry: Entry) -> str:
        return posixpath.join(self.name, entry.name) if self.path.is_dir() else self.name

    def _sections(self, entry: Entry, note: Note) -> Iterator[Piece | Ended]:
        document = self._document(entry)
        ignored = note.ignored | _OF_ONE.intersection(note.said)
        said = {"basis": "imported", **{name: note.said[name] for name in note.said if name not in ignored}}
        keys = set()
        headings = entry.path.suffix.lower() != ".txt"
        for section in sections(note.text, first_line=note.line, headings=headings):
            link = section_source(document, section.anchor)
            keys.add(section_key(link))
            if section.text is None:
                problem = BadRecordError(f"has a paragraph of more than {BYTES['content']} bytes", "too_large")
                yield Piece(file=entry.name, line=section.line, problem=problem)
                continue
            record = {
                **said,
                "content": section.text,
                "key": section_key(link),
                "sources": [document, link, *_listed(said.get("sources"))],
                "facets": _with_heading(said.get("facets"), section.heading),
            }
            yield Piece(file=entry.name, line=section.line, record=record, ignored=ignored, mends=True)
        yield Ended(document, frozenset(keys))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _with_heading(facets: Any, heading: str) -> Any:
    """Facets as front matter gives them, those of another form too, to be refused where they are read."""
    if not heading or not isinstance(facets, dict | None):
        return facets
    return {**(facets or {}), "section": fitting(heading, BYTES["facet value"])}
