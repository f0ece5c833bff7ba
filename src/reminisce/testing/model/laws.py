"""
What holds of any state, whatever was done: told from the state alone, without the planners that keep it.

Each law is a sentence of `docs/statuses.md`, `docs/beliefs.md` or of a planner.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from typing import Final

import attrs

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.memory import Memory, folded, sameness
from reminisce.domain.records import Link, LinkKind, Record, SubjectState
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status, Tier
from reminisce.testing.contents import MANY
from reminisce.testing.model.base import Machine
from reminisce.testing.strategies import REFS, TIMES

__all__ = ["Lawful"]

_START: Final = dt.datetime.min.replace(tzinfo=dt.UTC)
_END: Final = dt.datetime.max.replace(tzinfo=dt.UTC)

_IN_TIME: Final = (Status.ACTIVE, Status.SUPERSEDED)
"""What takes a place in valid time."""

_WAYS: Final[dict[Status | None, tuple[Status, ...]]] = {
    None: (Status.ACTIVE, Status.SUPERSEDED, Status.HELD),
    Status.ACTIVE: (Status.ACTIVE, Status.SUPERSEDED, Status.RETIRED, Status.WITHDRAWN),
    Status.SUPERSEDED: (Status.SUPERSEDED, Status.ACTIVE, Status.RETIRED, Status.WITHDRAWN),
    Status.RETIRED: (Status.ACTIVE, Status.SUPERSEDED, Status.WITHDRAWN),
    Status.HELD: (Status.ACTIVE, Status.SUPERSEDED, Status.REJECTED, Status.WITHDRAWN),
    Status.REJECTED: (Status.WITHDRAWN,),
    # A purge tells so, too; nothing brings words back.
    Status.WITHDRAWN: (Status.WITHDRAWN,),
}
"""From what to what an event leads."""

_COMES_FROM: Final = {
    LinkKind.DERIVATION: ("derived", "source"),
    LinkKind.SUPERSESSION: ("newer", "older"),
    LinkKind.SUCCESSION: ("newer", "older"),
}

_NUMBERS: Final = (FenceKind.CONSENTS, FenceKind.KEYS, FenceKind.FLOOR)

_SAYS: Final = (LinkKind.CONTRADICTION, LinkKind.ASSOCIATION)
"""Links with words."""


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

    said: dict[str, Memory]
    """Each memory as it was when it last had words."""

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

    def things(self, memories: Iterable[Memory] | None = None) -> dict[tuple[str, ...], list[Memory]]:
        """Beliefs by what they are of: subject and attribute and, where there may be many, the value."""
        things: dict[tuple[str, ...], list[Memory]] = {}
        for memory in self.memories if memories is None else memories:
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
    # Of a rival whose words are gone, what it said decides.
    things = held.things(held.said.values())
    rivals = {memory.key: {other.key for other in thing} for thing in things.values() for memory in thing}
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
        if new.status is Status.WITHDRAWN:
            # Nothing is handed on to what has no words.
            continue
        assert set(new.subjects) >= set(old.subjects), f"{later} is not about all that {earlier} is about"
        # A less strict tier is that memory's alone.
        assert later in held.lowered or strictness(new.tier) >= strictness(old.tier), f"{later} is less strict"


def _what_is_erased_has_no_words_and_nothing_tells_any_of_it(held: _Held) -> None:
    for record in held.records.values():
        memory = record.memory
        assert (memory.erased is not None) == (memory.status is Status.WITHDRAWN)
        if memory.erased is not None:
            texts = [memory.content, memory.surface, memory.episode, memory.request_key, memory.fact]
            assert {text or None for text in texts} == {None}
            assert (memory.sources, memory.facets, memory.agreed) == ((), (), ())
            assert {event.reason for event in record.history} == {None}
    gone = {memory.key for memory in held.memories if memory.status is Status.WITHDRAWN}
    assert [
        link.name for link in held.links if link.kind in _SAYS and gone.intersection(k for _, k in link.members)
    ] == []


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
    _what_is_erased_has_no_words_and_nothing_tells_any_of_it,
)


def _of(
    snapshot: Snapshot,
    owner: str,
    times: Iterable[dt.datetime],
    lowered: Collection[tuple[str, str]],
    said: Mapping[tuple[str, str], Memory],
) -> _Held:
    records = {record.memory.key: record for record in snapshot.records(owner)}
    links = {link.name: link for found in snapshot.links(owner, records).values() for link in found}
    attributes = {r.memory.fact.attribute for r in records.values() if r.memory.fact is not None}
    return _Held(
        records,
        tuple(links.values()),
        dict(snapshot.valued(owner, attributes)),
        frozenset(times),
        frozenset(key for of, key in lowered if of == owner),
        {key: memory for (of, key), memory in said.items() if of == owner},
    )


class Lawful(Machine):
    """The laws. Store and model hold the same, so it is the model that is asked."""

    def __init__(self) -> None:
        super().__init__()
        self._epochs: dict[str, tuple[int, int]] = {}
        self._numbers: dict[Fence, int] = {}

    def check_laws(self) -> None:
        """Raise `AssertionError` when one is broken."""
        for owner in self.model.owners():
            log = list(self.model.log(owner, since=0))
            assert [entry.revision for entry in log] == list(range(1, len(log) + 1))
            assert [entry.time for entry in log] == sorted(entry.time for entry in log)
            held = _of(self.model, owner, {*TIMES, self.now, *(entry.time for entry in log)}, self.lowered, self.said)
            for law in _LAWS:
                law(held)
        self._check_fences()
        self._check_people()

    def _check_fences(self) -> None:
        fences = {ref: Fence(FenceKind.SUBJECT, ref) for ref in REFS}
        standing = self.model.fences(fences.values())
        for ref, fence in fences.items():
            highest, last = self._epochs.get(ref, (0, 0))
            now = standing[fence]
            assert now in (0, last) or now > highest, "an epoch was there before"
            assert (now > 0) == (ref in self.model.subjects([ref]))
            self._epochs[ref] = max(highest, now), now
        for fence, value in self.model.fences(map(Fence, _NUMBERS)).items():
            assert value >= self._numbers.get(fence, 0)
            self._numbers[fence] = value

    def _check_people(self) -> None:
        for ref in REFS:
            about = self.model.about(ref, limit=MANY)
            memories = [self.model.memories(owner, [key])[key] for owner, key in about]
            assert all(ref in memory.subjects for memory in memories)
            subject = self.model.subjects([ref]).get(ref)
            if subject is None:
                assert about == [], "there is a memory about nobody"
                continue
            openings = [one.opening for one in subject.withdrawals]
            assert openings == sorted(set(openings))
            assert [one for one in subject.withdrawals[:-1] if one.closed_at is None] == []
            if subject.state is not SubjectState.OPEN:
                assert subject.audiences == ()
                assert self.model.subject_keys([ref]) == {}
            if subject.state in (SubjectState.WITHDRAWN, SubjectState.PURGING):
                worded = [memory.key for memory in memories if memory.erased is None]
                assert worded == [], "words about somebody are left after a withdrawal"
                self._check_derived(memories)

    def _check_derived(self, memories: Iterable[Memory]) -> None:
        for memory in memories:
            ring, seen = {memory.key}, set[str]()
            while ring:
                seen |= ring
                links = self.model.links(memory.owner, ring, kinds=[LinkKind.DERIVATION])
                found = {
                    link.role("derived")[0]
                    for held in links.values()
                    for link in held
                    if link.role("source")[0] in ring
                }
                for child in self.model.memories(memory.owner, found).values():
                    assert child.erased is not None, "what was derived from words that were withdrawn has its own"
                ring = found - seen
