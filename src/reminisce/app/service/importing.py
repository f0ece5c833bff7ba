"""Records from a file, line by line, each kept or reported."""

import codecs
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import attrs

from reminisce.domain.answers import Bad, Imported
from reminisce.domain.planning.remember import Remembered
from reminisce.domain.requests import Request
from reminisce.errors import GuardFailedError, InvalidError, PolicyFailedError, ReminisceError, StoreError

__all__ = ["import_lines", "lines_of"]

LINE: Final = 1024 * 1024
"""Largest line in bytes: every text at its cap fits, and a file without line ends is not read whole."""

CHUNK: Final = 1_000
"""Records kept in one commit: what a failure half way leaves out is at most this, and a commit's cost is shared."""

CHUNK_BYTES: Final = 16 * 1024 * 1024
"""Bytes of text kept in one commit at most, and one record more: far below what a batch may have."""

NEVER: Final = frozenset({"owner", "user_id", "agent_id", "id", "status", "recorded_at", "revision", "ordinal"})
"""Names that exports carry and imports ignore: who owns a memory, what became of it and when it was recorded are ours."""


def lines_of(readline: Callable[[int], bytes]) -> Iterator[bytes]:
    """The lines of a binary file by its ``readline``, one longer than `LINE` cut just above it: none is held whole."""
    while line := readline(LINE + 2):
        yield line
        while len(line) == LINE + 2 and not line.endswith(b"\n"):
            line = readline(LINE + 2)


class _BadRecordError(ValueError):
    """A line that is no JSON object of unique names; carries what to tell."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise _BadRecordError("an object names something twice")
    return record


def _parsed(line: bytes) -> dict[str, Any]:
    if len(line.rstrip(b"\r\n")) > LINE:
        raise _BadRecordError(f"must be at most {LINE} bytes")
    try:
        record = json.loads(line.decode(), object_pairs_hook=_unique)
    except UnicodeDecodeError:
        raise _BadRecordError("must be UTF-8") from None
    except RecursionError:
        raise _BadRecordError("is nested too deeply") from None
    except _BadRecordError:
        raise
    except ValueError:
        raise _BadRecordError("must be JSON") from None
    if not isinstance(record, dict):
        raise _BadRecordError("must be a JSON object")
    return record


@attrs.define
class _Run:
    keep: Callable[[list[Request]], tuple[Remembered, ...]]
    stop: bool
    created: int = 0
    unchanged: int = 0
    bad: list[Bad] = attrs.field(factory=list)
    ignored: set[str] = attrs.field(factory=set)
    waiting: list[tuple[int, Request]] = attrs.field(factory=list)

    size: int = 0
    """Bytes of text that wait."""

    @property
    def stopped(self) -> bool:
        return self.stop and bool(self.bad)

    def note(self, line: int, error: ReminisceError) -> None:
        self.bad.append(Bad(line, error.code, str(error)))

    def flush(self) -> None:
        """Keep what waits in one commit; when a line of it is refused, by halves, so that only that one is left out."""
        waiting, self.waiting, self.size = self.waiting, [], 0
        if not waiting:
            return
        try:
            self._count(self.keep([request for _, request in waiting]))
        except (StoreError, PolicyFailedError, GuardFailedError):
            # No line is at fault: the next one would meet the same.
            raise
        except ReminisceError as error:
            if len(waiting) == 1:
                self.note(waiting[0][0], error)
                return
            for half in (waiting[: len(waiting) // 2], waiting[len(waiting) // 2 :]):
                self.waiting = half
                self.flush()
                if self.stopped:
                    return

    def _count(self, lines: Iterable[Remembered]) -> None:
        for line in lines:
            if line.created:
                self.created += 1
            else:
                self.unchanged += 1


def import_lines(
    lines: Iterable[bytes | str],
    read: Callable[[Mapping[str, Any]], Request],
    keep: Callable[[list[Request]], tuple[Remembered, ...]],
    revision: Callable[[], int],
    *,
    stop: bool,
) -> Imported:
    """
    Keep the records of *lines*. Blank lines are passed over.

    Args:
        read: Cleans one record.
        keep: Keeps several, all or none.
        revision: Tells the owner's revision.
        stop: Stop at the first bad line.
    """
    run = _Run(keep, stop)
    for number, given in enumerate(lines, 1):
        line: bytes = given.encode(errors="surrogatepass") if isinstance(given, str) else given
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip():
            continue
        try:
            record = _parsed(line)
            ignored = NEVER.intersection(record)
            request = read({name: value for name, value in record.items() if name not in ignored})
        except _BadRecordError as error:
            run.bad.append(Bad(number, "not_a_record", str(error)))
        except InvalidError as error:
            run.note(number, error)
        else:
            run.ignored |= ignored
            run.waiting.append((number, request))
            run.size += request.size
        if len(run.waiting) == CHUNK or run.size >= CHUNK_BYTES or run.stopped:
            run.flush()
        if run.stopped:
            break
    run.flush()
    run.bad.sort(key=lambda bad: bad.line)
    return Imported(run.created, run.unchanged, tuple(run.bad), tuple(sorted(run.ignored)), revision())
