"""Working memory: a bounded scratchpad of the process, and the one rule by which a note becomes a memory."""

import datetime as dt
from typing import Any

import pytest

from reminisce import Cleared, Hold, InvalidError, KeyTakenError, NotFoundError, Owner, PolicyFailedError, Status
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import Deciding, World, contents, day

INSTANT = dt.timedelta(microseconds=1)


def texts(owner: Owner) -> list[str]:
    return [note.content for note in owner.notes()]


def test_a_note_is_there_for_a_while_and_stored_nowhere(world: World, ann: Owner) -> None:
    before = contents_of(world.store)

    note = ann.note("call Ruth", episode="e")

    assert (note.content, note.attributes.episode) == ("call Ruth", "e")
    assert (note.noted_at, note.expires_at) == (day(0), day(0) + dt.timedelta(hours=1))
    assert ann.notes() == (note,)
    assert contents_of(world.store) == before
    assert (len(ann.recent()), ann.stats().memories) == (0, 0)


def test_its_end_is_included(world: World, ann: Owner) -> None:
    ann.note("short", lifetime=10)

    seen = []
    for time in (day(0) + dt.timedelta(seconds=10), day(0) + dt.timedelta(seconds=10) + INSTANT):
        world.clock.time = time
        seen.append(texts(ann))

    assert seen == [["short"], []]


def test_a_life_of_nothing_lasts_for_the_moment(world: World, ann: Owner) -> None:
    ann.note("now", lifetime=0)
    before = texts(ann)
    world.clock.time += INSTANT

    assert (before, texts(ann)) == (["now"], [])


@pytest.mark.parametrize("lifetime", [dt.timedelta.max, 10**11 * 80, dt.timedelta(days=3_000_000)])
def test_a_life_beyond_all_calendars_is_a_long_one(ann: Owner, lifetime: float | dt.timedelta) -> None:
    assert ann.note("long", lifetime=lifetime).expires_at.year == 9999


@pytest.mark.parametrize("lifetime", [-1, float("nan"), float("inf"), "1h", None, True, dt.timedelta(-1)])
def test_a_lifetime_is_a_length_of_time(ann: Owner, lifetime: float) -> None:
    with pytest.raises(InvalidError) as caught:
        ann.note("tea", lifetime=lifetime)

    assert (caught.value.fields, ann.notes()) == (("lifetime",), ())


def test_the_newest_comes_first(world: World, ann: Owner) -> None:
    for text in ("one", "two", "three"):
        ann.note(text)
        world.clock.time += INSTANT

    assert texts(ann) == ["three", "two", "one"]


def test_the_oldest_goes_when_there_is_no_room(ann: Owner) -> None:
    for number in range(17):
        ann.note(f"note {number}")

    assert texts(ann) == [f"note {number}" for number in range(16, 0, -1)]


def test_the_room_can_be_chosen(world: World) -> None:
    owner = world.owner(notes=2)

    for text in ("one", "two", "three"):
        owner.note(text)

    assert texts(owner) == ["three", "two"]


def test_what_has_expired_takes_no_room(world: World) -> None:
    owner = world.owner(notes=2)
    owner.note("lasting", lifetime=100)
    owner.note("short", lifetime=1)
    world.clock.time += dt.timedelta(seconds=2)

    owner.note("new", lifetime=100)

    assert texts(owner) == ["new", "lasting"]


def test_the_same_note_may_be_written_twice(ann: Owner) -> None:
    names = {ann.note("tea").name, ann.note("tea").name}

    assert (len(names), texts(ann)) == (2, ["tea", "tea"])


def test_every_owner_has_notes_of_its_own(world: World) -> None:
    memories = world.memories()
    alice, bob = memories.owner("agent:alice"), memories.owner("agent:bob")
    note = alice.note("of alice")
    bob.note("of bob")

    with pytest.raises(NotFoundError):
        bob.promote(note.name)
    cleared = bob.clear()

    assert (texts(alice), texts(bob), cleared) == (["of alice"], [], Cleared(1))


def test_two_handles_of_one_owner_share_its_notes(world: World) -> None:
    memories = world.memories()
    memories.owner("agent:alice").note("tea")

    assert texts(memories.owner("agent:alice")) == ["tea"]


def test_another_process_has_none_of_it(world: World, ann: Owner) -> None:
    ann.note("tea")

    assert texts(world.owner()) == []


def test_promoting_remembers_a_note_and_lets_go_of_it(ann: Owner) -> None:
    note = ann.note("call Ruth", aspects=["prospective"], due_at="2026-02-01T00:00:00Z", key="ruth")

    answer = ann.promote(note.name)

    memory = ann.why("ruth").memory
    assert (answer.key, answer.created, answer.status) == ("ruth", True, Status.ACTIVE)
    assert (memory.given, ann.notes()) == (note.attributes, ())
    assert ann.why("ruth").history[0].operation == "promote"


def test_promoting_what_is_remembered_already_answers_that_memory(ann: Owner) -> None:
    key = ann.remember("tea").key
    note = ann.note("tea")

    answer = ann.promote(note.name)

    assert (answer.key, answer.created, answer.revision) == (key, False, 1)
    assert (ann.notes(), len(ann.recent())) == ((), 1)


def test_promoting_is_by_request_key_and_key_as_a_write_is(ann: Owner) -> None:
    key = ann.remember("tea", request_key="r").key
    ann.forget(key)
    answer = ann.promote(ann.note("tea", request_key="r").name)
    taken = ann.note("coffee", key=key)

    with pytest.raises(KeyTakenError):
        ann.promote(taken.name)

    assert (answer.key, answer.created, answer.status) == (key, False, Status.RETIRED)
    assert ann.notes() == (taken,)


def test_a_promoted_note_is_recorded_when_it_is_promoted(world: World, ann: Owner) -> None:
    note = ann.note("tea", lifetime=dt.timedelta(days=2))
    world.wait(1)

    key = ann.promote(note.name).key

    assert ann.why(key).memory.recorded_at == day(1)


def test_a_promoted_fact_takes_its_place_in_time(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga")
    world.wait(1)

    ann.promote(ann.note("K. moved", subjects=["k"], fact=("k", "city", "Oslo")).name)

    assert [belief.value for belief in ann.beliefs("k")] == ["Oslo"]


def test_a_promoted_note_may_have_to_wait_for_review(world: World) -> None:
    owner = world.owner(policy=Deciding(lambda _: Hold("look")))

    answer = owner.promote(owner.note("tea").name)

    assert (answer.status, owner.notes(), contents(owner.recent())) == (Status.HELD, (), [])


def test_a_note_that_could_not_be_promoted_stays(world: World, ann: Owner) -> None:
    wrong = ann.note("sum", derived_from=["nobody"])
    with pytest.raises(NotFoundError):
        ann.promote(wrong.name)
    failing = world.owner(policy=Deciding(lambda _: 5))
    note = failing.note("tea")
    with pytest.raises(PolicyFailedError):
        failing.promote(note.name)

    assert (ann.notes(), failing.notes()) == ((wrong,), (note,))


def test_a_note_that_nobody_wrote_and_one_that_expired_answer_alike(world: World, ann: Owner) -> None:
    note = ann.note("tea", lifetime=1)
    promoted = ann.note("coffee").name
    ann.promote(promoted)
    world.wait(1)

    told = []
    for name in (note.name, promoted, "n_zebra"):
        with pytest.raises(NotFoundError) as caught:
            ann.promote(name)
        told.append((str(caught.value), caught.value.fields))

    assert told == [(told[0][0], ("name",))] * 3
    assert "zebra" not in told[2][0]


def test_notes_have_the_limits_of_memories(ann: Owner) -> None:
    wrong: list[dict[str, Any]] = [{"tier": "secret"}, {"status": "active"}, {"episode": "é" * 129}]
    for attributes in wrong:
        with pytest.raises(InvalidError):
            ann.note("tea", **attributes)
    with pytest.raises(InvalidError):
        ann.note(" ")

    assert ann.notes() == ()


def test_clearing_lets_go_of_all(ann: Owner) -> None:
    ann.note("one")
    ann.note("two")

    assert (ann.clear(), ann.clear(), ann.notes()) == (Cleared(2), Cleared(0), ())


def test_clearing_counts_what_was_still_there(world: World, ann: Owner) -> None:
    ann.note("short", lifetime=1)
    world.wait(1)

    assert ann.clear() == Cleared(0)


def test_no_policy_is_asked_about_a_note(world: World) -> None:
    policy = Deciding()
    owner = world.owner(policy=policy)
    owner.note("tea")
    owner.notes()
    owner.clear()

    assert policy.asked == []
