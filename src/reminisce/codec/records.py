"""Memories as records, one JSON object a line: what an export writes and an import reads."""

import codecs
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import attrs

from reminisce.codec.plain import said, stamp
from reminisce.domain.memory import Memory
from reminisce.domain.values import Status
from reminisce.domain.visibility import Form

__all__ = ["LINE", "NEVER", "ONLY_SURFACE", "BadRecordError", "read_lines", "read_object", "record_of", "to_line"]

LINE: Final = 8 * 1024 * 1024
"""
Largest line in bytes, so that a file without line ends is not read whole.

Every text of a memory at its cap comes to 700 KiB, and JSON may write a byte as six.
"""

ONLY_SURFACE: Final = "only_surface"
"""The name under which a record says that its content is the surface of a memory whose words its writer could not see."""

NEVER: Final = frozenset(
    {"owner", "user_id", "agent_id", "id", "status", "recorded_at", "revision", "ordinal", ONLY_SURFACE}
)
"""Names that exports carry and imports ignore: who owns a memory, what became of it and when it was recorded are ours."""


class BadRecordError(ValueError):
    """What is no record; carries what to tell."""

    def __init__(self, problem: str, code: str = "not_a_record") -> None:
        super().__init__(problem)
        self.code = code


def record_of(memory: Memory, form: Form) -> dict[str, Any]:
    """
    A memory by the names of `remember`'s arguments, as it is in force, with its status and its place in time.

    Args:
        memory: As it may be shown.
        form: In which form that is.
    """
    if memory.status is not Status.ACTIVE:
        # What ended it is told by what stands in its place.
        memory = attrs.evolve(memory, valid_from=memory.given.valid_from, valid_to=memory.given.valid_to)
    return {
        "key": memory.key,
        "content": memory.content,
        "status": str(memory.status),
        "recorded_at": stamp(memory.recorded_at),
        "revision": memory.revision,
        "ordinal": memory.ordinal,
        "aspects": list(memory.aspects),
        "basis": str(memory.basis),
        "confidence": memory.confidence,
        "salience": memory.salience,
        "tier": str(memory.tier),
        **said(memory, many=memory.many),
        **({} if memory.request_key is None else {"request_key": memory.request_key}),
        **({} if form is Form.WHOLE else {ONLY_SURFACE: True}),
    }


def to_line(record: dict[str, Any]) -> bytes:
    """A record as one line of UTF-8, with its end."""
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise BadRecordError("an object names something twice")
    return record


def read_object(line: bytes) -> dict[str, Any]:
    """
    The object that a line is.

    Raises:
        BadRecordError: It is no JSON object of unique names, or too long.
    """
    if len(line.rstrip(b"\r\n")) > LINE:
        raise BadRecordError(f"must be at most {LINE} bytes")
    try:
        record = json.loads(line.decode(), object_pairs_hook=_unique)
    except UnicodeDecodeError:
        raise BadRecordError("must be UTF-8") from None
    except RecursionError:
        raise BadRecordError("is nested too deeply") from None
    except BadRecordError:
        raise
    except ValueError:
        raise BadRecordError("must be JSON") from None
    if not isinstance(record, dict):
        raise BadRecordError("must be a JSON object")
    return record


def read_lines(lines: Iterable[bytes | str]) -> Iterator[tuple[int, dict[str, Any] | BadRecordError]]:
    """The objects of *lines*, or what is wrong with one, by number from 1. Blank lines are passed over."""
    for number, given in enumerate(lines, 1):
        line: bytes = given.encode(errors="surrogatepass") if isinstance(given, str) else given
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip():
            continue
        try:
            yield number, read_object(line)
        except BadRecordError as error:
            yield number, error
