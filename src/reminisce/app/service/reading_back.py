"""A backup's lines as values again: words unsealed, or the redacted form where a key is gone."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import attrs

from reminisce.app.service.sealing import Sealer
from reminisce.codec.backup import Destroyed, End, Header, OwnerLine, Sealed, SubjectLine
from reminisce.codec.backup_order import Parted, Value, damaged, parsed
from reminisce.codec.parts import Words, join_link, join_memory
from reminisce.domain.erasure import WORDED, without_words
from reminisce.domain.keyring import Keyring
from reminisce.domain.memory import Cause, Erased
from reminisce.domain.records import Link, LogEntry, Record
from reminisce.domain.values import Status
from reminisce.ports.cipher import Cipher

__all__ = ["Brought", "Kept", "ReadBack", "Tied"]


@attrs.frozen
class Kept:
    """A memory."""

    record: Record
    redacted: bool
    """Whether its words are gone without a word in its history yet."""


@attrs.frozen
class Tied:
    """A link; None where it went with the words of a member."""

    owner: str
    link: Link | None


@attrs.frozen
class Person:
    """A subject, and what became of its key."""

    line: SubjectLine
    key: bytes | None
    withdrawn: int = 0
    """Its key is destroyed: the epoch of the withdrawal that says so from now on. Else 0."""


Brought = Header | Destroyed | Person | OwnerLine | LogEntry | Kept | Tied | End


class Line(NamedTuple):
    """One line."""

    number: int
    value: Brought


class ReadBack:
    """
    Reads a backup once.

    Args:
        keyring: What opens sealed words. What is destroyed in it stays closed, whatever other key there is.
        gone: Ids of keys that are known as destroyed besides.
        copied: The lines come from an open store: nothing is sealed.
    """

    def __init__(
        self, cipher: Cipher | None, keyring: Keyring | None, *, gone: Iterable[str] = (), copied: bool = False
    ) -> None:
        self._keys: dict[str, bytes] = {} if keyring is None else dict(keyring.keys)
        self._destroyed = {*gone, *(() if keyring is None else keyring.destroyed)}
        for name in self._destroyed:
            self._keys.pop(name, None)
        self._sealer = None if cipher is None else Sealer(cipher, self._keys)
        self._copied = copied
        self._floor = 0
        self._ids: dict[str, str] = {}
        """The ids of keys by their subjects' references."""
        self._refs: dict[str, str] = {}
        self._openings: dict[str, int] = {}
        self.redacted = 0
        self.dropped = 0
        self.withdrawn: set[str] = set()
        self.missing: set[str] = set()
        self.told: set[str] = set()
        """Ids that the backup itself tells as destroyed."""

    def lines(self, lines: Iterable[bytes]) -> Iterator[Line]:
        """
        The lines as values.

        Raises:
            BackupUnknownError, BackupTooNewError, BackupDamagedError: As `parsed`.
            SealBrokenError: The keyring has another key under an id.
        """
        for number, value in parsed(lines, copied=self._copied):
            try:
                brought = self._brought(value)
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
                raise damaged(number, error) from error
            yield Line(number, brought)

    def _brought(self, value: Value) -> Brought:
        match value:
            case Parted(kind="memory"):
                return self._memory(value)
            case Parted():
                return self._link(value)
            case SubjectLine():
                return self._person(value)
            case Header():
                self._floor = value.floor
                return value
            case Destroyed():
                self.told.add(value.id)
                return value
        return value

    def _person(self, line: SubjectLine) -> Person:
        if line.key is None:
            return Person(line, None)
        ref = line.subject.ref
        self._ids[ref], self._refs[line.key] = line.key, ref
        if line.secret is not None and line.key not in self._destroyed:
            self._keys.setdefault(line.key, line.secret)
        if line.key in self._destroyed:
            self.withdrawn.add(ref)
            self._openings[ref] = max(line.epoch, self._floor) + 1
            return Person(line, None, self._openings[ref])
        if line.key not in self._keys:
            self.missing.add(ref)
        return Person(line, self._keys.get(line.key))

    def _opened(self, words: Words | Sealed, about: tuple[str, str, str]) -> Words | Erased:
        """The words, or what has erased them."""
        if not isinstance(words, Sealed):
            return words
        assert self._sealer is not None  # noqa: S101 (files are read with a cipher)
        lacking = self._sealer.lacks(words.keys)
        if not lacking:
            return self._sealer.open(words, about)
        refs = sorted(self._refs[name] for name in lacking)
        for ref in refs:
            if ref in self._openings:
                return Erased(Cause.WITHDRAWAL, ref, self._openings[ref])
        return Erased(Cause.LOST)

    def _memory(self, parted: Parted) -> Kept:
        structure = parted.structure
        words = self._opened(parted.words, ("memory", parted.owner, structure["key"]))
        if isinstance(words, Erased):
            held = join_memory(parted.owner, structure, {})
            self._check(held, parted.words)
            self.redacted += 1
            return Kept(Record(without_words(held.memory, words), held.history), True)
        record = join_memory(parted.owner, structure, words)
        self._check(record, parted.words)
        memory = record.memory
        if (memory.status is Status.WITHDRAWN) is not (memory.erased is not None):
            raise ValueError("erased by nothing, or not erased")
        told = record.history and record.history[-1].status is Status.WITHDRAWN
        unsaid = memory.erased is not None and not told and not self._copied
        self.redacted += unsaid
        return Kept(record, unsaid)

    def _check(self, record: Record, words: Words | Sealed) -> None:
        """Words about subjects are sealed under exactly their keys, in files; and no others are."""
        if self._copied:
            return
        refs = record.memory.subjects
        if isinstance(words, Sealed):
            if list(words.keys) != sorted(self._ids[ref] for ref in refs):
                raise ValueError("sealed under other keys")
        elif refs and words:
            raise ValueError("words about a subject in the clear")

    def _link(self, parted: Parted) -> Tied:
        words = self._opened(parted.words, ("link", parted.owner, parted.structure["name"]))
        if not isinstance(words, Erased):
            return Tied(parted.owner, join_link(parted.structure, words))
        link = join_link(parted.structure, {})
        if link.kind not in WORDED:
            return Tied(parted.owner, link)
        self.dropped += 1
        return Tied(parted.owner, None)
