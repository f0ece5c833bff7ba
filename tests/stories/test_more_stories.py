"""Stories of what time, forgetting and other readers do, read from the documentation first."""

import datetime as dt
from typing import Any

import pytest

from reminisce import (
    Allow,
    CursorExpiredError,
    Destination,
    Memory,
    NotFoundError,
    Outcome,
    PolicyRefusedError,
    Refuse,
    Status,
    StatusError,
    Tier,
)
from tests.stories.telling import at, on, status, values
from tests.unit.app.worlds import Deciding, World, contents


def test_a_plan_for_next_year_changes_nothing_until_it_starts(world: World) -> None:
    alice = world.owner()
    at(world, "2026-11-01")
    engineer = alice.believe("hana", "role", "engineer", valid_from=on("2024-01-01"))

    lead = alice.believe("hana", "role", "lead", valid_from=on("2027-01-01"))

    assert (lead.outcome, lead.superseded) == (Outcome.SUPERSEDED, (engineer.key,))
    assert status(alice, engineer.key) is Status.ACTIVE
    assert values(alice, "hana") == ["engineer"]
    assert values(alice, "hana", valid_at=on("2027-02-01")) == ["lead"]

    at(world, "2027-02-01")
    assert values(alice, "hana") == ["lead"]
    alice.believe("hana", "role", "director")
    assert [status(alice, key) for key in (engineer.key, lead.key)] == [Status.SUPERSEDED] * 2


def test_a_plan_that_is_cancelled_leaves_what_is_and_it_may_be_said_to_go_on(world: World) -> None:
    alice = world.owner()
    at(world, "2026-11-01")
    engineer = alice.believe("hana", "role", "engineer", valid_from=on("2024-01-01"))
    lead = alice.believe("hana", "role", "lead", valid_from=on("2027-01-01"))
    at(world, "2026-12-01")
    alice.forget(lead.key, "The project was cancelled.")

    assert values(alice, "hana") == ["engineer"]
    assert "lead" not in values(alice, "hana", valid_at=on("2027-02-01"))
    assert values(alice, "hana", as_of=on("2026-11-15"), valid_at=on("2027-02-01")) == ["lead"]

    goes_on = alice.believe("hana", "role", "engineer")

    assert (goes_on.outcome, goes_on.key, goes_on.valid_to) == (Outcome.REINFORCED, engineer.key, None)
    assert values(alice, "hana", valid_at=on("2027-02-01")) == ["engineer"]


def test_what_a_forgotten_superseder_left_comes_back_and_goes_again_with_it(world: World) -> None:
    alice = world.owner()
    fridge = alice.remember("The alarm code is on the fridge.").key
    at(world, "2026-02-01")
    safe = alice.remember("The alarm code is in the safe.", supersedes=[fridge]).key
    with pytest.raises(StatusError):
        alice.reinstate(fridge)

    at(world, "2026-03-01")
    assert alice.forget(safe).left_superseded == (fridge,)
    assert contents(alice.recall("alarm")) == []
    at(world, "2026-03-02")
    alice.reinstate(fridge)
    assert contents(alice.recall("alarm")) == ["The alarm code is on the fridge."]
    at(world, "2026-03-03")
    alice.reinstate(safe)
    assert contents(alice.recall("alarm")) == ["The alarm code is in the safe."]
    assert contents(alice.recall("alarm", as_of=on("2026-03-02T12:00"))) == ["The alarm code is on the fridge."]


def test_a_belief_that_comes_back_ends_the_earlier_one_where_it_did(world: World) -> None:
    alice = world.owner()
    at(world, "2026-03-07")
    riga = alice.believe("iris", "home", "Riga", valid_from=on("2020-01-01")).key
    oslo = alice.believe("iris", "home", "Oslo", valid_from=on("2026-03-01")).key
    before = alice.beliefs("iris", history=True).beliefs
    alice.forget(oslo)
    alice.reinstate(oslo)
    assert alice.beliefs("iris", history=True).beliefs == before

    at(world, "2026-04-01")
    assert alice.forget(oslo).left_superseded == (riga,)
    assert values(alice, "iris") == []
    at(world, "2026-04-02")
    alice.reinstate(riga)
    assert [(belief.value, belief.valid_to) for belief in alice.beliefs("iris")] == [("Riga", None)]
    at(world, "2026-04-03")
    alice.reinstate(oslo)
    assert alice.beliefs("iris", history=True).beliefs == before
    assert values(alice, "iris", as_of=on("2026-04-02T12:00")) == ["Riga"]


def test_the_summary_of_something_private_is_private_until_it_alone_is_reclassified(world: World) -> None:
    memories = world.memories()
    alice, remote = memories.owner("agent:alice"), world.owner("agent:alice", face={"destination": Destination.REMOTE})
    memories.consent("jon", ["hr"])
    pay = alice.remember("Jon earns 5000 a month.", tier="private", subjects=["jon"]).key
    summary = alice.remember("The talks with Jon went well.", derived_from=[pay], surface="Somebody had talks.").key

    told = alice.why(summary).memory
    assert (told.tier, told.subjects) == (Tier.PRIVATE, ("jon",))
    assert contents(remote.recent()) == []
    with pytest.raises(NotFoundError):
        remote.why(pay)

    page = alice.recent(1)
    alice.reclassify(summary, "redacted")
    assert contents(remote.recent()) == ["Somebody had talks."]
    assert alice.why(pay).memory.tier is Tier.PRIVATE
    with pytest.raises(CursorExpiredError):
        alice.recent(1, cursor=page.cursor)
    hope = alice.remember("A rise is likely.", derived_from=[summary], surface="A hope.").key
    assert (alice.why(hope).memory.tier, alice.why(hope).memory.subjects) == (Tier.REDACTED, ("jon",))

    alice.reclassify(summary, "private")
    assert alice.why(hope).memory.tier is Tier.PRIVATE
    assert contents(remote.recent()) == []
    assert len(alice.recent(audience="hr")) == 3
    assert contents(alice.recent(audience="press")) == []


def test_a_quarter_fades_what_was_not_used_and_the_past_still_shows_it(world: World) -> None:
    alice = world.owner()
    strong, middling, faint = (
        alice.remember(f"A habit, {name}.", salience=salience).key
        for name, salience in (("strong", 1), ("middling", 0.5), ("faint", 0.3))
    )
    at(world, "2026-03-15")
    alice.recall("habit")
    alice.reinforce(strong)
    at(world, "2026-04-01")
    assert alice.prune(dry_run=True).pruned == (faint,)
    assert status(alice, faint) is Status.ACTIVE

    assert alice.consolidate().done
    assert not alice.consolidate().done
    assert [alice.why(key).memory.salience for key in (strong, middling, faint)] == [0.212, 0.062, 0.038]
    assert (alice.prune().pruned, alice.prune().pruned) == ((faint,), ())

    assert len(alice.recall("habit")) == 2
    then = alice.recall("habit", as_of=on("2026-03-31"))
    assert [(hit.memory.status, hit.memory.salience) for hit in then if hit.memory.key == faint] == [
        (Status.ACTIVE, 0.038)
    ]
    assert {"confidence", "salience", "uses"} <= set(then.of_today)
    with pytest.raises(StatusError):
        alice.reinforce(faint)


def test_notes_expire_repeat_what_is_known_and_wait_where_they_must(world: World) -> None:
    def no_gossip(memory: Memory) -> Any:
        return Refuse("gossip") if "gossip" in memory.content else Allow()

    reviewing = {"review_aspects": frozenset({"autobiographical"}), "reviewer": "person:anna"}
    alice = world.owner(face=reviewing, policy=Deciding(no_gossip))
    at(world, "2026-06-01T10:00")
    taxi = alice.note("The taxi is outside.", lifetime=dt.timedelta(hours=1))
    at(world, "2026-06-01T11:00")
    assert [note.content for note in alice.notes()] == ["The taxi is outside."]
    at(world, "2026-06-01T11:00:01")
    assert alice.notes() == ()
    with pytest.raises(NotFoundError):
        alice.promote(taxi.name)

    known = alice.remember("The gate code changed.").key
    repeat = alice.promote(alice.note("The gate code changed.").name)
    assert (repeat.key, repeat.created, alice.notes()) == (known, False, ())

    unwell = alice.promote(alice.note("She felt unwell.", aspects=["autobiographical"]).name)
    assert (unwell.status, alice.notes()) == (Status.HELD, ())
    assert [waiting.memory.key for waiting in alice.reviews()] == [unwell.key]
    assert contents(alice.recall("unwell")) == []

    with pytest.raises(PolicyRefusedError):
        alice.promote(alice.note("Some gossip.").name)
    assert alice.stats().memories == 2


def test_supersession_reaches_through_what_was_forgotten(world: World) -> None:
    alice = world.owner()
    noon = alice.remember("Lunch is at noon.", key="noon").key
    one = alice.remember("Lunch is at one.", supersedes=[noon]).key
    two = alice.remember("Lunch is at two.", supersedes=[one]).key
    alice.forget(one)
    with pytest.raises(StatusError):
        alice.reinstate(noon)

    alice.forget(two)
    alice.reinstate(noon)
    assert alice.reinstate(one).status is Status.SUPERSEDED
    assert contents(alice.recall("lunch")) == ["Lunch is at noon."]
    alice.reinstate(one)
    assert contents(alice.recall("lunch")) == ["Lunch is at one."]
    alice.reinstate(two)
    assert contents(alice.recall("lunch")) == ["Lunch is at two."]
    assert alice.remember("Lunch is at noon.", key="noon").status is Status.SUPERSEDED


def test_a_remote_writer_learns_nothing_of_the_private_belief_that_it_ends(world: World) -> None:
    alice, remote = world.owner(), world.owner(face={"destination": Destination.REMOTE})
    at(world, "2026-04-01")
    alice.believe("kim", "salary", "5000", tier="private", valid_from=on("2026-01-01"))

    answer = remote.believe("kim", "salary", "6000", valid_from=on("2026-03-01"))

    assert (answer.outcome, answer.superseded) == (Outcome.NEW, ())
    assert values(alice, "kim") == ["6000"]
    assert values(alice, "kim", valid_at=on("2026-02-01")) == ["5000"]
    assert alice.why(answer.key).memory.tier is Tier.PRIVATE
    assert values(remote, "kim") == []
