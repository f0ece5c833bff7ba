"""
What a backup says, line by line: values to canonical lines and back. Pure; `docs/formats.md` is the description.

Memories and links are in `parts`.
"""

import base64
from typing import Any, Final, NamedTuple

import attrs

from reminisce.codec.canonical import (
    COUNT,
    NAME,
    NAMES,
    NUMBER,
    SWITCH,
    TEXT,
    TEXTS,
    TIME,
    Form,
    Plain,
    Shape,
    listed,
    maybe,
    whole,
    word,
    written,
)
from reminisce.domain.records import (
    LogEntry,
    Subject,
    SubjectState,
    Withdrawal,
)

__all__ = [
    "FORMAT", "FORMAT_NAME", "KINDS", "Destroyed", "End", "Header", "OwnerLine", "Sealed", "SubjectLine", "header_line",
    "header_of", "line", "sealed_of", "sealed_plain",
]  # fmt: skip

FORMAT: Final = 1
"""Of the file. Newer is refused."""

FORMAT_NAME: Final = "reminisce backup"


@attrs.frozen(kw_only=True)
class Header:
    """The first line."""

    keys: int = 0
    """The number of the keyring that opens it: that of the store's changes of subjects' keys."""

    consents: int = 0
    floor: int = 0
    with_keys: bool = False
    """Whether the subjects' keys are in it."""

    plain: bool = False
    """Whether nothing is sealed: between two stores that are copied, never in a file."""


@attrs.frozen
class Destroyed:
    """A key of a subject that is no more."""

    id: str


@attrs.frozen(kw_only=True)
class SubjectLine:
    """A subject and what guards it."""

    subject: Subject
    epoch: int
    key: str | None = None
    """The id of its key, if it has one."""

    secret: bytes | None = attrs.field(default=None, repr=False)
    """The key itself, where keys are in the file."""


@attrs.frozen
class OwnerLine:
    """An owner, whose commits, memories and links follow."""

    owner: str
    erasure: int = 0
    consolidation: int = 0


@attrs.frozen(kw_only=True)
class End:
    """The last line."""

    owners: int = 0
    commits: int = 0
    memories: int = 0
    links: int = 0
    subjects: int = 0
    destroyed: int = 0
    digest: str
    """BLAKE2b of 32 bytes, in hexadecimal digits, over every byte before this line."""


class Sealed(NamedTuple):
    """Words under the combined key of subjects."""

    keys: tuple[str, ...]
    """Ids, sorted."""

    text: bytes


def _hex(size: int) -> Form[str]:
    def read_hex(plain: Any) -> str:
        digits = NAME.read(plain)
        if len(digits) != 2 * size or bytes.fromhex(digits).hex() != digits:
            raise ValueError("must be hexadecimal digits in lower case")
        return digits

    return Form(lambda digits: digits, read_hex)


_ID: Final = _hex(16)
_SECRET: Final = Form[bytes](bytes.hex, lambda plain: bytes.fromhex(_hex(32).read(plain)))

_WITHDRAWALS: Final = listed(
    whole(
        Withdrawal,
        Shape(Withdrawal, opening=NUMBER, time=TIME, actor=TEXT, reason=maybe(TEXT), closed_at=maybe(TIME)),
    )
)


_SUBJECT: Final = Shape(Subject, ref=NAME, audiences=TEXTS, state=word(SubjectState), withdrawals=_WITHDRAWALS)
_SUBJECT_KEYS: Final = Shape(SubjectLine, epoch=COUNT, key=maybe(_ID), secret=maybe(_SECRET))


def sealed_plain(sealed: Sealed) -> Plain:
    """Sealed words as they stand in a line."""
    return {"keys": list(sealed.keys), "text": base64.b64encode(sealed.text).decode("ascii")}


def sealed_of(plain: Any) -> Sealed:
    """
    What `sealed_plain` wrote.

    Raises:
        ValueError, KeyError, TypeError
    """
    text: str = TEXT.read(plain["text"])
    sealed = Sealed(tuple(_ID.read(name) for name in NAMES.read(plain["keys"])), base64.b64decode(text, validate=True))
    if not sealed.keys or sealed_plain(sealed) != plain:
        raise ValueError("sealed words of another form")
    return sealed


def _subject_plain(line_: SubjectLine) -> Plain:
    return _SUBJECT.write(line_.subject) | _SUBJECT_KEYS.write(line_)


def _subject_of(plain: Plain) -> SubjectLine:
    value = SubjectLine(subject=Subject(**_SUBJECT.read(plain)), **_SUBJECT_KEYS.read(plain))
    if _subject_plain(value) != plain or (value.secret is not None and value.key is None):
        raise ValueError("a subject of another form")
    return value


_HEADER: Final = whole(Header, Shape(Header, keys=COUNT, consents=COUNT, floor=COUNT, with_keys=SWITCH, plain=SWITCH))
_COUNTS: Final = dict.fromkeys(("owners", "commits", "memories", "links", "subjects", "destroyed"), COUNT)
_LOG: Final = Shape(LogEntry, revision=NUMBER, time=TIME, operation=TEXT, keys=TEXTS)

KINDS: Final[dict[str, Form[Any]]] = {
    "destroyed": whole(Destroyed, Shape(Destroyed, id=_ID)),
    "subject": Form(_subject_plain, _subject_of),
    "owner": whole(OwnerLine, Shape(OwnerLine, owner=NAME, erasure=COUNT, consolidation=COUNT)),
    "commit": whole(lambda **of: LogEntry("", **of), _LOG),
    "end": whole(End, Shape(End, digest=_hex(32), **_COUNTS)),
}
"""The kinds of lines that are values by themselves: all but the header, memories and links."""


def header_line(header: Header) -> bytes:
    """The first line."""
    return line("backup", {"name": FORMAT_NAME, "format": FORMAT, **_HEADER.write(header)})


def header_of(plain: Plain) -> Header:
    """
    The header of a first line that is of this name and format.

    Raises:
        ValueError
    """
    return _HEADER.read({name: value for name, value in plain.items() if name not in ("name", "format")})


def line(kind: str, plain: Plain) -> bytes:
    """A line of a backup, with its end."""
    return written({"is": kind, **plain}) + b"\n"
