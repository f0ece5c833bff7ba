"""What one owner has, and how each kind of change changes it."""

from collections.abc import Iterable
from typing import Any, Final

import attrs

from reminisce.domain.changes import AddHistory, EndLink, PutMemory, SetFields
from reminisce.domain.memory import Memory, folded
from reminisce.domain.persistent import Map, MapBuilder
from reminisce.domain.records import Event, Head, Link, LogEntry, Piece
from reminisce.errors import ConflictError

__all__ = ["EMPTY", "About", "Holdings", "Opened", "claim", "place"]

EMPTY: Final[Map[Any, Any]] = Map()
_START: Final = Head(0, None)


@attrs.frozen
class Holdings:
    """What one owner has."""

    memories: Map[str, Memory] = EMPTY
    digests: Map[bytes, tuple[str, ...]] = EMPTY
    requests: Map[str, str] = EMPTY
    history: Map[str, tuple[Event, ...]] = EMPTY
    links: Map[str, Map[str, Link]] = EMPTY
    named_links: Map[str, Link] = EMPTY
    cited: Map[str, Map[str, None]] = EMPTY
    facts: Map[tuple[str, str], Map[str, tuple[str, ...]]] = EMPTY
    """Keys by subject and attribute, then by folded value."""
    attributes: Map[str, Map[str, None]] = EMPTY
    """The attributes of each subject's facts."""
    many: Map[str, bool] = EMPTY
    pieces: Map[int, Piece] = EMPTY
    log: Map[int, LogEntry] = EMPTY
    head: Head = _START


def place(memory: Memory | None) -> tuple[int, int]:
    """A memory's place in canonical order."""
    return (memory.revision, memory.ordinal) if memory is not None else (0, 0)


def claim(names: MapBuilder[Any, Any], name: Any, value: Any) -> None:
    """Take a name that must be free."""
    if name in names:
        raise ConflictError
    names.put(name, value)


About = MapBuilder[str, Map[tuple[str, str], None]]
"""The memories about each subject."""


class Opened:
    """One owner's maps while a commit is applied."""

    def __init__(self, held: Holdings) -> None:
        self.held = held
        self.head = held.head
        self._builders: dict[str, MapBuilder[Any, Any]] = {}

    def of(self, name: str) -> MapBuilder[Any, Any]:
        """One of the maps."""
        if name not in self._builders:
            self._builders[name] = MapBuilder(getattr(self.held, name))
        return self._builders[name]

    def done(self) -> Holdings:
        """What the owner has then."""
        return attrs.evolve(self.held, head=self.head, **{name: built.done() for name, built in self._builders.items()})

    def _cite(self, sources: Iterable[str], key: str) -> None:
        cited = self.of("cited")
        for source in sources:
            cited.put(source, cited.get(source, EMPTY).with_(key, None))

    def put_memory(self, about: About, change: PutMemory) -> None:
        memory = change.memory
        claim(self.of("memories"), memory.key, memory)
        digests = self.of("digests")
        digests.put(change.digest, (*digests.get(change.digest, ()), memory.key))
        if memory.request_key is not None:
            claim(self.of("requests"), memory.request_key, memory.key)
        self._cite(memory.sources, memory.key)
        for ref in memory.subjects:
            about.put(ref, about.get(ref, EMPTY).with_((memory.owner, memory.key), None))
        if memory.fact is not None:
            self._put_fact(memory)

    def _put_fact(self, memory: Memory) -> None:
        fact = memory.fact
        assert fact is not None  # noqa: S101 (the caller has looked)
        facts, name, value = self.of("facts"), (fact.subject, fact.attribute), folded(fact.value)
        by_value: Map[str, tuple[str, ...]] = facts.get(name, EMPTY)
        facts.put(name, by_value.with_(value, (*by_value.get(value, ()), memory.key)))
        attributes = self.of("attributes")
        attributes.put(fact.subject, attributes.get(fact.subject, EMPTY).with_(fact.attribute, None))
        if fact.attribute not in self.of("many"):
            self.of("many").put(fact.attribute, memory.many)

    def set_fields(self, about: About, change: SetFields) -> None:
        memories = self.of("memories")
        before: Memory | None = memories.get(change.key, None)
        if before is None:
            raise ConflictError
        after = attrs.evolve(before, **change.values)
        memories.put(change.key, after)
        self._cite(after.further_sources, change.key)
        for ref in set(before.subjects) - set(after.subjects):
            told = MapBuilder(about.get(ref, EMPTY))
            told.drop((change.owner, change.key))
            about.put(ref, told.done())
        for ref in set(after.subjects) - set(before.subjects):
            about.put(ref, about.get(ref, EMPTY).with_((change.owner, change.key), None))

    def add_history(self, change: AddHistory) -> None:
        if change.key not in self.of("memories"):
            raise ConflictError
        history = self.of("history")
        history.put(change.key, (*history.get(change.key, ()), change.event))

    def _keep_link(self, link: Link) -> None:
        links = self.of("links")
        for _, key in link.members:
            links.put(key, links.get(key, EMPTY).with_(link.name, link))

    def put_link(self, link: Link) -> None:
        claim(self.of("named_links"), link.name, link)
        self._keep_link(link)

    def end_link(self, change: EndLink) -> None:
        named = self.of("named_links")
        link: Link | None = named.get(change.name, None)
        if link is None or link.until is not None:
            raise ConflictError
        ended = attrs.evolve(link, until=change.until, resolution=change.resolution)
        named.put(change.name, ended)
        self._keep_link(ended)

    def drop_pieces(self, numbers: tuple[int, ...] | None) -> None:
        if numbers is None:
            self._builders["pieces"] = MapBuilder(EMPTY)
        for number in numbers or ():
            self.of("pieces").drop(number)
