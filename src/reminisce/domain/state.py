"""
The pure state machine: what any store holds after a list of commits.

The in-memory store is this behind a lock, and every other store is tested against it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from reminisce.domain.changes import (
    AddHistory,
    Commit,
    DropPieces,
    Fence,
    PutLink,
    PutMemory,
    PutPiece,
    PutSubject,
    SetFields,
)
from reminisce.domain.memory import Memory
from reminisce.domain.persistent import Map, MapBuilder
from reminisce.domain.records import Event, Head, Link, LogEntry, Piece, Record, Subject
from reminisce.errors import ConflictError

__all__ = ["State", "apply"]

_EMPTY: Final[Map[Any, Any]] = Map()
_START: Final = Head(0, None)


@attrs.frozen
class Holdings:
    """What one owner has."""

    memories: Map[str, Memory] = _EMPTY
    digests: Map[bytes, tuple[str, ...]] = _EMPTY
    requests: Map[str, str] = _EMPTY
    history: Map[str, tuple[Event, ...]] = _EMPTY
    links: Map[str, Map[str, Link]] = _EMPTY
    link_names: Map[str, None] = _EMPTY
    cited: Map[str, Map[str, None]] = _EMPTY
    pieces: Map[int, Piece] = _EMPTY
    log: Map[int, LogEntry] = _EMPTY
    head: Head = _START


@attrs.frozen
class State:
    """All of a store, immutable. Satisfies `Snapshot`, so that a view of it is a reference."""

    name: str
    """The incarnation."""

    holdings: Map[str, Holdings] = _EMPTY
    people: Map[str, Subject] = _EMPTY
    told_about: Map[str, Map[tuple[str, str], None]] = _EMPTY
    standing: Map[Fence, int] = _EMPTY
    commits: Map[str, None] = _EMPTY

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

    def holders(self, owner: str, digests: Iterable[bytes], /) -> Mapping[bytes, Sequence[str]]:
        return _found(self._of(owner).digests, digests)

    def requests(self, owner: str, request_keys: Iterable[str], /) -> Mapping[str, str]:
        return _found(self._of(owner).requests, request_keys)

    def history(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Sequence[Event]]:
        return _found(self._of(owner).history, keys)

    def links(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Sequence[Link]]:
        touching = _found(self._of(owner).links, keys)
        return {
            key: sorted(links.values(), key=lambda link: (link.since, link.name)) for key, links in touching.items()
        }

    def citing(self, owner: str, sources: Iterable[str], /) -> Mapping[str, Sequence[str]]:
        held = self._of(owner)
        return {
            source: sorted(keys, key=lambda key: _place(held.memories.get(key, None)))
            for source, keys in _found(held.cited, sources).items()
        }

    def subjects(self, refs: Iterable[str], /) -> Mapping[str, Subject]:
        return _found(self.people, refs)

    def about(self, ref: str, /, *, after: tuple[str, str] | None = None, limit: int) -> Sequence[tuple[str, str]]:
        # Code points sort as their UTF-8 bytes do, so plain comparison is the canonical order.
        return sorted(pair for pair in self.told_about.get(ref, _EMPTY) if after is None or pair > after)[:limit]

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

    def records(self, owner: str, /) -> Iterator[Record]:
        held = self._of(owner)
        for memory in sorted(held.memories.values(), key=_place):
            yield Record(memory, held.history.get(memory.key, ()))


_NOTHING: Final = Holdings()


def _place(memory: Memory | None) -> tuple[int, int]:
    return (memory.revision, memory.ordinal) if memory is not None else (0, 0)


def _found(held: Map[Any, Any], names: Iterable[Any]) -> dict[Any, Any]:
    found = {}
    for name in names:
        value = held.get(name, None)
        if value is not None:
            found[name] = value
    return found


class _Open:
    """One owner's maps while a commit is applied."""

    def __init__(self, held: Holdings) -> None:
        self.held = held
        self.head = held.head
        self.builders: dict[str, MapBuilder[Any, Any]] = {}

    def of(self, name: str) -> MapBuilder[Any, Any]:
        if name not in self.builders:
            self.builders[name] = MapBuilder(getattr(self.held, name))
        return self.builders[name]

    def done(self) -> Holdings:
        return attrs.evolve(self.held, head=self.head, **{name: built.done() for name, built in self.builders.items()})


_About = MapBuilder[str, Map[tuple[str, str], None]]


def _claim(names: MapBuilder[Any, Any], name: Any, value: Any) -> None:
    if name in names:
        raise ConflictError
    names.put(name, value)


def _put_memory(owner: _Open, about: _About, change: PutMemory) -> None:
    memory = change.memory
    _claim(owner.of("memories"), memory.key, memory)
    digests = owner.of("digests")
    digests.put(change.digest, (*digests.get(change.digest, ()), memory.key))
    if memory.request_key is not None:
        _claim(owner.of("requests"), memory.request_key, memory.key)
    for source in memory.sources:
        cited = owner.of("cited")
        cited.put(source, cited.get(source, _EMPTY).with_(memory.key, None))
    for ref in memory.subjects:
        about.put(ref, about.get(ref, _EMPTY).with_((memory.owner, memory.key), None))


def _set_fields(owner: _Open, about: _About, change: SetFields) -> None:
    memories = owner.of("memories")
    before: Memory | None = memories.get(change.key, None)
    if before is None:
        raise ConflictError
    after = attrs.evolve(before, **change.values)
    memories.put(change.key, after)
    for ref in set(before.subjects) - set(after.subjects):
        told = MapBuilder(about.get(ref, _EMPTY))
        told.drop((change.owner, change.key))
        about.put(ref, told.done())
    for ref in set(after.subjects) - set(before.subjects):
        about.put(ref, about.get(ref, _EMPTY).with_((change.owner, change.key), None))


def _add_history(owner: _Open, change: AddHistory) -> None:
    if change.key not in owner.of("memories"):
        raise ConflictError
    history = owner.of("history")
    history.put(change.key, (*history.get(change.key, ()), change.event))


def _put_link(owner: _Open, link: Link) -> None:
    _claim(owner.of("link_names"), link.name, None)
    links = owner.of("links")
    for _, key in link.members:
        links.put(key, links.get(key, _EMPTY).with_(link.name, link))


def _drop_pieces(owner: _Open, numbers: tuple[int, ...] | None) -> None:
    if numbers is None:
        owner.builders["pieces"] = MapBuilder(_EMPTY)
    for number in numbers or ():
        owner.of("pieces").drop(number)


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
    opened: dict[str, _Open] = {}

    def of(owner: str) -> _Open:
        if owner not in opened:
            opened[owner] = _Open(state.holdings.get(owner, _NOTHING))
        return opened[owner]

    people, about = MapBuilder(state.people), MapBuilder(state.told_about)
    for change in commit.changes:
        match change:
            case PutMemory():
                _put_memory(of(change.memory.owner), about, change)
            case SetFields():
                _set_fields(of(change.owner), about, change)
            case AddHistory():
                _add_history(of(change.owner), change)
            case PutLink():
                _put_link(of(change.owner), change.link)
            case PutSubject():
                people.put(change.subject.ref, change.subject)
            case PutPiece():
                _claim(of(change.owner).of("pieces"), change.piece.number, change.piece)
            case DropPieces():
                _drop_pieces(of(change.owner), change.numbers)
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
        told_about=about.done(),
        standing=standing.done(),
        commits=state.commits.with_(commit.id, None),
    )
