"""Verbs that bring memories in from files and write them out to some."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, Final, cast

from cyclopts import Parameter

from reminisce.app.cli.options import COMMON, Common
from reminisce.app.cli.outcome import Outcome
from reminisce.app.cli.streams import path_of, standard_input
from reminisce.app.service.folders import look
from reminisce.errors import InvalidError

__all__ = ["export", "import_"]

STDIO: Final = "-"


@contextlib.contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int | None], object] | None]:
    """A bar on stderr where a person watches: it is told what is done, and how much there is where that is known."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    from reminisce.app.cli.screen import console

    with Progress(console=console(), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def import_(
    source: str,
    *,
    format: Annotated[str, Parameter(name=("--format", "--from"))] = "auto",  # noqa: A002 (the library's name)
    name: str | None = None,
    stop: bool = False,
    common: Common = COMMON,
) -> Outcome:
    """
    Keep what a file or a folder holds: records, notes, documents; twice changes nothing.

    Args:
        source: The file or folder; - reads lines from standard input.
        format: auto, jsonl (records, one a line), markdown (notes, each file a memory), documents (texts, each section a
            memory), memory-json (the file of the reference MCP memory server).
        name: What the documents are called, instead of the folder's or the file's own name.
        stop: Stop at the first that is bad; otherwise it is reported and skipped.
    """
    given: BinaryIO | Path = standard_input("source") if source == STDIO else Path(path_of(source))
    if isinstance(given, Path):
        look(given)
    with _bar("importing") as progress, common.mine(create=True) as owner:
        imported = owner.import_(given, format=format, name=name, stop=stop, progress=progress)
    return Outcome(imported, common.json, int(bool(imported.bad)))


def export(
    into: str,
    *,
    format: Annotated[str, Parameter(name=("--format", "--as"))] = "jsonl",  # noqa: A002
    statuses: list[str] | None = None,
    replace: bool = False,
    common: Common = COMMON,
) -> Outcome:
    """
    Write memories as a file of records, or a folder of notes.

    Args:
        into: What is written, whole or not at all; - writes records to standard output, and nothing else there.
        format: jsonl (records, one a line) or markdown (a folder of notes, each file a memory).
        statuses: Which memories: active (default), superseded, retired, held, rejected.
        replace: An earlier export may be there.
    """
    chosen = ("active",) if statuses is None else statuses
    place: str | BinaryIO = _standard_output() if into == STDIO else path_of(into)
    with _bar("exporting") as bar, common.mine() as owner:
        progress = None if bar is None else (lambda done: bar(done, None))
        try:
            written = owner.export(place, format=format, statuses=chosen, replace=replace, progress=progress)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InvalidError.of("into", "unwritable", f"cannot be written: {type(error).__name__}") from error
    return Outcome(None if into == STDIO else written, common.json)


def _standard_output() -> BinaryIO:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        raise InvalidError.of("into", "no_output", "is written to standard output, which is closed")
    return cast("BinaryIO", buffer)
