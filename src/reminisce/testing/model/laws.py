"""
What holds of any state, whatever was done: told from the state alone, without the planners that keep it.

Each law is a sentence of `docs/statuses.md`, `docs/beliefs.md` or of a planner.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from typing import Final

import attrs

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.memory import Memory, folded, sameness
from reminisce.domain.records import Link, LinkKind, Record
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status, Tier
from reminisce.testing.model.base import Machine
from reminisce.testing.strategies import REFS, TIMES

__all__ = ["Lawful"]

_START: Final = dt.datetime.min.replace(tzinfo=dt.UTC)
_END: Final = dt.datetime.max.replace(tzinfo=dt.UTC)

_IN_TIME: Final = (Status.ACTIVE, Status.SUPERSEDED)
"""What takes a place in valid time."""

_WAYS: Final[dict[Status | None, tuple[Status, ...]]] = {
    None: (Status.ACTIVE, Status.SUPERSEDED, Status.HELD),
    Status.ACTIVE: (Status.ACTIVE, Status.SUPERSEDED, Status.RETIRED),
    Status.SUPERSEDED: (Status.SUPERSEDED, Status.ACTIVE, Status.RETIRED),
    Status.RETIRED: (Status.ACTIVE, Status.SUPERSEDED),
    Status.HELD: (Status.ACTIVE, Status.SUPERSEDED, Status.REJECTED),
    Status.REJECTED: (),
}
"""From what to what an event leads."""

_COMES_FROM: Final = {
    LinkKind.DERIVATION: ("derived", "source"),
    LinkKind.SUPERSESSION: ("newer", "older"),
    LinkKind.SUCCESSION: ("newer", "older"),
}


@attrs.frozen
class _Held:
    """What one owner has."""

    records: dict[str, Record]
    links: tuple[Link, ...]
    valued: dict[str, bool]
    times: frozenset[dt.datetime]
    """At which the state is looked at."""

    lowered: frozenset[str]
    """What was made less strict by name."""

    @property
    def memories(self) -> list[Memory]:
        return [record.memory for record in self.records.values()]

    def pairs(self, kind: LinkKind) -> list[tuple[str, str]]:
        """What comes from what, by links in force."""
        later, earlier = _COMES_FROM[kind]
        links = (link for link in self.links if link.kind is kind and link.until is None)
        return [(link.role(later)[0], link.role(earlier)[0]) for link in links]

    def in_place_of(self, key: str) -> set[str]:
        """What stands in the place of *key*, at any distance, through what is or was in force."""
        pairs, found = self.pairs(LinkKind.SUPERSESSION), {key}
        while more := {newer for newer, older in pairs if older in found and _once(self.records[newer])} - found:
            found |= more
        return found - {key}

    def things(self) -> dict[tuple[str, ...], list[Memory]]:
        """Beliefs by what they are of: subject and attribute and, where there may be many, the value."""
        things: dict[tuple[str, ...], list[Memory]] = {}
        for memory in self.memories:
            if memory.fact is not None:
                value = folded(memory.fact.value) if memory.many else ""
                things.setdefault((memory.fact.subject, memory.fact.attribute, value), []).append(memory)
        return things


def _span(memory: Memory) -> tuple[dt.datetime, dt.datetime]:
    return memory.valid_from or _START, memory.valid_to or _END


def _once(record: Record) -> bool:
    return any(event.status in _IN_TIME for event in record.history)


def _no_two_active_memories_that_the_library_named_are_the_same(held: _Held) -> None:
    unnamed = [sameness(m.given) for m in held.memories if m.status is Status.ACTIVE and not m.named]
    assert max(Counter(unnamed).values(), default=1) == 1, "two active twins"


def _histories_lead_to_where_each_memory_stands(held: _Held) -> None:
    for memory, history in ((record.memory, record.history) for record in held.records.values()):
        # Another tier is told, too, and leaves the status as it is.
        statuses = [None, *(event.status for event in history if event.operation != "reclassify")]
        last = history[-1]
        assert (last.status, last.valid_from, last.valid_to) == (memory.status, memory.valid_from, memory.valid_to)
        assert history[0].revision == memory.revision
        assert [event.revision for event in history] == sorted(event.revision for event in history)
        assert all(after in _WAYS[before] for before, after in pairwise(statuses)), statuses


def _nothing_active_stands_in_the_place_of_something_active(held: _Held) -> None:
    active = {memory.key for memory in held.memories if memory.status is Status.ACTIVE}
    assert {key: active & held.in_place_of(key) for key in active if active & held.in_place_of(key)} == {}


def _what_is_superseded_gave_way_to_something_that_was_once_in_force(held: _Held) -> None:
    once = {key for key, record in held.records.items() if _once(record)}
    rivals = {memory.key: {other.key for other in thing} for thing in held.things().values() for memory in thing}
    for memory in held.memories:
        if memory.status is Status.SUPERSEDED:
            others = rivals.get(memory.key, set()) | held.in_place_of(memory.key)
            assert once & (others - {memory.key}), f"{memory.key} gave way to nothing"
    assert once.issuperset(newer for newer, _ in held.pairs(LinkKind.SUCCESSION)), "what waits ended something"


def _beliefs_of_one_thing_never_hold_at_once(held: _Held) -> None:
    for thing in held.things().values():
        spans = sorted(_span(m) for m in thing if m.status in _IN_TIME and _span(m)[0] < _span(m)[1])
        assert all(end <= start for (_, end), (start, _) in pairwise(spans)), "two beliefs overlap"
        live = [_span(memory) for memory in thing if memory.status is Status.ACTIVE]
        assert all(sum(start <= time < end for start, end in live) <= 1 for time in held.times), "two are live"


def _an_attribute_holds_one_value_or_many_and_never_changes(held: _Held) -> None:
    said: dict[str, set[bool]] = {}
    for memory in held.memories:
        if memory.fact is not None:
            said.setdefault(memory.fact.attribute, set()).add(memory.many)
            assert memory.fact.subject in memory.subjects
    assert {attribute: {many} for attribute, many in held.valued.items()} == said


def _what_comes_from_something_is_about_the_same_and_as_strictly_kept(held: _Held) -> None:
    strictness = list(Tier).index
    for later, earlier in (pair for kind in _COMES_FROM for pair in held.pairs(kind)):
        new, old = held.records[later].memory, held.records[earlier].memory
        assert set(new.subjects) >= set(old.subjects), f"{later} is not about all that {earlier} is about"
        # A less strict tier is that memory's alone.
        assert later in held.lowered or strictness(new.tier) >= strictness(old.tier), f"{later} is less strict"


def _no_two_links_in_force_say_the_same(held: _Held) -> None:
    in_force = [link for link in held.links if link.until is None]
    words = Counter((x.kind, frozenset(x.members), x.label, x.facets, x.reason) for x in in_force)
    assert max(words.values(), default=1) == 1
    assert all(link.until is None or link.since < link.until for link in held.links)
    assert all(key in held.records for link in held.links for _, key in link.members)


_LAWS: Final[tuple[Callable[[_Held], None], ...]] = (
    _no_two_active_memories_that_the_library_named_are_the_same,
    _histories_lead_to_where_each_memory_stands,
    _nothing_active_stands_in_the_place_of_something_active,
    _what_is_superseded_gave_way_to_something_that_was_once_in_force,
    _beliefs_of_one_thing_never_hold_at_once,
    _an_attribute_holds_one_value_or_many_and_never_changes,
    _what_comes_from_something_is_about_the_same_and_as_strictly_kept,
    _no_two_links_in_force_say_the_same,
)


def _of(snapshot: Snapshot, owner: str, times: Iterable[dt.datetime], lowered: Collection[tuple[str, str]]) -> _Held:
    records = {record.memory.key: record for record in snapshot.records(owner)}
    links = {link.name: link for found in snapshot.links(owner, records).values() for link in found}
    attributes = {r.memory.fact.attribute for r in records.values() if r.memory.fact is not None}
    return _Held(
        records,
        tuple(links.values()),
        dict(snapshot.valued(owner, attributes)),
        frozenset(times),
        frozenset(key for of, key in lowered if of == owner),
    )


class Lawful(Machine):
    """The laws. Store and model hold the same, so it is the model that is asked."""

    def __init__(self) -> None:
        super().__init__()
        self._epochs: dict[str, int] = {}

    def check_laws(self) -> None:
        """Raise `AssertionError` when one is broken."""
        for owner in self.model.owners():
            log = list(self.model.log(owner, since=0))
            assert [entry.revision for entry in log] == list(range(1, len(log) + 1))
            assert [entry.time for entry in log] == sorted(entry.time for entry in log)
            held = _of(self.model, owner, {*TIMES, self.now, *(entry.time for entry in log)}, self.lowered)
            for law in _LAWS:
                law(held)
        self._check_epochs()

    def _check_epochs(self) -> None:
        fences = {ref: Fence(FenceKind.SUBJECT, ref) for ref in REFS}
        standing = self.model.fences(fences.values())
        for ref, fence in fences.items():
            assert standing[fence] >= self._epochs.get(ref, 0), "an epoch went back"
            assert (standing[fence] > 0) == (ref in self.model.subjects([ref]))
            self._epochs[ref] = standing[fence]
