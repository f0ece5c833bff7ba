"""What holds after any life of memories: every operation, one by one and in batches."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import attrs
from hypothesis import example, given
from hypothesis import strategies as st

from reminisce.domain.believed import believed
from reminisce.domain.memory import Memory, sameness
from reminisce.domain.past import Past
from reminisce.domain.records import LinkKind
from reminisce.domain.state import State
from reminisce.domain.values import Status, Tier, strictest
from reminisce.domain.visibility import OWNER_ITSELF
from tests.property.living import (
    MANY,
    OTHER,
    OWNER,
    REVIEWED,
    ROLES,
    STEPS,
    SUBJECTS,
    Life,
    Steps,
    at_least,
    day,
    everything,
    histories,
    lines,
    step,
)

CHAINS = ("replace", "replace", "reinstate", "remember", "remember", "forget", "reinstate")
"""Chains of replacing and bringing back are where rules of one step go wrong."""

ALL = tuple(STEPS)
RAISING = (*CHAINS, *ALL, *("believe", "stricter") * 3)
"""Beliefs that end others, of which some get stricter."""
CHAINED = histories((*CHAINS, *ALL))
HANDED_ON = {LinkKind.DERIVATION: ("source", "derived"), LinkKind.SUPERSESSION: ("older", "newer"),
             LinkKind.SUCCESSION: ("older", "newer")}  # fmt: skip
"""The links along which tiers and subjects flow, from what to what."""


def newer(life: Life, key: str) -> set[str]:
    """Everything that stands in the place of *key*, at any distance; what was never in force leads no further."""
    links = [link for link in life.links().values() if link.kind is LinkKind.SUPERSESSION]
    pairs = [(link.role("newer")[0], link.role("older")[0]) for link in links]
    memories = life.memories()
    found, ring = set[str](), {key}
    while ring:
        ahead = {one for one, older in pairs if older in ring} - found
        found |= ahead
        ring = {one for one in ahead if memories[one].status not in (Status.HELD, Status.REJECTED)}
    return found - {key}


TEA = [{"content": "tea"}]
BACK_UNDER_A_CHAIN = [("remember", TEA), ("replace", 0), ("replace", 1), ("reinstate", (0, None))]
CHAIN_COMES_BACK = [
    *(("remember", TEA), ("replace", 0), ("replace", 1)),
    *(("forget", [2]), ("forget", [1]), ("reinstate", (0, None)), ("reinstate", (2, None))),
]
REPLACED_FURTHER_ON = [
    *(("remember", TEA), ("replace", 0), ("forget", [1])),
    *(("reinstate", (0, None)), ("replace", 1)),
]
REPLACED_WHILE_IT_WAITED = [
    ("remember", [{"content": "tea", "aspects": [REVIEWED]}]),
    ("replace", 0),
    ("review", (0, True)),
]
REPLACED_WHILE_IT_WAS_FORGOTTEN = [
    *(("remember", TEA), ("forget", [0])),
    *(("replace", 0), ("reinstate", (0, None))),
]


@example(BACK_UNDER_A_CHAIN)
@example(CHAIN_COMES_BACK)
@example(REPLACED_FURTHER_ON)
@example(REPLACED_WHILE_IT_WAITED)
@at_least(200)
@given(CHAINED)
def test_nothing_active_stands_in_the_place_of_something_active(history: Steps) -> None:
    life = Life()

    for operation, value in history:
        life.step(operation, value)

        active = {key for key, memory in life.memories().items() if memory.status is Status.ACTIVE}
        assert not any(active.intersection(newer(life, key)) for key in active)


@at_least(200)
@given(CHAINED)
def test_a_memory_that_the_library_named_has_no_active_twin_of_its_kind(history: Steps) -> None:
    life = Life()

    for operation, value in history:
        life.step(operation, value)

        unnamed = [m for m in life.memories().values() if m.status is Status.ACTIVE and not m.named]
        digests = [sameness(memory.given) for memory in unnamed]
        assert len(digests) == len(set(digests))


# What is handed on


def edges(life: Life) -> Iterator[tuple[str, str]]:
    """From what to what tiers and subjects flow."""
    for link in life.links().values():
        if link.kind in HANDED_ON and link.until is None:
            giver, taker = HANDED_ON[link.kind]
            yield link.role(giver)[0], link.role(taker)[0]


def descendants(life: Life, key: str) -> set[str]:
    """Everything that comes from *key*, at any distance."""
    pairs = list(edges(life))
    found = {key}
    while more := {taker for giver, taker in pairs if giver in found} - found:
        found |= more
    return found - {key}


def below(tier: Tier, other: Tier) -> bool:
    """Whether *tier* is less strict than *other*."""
    return tier is not other and strictest((tier, other)) is other


@at_least(200)
@given(histories([name for name in RAISING if name != "reclassify"]))
def test_nothing_is_less_strict_or_about_fewer_than_what_it_comes_from(history: Steps) -> None:
    life = Life()

    for operation, value in history:
        life.step(operation, value)

        memories = life.memories()
        for giver, taker in edges(life):
            assert not below(memories[taker].tier, memories[giver].tier)
            assert set(memories[taker].subjects) >= set(memories[giver].subjects)


@at_least(200)
@given(histories(RAISING))
def test_what_is_raised_is_raised_in_all_that_comes_from_it(history: Steps) -> None:
    # After a reclassification to a less strict tier nothing is said of what stands, only of what is raised from then on.
    life = Life()

    for operation, value in history:
        before = life.memories()
        life.step(operation, value)

        memories = life.memories()
        for key, old in before.items():
            memory = memories[key]
            for taker in map(memories.__getitem__, descendants(life, key)):
                assert not (below(old.tier, memory.tier) and below(taker.tier, memory.tier))
                assert set(taker.subjects) >= set(memory.subjects) - set(old.subjects)


@given(CHAINED)
def test_subjects_and_tiers_never_become_fewer_or_less_strict_but_by_reclassifying(history: Steps) -> None:
    life = Life()

    for operation, value in history:
        before = life.memories()
        life.step(operation, value)

        for key, old in before.items():
            memory = life.memories()[key]
            assert set(memory.subjects) >= set(old.subjects)
            assert operation == "reclassify" or not below(memory.tier, old.tier)


# Forgetting and bringing back


BELIEF = {"subject": SUBJECTS[0], "attribute": "home", "value": "Riga", "valid_from": day(1)}
SINCE_THEN = {"subject": SUBJECTS[0], "attribute": "home", "value": "Riga"}


def _at_one_time(life: Life, operation: str, value: Any) -> Any:
    """A step that takes no time."""
    life.waited -= dt.timedelta(hours=1)
    return life.step(operation, value)


def told(life: Life, time: dt.datetime) -> Any:
    """What recall, beliefs and counts are made of, at one time."""
    asked: dict[str, Any] = {"viewer": OWNER_ITSELF, "now": time}
    return life.memories(), [
        believed(life.state, OWNER, ref, **asked, **more).beliefs
        for ref in SUBJECTS
        for more in ({}, {"valid_at": time}, {"history": True})
    ]


@example([("remember", [{"content": "tea"}, {"content": "tea", "key": "a"}])], 0)
@example([("believe", BELIEF), ("correct", (0, {"salience": 0.7}))], 0)
@example([("believe", BELIEF), ("believe", BELIEF | {"value": "Oslo"})], 0)
@example([("believe", SINCE_THEN), ("replace", 0), ("correct", (0, {"valid_from": day(0)}))], 0)
@at_least(200)
@given(histories((*CHAINS, *ALL, "believe", "believe")), st.integers(0, 30))
def test_forgetting_and_reinstating_is_the_identity(history: Steps, place: int) -> None:
    life = Life().live(history)
    before = told(life, life.now)
    key = life.key(place)
    known = life.memories().get(key)

    # At one time: what changes because time passes is no part of it.
    forgotten = _at_one_time(life, "forget", [place])
    if forgotten is not None and known is not None and known.status is not Status.RETIRED:
        back = _at_one_time(life, "reinstate", (place, None))
        assert back is not None
        assert (back.key, back.changed) == (key, True)
        assert told(life, life.now) == before


# Owners


@at_least(100)
@given(
    history=st.lists(st.tuples(st.sampled_from((OWNER, OTHER)), st.sampled_from(ALL).flatmap(step)), max_size=15),
    one=st.sampled_from(ALL).flatmap(step),
    other=st.sampled_from(ALL).flatmap(step),
)
def test_the_order_of_two_commits_of_different_owners_never_matters(
    history: list[tuple[str, tuple[str, Any]]], one: tuple[str, Any], other: tuple[str, Any]
) -> None:
    life = Life()
    for owner, (operation, value) in history:
        life.step(operation, value, owner)
    number = life.steps
    if "consent" in (one[0], other[0]) or "wait" in (one[0], other[0]):
        # Consent is nobody's commit, and counts for all; time passes for all.
        return

    forth, back = attrs.evolve(life), attrs.evolve(life)
    answers = [forth.step(*one, OWNER, number + 1), forth.step(*other, OTHER, number + 2)]
    turned = [back.step(*other, OTHER, number + 2), back.step(*one, OWNER, number + 1)]

    assert answers == turned[::-1]
    assert everything(forth.state) == everything(back.state)


# Time passing


@at_least(100)
@given(histories(ALL), st.sampled_from((1, 30)), st.sampled_from((0, 50)), st.integers(0, 100))
def test_consolidating_twice_is_consolidating_once(history: Steps, half_life: int, threshold: int, back: int) -> None:
    life = Life().live(history)
    until = life.now - dt.timedelta(hours=back)
    life.steps += 1
    life.consolidate(OWNER, until, half_life, threshold)
    once = life.state

    life.steps += 1
    assert not life.consolidate(OWNER, until, half_life, threshold)
    assert life.state is once


@at_least(100)
@given(histories(ALL), st.sampled_from((1, 30)), st.sampled_from((0, 50)), st.data())
def test_a_consolidation_that_was_stopped_is_finished_by_another(
    history: Steps, half_life: int, threshold: int, data: st.DataObject
) -> None:
    whole = Life().live(history)
    whole.steps += 1
    stopped = attrs.evolve(whole)
    whole.consolidate(OWNER, whole.now, half_life, threshold)
    states: list[State] = []
    stopped.consolidate(OWNER, whole.now, half_life, threshold, after=lambda: states.append(stopped.state))
    if len(states) > 1:
        stopped.state = states[data.draw(st.integers(0, len(states) - 2))]
        until, stopped.steps = whole.now, stopped.steps + 1
        stopped.consolidate(OWNER, until, half_life, threshold)

        assert stopped.memories() == whole.memories()


@given(
    salience=st.integers(0, 1000),
    pauses=st.lists(st.timedeltas(min_value=dt.timedelta(minutes=1), max_value=dt.timedelta(days=3)), max_size=20),
    half_life=st.integers(1, 30),
)
def test_many_short_intervals_leave_what_one_long_one_does(
    salience: int, pauses: list[dt.timedelta], half_life: int
) -> None:
    short = Life()
    short.step("remember", [{"content": "tea", "salience": salience / 1000}])
    made = short.now
    long = attrs.evolve(short)

    for pause in [*pauses, dt.timedelta(days=1)]:
        short.steps += 1
        short.waited += pause
        short.consolidate(OWNER, short.now, half_life, 0)
    long.steps += 1
    long.waited = short.now - made + long.waited - dt.timedelta(hours=1)
    long.consolidate(OWNER, short.now, half_life, 0)

    assert long.now == short.now
    [one], [other] = short.memories().values(), long.memories().values()
    assert one.salience_thousandths == other.salience_thousandths


# The past


def then(state: State, now: State, revision: int) -> Past:
    return Past(now, OWNER, revision, state.head(OWNER).time)


def pictures(ground: Any, keys: list[str], sources: list[str]) -> dict[str, Any]:
    """All that is asked of the past."""
    return {
        "head": ground.head(OWNER),
        "memories": dict(ground.memories(OWNER, keys)),
        "history": {key: list(events) for key, events in ground.history(OWNER, keys).items()},
        "links": {key: list(links) for key, links in ground.links(OWNER, keys).items()},
        "ties": [
            {key: list(ties) for key, ties in ground.ties(OWNER, keys, kind, role).items()} for kind, role in ROLES
        ],
        "facts": [
            list(ground.facts(OWNER, ref, attribute=attribute)) for ref in SUBJECTS for attribute in (None, *MANY)
        ],
        "citing": {source: list(held) for source, held in ground.citing(OWNER, sources).items()},
        "beliefs": [
            believed(ground, OWNER, ref, viewer=OWNER_ITSELF, now=day(4), **more)
            for ref in SUBJECTS
            for more in ({}, {"valid_at": day(3.5)}, {"history": True})
        ],
    }


def of_today(old: Memory, today: Memory) -> Memory:
    """A memory as it was, but for what no store keeps the history of."""
    return attrs.evolve(today, status=old.status, valid_from=old.valid_from, valid_to=old.valid_to)


@at_least(100)
@given(histories(ALL))
def test_the_past_at_the_present_is_the_present(history: Steps) -> None:
    life = Life().live(history)
    head = life.state.head(OWNER)
    keys, sources = [*life.memories(), "nobody"], ["doc:gate", "doc:tea", "doc:none"]

    past = then(life.state, life.state, head.revision)

    assert pictures(past, keys, sources) == pictures(life.state, keys, sources)


@at_least(100)
@given(histories((*CHAINS, *ALL, "believe", "believe", "associate", "contradict", "dissociate", "resolve")))
def test_the_past_at_a_revision_is_what_was_then(history: Steps) -> None:
    life = Life().live(history)
    today = life.memories()
    keys, sources = [*today, "nobody"], ["doc:gate", "doc:tea", "doc:none"]

    for revision, state in life.past.items():
        past = pictures(then(state, life.state, revision), keys, sources)
        was = pictures(state, keys, sources)

        for same in ("head", "history", "links", "ties", "facts"):
            assert past[same] == was[same]
        assert past["memories"] == {key: of_today(old, today[key]) for key, old in was["memories"].items()}
        found = {source: [key for key in was["memories"] if source in today[key].sources] for source in sources}
        assert past["citing"] == {source: held for source, held in found.items() if held}
        for one, other in zip(past["beliefs"], was["beliefs"], strict=True):
            assert [(b.key, b.status, b.valid_from, b.valid_to) for b in one] == [
                (b.key, b.status, b.valid_from, b.valid_to) for b in other
            ]


# Supersession in time


@example(REPLACED_WHILE_IT_WAS_FORGOTTEN)
@example(REPLACED_WHILE_IT_WAITED)
@at_least(200)
@given(CHAINED)
def test_what_was_replaced_does_not_hold_any_more(history: Steps) -> None:
    # "What is superseded stops to hold: its valid_to becomes the start of what took its place." Or it never held. What is
    # replaced a second time stays as it is.
    life = Life().live(history)
    memories = life.memories().values()

    for memory in memories:
        instead = [
            other.valid_from or other.recorded_at
            for other in memories
            if memory.key in other.supersedes and other.status is Status.ACTIVE
        ]
        if memory.status is Status.SUPERSEDED and instead:
            assert memory.valid_to is not None
            assert memory.valid_to <= max(*instead, memory.valid_from or life.now, life.now)


# Batches


@given(st.lists(lines(), min_size=1, max_size=4))
def test_a_batch_is_its_lines_one_by_one(batch: list[dict[str, Any]]) -> None:
    # References are resolved before the batch, so none points into it.
    at_once, one_by_one = Life(), Life()
    for life in (at_once, one_by_one):
        life.step("remember", [{"content": "seed", "key": "c"}, {"content": "tea"}])

    accepted = _at_one_time(at_once, "remember", [_fixed(line) for line in batch])
    singly = [_at_one_time(one_by_one, "remember", [_fixed(line)]) for line in batch]

    if accepted is not None and all(answer is not None for answer in singly):
        counts = [
            sorted((m.content, m.status, m.tier, m.subjects, str(m.valid_from), str(m.valid_to))
                   for m in life.memories().values())
            for life in (at_once, one_by_one)
        ]  # fmt: skip
        assert counts[0] == counts[1]


def _fixed(line: dict[str, Any]) -> dict[str, Any]:
    """The same references although more memories are there by now."""
    return {
        name: [place % 2 for place in value] if name in ("supersedes", "derived_from") else value
        for name, value in line.items()
    }
