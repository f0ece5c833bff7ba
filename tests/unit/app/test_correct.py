"""Correct: another memory in the place of one, changed only in what was named."""

from typing import Any

import attrs
import pytest

from reminisce import (
    InvalidError,
    Owner,
    Status,
)
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import World, contents, day

FULL: dict[str, Any] = {
    "content": "the gaet is north",
    "aspects": ["semantic", "procedural"],
    "basis": "told",
    "confidence": 0.5,
    "salience": 0.25,
    "occurred_at": day(-3),
    "due_at": day(3),
    "valid_from": day(-2),
    "valid_to": day(20),
    "sources": ["doc:a", "doc:b"],
    "facets": {"colour": ["green", "red"]},
    "subjects": ["k"],
    "tier": "redacted",
    "surface": "a gate",
    "episode": "e",
    "fact": {"subject": "k", "attribute": "gate", "value": "north"},
    "reviewer": "rita",
    "derived_from": ["source"],
    "key": "old",
}
CHANGES: dict[str, Any] = {
    "content": "the gate is north",
    "aspects": ["episodic"],
    "basis": "observed",
    "confidence": 0.9,
    "salience": 0.75,
    "occurred_at": day(-4),
    "due_at": day(4),
    "valid_from": day(-5),
    "valid_to": day(10),
    "sources": ["doc:c"],
    "facets": {"colour": "blue"},
    "subjects": ["k", "l"],
    "tier": "private",
    "surface": "some gate",
    "episode": "f",
    "fact": ("k", "gate", "south"),
    "reviewer": "ruth",
    "derived_from": ["other"],
}


@pytest.fixture
def old(ann: Owner) -> Owner:
    """An owner of a memory of everything, called old."""
    ann.remember("source", key="source", subjects=["s"])
    ann.remember("other", key="other")
    ann.remember(**FULL)
    return ann


@pytest.mark.parametrize("name", CHANGES)
def test_only_what_is_named_changes(world: World, old: Owner, name: str) -> None:
    world.wait(1)
    before = old.why("old").memory

    answer = old.correct("old", **{name: CHANGES[name]})

    memory = old.why(answer.key).memory
    changed = {
        field.name
        for field in attrs.fields(type(before.given))
        if getattr(before.given, field.name) != getattr(memory.given, field.name)
    }
    assert (answer.created, answer.status) == (True, Status.ACTIVE)
    assert changed == {name, "supersedes"}
    assert memory.supersedes == ("old",)
    assert old.why("old").memory.status is Status.SUPERSEDED


def test_links_to_sources_and_derivations_are_kept(old: Owner) -> None:
    new = old.correct("old", content="the gate is north").key

    why = old.why(new)
    assert [step.key for step in why.ancestors] == ["source"]
    assert (why.sources, why.supersedes) == ((("doc:a", ("old",)), ("doc:b", ("old",))), ("old",))
    assert why.memory.subjects == ("k", "s")
    assert old.why("old").superseded_by == (new,)


def test_it_takes_the_place_of_the_old_one_in_recall(old: Owner) -> None:
    old.correct("old", content="the gate is north")

    assert contents(old.recall("north", episode="e")) == ["the gate is north"]
    assert old.stats().by_status == {"active": 3, "superseded": 1}


def test_uses_salience_and_what_reinforcements_added_are_kept(world: World, ann: Owner) -> None:
    key = ann.believe("k", "city", "Riga", confidence=0.5, sources=["doc:a"]).key
    ann.believe("k", "city", "Riga", confidence=0.8, sources=["doc:b"])
    world.wait(30)
    ann.consolidate()
    ann.reinforce(key)
    before = ann.why(key).memory

    memory = ann.why(ann.correct(key, content="K. lives in Riga").key).memory

    for name in ("uses", "consolidated_uses", "consolidated_at", "salience", "confidence", "sources", "valid_from"):
        assert getattr(memory, name) == getattr(before, name), name


def test_a_salience_that_is_named_counts_from_now(world: World, ann: Owner) -> None:
    key = ann.remember("tea", salience=1).key
    world.wait(30)
    ann.consolidate(half_life=86400 * 30)

    new = ann.correct(key, salience=0.8).key
    world.wait(30)
    ann.consolidate(half_life=86400 * 30)

    assert ann.why(new).memory.salience == 0.4


def test_a_correction_makes_no_faded_memory_fresh(world: World, ann: Owner) -> None:
    ann.remember("tea", key="a", salience=0.1)
    world.wait(300)

    ann.correct("a", content="Tea.", new_key="b")

    assert ann.prune(dry_run=True).pruned == ("b",)


def test_it_takes_part_in_what_the_old_one_took_part_in(ann: Owner) -> None:
    for key in "abcd":
        ann.remember(f"it is {key}", key=key)
    ann.remember("so", key="e", derived_from=["a"])
    ann.contradict("a", "b", reason="r")
    ann.contradict("b", "c", claim="a")
    ann.contradict("b", "c", claim=["e", "a"])
    ann.associate(["a", "b", "d"], "trip", facets={"x": "1"})
    ann.contradict("a", "c")
    ann.resolve("a", "c")
    ann.correct("a", content="it is A", new_key="A")

    why = ann.why("A")

    assert [(held.between, held.claim, held.reason) for held in why.contradictions] == [
        (("A", "b"), (), "r"),
        (("b", "c"), ("A",), None),
    ]
    assert [(held.kind, held.keys, held.facets) for held in why.associations] == [
        ("trip", ("A", "b", "d"), (("x", "1"),))
    ]
    assert len(ann.why("a").contradictions) == 4
    assert {held.since for held in why.contradictions} == {why.revision}


def test_a_correction_that_is_repeated_answers_the_same(world: World, old: Owner) -> None:
    first = old.correct("old", content="the gate is north", new_key="new")
    before = contents_of(world.store)

    again = old.correct("old", content="the gate is north", new_key="new")

    assert (again.key, again.created, again.revision) == ("new", False, first.revision)
    assert contents_of(world.store) == before


@pytest.mark.parametrize("named", [{}, {"request_key": "r"}])
def test_a_correction_without_a_name_is_repeated_as_well(old: Owner, named: dict[str, str]) -> None:
    first = old.correct("old", content="the gate is north", **named)

    assert old.correct("old", content="the gate is north", **named).key == first.key


@pytest.mark.parametrize("name", ["content", "sources", "facets", "tier", "fact", "subjects"])
def test_what_changes_nothing_answers_the_old_one(world: World, old: Owner, name: str) -> None:
    before = contents_of(world.store)

    answer = old.correct("old", **{name: FULL[name]})

    assert (answer.key, answer.created) == ("old", False)
    assert contents_of(world.store) == before


def test_a_list_of_nothing_clears_a_list(old: Owner) -> None:
    memory = old.why(old.correct("old", sources=[], facets={}, derived_from=[]).key).memory

    assert (memory.sources, memory.facets, memory.derived_from) == ((), (), ())


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"valid_to": day(-2)}, "valid_to", "out_of_range"),
        ({"valid_from": day(20)}, "valid_to", "out_of_range"),
        ({"subjects": []}, "fact", "no_subject"),
        ({"fact": ("stranger", "gate", "north")}, "fact", "no_subject"),
        ({"fact": {"subject": "k", "attribute": "gate", "value": "x", "many": True}}, "many", "fixed"),
        ({"content": ""}, "content", "blank"),
        ({"supersedes": ["source"]}, "arguments", "unknown_name"),
        ({"aspects": []}, "aspects", "empty"),
        ({}, "arguments", "empty"),
        ({"content": None}, "arguments", "empty"),
        ({"new_key": "new"}, "arguments", "empty"),
        ({"content": "x", "new_key": "é" * 129}, "new_key", "too_large"),
    ],
)
def test_a_bad_correction_is_refused_under_its_name(
    world: World, old: Owner, changes: dict[str, Any], field: str, code: str
) -> None:
    before = contents_of(world.store)

    with pytest.raises(InvalidError) as caught:
        old.correct("old", **changes)

    assert (field, code) in {(problem.field, problem.code) for problem in caught.value.problems}
    assert contents_of(world.store) == before
