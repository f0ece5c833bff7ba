"""
The order of a backup's lines, read: whatever is not exactly what would be written is refused.

Header, destroyed keys, subjects, then each owner with its commits, memories and links, then the end. Pure.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

import attrs

from reminisce.codec.backup import (
    FORMAT,
    FORMAT_NAME,
    KINDS,
    Destroyed,
    End,
    Header,
    OwnerLine,
    Sealed,
    SubjectLine,
    header_of,
    sealed_of,
)
from reminisce.codec.canonical import COUNT, NAME, Plain, read
from reminisce.codec.parts import Words
from reminisce.domain.records import LogEntry
from reminisce.errors import BackupDamagedError, BackupTooNewError, BackupUnknownError

__all__ = ["Item", "Parted", "Value", "damaged", "lines_of", "parsed"]

LONGEST: Final = 256 * 1024 * 1024
"""Bytes of a line. The longest that is ever written is a commit of 100,000 memories whose keys are all escapes."""

FIRST: Final = 4096
"""Bytes of the first line, so that a file that is none of ours is not read far."""


@attrs.frozen(kw_only=True)
class Parted:
    """A memory or link: its structure, and its words, sealed or not."""

    kind: str
    """``memory`` or ``link``."""

    owner: str
    structure: Plain
    words: Words | Sealed
    """Empty where there are none."""


Value = Header | Destroyed | SubjectLine | OwnerLine | LogEntry | Parted | End


class Item(NamedTuple):
    """One line."""

    number: int
    """Counted from 1."""

    value: Value


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """
    The lines of a file that comes in pieces of any size, without their ends.

    Raises:
        BackupUnknownError: The first line has no end where ours would.
        BackupDamagedError: A line has no end, or is longer than any of ours.
    """
    held, number, most = bytearray(), 1, FIRST
    for piece in pieces:
        start = len(held)
        held += piece
        begin = 0
        while (end := held.find(b"\n", max(start, begin))) >= 0:
            yield bytes(held[begin:end])
            begin, number, most = end + 1, number + 1, LONGEST
        del held[:begin]
        if len(held) > most:
            raise BackupUnknownError if number == 1 else BackupDamagedError(number)
    if held:
        raise BackupUnknownError if number == 1 else BackupDamagedError(number)


def damaged(number: int, error: Exception) -> BackupDamagedError:
    """The refusal of a line that cannot be read as it should."""
    refusal = BackupDamagedError(number)
    refusal.__cause__ = error
    return refusal


class _Once:
    """Whether names of one owner repeat, told at its end: eight bytes a name."""

    def __init__(self) -> None:
        self._seen = array("Q")

    def take(self, name: str) -> None:
        self._seen.append(int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()))

    def finish(self) -> None:
        ordered = sorted(self._seen)
        if any(one == other for one, other in pairwise(ordered)):
            raise ValueError("a name comes twice")
        self._seen = array("Q")


_STAGES: Final = {"backup": 0, "destroyed": 1, "subject": 2, "owner": 3, "commit": 4, "memory": 5, "link": 6, "end": 7}
"""Lines come in this order; behind an owner's come those of the next."""


class _Order:
    """What has come so far, and whether the next line may come after it."""

    def __init__(self, copied: bool) -> None:
        self.copied = copied
        self.counts: dict[str, int] = {}
        self.stage = -1
        self.header = Header()
        self.owner = ""
        self.last: Any = ""
        self.head = 0
        self.keys = _Once()
        self.ids: set[str] = set()

    def take(self, plain: Plain) -> Value:
        kind = plain.pop("is")
        stage = _STAGES[kind]
        if stage < self.stage and not (kind == "owner" and self.stage > _STAGES["subject"]):
            raise ValueError("out of order")
        if stage != self.stage or kind == "owner":
            self._enter(kind)
        self.stage = stage
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return _TAKE[kind](self, plain)

    def _enter(self, kind: str) -> None:
        if self.stage < 0 and kind != "backup":
            raise ValueError("out of order")
        if kind in ("commit", "memory", "link") and self.stage < _STAGES["owner"]:
            raise ValueError("out of order")
        if kind in ("owner", "end"):
            self.keys.finish()
            if self.owner and not self.head:
                raise ValueError("an owner without a commit")
        self.last = self.owner if kind == "owner" else (0, -1) if kind == "memory" else ""

    def _after(self, name: Any) -> None:
        if not self.last < name:
            raise ValueError("out of order")
        self.last = name

    def _within(self, *revisions: int | None) -> None:
        if any(revision is not None and revision > self.head for revision in revisions):
            raise ValueError("a revision that the owner has not reached")

    def _identity(self, name: str) -> None:
        if name in self.ids:
            raise ValueError("a key of two subjects, or a destroyed one")
        self.ids.add(name)

    def backup(self, plain: Plain) -> Header:
        if self.counts["backup"] > 1:
            raise ValueError("out of order")
        self.header = header_of(plain)
        if self.header.plain is not self.copied:
            raise ValueError("sealed where it should not be, or not where it should")
        return self.header

    def destroyed(self, plain: Plain) -> Destroyed:
        value: Destroyed = KINDS["destroyed"].read(plain)
        self._after(value.id)
        self.ids.add(value.id)
        return value

    def subject(self, plain: Plain) -> SubjectLine:
        value: SubjectLine = KINDS["subject"].read(plain)
        self._after(value.subject.ref)
        if value.key is not None:
            self._identity(value.key)
        if (value.secret is not None) != (self.header.with_keys and value.key is not None):
            raise ValueError("a key where none is told, or none where one is")
        return value

    def commit(self, plain: Plain) -> LogEntry:
        value: LogEntry = attrs.evolve(KINDS["commit"].read(plain), owner=self.owner)
        if value.revision != self.head + 1 or (self.head and value.time < self.last):
            raise ValueError("out of order")
        self.head, self.last = value.revision, value.time
        return value

    def new_owner(self, plain: Plain) -> OwnerLine:
        value: OwnerLine = KINDS["owner"].read(plain)
        self._after(value.owner)
        self.owner, self.head = value.owner, 0
        return value

    def memory(self, plain: Plain) -> Parted:
        self._after((COUNT.read(plain["revision"]), COUNT.read(plain.get("ordinal", 0))))
        self._within(plain["revision"], *(event["revision"] for event in plain.get("history", ())))
        self.keys.take(NAME.read(plain["key"]))
        return self._parted("memory", plain)

    def link(self, plain: Plain) -> Parted:
        self._after(NAME.read(plain["name"]))
        self._within(COUNT.read(plain["since"]), plain.get("until"))
        return self._parted("link", plain)

    def _parted(self, kind: str, plain: Plain) -> Parted:
        words: Words | Sealed = plain.pop("words", {})
        if type(words) is not dict:
            raise ValueError("words of another form")
        if "sealed" in plain:
            if words or self.header.plain:
                raise ValueError("sealed and not sealed")
            words = sealed_of(plain.pop("sealed"))
            if not self.ids.issuperset(words.keys):
                raise ValueError("sealed under a key of nobody")
        return Parted(kind=kind, owner=self.owner, structure=plain, words=words)

    def end(self, plain: Plain) -> End:
        value: End = KINDS["end"].read(plain)
        told = (value.owners, value.commits, value.memories, value.links, value.subjects, value.destroyed)
        counted = tuple(
            self.counts.get(kind, 0) for kind in ("owner", "commit", "memory", "link", "subject", "destroyed")
        )
        if told != counted:
            raise ValueError("other counts")
        return value


_TAKE: Final[dict[str, Callable[[_Order, Plain], Value]]] = {
    "backup": _Order.backup,
    "destroyed": _Order.destroyed,
    "subject": _Order.subject,
    "owner": _Order.new_owner,
    "commit": _Order.commit,
    "memory": _Order.memory,
    "link": _Order.link,
    "end": _Order.end,
}


def _known(first: bytes) -> None:
    """Look at the first line: is it ours, and of a format that we read?"""
    try:
        plain = read(first)
    except ValueError:
        raise BackupUnknownError from None
    if plain.get("is") != "backup" or plain.get("name") != FORMAT_NAME or type(plain.get("format")) is not int:
        raise BackupUnknownError
    if plain["format"] > FORMAT:
        raise BackupTooNewError
    if plain["format"] < 1:
        raise BackupUnknownError


def parsed(lines: Iterable[bytes], *, copied: bool = False) -> Iterator[Item]:
    """
    The lines of a backup as values; memories and links in parts, which are not looked into further.

    Args:
        lines: Without their ends.
        copied: They come from an open store and not from a file: nothing is sealed.

    Raises:
        BackupUnknownError, BackupTooNewError: Told by the first line.
        BackupDamagedError: Also at the very end: **nothing may be used for good before all has been read once**.
    """
    order, digest, ended, number = _Order(copied), hashlib.blake2b(digest_size=32), False, 0
    for number, raw in enumerate(lines, 1):
        if number == 1:
            _known(raw)
        if ended:
            raise BackupDamagedError(number)
        try:
            value = order.take(read(raw))
            if isinstance(value, End):
                ended = True
                if value.digest != digest.hexdigest():
                    raise ValueError("another digest")
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise damaged(number, error) from error
        digest.update(raw)
        digest.update(b"\n")
        yield Item(number, value)
    if not number:
        raise BackupUnknownError
    if not ended:
        raise BackupDamagedError(number + 1)
