"""A store written down in order: the lines of a backup, from one view."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, TypeVar

import attrs

from reminisce.app.service.sealing import Sealer
from reminisce.codec.backup import (
    KINDS,
    Destroyed,
    End,
    Header,
    OwnerLine,
    SubjectLine,
    header_line,
    line,
    sealed_plain,
)
from reminisce.codec.canonical import Plain
from reminisce.codec.parts import Words, split_link, split_memory
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.erasure import WORDED, without_words
from reminisce.domain.memory import Cause, Erased
from reminisce.domain.records import Link, Record, Subject, SubjectKey, SubjectState
from reminisce.domain.snapshot import Snapshot
from reminisce.errors import StoreDamagedError

__all__ = ["BackupLines", "keyless"]

T = TypeVar("T")

_CHUNK: Final = 256
"""Memories, links or subjects that are looked at together."""

_KNOWN: Final = 10_000
"""Subjects that are remembered while memories about them are written down."""

_COUNTED: Final = {
    "owner": "owners",
    "commit": "commits",
    "memory": "memories",
    "link": "links",
    "subject": "subjects",
    "destroyed": "destroyed",
}
"""Kinds of lines, and how the last line calls their numbers."""


def _chunks(values: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(values)
    while chunk := list(islice(rest, _CHUNK)):
        yield chunk


def keyless(view: Snapshot) -> Iterator[tuple[str, int]]:
    """Subjects about which there are memories and may be words, and who have no key yet; each with its epoch."""
    for chunk in _chunks(subject.ref for subject in view.all_subjects() if subject.state is SubjectState.OPEN):
        keys = view.subject_keys(chunk)
        lacking = [ref for ref in chunk if ref not in keys and view.about(ref, limit=1)]
        epochs = view.fences([Fence(FenceKind.SUBJECT, ref) for ref in lacking])
        yield from ((fence.name, epoch) for fence, epoch in epochs.items())


@attrs.frozen
class _Person:
    """What seals the words about a subject."""

    key: SubjectKey | None
    gone: Erased | None
    """Where there is none: what has erased the words, or is about to."""


class BackupLines:
    """
    The lines of a backup of what one view shows. Each instance gives them once.

    Args:
        view: Open for as long as lines are taken.
        sealer: Seals words about subjects under their keys, see `keyless`. None: nothing is sealed and no key is named.
        with_keys: Whether the subjects' keys are told, so that the file needs no keyring.
        only: Of whom and whom about is told, where it is not all.
    """

    def __init__(
        self,
        view: Snapshot,
        sealer: Callable[[Mapping[str, bytes]], Sealer] | None,
        *,
        with_keys: bool = False,
        only: tuple[Collection[str], Collection[str]] | None = None,
    ) -> None:
        self._view = view
        self._keys: dict[str, bytes] = {}
        self._sealer = None if sealer is None else sealer(self._keys)
        self._with_keys = with_keys
        self._only = only
        self._people: dict[str, _Person] = {}
        self._body = hashlib.blake2b(digest_size=32)
        self.counts = dict.fromkeys(_COUNTED.values(), 0)
        self.sealed = 0
        self.keyring = 0
        self.end: End | None = None

    @property
    def body(self) -> str:
        """The digest of all lines about owners and subjects so far: what a copy must have, too."""
        return self._body.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        digest = hashlib.blake2b(digest_size=32)
        for written in self._lines():
            digest.update(written)
            yield written
        self.end = End(**self.counts, digest=digest.hexdigest())
        yield line("end", KINDS["end"].write(self.end))

    def _lines(self) -> Iterator[bytes]:
        keys, consents, floor = (Fence(kind) for kind in (FenceKind.KEYS, FenceKind.CONSENTS, FenceKind.FLOOR))
        standing = self._view.fences([keys, consents, floor])
        sealing = self._sealer is not None
        self.keyring = standing[keys] if sealing else 0
        yield header_line(
            Header(
                keys=self.keyring,
                consents=standing[consents],
                floor=standing[floor],
                with_keys=self._with_keys,
                plain=not sealing,
            )
        )
        if sealing:
            for name in self._view.keyring()[1]:
                yield self._told("destroyed", KINDS["destroyed"].write(Destroyed(name)))
        yield from self._subjects()
        for owner in self._view.owners():
            # One that only has an index saved has never committed.
            if (self._only is None or owner in self._only[0]) and self._view.head(owner).revision:
                yield from self._owner(owner)

    def _told(self, kind: str, plain: Plain) -> bytes:
        written = line(kind, plain)
        self.counts[_COUNTED[kind]] += 1
        if kind != "destroyed":
            self._body.update(written)
        return written

    def _subjects(self) -> Iterator[bytes]:
        for chunk in _chunks(self._view.all_subjects()):
            if self._only is not None:
                chunk = [subject for subject in chunk if subject.ref in self._only[1]]
            keys = {} if self._sealer is None else self._view.subject_keys([subject.ref for subject in chunk])
            fences = self._view.fences([Fence(FenceKind.SUBJECT, subject.ref) for subject in chunk])
            for subject in chunk:
                key = keys.get(subject.ref)
                value = SubjectLine(
                    subject=subject,
                    epoch=fences[Fence(FenceKind.SUBJECT, subject.ref)],
                    key=None if key is None else key.id,
                    secret=key.key if key is not None and self._with_keys else None,
                )
                yield self._told("subject", KINDS["subject"].write(value))

    def _owner(self, owner: str) -> Iterator[bytes]:
        erasure, consolidation = Fence(FenceKind.ERASURE, owner), Fence(FenceKind.CONSOLIDATION, owner)
        standing = self._view.fences([erasure, consolidation])
        value = OwnerLine(owner, standing[erasure], standing[consolidation])
        yield self._told("owner", KINDS["owner"].write(value))
        for entry in self._view.log(owner, since=0):
            yield self._told("commit", KINDS["commit"].write(entry))
        for records in _chunks(self._view.records(owner)):
            self._meet(ref for record in records for ref in record.memory.subjects)
            for record in records:
                yield self._told("memory", self._memory(record))
        for links in _chunks(self._view.all_links(owner)):
            yield from self._links(owner, links)

    def _memory(self, record: Record) -> Plain:
        memory = record.memory
        structure, words = split_memory(record)
        if not words or not memory.subjects or self._sealer is None:
            return {**structure, **({"words": words} if words else {})}
        ids = self._ids(memory.subjects)
        if isinstance(ids, Erased):
            # A withdrawal is on its way here: what it has not reached yet does not get away into a backup.
            history = tuple(attrs.evolve(event, reason=None) for event in record.history)
            return split_memory(Record(without_words(memory, ids), history))[0]
        self.sealed += 1
        return structure | {"sealed": sealed_plain(self._sealer.seal(ids, words, ("memory", memory.owner, memory.key)))}

    def _links(self, owner: str, links: list[Link]) -> Iterator[bytes]:
        parted = [(link, *split_link(link)) for link in links]
        speaking = [link for link, _, words in parted if words or link.kind in WORDED]
        keys = {member.key for link in speaking for member in link.members}
        about = {} if self._sealer is None else {k: o.subjects for k, o in self._view.outlines(owner, keys).items()}
        self._meet(ref for refs in about.values() for ref in refs)
        for link, structure, words in parted:
            refs = sorted({ref for member in link.members for ref in about.get(member.key, ())})
            if not refs or not (words or link.kind in WORDED):
                yield self._told("link", {**structure, **({"words": words} if words else {})})
                continue
            ids = self._ids(refs)
            if not isinstance(ids, Erased):
                yield self._told("link", structure | self._sealed_link(ids, words, owner, link))
            elif link.kind not in WORDED:
                yield self._told("link", structure)

    def _sealed_link(self, ids: tuple[str, ...], words: Words, owner: str, link: Link) -> Plain:
        assert self._sealer is not None  # noqa: S101 (only then are subjects looked at)
        return {"sealed": sealed_plain(self._sealer.seal(ids, words, ("link", owner, link.name)))}

    def _meet(self, refs: Iterable[str]) -> None:
        """Look up what seals the words about these subjects."""
        if self._sealer is None:
            return
        if len(self._people) > _KNOWN:
            self._people.clear()
            self._keys.clear()
        new = list(dict.fromkeys(ref for ref in refs if ref not in self._people))
        subjects, keys = self._view.subjects(new), self._view.subject_keys(new)
        for ref in new:
            key = keys.get(ref)
            self._people[ref] = _Person(key, _gone(subjects.get(ref)) if key is None else None)
            if key is not None:
                self._keys[key.id] = key.key

    def _ids(self, refs: Iterable[str]) -> tuple[str, ...] | Erased:
        """The ids of the keys of *refs*; or what erases the words, where one has none."""
        people = [self._people[ref] for ref in refs]
        ids = [person.key.id for person in people if person.key is not None]
        if len(ids) == len(people):
            return tuple(sorted(ids))
        for person in people:
            if person.gone is not None:
                return person.gone
        raise StoreDamagedError("there are words about a subject that the store does not know")


def _gone(subject: Subject | None) -> Erased | None:
    if subject is None or subject.state is SubjectState.OPEN:
        return None
    return Erased(Cause.WITHDRAWAL, subject.ref, subject.withdrawals[-1].opening)
