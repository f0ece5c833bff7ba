"""What one owner has, and how each kind of change changes it."""

from collections.abc import Iterable
from typing import Any, Final

import attrs

from reminisce.domain.changes import AddHistory, DropLink, EndLink, EraseMemory, PutMemory, SetFields
from reminisce.domain.memory import Memory, folded, sameness
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
    many: Map[str, tuple[bool, int]] = EMPTY
    """Whether an attribute holds many values, and how many memories with facts of it there are."""
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


def _keep(names: MapBuilder[Any, Any], name: Any, value: Any) -> None:
    """Put what is left under a name, or let go of the name when nothing is."""
    if value:
        names.put(name, value)
    else:
        names.drop(name)


def _without(held: Map[Any, Any], name: Any) -> Map[Any, Any]:
    builder = MapBuilder(held)
    builder.drop(name)
    return builder.done()


def _tell(about: About, before: Memory, after: Memory) -> None:
    """Keep the subjects' memories in step with what a memory is about."""
    place = (after.owner, after.key)
    for ref in set(before.subjects) - set(after.subjects):
        _keep(about, ref, _without(about.get(ref, EMPTY), place))
    for ref in set(after.subjects) - set(before.subjects):
        about.put(ref, about.get(ref, EMPTY).with_(place, None))


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
        many, count = self.of("many").get(fact.attribute, (memory.many, 0))
        self.of("many").put(fact.attribute, (many, count + 1))

    def set_fields(self, about: About, change: SetFields) -> None:
        memories = self.of("memories")
        before: Memory | None = memories.get(change.key, None)
        if before is None:
            raise ConflictError
        after = attrs.evolve(before, **change.values)
        memories.put(change.key, after)
        self._cite(after.further_sources, change.key)
        _tell(about, before, after)

    def erase_memory(self, about: About, change: EraseMemory) -> None:
        memories, after = self.of("memories"), change.memory
        before: Memory | None = memories.get(after.key, None)
        if before is None:
            raise ConflictError
        memories.put(after.key, after)
        _tell(about, before, after)
        digests, digest = self.of("digests"), sameness(before.given)
        _keep(digests, digest, tuple(key for key in digests.get(digest, ()) if key != after.key))
        if before.request_key is not None:
            self.of("requests").drop(before.request_key)
        for source in before.sources:
            _keep(self.of("cited"), source, _without(self.of("cited").get(source, EMPTY), after.key))
        if before.fact is not None:
            self._drop_fact(before)
        events: tuple[Event, ...] = self.of("history").get(after.key, ())
        self.of("history").put(after.key, tuple(attrs.evolve(event, reason=None) for event in events))

    def _drop_fact(self, memory: Memory) -> None:
        fact = memory.fact
        assert fact is not None  # noqa: S101 (the caller has looked)
        facts, name, value = self.of("facts"), (fact.subject, fact.attribute), folded(fact.value)
        by_value = MapBuilder(facts.get(name, EMPTY))
        _keep(by_value, value, tuple(key for key in by_value.get(value, ()) if key != memory.key))
        left = by_value.done()
        _keep(facts, name, left)
        if not left:
            attributes = self.of("attributes")
            _keep(attributes, fact.subject, _without(attributes.get(fact.subject, EMPTY), fact.attribute))
        many, count = self.of("many").get(fact.attribute, (memory.many, 1))
        _keep(self.of("many"), fact.attribute, (many, count - 1) if count > 1 else ())

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

    def drop_link(self, change: DropLink) -> None:
        named = self.of("named_links")
        link: Link | None = named.get(change.name, None)
        if link is None:
            raise ConflictError
        named.drop(change.name)
        links = self.of("links")
        for _, key in link.members:
            _keep(links, key, _without(links.get(key, EMPTY), change.name))

    def drop_pieces(self, numbers: tuple[int, ...] | None) -> None:
        if numbers is None:
            self._builders["pieces"] = MapBuilder(EMPTY)
        for number in numbers or ():
            self.of("pieces").drop(number)
