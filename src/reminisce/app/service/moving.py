"""An owner's face: memories in from files and out to them."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from reminisce.app.service.exporting import Counting, notes_of, records_of
from reminisce.app.service.folders import look, opened, write_file, write_folder
from reminisce.app.service.importing import Run
from reminisce.app.service.keeping import Keeping
from reminisce.app.service.sources import TEXTS, Folder, Format, lines_of, pieces_of_lines
from reminisce.codec.records import to_line
from reminisce.domain.checks import Checks
from reminisce.domain.moved import Exported, Imported
from reminisce.domain.naming import DOCUMENT, fitting
from reminisce.domain.planning.correct import CORRECT_BY_IMPORT, plan_correct
from reminisce.domain.planning.forget import FORGET_BY_IMPORT, Reinstated, plan_forget, plan_reinstate
from reminisce.domain.planning.mirroring import Known, known, sections_gone
from reminisce.domain.planning.remember import Remembered
from reminisce.domain.requests import Request
from reminisce.domain.values import Status

__all__ = ["Moving"]

Progress = Callable[[int, int], object]

_GONE: Final = "its document no longer has this section"
"""The reason in the history of what an import retires."""

_LINES: Final = frozenset({Format.AUTO, Format.JSONL, Format.MEMORY_JSON})
"""What can be read line by line."""


class Moving(Keeping):
    """Import, export."""

    def import_(
        self,
        source: "str | os.PathLike[str] | Iterable[bytes | str] | BinaryIO",
        *,
        format: str = "auto",  # noqa: A002 (the option's name in every face)
        name: str | None = None,
        stop: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """
        Keep what a file, a folder or lines hold (`docs/import.md`). Importing twice changes nothing.

        Args:
            source: A path, an open binary file, or lines, as UTF-8 or text, with or without line ends. What is no path is
                read line by line.
            format: ``auto`` (what it looks like); ``jsonl``: records, one a line; ``markdown``: notes, each file a memory;
                ``documents``: texts, each section a memory; ``memory-json``: the file of the reference MCP memory server.
            name: What the documents of this folder, or this document, are called in keys and sources: at most 1 KiB.
                Left out: the name of the folder or file itself. Two folders of one name need it.
            stop: Stop at the first that is bad, keeping what came before; otherwise it is reported and skipped.
            progress: Is told the bytes done, and the bytes of all, as a path is read.

        Returns:
            Counts, what is bad by file and line, and which names were ignored: owner, status and times of recording are
            never imported.

        Raises:
            InvalidError: The arguments, or the path cannot be read.
            PolicyFailedError, StoreError: What came before is kept.
        """
        checks = Checks()
        wanted = checks.choice("format", format, Format)
        checks.flag("stop", stop)
        called = None if name is None else checks.text("name", name)
        given: object = source
        place = Path(os.fspath(source)) if isinstance(source, str | os.PathLike) else None
        if place is None and (not isinstance(given, Iterable) or isinstance(given, bytes | Mapping)):
            checks.note("source", "wrong_type", "must be a path, an open binary file, or lines")
        elif place is None and wanted not in _LINES:
            checks.note("format", "needs_a_path", "of this kind needs a path")
        checks.finish()
        if place is not None:
            look(place)
        run = Run(_Hands(self), stop)
        if place is None:
            readline = getattr(source, "readline", None)
            lines = cast("Iterable[bytes | str]", source) if readline is None else lines_of(readline)
            run.take_all(pieces_of_lines(lines, wanted))
        elif _holds_lines(place, wanted):
            with opened(place) as file:
                run.take_all(pieces_of_lines(_watched(file, progress), wanted))
        else:
            folder = Folder(place, called or _name_of(place), wanted, progress)
            run.take_all(folder.pieces())
            run.passed_over = folder.passed_over
        return run.finish()

    def export(
        self,
        into: "str | os.PathLike[str] | BinaryIO",
        *,
        format: str = "jsonl",  # noqa: A002
        statuses: Iterable[str] = ("active",),
        replace: bool = False,
        progress: Callable[[int], object] | None = None,
    ) -> Exported:
        """
        Write the memories that the caller may see as a file of records, or a folder of notes (`docs/export.md`).

        Args:
            into: A path, or for records an open binary file. At a path everything is written, or nothing is.
            format: ``jsonl``: records, one a line; ``markdown``: notes, each file a memory.
            statuses: Which memories. An import makes active what it reads, whatever it was.
            replace: A file, or an earlier export of the same form, may be there.
            progress: Is told how many memories were written so far.

        Returns:
            How many, and of which revision.

        Raises:
            InvalidError: The arguments, something is there already, or it cannot be written.
            StoreError
        """
        checks = Checks()
        if format not in (Format.JSONL, Format.MARKDOWN):
            checks.note("format", "unknown_word", "must be one of jsonl, markdown")
        words = checks.items("statuses", statuses, "basis")
        chosen = frozenset(checks.choice("statuses", word, Status) for word in words)
        if not words:
            checks.note("statuses", "empty", "must name at least one")
        if Status.WITHDRAWN in chosen:
            checks.note("statuses", "no_words", "cannot name withdrawn: nothing of those is left to write")
        checks.flag("replace", replace)
        place = Path(os.fspath(into)) if isinstance(into, str | os.PathLike) else None
        if place is None and not hasattr(into, "writelines"):
            checks.note("into", "wrong_type", "must be a path or an open binary file")
        elif place is None and format == Format.MARKDOWN:
            checks.note("format", "needs_a_path", "of this kind needs a path")
        checks.finish()
        counting = Counting(progress)
        with self._core.store.view() as view:
            records = counting.counted(records_of(view, self.name, self._viewer, chosen))
            if place is None:
                _pour(cast("BinaryIO", into), map(to_line, records))
            elif format == Format.MARKDOWN:
                write_folder(place, notes_of(records), replace=replace)
            else:
                write_file(place, map(to_line, records), replace=replace)
            return Exported(counting.memories, view.head(self.name).revision)


def _pour(stream: BinaryIO, lines: Iterator[bytes]) -> None:
    stream.writelines(lines)
    with contextlib.suppress(AttributeError):
        stream.flush()


def _name_of(place: Path) -> str:
    """What a folder or a file is called, also where it is given as ``.`` or through a link."""
    name = os.fsencode(place.resolve().name).decode(errors="replace")
    return fitting(name or "/", DOCUMENT // 2)


def _holds_lines(place: Path, wanted: Format) -> bool:
    """Whether a path is read line by line."""
    if wanted is Format.AUTO:
        return not place.is_dir() and place.suffix.lower() not in TEXTS
    return wanted in _LINES


def _watched(file: BinaryIO, progress: Progress | None) -> Iterator[bytes]:
    total = os.fstat(file.fileno()).st_size
    done = 0
    for line in lines_of(file.readline):
        yield line
        done += len(line)
        if progress is not None:
            progress(done, total)


class _Hands:
    """What an import does to one owner's memories."""

    def __init__(self, owner: Moving) -> None:
        self._owner = owner

    def read(self, record: Mapping[str, Any]) -> Request:
        return self._owner._read(record)

    def known(self, requests: list[Request]) -> list[Known]:
        owner = self._owner
        with owner._core.store.view() as view:
            return known(view, owner.name, owner._viewer, requests)

    def keep(self, requests: list[Request]) -> tuple[Remembered, ...]:
        return self._owner._keep(requests, "import")

    def correct(self, key: str, request: Request, changed: tuple[str, ...]) -> Remembered:
        owner = self._owner
        nameless = Request(attributes=request.attributes, many=request.many)
        name = owner._core.identifiers.key()
        return owner._write_new(plan_correct, key, nameless, changed, name, operation=CORRECT_BY_IMPORT)

    def reinstate(self, key: str) -> Reinstated:
        return self._owner._write(plan_reinstate, key)

    def retire(self, document: str, present: frozenset[str]) -> int:
        owner = self._owner
        with owner._core.store.view() as view:
            gone = sections_gone(view, owner.name, owner._viewer, document, present)
        if not gone:
            return 0
        done = owner._write(plan_forget, gone, reason=_GONE, found=True, operation=FORGET_BY_IMPORT)
        return len(done.forgotten)

    def revision(self) -> int:
        return self._owner.revision()
