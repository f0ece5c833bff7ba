"""What holds after any life of memories: writes, forgetting, reinstating, superseding, one by one and in batches."""

import datetime as dt
from typing import Any

import attrs
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reminisce.domain.memory import Memory, sameness
from reminisce.domain.planning.forget import plan_forget, plan_reinstate
from reminisce.domain.planning.plan import Occasion, Plan
from reminisce.domain.planning.remember import plan_remember
from reminisce.domain.records import LinkKind
from reminisce.domain.requests import read_request
from reminisce.domain.state import State, apply
from reminisce.domain.values import Status, strictest
from reminisce.domain.visibility import OWNER_ITSELF
from reminisce.errors import ReminisceError

OWNER = "agent:alice"
NAMES = ("a", "b", "a:b", "b:c", "c")
EPOCH = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)

places = st.lists(st.integers(0, 20), max_size=2)
lines = st.fixed_dictionaries(
    {"content": st.sampled_from(("tea", "rain"))},
    optional={
        "key": st.sampled_from(NAMES),
        "tier": st.sampled_from(("open", "private")),
        "subjects": st.lists(st.sampled_from(("p", "q")), max_size=1),
        "supersedes": places,
        "derived_from": places,
    },
)
steps = st.one_of(
    # Chains of replacing and bringing back are where rules of one step go wrong.
    st.tuples(st.just("replace"), st.integers(0, 2)),
    st.tuples(st.just("replace"), st.integers(0, 2)),
    st.tuples(st.just("reinstate"), st.lists(st.integers(0, 2), min_size=1, max_size=1)),
    st.tuples(st.just("remember"), st.lists(lines, min_size=1, max_size=3)),
    st.tuples(st.just("remember"), st.lists(lines, min_size=1, max_size=1)),
    st.tuples(st.just("forget"), st.lists(st.integers(0, 20), min_size=1, max_size=2)),
    st.tuples(st.just("reinstate"), st.lists(st.integers(0, 20), min_size=1, max_size=2)),
)


@attrs.define
class Life:
    """A state and what was done to it."""

    state: State = attrs.field(factory=lambda: State("0" * 32))
    count: int = 0

    def memories(self) -> dict[str, Memory]:
        return {record.memory.key: record.memory for record in self.state.records(OWNER)}

    def _key(self, place: int) -> str:
        keys = [*self.memories(), "nobody"]
        return keys[place % len(keys)]

    def plan(self, operation: str, value: Any) -> Plan[Any]:
        self.count += 1
        common: dict[str, Any] = {
            "viewer": OWNER_ITSELF,
            "occasion": Occasion(now=EPOCH + dt.timedelta(hours=self.count), actor="test", commit_id=f"c{self.count}"),
        }
        if operation == "replace":
            raw = {"content": f"number {self.count}", "supersedes": [self._key(value)]}
            return plan_remember(self.state, OWNER, [read_request(raw)], [f"m{self.count:03}"], **common)
        if operation == "remember":
            raws = [
                line
                | {
                    name: [self._key(place) for place in line[name]]
                    for name in ("supersedes", "derived_from")
                    if name in line
                }
                for line in value
            ]
            names = [f"m{self.count:03}-{place}" for place in range(len(raws))]
            return plan_remember(self.state, OWNER, [read_request(raw) for raw in raws], names, **common)
        keys = [self._key(place) for place in value]
        if operation == "forget":
            return plan_forget(self.state, OWNER, keys, reason=None, **common)
        return plan_reinstate(self.state, OWNER, keys[0], **common)

    def step(self, operation: str, value: Any) -> bool:
        """Whether it was accepted."""
        try:
            plan = self.plan(operation, value)
        except ReminisceError:
            return False
        if plan.commit is not None:
            self.state = apply(self.state, plan.commit)
        return True

    def newer(self, key: str) -> set[str]:
        """Everything that stands in the place of *key*, at any distance."""
        links = [link for held in self.state.links(OWNER, self.memories()).values() for link in held]
        pairs = [(link.role("newer")[0], link.role("older")[0]) for link in links if link.kind is LinkKind.SUPERSESSION]
        found = {key}
        while more := {newer for newer, older in pairs if older in found} - found:
            found |= more
        return found - {key}


TEA = [{"content": "tea"}]
BACK_UNDER_A_CHAIN = [("remember", TEA), ("replace", 0), ("replace", 1), ("reinstate", [0])]
CHAIN_COMES_BACK = [
    *(("remember", TEA), ("replace", 0), ("replace", 1)),
    *(("forget", [2]), ("forget", [1]), ("reinstate", [0]), ("reinstate", [2])),
]
REPLACED_FURTHER_ON = [("remember", TEA), ("replace", 0), ("forget", [1]), ("reinstate", [0]), ("replace", 1)]

histories = st.lists(steps, min_size=1, max_size=20)


@example(BACK_UNDER_A_CHAIN)
@example(CHAIN_COMES_BACK)
@example(REPLACED_FURTHER_ON)
@settings(max_examples=200)
@given(histories)
def test_nothing_active_stands_in_the_place_of_something_active(history: list[tuple[str, Any]]) -> None:
    life = Life()

    for operation, value in history:
        life.step(operation, value)

        memories = life.memories()
        active = {key for key, memory in memories.items() if memory.status is Status.ACTIVE}
        assert not any(active.intersection(life.newer(key)) for key in active)


@settings(max_examples=200)
@given(histories)
def test_a_memory_that_the_library_named_has_no_active_twin_of_its_kind(history: list[tuple[str, Any]]) -> None:
    life = Life()

    for operation, value in history:
        life.step(operation, value)

        unnamed = [m for m in life.memories().values() if m.status is Status.ACTIVE and not m.named]
        digests = [sameness(memory.given) for memory in unnamed]
        assert len(digests) == len(set(digests))


@given(histories)
def test_tiers_and_subjects_are_never_lost_on_the_way(history: list[tuple[str, Any]]) -> None:
    life = Life()

    for operation, value in history:
        life.step(operation, value)

    memories = life.memories()
    for memory in memories.values():
        parents = [memories[key] for key in (*memory.derived_from, *memory.supersedes)]
        assert memory.tier is strictest([memory.given.tier, *(parent.tier for parent in parents)])
        assert set(memory.subjects) == {*memory.given.subjects, *(ref for parent in parents for ref in parent.subjects)}


@example([("remember", [{"content": "tea"}, {"content": "tea", "key": "a"}])], 0)
@given(histories, st.integers(0, 20))
def test_forgetting_and_reinstating_is_the_identity(history: list[tuple[str, Any]], place: int) -> None:
    life = Life()
    for operation, value in history:
        life.step(operation, value)
    before = life.memories()

    forgotten = life.step("forget", [place])
    key = [*before, "nobody"][place % (len(before) + 1)]
    if forgotten and before[key].status is not Status.RETIRED:
        assert life.step("reinstate", [place])
        assert life.memories() == before


@given(st.lists(lines, min_size=1, max_size=4))
def test_a_batch_is_its_lines_one_by_one(batch: list[dict[str, Any]]) -> None:
    # References are resolved before the batch, so none points into it.
    at_once, one_by_one = Life(), Life()
    for life in (at_once, one_by_one):
        life.step("remember", [{"content": "seed", "key": "c"}, {"content": "tea"}])

    accepted = at_once.step("remember", batch)
    singly = [one_by_one.step("remember", [_fixed(line)]) for line in batch]

    if accepted and all(singly):
        told = [
            sorted((m.content, m.status, m.tier, m.subjects) for m in life.memories().values())
            for life in (at_once, one_by_one)
        ]
        assert told[0] == told[1]


def _fixed(line: dict[str, Any]) -> dict[str, Any]:
    """The same references although more memories are there by now."""
    return {
        name: [place % 3 if place % 3 < 2 else -1 for place in value]
        if name in ("supersedes", "derived_from")
        else value
        for name, value in line.items()
    }
