"""Stories of what people say, read from the documentation first: what it says is answered at every step, is."""

import datetime as dt
from typing import Any

import pytest

from reminisce import (
    Allow,
    ConsentNarrowedError,
    CursorExpiredError,
    Hold,
    InvalidError,
    Memory,
    Outcome,
    Owner,
    Status,
    StatusError,
)
from tests.stories.telling import at, on, status, values
from tests.unit.app.worlds import Deciding, World, contents


def spans(owner: Owner, subject: str) -> list[tuple[str, dt.datetime | None, dt.datetime | None]]:
    """Everything ever believed of somebody, and when it holds."""
    return [(belief.value, belief.valid_from, belief.valid_to) for belief in owner.beliefs(subject, history=True)]


def test_two_moves_are_told_by_when_they_were_true_and_by_when_they_were_known(world: World) -> None:
    alice = world.owner()
    at(world, "2026-01-10")
    riga = alice.believe("bea", "home", "Riga", valid_from=on("2020-01-01"))
    at(world, "2026-03-05")
    oslo = alice.believe("bea", "home", "Oslo", valid_from=on("2026-03-01"))
    at(world, "2026-06-20")
    lima = alice.believe("bea", "home", "Lima", valid_from=on("2026-05-01"))

    assert [answer.outcome for answer in (riga, oslo, lima)] == [
        Outcome.NEW,
        Outcome.SUPERSEDED,
        Outcome.SUPERSEDED,
    ]
    assert (oslo.superseded, lima.superseded) == ((riga.key,), (oslo.key,))
    assert values(alice, "bea") == ["Lima"]
    assert values(alice, "bea", valid_at=on("2026-02-28")) == ["Riga"]
    assert values(alice, "bea", valid_at=on("2026-03-01")) == ["Oslo"]
    assert values(alice, "bea", valid_at=on("2019-12-31")) == []
    assert values(alice, "bea", valid_at=on("2026-05-15")) == ["Lima"]
    assert values(alice, "bea", as_of=on("2026-06-01"), valid_at=on("2026-05-15")) == ["Oslo"]
    assert values(alice, "bea", as_of=on("2026-01-15"), valid_at=on("2026-04-10")) == ["Riga"]
    assert values(alice, "bea", as_of=on("2026-01-09")) == []
    [then] = alice.beliefs("bea", as_of=on("2026-06-01"))
    assert (then.value, then.status, then.valid_to) == ("Oslo", Status.ACTIVE, None)
    assert contents(alice.recall("Riga", valid_at=on("2026-02-01"))) == ["bea home: Riga"]
    assert contents(alice.recall("Riga")) == []


def test_the_order_in_which_moves_are_learned_makes_no_difference(world: World) -> None:
    alice = world.owner()
    moves = [("Riga", on("2020-01-01")), ("Oslo", on("2025-03-01")), ("Lima", on("2025-05-01"))]
    for value, start in moves:
        alice.believe("bea", "home", value, valid_from=start)
    for value, start in (moves[0], moves[2]):
        alice.believe("cal", "home", value, valid_from=start)

    late = alice.believe("cal", "home", "Oslo", valid_from=on("2025-03-01"))

    assert (late.outcome, late.valid_to) == (Outcome.HISTORY, on("2025-05-01"))
    assert spans(alice, "cal") == spans(alice, "bea")


def test_two_owners_believe_opposite_things_and_two_writers_of_one_the_later(world: World) -> None:
    alice, again, bob = world.owner("agent:alice"), world.owner("agent:alice"), world.owner("agent:bob")
    today = on("2026-04-02")
    at(world, "2026-04-02T09:00")
    north = alice.believe("dana", "desk", "North", valid_from=today)
    others = bob.believe("dana", "desk", "East", valid_from=today)
    at(world, "2026-04-02T09:05")
    south = again.believe("dana", "desk", "South", valid_from=today)

    assert others.outcome is Outcome.NEW
    assert (south.outcome, south.superseded) == (Outcome.SUPERSEDED, (north.key,))
    assert (values(alice, "dana"), values(again, "dana"), values(bob, "dana")) == (["South"], ["South"], ["East"])
    assert values(alice, "dana", valid_at=today) == ["South"]
    assert values(alice, "dana", as_of=on("2026-04-02T09:02")) == ["North"]

    at(world, "2026-04-02T09:20")
    alice.contradict(north.key, south.key)
    at(world, "2026-04-02T10:00")
    again.resolve(south.key, north.key, "Dana was asked.")

    [open_then] = alice.why(north.key, as_of=on("2026-04-02T09:30")).contradictions
    [ended] = alice.why(north.key).contradictions
    assert (open_then.until, open_then.resolution, ended.resolution) == (None, None, "Dana was asked.")


def test_a_diagnosis_is_approved_under_a_narrowed_consent_only_when_that_is_confirmed(world: World) -> None:
    def house(memory: Memory) -> Any:
        return Hold("health") if "diagnosis" in memory.content else Allow()

    memories = world.memories(face={"reviewer": "person:anna"}, policy=Deciding(house))
    alice = memories.owner("agent:alice")
    memories.consent("eve", ["clinic", "family"])
    for text in ("Eve likes tea.", "Eve likes jam."):
        alice.remember(text, subjects=["eve"])
    page = alice.recent(1)
    asthma = alice.remember("The diagnosis is asthma.", subjects=["eve"])
    assert (asthma.status, contents(alice.recall("asthma"))) == (Status.HELD, [])
    assert [(waiting.memory.key, waiting.reason) for waiting in alice.reviews()] == [(asthma.key, "health")]

    memories.consent("eve", ["clinic"])
    with pytest.raises(ConsentNarrowedError):
        alice.review(asthma.key, approve=True)
    assert status(alice, asthma.key) is Status.HELD
    with pytest.raises(CursorExpiredError):
        alice.recent(1, cursor=page.cursor)

    alice.review(asthma.key, approve=True, confirm=True)

    assert alice.why(asthma.key).history[-1].actor == "person:anna"
    assert contents(alice.recall("asthma", audience="clinic")) == ["The diagnosis is asthma."]
    assert contents(alice.recall("asthma", audience="family")) == []
    with pytest.raises(StatusError):
        alice.review(asthma.key, approve=True)


def test_a_typo_is_corrected_twice_and_undone_and_what_it_takes_part_in_comes_along(world: World) -> None:
    alice = world.owner()
    first = alice.remember("Teh key rotates on Munday.").key
    runbook = alice.remember("The runbook is in the safe.").key
    never = alice.remember("Nothing ever turns.").key
    alice.associate([first, runbook], "runbook")
    alice.contradict(first, never)
    at(world, "2026-01-03")
    second = alice.correct(first, content="The key rotates on Munday.").key
    at(world, "2026-01-04")
    third = alice.correct(second, content="The key rotates on Monday.").key

    assert contents(alice.recall("rotates")) == ["The key rotates on Monday."]
    assert contents(alice.recall("rotates", as_of=on("2026-01-03T12:00"))) == ["The key rotates on Munday."]
    story = alice.why(third)
    assert [set(entry.between) for entry in story.contradictions if entry.until is None] == [{third, never}]
    assert [(entry.kind, set(entry.keys)) for entry in story.associations] == [("runbook", {third, runbook})]
    with pytest.raises(StatusError):
        alice.correct(first, content="Something else.")
    with pytest.raises(StatusError):
        alice.reinstate(second)

    assert alice.forget(third).left_superseded == (second,)
    alice.reinstate(second)
    assert alice.forget(second).left_superseded == (first,)
    alice.reinstate(first)
    assert contents(alice.recall("rotates")) == ["Teh key rotates on Munday."]

    alice.reinstate(third)
    assert contents(alice.recall("rotates")) == ["The key rotates on Monday."]
    assert [status(alice, key) for key in (first, second, third)] == [
        Status.SUPERSEDED,
        Status.RETIRED,
        Status.ACTIVE,
    ]


def test_many_values_grow_one_by_one_and_a_single_value_replaces(world: World) -> None:
    alice = world.owner()
    one = alice.believe("gus", "administers", "db1", many=True)
    two = alice.believe("gus", "administers", "db2")
    again = alice.believe("gus", "administers", " DB1")

    assert (two.outcome, again.outcome, again.key) == (Outcome.NEW, Outcome.REINFORCED, one.key)
    with pytest.raises(InvalidError) as refused:
        alice.believe("gus", "administers", "db3", many=False)
    assert [problem.field for problem in refused.value.problems] == ["many"]

    at(world, "2026-02-01")
    alice.forget(two.key, "He says he does not.")
    assert values(alice, "gus") == ["db1"]
    at(world, "2026-03-01")
    back = alice.believe("gus", "administers", "db2")
    assert (back.outcome, back.key == two.key) == (Outcome.NEW, False)
    assert values(alice, "gus") == ["db1", "db2"]
    assert values(alice, "gus", as_of=on("2026-02-10")) == ["db1"]

    red = alice.believe("gus", "team", "red")
    at(world, "2026-04-01")
    blue = alice.believe("gus", "team", "blue")
    assert blue.superseded == (red.key,)
    gone = alice.disbelieve("gus", "team")
    assert (gone.forgotten, gone.left_superseded) == ((blue.key,), (red.key,))
    assert values(alice, "gus", attribute="team") == []
    alice.reinstate(red.key)
    assert values(alice, "gus", attribute="team") == ["red"]
