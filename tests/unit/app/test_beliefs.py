"""Beliefs through the library: what becomes of something said, what is live, what is told of the past."""

import datetime as dt
import itertools
from typing import Any

import pytest

from reminisce import Believed, InvalidError, Outcome, Owner, Status, StatusError
from tests.unit.app.worlds import Deciding, World, contents, day


def held(owner: Owner, **options: Any) -> list[tuple[str, dt.datetime | None, dt.datetime | None]]:
    """Value and interval of each belief of the subject, in order."""
    return [(belief.value, belief.valid_from, belief.valid_to) for belief in owner.beliefs("k", **options)]


def live(owner: Owner, **options: Any) -> list[str]:
    return [belief.value for belief in owner.beliefs("k", **options)]


def test_the_first_belief_is_new_and_holds_from_now_on(ann: Owner) -> None:
    answer = ann.believe("k", "city", "Riga")

    assert answer == Believed(answer.key, Outcome.NEW, Status.ACTIVE, day(0), None, (), 1)
    assert ann.why(answer.key).memory.content == "k city: Riga"
    assert ann.why(answer.key).memory.subjects == ("k",)


@pytest.mark.parametrize("value", ["Riga", "riga", " RIGA  ", "ＲＩＧＡ"])
def test_the_same_value_is_reinforced_however_it_is_written(world: World, ann: Owner, value: str) -> None:
    first = ann.believe("k", "city", "Riga", confidence=0.5, sources=["doc:a"])
    world.wait(1)

    again = ann.believe("k", "city", value, confidence=0.8, sources=["doc:b", "doc:a"], subjects=["k", "l"])

    memory = ann.why(first.key).memory
    assert (again.key, again.outcome, again.superseded) == (first.key, Outcome.REINFORCED, ())
    assert (memory.uses, memory.confidence, memory.sources) == (1, 0.8, ("doc:a", "doc:b"))
    assert memory.subjects == ("k", "l")
    assert live(ann) == ["Riga"]
    assert ann.stats().memories == 1


def test_a_reinforcement_is_never_less_sure_and_never_less_strict(ann: Owner) -> None:
    key = ann.believe("k", "city", "Riga", tier="private").key

    ann.believe("k", "city", "Riga", confidence=0.1, tier="open")

    memory = ann.why(key).memory
    assert (memory.confidence, memory.tier) == (1.0, "private")


def test_a_stricter_reinforcement_is_handed_on_to_what_was_derived(ann: Owner) -> None:
    key = ann.believe("k", "city", "Riga").key
    derived = ann.remember("somebody lives in Latvia", derived_from=[key]).key

    ann.believe("k", "city", "Riga", tier="private", subjects=["k", "l"])

    memory = ann.why(derived).memory
    assert (memory.tier, memory.subjects) == ("private", ("k", "l"))


def test_another_value_later_ends_the_earlier_one(world: World, ann: Owner) -> None:
    old = ann.believe("k", "city", "Riga").key
    world.wait(1)

    new = ann.believe("k", "city", "Oslo")

    assert (new.outcome, new.superseded, new.status) == (Outcome.SUPERSEDED, (old,), Status.ACTIVE)
    assert held(ann, history=True) == [("Riga", day(0), day(1)), ("Oslo", day(1), None)]
    assert (ann.why(old).superseded_by, ann.why(new.key).supersedes) == ((new.key,), (old,))
    assert ann.why(old).memory.status is Status.SUPERSEDED
    assert contents(ann.recall("city")) == ["k city: Oslo"]


def test_a_value_to_come_leaves_the_present_one_live_until_then(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga")
    ann.believe("k", "city", "Oslo", valid_from=day(10))

    now, stats = live(ann), ann.stats()
    world.wait(10)

    assert (now, live(ann)) == (["Riga"], ["Oslo"])
    assert (stats.by_status, stats.live_beliefs, ann.stats().live_beliefs) == ({"active": 2}, 1, 1)


def test_what_ended_unnoticed_is_marked_by_the_next_belief(world: World, ann: Owner) -> None:
    old = ann.believe("k", "city", "Riga").key
    ann.believe("k", "city", "Oslo", valid_from=day(10))
    world.wait(11)
    before = ann.why(old).memory.status

    ann.believe("k", "city", "Bern", valid_from=day(11))

    assert (before, ann.why(old).memory.status) == (Status.ACTIVE, Status.SUPERSEDED)
    assert live(ann) == ["Bern"]


def test_another_value_earlier_is_kept_as_history(world: World, ann: Owner) -> None:
    world.wait(30)
    ann.believe("k", "city", "Oslo", valid_from=day(20))

    old = ann.believe("k", "city", "Riga", valid_from=day(10))

    assert (old.outcome, old.status, old.valid_to) == (Outcome.HISTORY, Status.SUPERSEDED, day(20))
    assert (live(ann), live(ann, valid_at=day(15))) == (["Oslo"], ["Riga"])


def test_of_two_at_the_same_time_the_one_said_later_stands(ann: Owner) -> None:
    first = ann.believe("k", "city", "Riga")

    second = ann.believe("k", "city", "Oslo")

    assert second.superseded == (first.key,)
    assert (live(ann), live(ann, valid_at=day(0))) == (["Oslo"], ["Oslo"])


SAID = [("Riga", 1), ("Oslo", 2), ("Bern", 3), ("Rome", 4)]


@pytest.mark.parametrize("order", [*itertools.permutations(range(4))])
def test_the_order_in_which_things_are_learned_does_not_matter(
    world: World, ann: Owner, order: tuple[int, ...]
) -> None:
    world.wait(10)

    for place in order:
        value, start = SAID[place]
        ann.believe("k", "city", value, valid_from=day(start))

    assert held(ann, history=True) == [
        ("Riga", day(1), day(2)),
        ("Oslo", day(2), day(3)),
        ("Bern", day(3), day(4)),
        ("Rome", day(4), None),
    ]
    assert live(ann) == ["Rome"]


def test_values_of_an_attribute_of_many_stand_side_by_side(ann: Owner) -> None:
    ann.believe("k", "speaks", "Latvian", many=True)

    answers = [ann.believe("k", "speaks", value).outcome for value in ("English", "latvian")]

    assert answers == [Outcome.NEW, Outcome.REINFORCED]
    assert live(ann, attribute="speaks") == ["Latvian", "English"]


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (None, True)])
def test_the_first_use_of_an_attribute_decides_for_all_subjects(ann: Owner, first: bool | None, second: bool) -> None:
    ann.believe("k", "speaks", "Latvian", many=first)

    with pytest.raises(InvalidError) as caught:
        ann.believe("somebody else", "speaks", "English", many=second)

    assert [(problem.field, problem.code) for problem in caught.value.problems] == [("many", "fixed")]
    assert ann.revision() == 1


def test_each_owner_decides_for_itself(world: World, ann: Owner) -> None:
    ann.believe("k", "speaks", "Latvian", many=True)

    assert world.owner("agent:bob").believe("k", "speaks", "English", many=False).outcome is Outcome.NEW


def test_a_memory_with_a_fact_takes_its_place_but_is_never_reinforced(world: World, ann: Owner) -> None:
    old = ann.believe("k", "city", "Riga").key
    world.wait(1)

    new = ann.remember("K. still lives in Riga.", subjects=["k"], fact=("k", "city", "Riga"))

    assert new.created
    assert ann.why(old).memory.uses == 0
    assert [belief.key for belief in ann.beliefs("k")] == [new.key]


def test_a_batch_of_facts_comes_to_what_single_ones_do(ann: Owner, world: World) -> None:
    world.wait(10)
    facts = [
        {"content": f"it was {value}", "subjects": ["k"], "fact": ("k", "city", value), "valid_from": day(start)}
        for value, start in SAID
    ]

    ann.remember_many(facts[::-1])

    assert held(ann, history=True)[-2:] == [("Bern", day(3), day(4)), ("Rome", day(4), None)]
    assert live(ann) == ["Rome"]


def test_a_preference_is_a_belief_of_the_aspect_procedural(ann: Owner) -> None:
    ann.believe("k", "units", "metric", aspects=["procedural"], content="Answer in metric.")

    assert contents(ann.recall("metric", aspects=["procedural"])) == ["Answer in metric."]
    assert live(ann) == ["metric"]


@pytest.mark.parametrize("subjects", [["l"], ("l", "k"), {"l"}, frozenset({"k", "l"})])
def test_what_is_believed_is_about_its_subject_and_whoever_else_is_named(ann: Owner, subjects: Any) -> None:
    assert ann.why(ann.believe("k", "city", "Riga", subjects=subjects).key).memory.subjects == ("k", "l")


def test_what_ends_before_it_starts_is_refused(ann: Owner) -> None:
    with pytest.raises(InvalidError) as caught:
        ann.believe("k", "city", "Riga", valid_to=day(-1))

    assert caught.value.fields == ("valid_to",)
    assert ann.revision() == 0


def test_beliefs_are_listed_by_attribute_then_by_when_they_start(ann: Owner) -> None:
    ann.believe("k", "pet", "cat", many=True, valid_from=day(-1))
    ann.believe("k", "pet", "ant", valid_from=day(-2))
    ann.believe("k", "city", "Riga")
    ann.believe("l", "city", "Oslo")

    assert live(ann) == ["Riga", "ant", "cat"]
    assert live(ann, attribute="pet") == ["ant", "cat"]
    assert len(ann.beliefs("nobody")) == 0


def test_what_holds_is_from_its_start_on_until_just_before_its_end(ann: Owner) -> None:
    ann.believe("k", "city", "Riga", valid_from=day(1), valid_to=day(2))
    instant = dt.timedelta(microseconds=1)

    found = [live(ann, valid_at=time) for time in (day(1) - instant, day(1), day(2) - instant, day(2))]

    assert found == [[], ["Riga"], ["Riga"], []]


def test_beliefs_of_the_past_are_those_believed_then(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga")
    world.wait(1)
    ann.believe("k", "city", "Oslo")

    answers = [ann.beliefs("k", as_of=moment) for moment in (0, 1, 2, day(-1), day(0.5), day(1), day(99), 99)]

    assert [[belief.value for belief in answer] for answer in answers] == [
        *([], ["Riga"], ["Oslo"]),
        *([], ["Riga"], ["Oslo"], ["Oslo"], ["Oslo"]),
    ]
    assert answers[1].beliefs[0].valid_to is None
    assert "consents" in answers[1].of_today


def test_a_race_between_two_writers_leaves_one_value(world: World) -> None:
    other = world.owner()
    said: list[str] = []

    def meanwhile(_: object) -> None:
        if not said:
            said.append(other.believe("k", "city", "Oslo", valid_from=day(-1)).key)

    answer = world.owner(policy=Deciding(meanwhile)).believe("k", "city", "Riga")

    assert answer.superseded == tuple(said)
    assert held(other, history=True) == [("Oslo", day(-1), day(0)), ("Riga", day(0), None)]


def test_one_that_would_only_be_history_is_not_reinstated_while_what_followed_it_stands(
    world: World, ann: Owner
) -> None:
    old = ann.believe("k", "city", "Riga").key
    world.wait(1)
    new = ann.believe("k", "city", "Oslo").key

    with pytest.raises(StatusError):
        ann.reinstate(old)
    ann.forget(new)
    back = ann.reinstate(old)

    assert (back.changed, back.status, held(ann)) == (True, Status.ACTIVE, [("Riga", day(0), None)])
