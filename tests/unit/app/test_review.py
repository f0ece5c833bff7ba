"""Review: what waits, who may let it in, and that nothing follows from it before."""

import pytest

from reminisce import (
    ConsentNarrowedError,
    Destination,
    Owner,
    Reviewed,
    ReviewerError,
    Status,
    StatusError,
)
from tests.unit.app.worlds import World, contents, day

HOLDING = {"review_aspects": frozenset({"semantic"}), "reviewer": "rita"}


@pytest.fixture
def rita(world: World) -> Owner:
    """The owner through a face of the reviewer Rita's, where what is semantic waits."""
    return world.owner(face=HOLDING)


def hold(owner: Owner, content: str, key: str | None = "h", **attributes: object) -> str:
    kept = owner.remember(content, aspects=["semantic"], key=key, **attributes)
    assert kept.status is Status.HELD
    return kept.key


def test_what_waits_is_listed_newest_first_with_its_reason(world: World, rita: Owner) -> None:
    for number in range(3):
        hold(rita, f"tea {number}", f"h{number}")
        world.wait(1)
    rita.remember("tea in force")

    queue = rita.reviews()

    assert [(held.memory.key, held.reason) for held in queue] == [
        ("h2", "review_aspects"),
        ("h1", "review_aspects"),
        ("h0", "review_aspects"),
    ]
    assert (queue.revision, queue.cursor) == (4, None)


def test_the_queue_has_pages_and_filters(world: World, rita: Owner) -> None:
    for number in range(5):
        hold(rita, f"tea {number}", f"h{number}", episode="e" if number else "f")
        world.wait(1)

    page = rita.reviews(k=3, episode="e")
    rest = rita.reviews(k=3, episode="e", cursor=page.cursor)

    assert [held.memory.key for held in (*page, *rest)] == ["h4", "h3", "h2", "h1"]
    assert rest.cursor is None


def test_what_waits_is_seen_by_why_and_stats_alone(rita: Owner) -> None:
    hold(rita, "tea", fact=("k", "drinks", "tea"), subjects=["k"], sources=["doc:a"])

    assert (len(rita.recall("tea")), len(rita.recent()), len(rita.beliefs("k"))) == (0, 0, 0)
    assert len(rita.recall("tea", valid_at=day(0))) == 0
    assert (len(rita.as_of(1)), len(rita.beliefs("k", valid_at=day(0)))) == (0, 0)
    assert [belief.status for belief in rita.beliefs("k", history=True)] == [Status.HELD]
    assert rita.why("h").memory.status is Status.HELD
    stats = rita.stats()
    assert (stats.by_status, stats.by_tier, stats.live_beliefs) == ({"held": 1}, {}, 0)


def test_what_waits_changes_no_score(world: World, rita: Owner) -> None:
    bob = world.owner("agent:bob")
    for owner in (rita, bob):
        owner.remember("tea with milk", key="a", episode="e")
    hold(rita, "tea tea milk", episode="e")

    told = [[(hit.score, hit.explanation) for hit in owner.recall("tea milk", explain=True)] for owner in (rita, bob)]

    assert told[0] == told[1]


def test_approving_puts_it_in_force(rita: Owner) -> None:
    hold(rita, "tea")

    answer = rita.review("h", True, reason="looks fine")

    assert answer == Reviewed("h", Status.ACTIVE, (), 2)
    assert (contents(rita.recall("tea")), len(rita.reviews())) == (["tea"], 0)
    event = rita.why("h").history[-1]
    assert (event.operation, event.status, event.actor, event.reason) == ("review", "active", "rita", "looks fine")


def test_rejecting_keeps_it_out_for_good(rita: Owner) -> None:
    hold(rita, "tea")

    answer = rita.review("h", False, reason="gossip")

    assert answer == Reviewed("h", Status.REJECTED, (), 2)
    assert (len(rita.recall("tea")), len(rita.reviews()), rita.stats().by_status) == (0, 0, {"rejected": 1})
    for again in (rita.reinstate, rita.forget, rita.reinforce):
        with pytest.raises(StatusError):
            again("h")


@pytest.mark.parametrize("second", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_it_is_reviewed_once(rita: Owner, first: bool, second: bool) -> None:
    hold(rita, "tea")
    rita.review("h", first)

    with pytest.raises(StatusError) as caught:
        rita.review("h", second)

    assert (caught.value.fields, rita.revision()) == (("key",), 2)


@pytest.mark.parametrize("approve", [True, False])
def test_a_face_without_a_reviewer_reviews_nothing(world: World, rita: Owner, approve: bool) -> None:
    hold(rita, "tea")

    with pytest.raises(ReviewerError) as caught:
        world.owner().review("h", approve)

    assert (caught.value.code, caught.value.fields) == ("reviewer", ("reviewer",))
    assert rita.why("h").memory.status is Status.HELD


def test_a_face_without_a_reviewer_tells_nothing_of_keys(world: World, rita: Owner) -> None:
    hold(rita, "tea")
    told = []
    for key in ("h", "nobody"):
        with pytest.raises(ReviewerError) as caught:
            world.owner().review(key, True)
        told.append(str(caught.value))

    assert told[0] == told[1]


@pytest.mark.parametrize("approve", [True, False])
def test_a_named_reviewer_alone_may_review(world: World, rita: Owner, approve: bool) -> None:
    hold(rita, "tea", reviewer="ruth")

    with pytest.raises(ReviewerError):
        rita.review("h", approve)
    answer = world.owner(face={"reviewer": "ruth"}).review("h", approve)

    assert answer.revision == 2
    assert rita.why("h").history[-1].actor == "ruth"


def test_a_consent_that_was_taken_back_meanwhile_stops_an_approval_until_it_is_confirmed(world: World) -> None:
    memories = world.memories(face=HOLDING)
    rita = memories.owner("agent:alice")
    memories.consent("p", ["team", "press"])
    hold(rita, "tea for p", subjects=["p"])
    memories.consent("p", ["team"])

    with pytest.raises(ConsentNarrowedError) as caught:
        rita.review("h", True)
    before = rita.why("h").memory.status
    answer = rita.review("h", True, confirm=True)

    assert (caught.value.code, caught.value.fields) == ("consent_narrowed", ("key",))
    assert (before, answer.status) == (Status.HELD, Status.ACTIVE)


def test_a_consent_that_was_widened_or_is_of_another_stops_nothing(world: World) -> None:
    memories = world.memories(face=HOLDING)
    rita = memories.owner("agent:alice")
    for ref in "pq":
        memories.consent(ref, ["team"])
    hold(rita, "tea for p", subjects=["p"])
    memories.consent("p", ["press", "team"])
    memories.consent("q", [])

    assert rita.review("h", True).status is Status.ACTIVE


def test_what_all_subjects_agreed_to_is_what_counts(world: World) -> None:
    memories = world.memories(face=HOLDING)
    rita = memories.owner("agent:alice")
    memories.consent("p", ["team", "press"])
    memories.consent("q", ["team"])
    hold(rita, "tea for two", subjects=["p", "q"])

    memories.consent("p", ["team"])

    assert rita.review("h", True).status is Status.ACTIVE


def test_rejecting_needs_no_consent(world: World) -> None:
    memories = world.memories(face=HOLDING)
    rita = memories.owner("agent:alice")
    memories.consent("p", ["team"])
    hold(rita, "tea for p", subjects=["p"])
    memories.consent("p", [])

    assert rita.review("h", False).status is Status.REJECTED


def test_one_whose_twin_is_in_force_by_now_is_answered_with_the_twin(world: World, rita: Owner) -> None:
    held = hold(rita, "tea", key=None)
    twin = world.owner().remember("tea", aspects=["semantic"]).key

    answer = rita.review(held, True)

    assert answer == Reviewed(twin, Status.ACTIVE, (), 3)
    assert [hit.memory.key for hit in rita.recall("tea")] == [twin]
    assert rita.why(held).memory.status is Status.REJECTED


def test_one_with_a_name_of_its_own_stands_beside_its_twin(world: World, rita: Owner) -> None:
    hold(rita, "tea")
    world.owner().remember("tea", aspects=["semantic"])

    assert rita.review("h", True) == Reviewed("h", Status.ACTIVE, (), 3)
    assert len(rita.recall("tea")) == 2


def test_supersession_takes_effect_at_the_approval(rita: Owner) -> None:
    old = rita.remember("tea at four").key
    hold(rita, "tea at five", supersedes=[old])
    before = contents(rita.recall("tea"))

    answer = rita.review("h", True)

    assert (before, contents(rita.recall("tea"))) == (["tea at four"], ["tea at five"])
    assert answer.superseded == (old,)


def test_a_rejected_one_supersedes_nothing(rita: Owner) -> None:
    old = rita.remember("tea at four").key
    hold(rita, "tea at five", supersedes=[old])

    assert rita.review("h", False).superseded == ()
    assert rita.why(old).memory.status is Status.ACTIVE


def test_a_belief_takes_its_place_in_time_at_the_approval(world: World, rita: Owner) -> None:
    riga = rita.believe("k", "city", "Riga").key
    world.wait(1)
    rita.believe("k", "city", "Oslo", aspects=["semantic"], key="h")
    world.wait(1)
    before = [(belief.value, belief.valid_to) for belief in rita.beliefs("k")]

    answer = rita.review("h", True)

    assert before == [("Riga", None)]
    assert (answer.status, answer.superseded) == (Status.ACTIVE, (riga,))
    assert [(belief.value, belief.valid_from) for belief in rita.beliefs("k")] == [("Oslo", day(1))]
    assert rita.why(riga).memory.valid_to == day(1)


def test_a_belief_that_was_overtaken_while_it_waited_becomes_history(world: World, rita: Owner) -> None:
    rita.believe("k", "city", "Riga", aspects=["semantic"], key="h")
    world.wait(1)
    rita.believe("k", "city", "Oslo")

    answer = rita.review("h", True)

    assert (answer.status, answer.superseded) == (Status.SUPERSEDED, ())
    assert [belief.value for belief in rita.beliefs("k")] == ["Oslo"]
    assert [belief.value for belief in rita.beliefs("k", valid_at=day(0.5))] == ["Riga"]


def test_a_source_that_became_stricter_meanwhile_makes_what_waits_stricter(rita: Owner) -> None:
    rita.remember("source", key="a")
    hold(rita, "tea", derived_from=["a"])

    rita.reclassify("a", "private")
    rita.review("h", True)

    assert rita.why("h").memory.tier == "private"


def test_the_queue_shows_a_caller_what_it_may_see(world: World, rita: Owner) -> None:
    hold(rita, "open", "o")
    hold(rita, "redacted", "r", tier="redacted", surface="shown")
    hold(rita, "private", "p", tier="private")

    queue = world.owner(face=HOLDING | {"destination": Destination.REMOTE}).reviews()

    assert {(held.memory.key, held.memory.content, held.reason) for held in queue} == {
        ("o", "open", "review_aspects"),
        ("r", "shown", None),
    }


def test_one_that_was_replaced_while_it_waited_does_not_stand_beside_what_replaced_it(rita: Owner) -> None:
    hold(rita, "tea at four")
    rita.remember("tea at five", supersedes=["h"])

    rita.review("h", True)

    assert contents(rita.recall("tea")) == ["tea at five"]
