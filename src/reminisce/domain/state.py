"""
The pure state machine: what any store holds after a list of commits.

The in-memory store is this behind a lock, and every other store is tested against it.
"""

import datetime as dt
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import Any, Final

import attrs

from reminisce.domain.changes import (
    AddHistory,
    Commit,
    DestroyKey,
    DropLink,
    DropPieces,
    DropSubject,
    EndLink,
    EraseMemory,
    Fence,
    FenceKind,
    PutLink,
    PutMemory,
    PutPiece,
    PutSubject,
    PutSubjectKey,
    SetFields,
)
from reminisce.domain.holdings import EMPTY, Holdings, Opened, claim, place
from reminisce.domain.memory import Memory
from reminisce.domain.persistent import Map, MapBuilder
from reminisce.domain.records import (
    Event,
    Head,
    Link,
    LinkKind,
    LogEntry,
    Outline,
    Piece,
    Record,
    Standing,
    Subject,
    SubjectKey,
    Tie,
)  # fmt: skip
from reminisce.domain.values import Status
from reminisce.errors import ConflictError

__all__ = ["State", "apply"]


@attrs.frozen
class State:
    """All of a store, immutable. Satisfies `Snapshot`, so that a view of it is a reference."""

    name: str
    """The incarnation."""

    holdings: Map[str, Holdings] = EMPTY
    people: Map[str, Subject] = EMPTY
    keys: Map[str, SubjectKey] = EMPTY
    """By the subject's reference."""
    key_ids: Map[str, bool] = EMPTY
    """Of every key there ever was, by its id: whether it is still there."""
    told_about: Map[str, Map[tuple[str, str], None]] = EMPTY
    standing: Map[Fence, int] = EMPTY
    commits: Map[str, None] = EMPTY

    def _of(self, owner: str) -> Holdings:
        return self.holdings.get(owner, _NOTHING)

    def incarnation(self) -> str:
        return self.name

    def fences(self, fences: Iterable[Fence], /) -> Mapping[Fence, int]:
        return {fence: self.standing.get(fence, 0) for fence in fences}

    def head(self, owner: str, /) -> Head:
        return self._of(owner).head

    def committed(self, commit_id: str, /) -> bool:
        return commit_id in self.commits

    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]:
        return _found(self._of(owner).memories, keys)

    def outlines(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Outline]:
        return {key: Outline.of(memory) for key, memory in self.memories(owner, keys).items()}

    def holders(self, owner: str, digests: Iterable[bytes], /) -> Mapping[bytes, Sequence[str]]:
        held = self._of(owner)
        return {
            digest: sorted(keys, key=lambda key: place(held.memories.get(key, None)))
            for digest, keys in _found(held.digests, digests).items()
        }

    def requests(self, owner: str, request_keys: Iterable[str], /) -> Mapping[str, str]:
        return _found(self._of(owner).requests, request_keys)

    def history(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Sequence[Event]]:
        return _found(self._of(owner).history, keys)

    def links(
        self, owner: str, keys: Iterable[str], /, *, kinds: Collection[LinkKind] = tuple(LinkKind)
    ) -> Mapping[str, Sequence[Link]]:
        touching = _found(self._of(owner).links, keys)
        wanted = {key: [link for link in links.values() if link.kind in kinds] for key, links in touching.items()}
        return {key: sorted(links, key=lambda link: (link.since, link.name)) for key, links in wanted.items() if links}

    def all_links(self, owner: str, /) -> Iterator[Link]:
        return iter(sorted(self._of(owner).named_links.values(), key=lambda link: link.name))

    def ties(self, owner: str, keys: Iterable[str], kind: LinkKind, role: str, /) -> Mapping[str, Sequence[Tie]]:
        touching = _found(self._of(owner).links, keys)
        found = {
            key: sorted(
                Tie(link.ends()[role], link.since, link.until)
                for link in links.values()
                if link.kind is kind and role in link.ends() and key in link.role(role)
            )
            for key, links in touching.items()
        }
        return {key: ties for key, ties in found.items() if ties}

    def facts(
        self,
        owner: str,
        subject: str,
        /,
        *,
        attribute: str | None = None,
        value: str | None = None,
        since: dt.datetime | None = None,
    ) -> Sequence[Standing]:
        held = self._of(owner)
        attributes = held.attributes.get(subject, EMPTY) if attribute is None else (attribute,)
        by_values = [held.facts.get((subject, name), EMPTY) for name in attributes]
        keys = [
            key
            for by_value in by_values
            for keys in (by_value.values() if value is None else (by_value.get(value, ()),))
            for key in keys
        ]
        memories: list[Memory] = sorted(_found(held.memories, keys).values(), key=place)
        if since is not None:
            memories = [m for m in memories if m.status is Status.ACTIVE or m.valid_to is None or m.valid_to >= since]
        return [Standing.of(memory) for memory in memories]

    def valued(self, owner: str, attributes: Iterable[str], /) -> Mapping[str, bool]:
        return {attribute: many for attribute, (many, _) in _found(self._of(owner).many, attributes).items()}

    def citing(self, owner: str, sources: Iterable[str], /) -> Mapping[str, Sequence[str]]:
        held = self._of(owner)
        return {
            source: sorted(keys, key=lambda key: place(held.memories.get(key, None)))
            for source, keys in _found(held.cited, sources).items()
        }

    def subjects(self, refs: Iterable[str], /) -> Mapping[str, Subject]:
        return _found(self.people, refs)

    def all_subjects(self) -> Iterator[Subject]:
        return iter(sorted(self.people.values(), key=lambda subject: subject.ref))

    def subject_keys(self, refs: Iterable[str], /) -> Mapping[str, SubjectKey]:
        return _found(self.keys, refs)

    def keyring(self) -> tuple[Sequence[SubjectKey], Sequence[str]]:
        return sorted(self.keys.values(), key=lambda key: key.id), sorted(
            name for name in self.key_ids if not self.key_ids.get(name, False)
        )

    def about(self, ref: str, /, *, after: tuple[str, str] | None = None, limit: int) -> Sequence[tuple[str, str]]:
        # Code points sort as their UTF-8 bytes do, so plain comparison is the canonical order.
        told = self.told_about.get(ref, EMPTY)
        return nsmallest(limit, (pair for pair in told if after is None or pair > after))

    def pieces(self, owner: str, /) -> Sequence[Piece]:
        return sorted(self._of(owner).pieces.values(), key=lambda piece: piece.number)

    def covered(self, owner: str, /) -> int:
        return max((piece.through for piece in self._of(owner).pieces.values()), default=0)

    def owners(self) -> Sequence[str]:
        return sorted(self.holdings)

    def log(self, owner: str, /, *, since: int) -> Iterator[LogEntry]:
        held = self._of(owner)
        for revision in range(since + 1, held.head.revision + 1):
            entry = held.log.get(revision, None)
            if entry is not None:
                yield entry

    def revision_at(self, owner: str, time: dt.datetime, /) -> int:
        held = self._of(owner)
        # Every revision of an owner has its line, and times never go back.
        return bisect_right(range(1, held.head.revision + 1), time, key=lambda revision: _entry(held, revision).time)

    def in_order(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Memory]:
        return (record.memory for record in self.records(owner, after=after))

    def records(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Record]:
        held = self._of(owner)
        for memory in sorted(held.memories.values(), key=place):
            if place(memory) > after:
                yield Record(memory, held.history.get(memory.key, ()))


_NOTHING: Final = Holdings()


def _entry(held: Holdings, revision: int) -> LogEntry:
    entry = held.log.get(revision, None)
    assert entry is not None  # noqa: S101 (the head moves with the log)
    return entry


def _found(held: Map[Any, Any], names: Iterable[Any]) -> dict[Any, Any]:
    pairs = ((name, held.get(name, None)) for name in names)
    return {name: value for name, value in pairs if value is not None}


def apply(state: State, commit: Commit) -> State:
    """
    The state after *commit*; the same state when a commit of that id is already part of it.

    Raises:
        ConflictError: A fence does not stand where the commit needs it, or a name it would use is taken.
    """
    if state.committed(commit.id):
        return state
    needed = {**{a.fence: a.seen for a in commit.advances}, **dict(commit.requires)}
    if state.fences(needed) != needed:
        raise ConflictError
    standing = MapBuilder(state.standing)
    for advance in commit.advances:
        standing.put(advance.fence, advance.to)
    opened: dict[str, Opened] = {}

    def of(owner: str) -> Opened:
        if owner not in opened:
            opened[owner] = Opened(state.holdings.get(owner, _NOTHING))
        return opened[owner]

    people, about = MapBuilder(state.people), MapBuilder(state.told_about)
    keys, key_ids = MapBuilder(state.keys), MapBuilder(state.key_ids)
    for change in commit.changes:
        match change:
            case PutMemory():
                of(change.memory.owner).put_memory(about, change)
            case SetFields():
                of(change.owner).set_fields(about, change)
            case EraseMemory():
                of(change.memory.owner).erase_memory(about, change)
            case AddHistory():
                of(change.owner).add_history(change)
            case PutLink():
                of(change.owner).put_link(change.link)
            case EndLink():
                of(change.owner).end_link(change)
            case DropLink():
                of(change.owner).drop_link(change)
            case PutSubject():
                people.put(change.subject.ref, change.subject)
            case DropSubject():
                people.drop(change.ref)
                standing.drop(Fence(FenceKind.SUBJECT, change.ref))
            case PutSubjectKey():
                claim(keys, change.key.ref, change.key)
                claim(key_ids, change.key.id, True)
            case DestroyKey():
                key = keys.get(change.ref, None)
                if key is not None:
                    keys.drop(change.ref)
                    key_ids.put(key.id, False)
            case PutPiece():
                claim(of(change.owner).of("pieces"), change.piece.number, change.piece)
            case DropPieces():
                of(change.owner).drop_pieces(change.numbers)
    for entry in commit.entries:
        owner = of(entry.owner)
        owner.of("log").put(entry.revision, entry)
        owner.head = Head(entry.revision, entry.time)
    holdings = MapBuilder(state.holdings)
    for name, owner in opened.items():
        holdings.put(name, owner.done())
    return attrs.evolve(
        state,
        holdings=holdings.done(),
        people=people.done(),
        keys=keys.done(),
        key_ids=key_ids.done(),
        told_about=about.done(),
        standing=standing.done(),
        commits=state.commits.with_(commit.id, None),
    )
