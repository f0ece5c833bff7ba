"""The past: what stood at a time or at a revision, and what held at a time."""

import datetime as dt

import pytest

from reminisce import CursorExpiredError, InvalidError, NotFoundError, Owner, Status
from tests.unit.app.worlds import World, contents, day

INSTANT = dt.timedelta(microseconds=1)


@pytest.fixture
def life(world: World, ann: Owner) -> Owner:
    """One revision a day: gate north, gate south in its place, tea, tea forgotten, the gate corrected, tea back."""
    ann.remember("gate north", key="n")
    world.wait(1)
    ann.remember("gate south", key="s", supersedes=["n"])
    world.wait(1)
    ann.remember("tea", key="t")
    world.wait(1)
    ann.forget("t", reason="cold")
    world.wait(1)
    ann.correct("s", content="gate west", new_key="w")
    world.wait(1)
    ann.reinstate("t")
    return ann


STOOD = [
    (0, []),
    (1, ["gate north"]),
    (2, ["gate south"]),
    (3, ["gate south", "tea"]),
    (4, ["gate south"]),
    (5, ["gate west"]),
    (6, ["gate west", "tea"]),
]


@pytest.mark.parametrize(("revision", "stood"), STOOD)
def test_memories_are_told_as_they_stood_at_a_revision(life: Owner, revision: int, stood: list[str]) -> None:
    assert sorted(contents(life.as_of(revision))) == stood
    assert sorted(contents(life.recall("gate tea", as_of=revision))) == stood
    assert sorted(contents(life.recent(as_of=revision))) == stood
    assert life.as_of(revision).revision == revision


@pytest.mark.parametrize(("revision", "stood"), STOOD)
def test_memories_are_told_as_they_stood_at_a_time(life: Owner, revision: int, stood: list[str]) -> None:
    for time in (day(revision - 1), day(revision) - INSTANT):
        answer = life.as_of(time)

        assert (answer.revision, sorted(contents(answer))) == (revision, stood)


@pytest.mark.parametrize("moment", [day(99), dt.datetime.max.replace(tzinfo=dt.UTC), 7, 2**62])
def test_the_future_is_now(life: Owner, moment: dt.datetime | int) -> None:
    assert contents(life.as_of(moment)) == contents(life.recent())
    assert life.as_of(moment).revision == 6


@pytest.mark.parametrize("moment", [day(-1), day(0) - INSTANT, dt.datetime.min.replace(tzinfo=dt.UTC), 0])
def test_before_the_first_commit_nothing_is_there(life: Owner, moment: dt.datetime | int) -> None:
    assert (len(life.as_of(moment)), life.as_of(moment).considered) == (0, 0)
    with pytest.raises(NotFoundError) as caught:
        life.why("n", as_of=moment)
    assert caught.value.fields == ("key",)


def test_what_the_past_tells_of_today_is_named(life: Owner) -> None:
    answers = [life.as_of(1).of_today, life.why("n", as_of=1).of_today, life.beliefs("k", as_of=1).of_today]

    assert [("tier" in names, "salience" in names, "consents" in names) for names in answers] == [(True,) * 3] * 3
    assert (life.recent().of_today, life.why("n").of_today, life.beliefs("k").of_today) == ((), (), ())


def test_a_time_may_be_text_and_a_revision_a_number(life: Owner) -> None:
    assert contents(life.as_of("2026-01-01T12:00:00Z")) == contents(life.as_of(1)) == ["gate north"]


def test_why_is_told_as_it_could_have_been_told_then(life: Owner) -> None:
    told = [life.why("s", as_of=revision) for revision in (2, 5)]

    assert [(why.memory.status, why.superseded_by, len(why.history)) for why in told] == [
        (Status.ACTIVE, (), 1),
        (Status.SUPERSEDED, ("w",), 2),
    ]
    assert told[0].revision == 2


def test_why_of_what_was_forgotten_since_tells_no_reason_yet(life: Owner) -> None:
    assert [event.reason for event in life.why("t", as_of=3).history] == [None]
    assert [event.reason for event in life.why("t", as_of=4).history] == [None, "cold"]


def test_derivations_and_citations_made_later_are_not_there_yet(world: World, ann: Owner) -> None:
    ann.remember("source", key="a", sources=["doc:x"])
    world.wait(1)
    ann.remember("derived", key="b", derived_from=["a"], sources=["doc:x"])

    then, now = ann.why("a", as_of=1), ann.why("a")

    assert (then.descendants, then.sources) == (0, (("doc:x", ()),))
    assert (now.descendants, now.sources) == (1, (("doc:x", ("b",)),))


def test_scores_of_the_past_are_those_of_a_store_that_stopped_there(world: World, life: Owner) -> None:
    bob = world.owner("agent:bob")
    bob.remember("gate north", key="n")
    bob.remember("gate south", key="s", supersedes=["n"])
    bob.remember("tea", key="t")

    told = [[(hit.memory.key, hit.score) for hit in owner.recall("gate tea", as_of=3)] for owner in (life, bob)]

    assert told[0] == told[1]


def test_tiers_salience_and_consents_are_todays(world: World) -> None:
    memories = world.memories()
    ann = memories.owner("agent:alice")
    ann.remember("tea for p", key="a", subjects=["p"])
    ann.reinforce("a")
    ann.reclassify("a", "private")
    before = len(ann.as_of(1, audience="team"))

    memories.consent("p", ["team"])

    [hit] = ann.as_of(1, audience="team")
    assert (before, hit.memory.tier, hit.memory.uses) == (0, "private", 1)


def test_pages_of_the_past_go_on_although_others_write(world: World, ann: Owner) -> None:
    ann.remember_many({"content": f"tea {number}"} for number in range(5))
    world.wait(1)
    ann.remember("tea that came later")
    page = ann.recall("tea", k=3, as_of=1)

    ann.forget(page.hits[0].memory.key)
    ann.remember("tea that came much later")
    rest = ann.recall("tea", k=3, as_of=1, cursor=page.cursor)

    assert (len(page), len(rest), rest.cursor, rest.revision) == (3, 2, None, 1)


def test_a_cursor_of_one_moment_is_of_no_use_for_another(ann: Owner) -> None:
    ann.remember_many({"content": f"tea {number}"} for number in range(5))
    ann.remember("more tea")
    cursor = ann.recall("tea", k=1, as_of=1).cursor

    for moment in (2, None):
        with pytest.raises((InvalidError, CursorExpiredError)):
            ann.recall("tea", k=1, as_of=moment, cursor=cursor)


def test_what_held_at_a_time_is_found_superseded_by_now_or_not(world: World, ann: Owner) -> None:
    ann.remember("gate north", key="n", valid_from=day(0), valid_to=day(10))
    ann.remember("gate always", key="a")
    world.wait(5)
    ann.remember("gate south", key="s", supersedes=["n"], valid_from=day(3))

    found = [sorted(contents(ann.recall("gate", valid_at=day(number)))) for number in (-1, 0, 2.9, 3, 11)]

    assert found == [
        ["gate always"],
        ["gate always", "gate north"],
        ["gate always", "gate north"],
        ["gate always", "gate south"],
        ["gate always", "gate south"],
    ]


def test_what_was_forgotten_held_at_no_time(ann: Owner) -> None:
    ann.remember("gate north", key="n", valid_from=day(-1))
    ann.forget("n")

    assert len(ann.recall("gate", valid_at=day(0))) == 0


def test_one_without_validity_held_until_something_superseded_it(world: World, ann: Owner) -> None:
    ann.remember("gate north", key="n")
    world.wait(1)
    ann.remember("gate south", supersedes=["n"])

    found = [contents(ann.recall("gate north", valid_at=time, k=1)) for time in (day(-99), day(1) - INSTANT)]

    assert found == [["gate north"], ["gate north"]]
    assert "gate north" not in contents(ann.recall("gate", valid_at=day(1)))


def test_what_was_believed_then_to_hold_then(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga", valid_from=day(0))
    world.wait(5)
    ann.believe("k", "city", "Oslo", valid_from=day(2))

    found = [contents(ann.recall("city", valid_at=day(3), as_of=revision)) for revision in (0, 1, 2)]

    assert found == [[], ["k city: Riga"], ["k city: Oslo"]]


def test_commit_times_never_go_back_though_clocks_do(world: World, ann: Owner) -> None:
    ann.remember("one")
    world.wait(-5)
    ann.remember("two")

    assert ann.as_of(day(-1)).revision == 0
    assert ann.as_of(day(0)).revision == 2


def test_several_commits_at_one_time_are_one_moment(ann: Owner) -> None:
    ann.remember("one", key="a")
    ann.forget("a")

    assert ann.as_of(day(0)).revision == 2
    assert contents(ann.as_of(1)) == ["one"]


def test_the_past_of_a_store_that_was_opened_again_is_the_same(world: World, life: Owner) -> None:
    other = world.owner()

    for revision, stood in STOOD:
        assert sorted(contents(other.as_of(revision))) == stood
