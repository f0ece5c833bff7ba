"""Correct a belief: what was a slip never held, and what holds otherwise stays as it is."""

import pytest

from reminisce import InvalidError, Owner
from tests.unit.app.worlds import World, contents, day


def test_a_corrected_belief_never_held(world: World, ann: Owner) -> None:
    key = ann.believe("k", "city", "Rga").key
    world.wait(1)

    new = ann.correct(key, fact=("k", "city", "Riga"), content="k city: Riga").key

    assert [(belief.value, belief.valid_from) for belief in ann.beliefs("k")] == [("Riga", day(0))]
    assert [belief.key for belief in ann.beliefs("k", valid_at=day(0.5))] == [new]
    assert contents(ann.recall("city", valid_at=day(0.5))) == ["k city: Riga"]
    assert ann.why(key).memory.valid_to == day(0)


def test_a_correction_can_be_undone(world: World, ann: Owner) -> None:
    key = ann.believe("k", "city", "Riga").key
    before = ann.why(key).memory
    world.wait(1)
    new = ann.correct(key, fact=("k", "city", "Oslo")).key

    left = ann.forget(new).left_superseded
    ann.reinstate(key)

    assert (left, ann.why(key).memory) == ((key,), before)


def test_a_corrected_belief_still_gives_way_to_the_next(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Rga", key="a")
    ann.believe("k", "city", "Oslo", valid_from=day(5))
    world.wait(1)

    ann.correct("a", fact=("k", "city", "Riga"), new_key="b")

    assert [(belief.value, belief.valid_from, belief.valid_to) for belief in ann.beliefs("k", history=True)][1:] == [
        ("Riga", day(0), day(5)),
        ("Oslo", day(5), None),
    ]
    assert [belief.value for belief in ann.beliefs("k")] == ["Riga"]


def test_the_start_of_a_belief_can_be_corrected(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga", key="a")
    world.wait(1)

    ann.correct("a", valid_from=day(-5))

    assert [belief.valid_from for belief in ann.beliefs("k")] == [day(-5)]
    assert len(ann.beliefs("k", valid_at=day(-3))) == 1


def test_a_belief_without_a_start_of_its_own_cannot_end_before_it_was_written(ann: Owner) -> None:
    key = ann.believe("k", "city", "Riga").key

    with pytest.raises(InvalidError) as caught:
        ann.correct(key, valid_to=day(-1))

    assert caught.value.fields == ("valid_to",)


def test_words_that_were_made_from_the_fact_are_made_anew(ann: Owner) -> None:
    ann.believe("k", "city", "Rga", key="a")
    ann.believe("k", "pet", "cta", key="b", content="K. has a cta")

    corrected = [ann.correct("a", fact=("k", "city", "Riga")).key, ann.correct("b", fact=("k", "pet", "cat")).key]

    assert [ann.why(key).memory.content for key in corrected] == ["k city: Riga", "K. has a cta"]


def test_a_correction_holds_as_long_as_what_it_corrects_was_said_to_and_what_stands_lets_it(ann: Owner) -> None:
    ann.believe("k", "city", "Riga", key="a")
    ann.believe("k", "city", "Oslo", key="b", valid_from=day(10))
    ann.forget("b")

    ann.correct("a", content="K. lives in Riga", new_key="c")

    assert ann.why("a").memory.valid_from == day(0)
    assert ann.why("c").memory.valid_to is None


def test_a_validity_that_reinforcements_added_to_is_kept(world: World, ann: Owner) -> None:
    world.wait(30)
    key = ann.believe("k", "city", "Riga", valid_from=day(10), valid_to=day(20)).key
    ann.believe("k", "city", "Riga", valid_from=day(5), valid_to=day(25))

    memory = ann.why(ann.correct(key, content="K. lives in Riga").key).memory

    assert (memory.valid_from, memory.valid_to) == (day(5), day(25))
