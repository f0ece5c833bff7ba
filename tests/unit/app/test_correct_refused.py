"""Who may correct what: by status, by tier, by what a caller may see."""

import pytest

from reminisce import Destination, Hold, KeyTakenError, NotFoundError, Owner, RequestKeyTakenError, Status, StatusError
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import Deciding, World, contents, day


def test_what_is_out_of_force_is_not_corrected(world: World, ann: Owner) -> None:
    holding = world.owner(face={"review_aspects": frozenset({"semantic"}), "reviewer": "rita"})
    ann.remember("retired", key="retired")
    ann.forget("retired")
    ann.remember("superseded", key="superseded")
    ann.remember("newer", supersedes=["superseded"])
    holding.remember("held", key="held", aspects=["semantic"])
    holding.remember("rejected", key="rejected", aspects=["semantic"])
    holding.review("rejected", False)
    before = contents_of(world.store)

    for status in ("retired", "superseded", "held", "rejected"):
        with pytest.raises(StatusError) as caught:
            ann.correct(status, content="other words")
        assert (caught.value.fields, caught.value.status) == (("key",), status)

    assert contents_of(world.store) == before


def test_a_tier_is_not_made_less_strict_by_a_correction(ann: Owner) -> None:
    ann.remember("tea", key="a", tier="private")

    memory = ann.why(ann.correct("a", tier="open").key).memory

    assert (memory.given.tier, memory.tier) == ("open", "private")


def test_a_stricter_tier_is_handed_on_to_nothing_but_what_comes_from_the_new_one(ann: Owner) -> None:
    ann.remember("tea", key="a")
    ann.remember("sum", key="s", derived_from=["a"])

    new = ann.correct("a", tier="private").key

    assert [ann.why(key).memory.tier for key in ("a", new, "s")] == ["open", "private", "open"]


def test_subjects_are_not_lost_by_a_correction(ann: Owner) -> None:
    ann.remember("tea", key="a", subjects=["p", "q"])

    memory = ann.why(ann.correct("a", subjects=["p"]).key).memory

    assert (memory.given.subjects, memory.subjects) == (("p",), ("p", "q"))


def test_whoever_sees_a_surface_cannot_correct_what_is_behind_it(world: World, ann: Owner) -> None:
    ann.remember("hidden", key="a", tier="redacted", surface="shown")
    ann.remember("hidden", key="b", tier="private")
    remote = world.owner(face={"destination": Destination.REMOTE})

    told = []
    for key in ("a", "b", "nobody"):
        with pytest.raises(NotFoundError) as caught:
            remote.correct(key, content="x")
        told.append(str(caught.value))

    assert told == [told[0]] * 3
    assert ann.revision() == 2


def test_whoever_sees_all_of_it_may(world: World, ann: Owner) -> None:
    ann.remember("tae", key="a", surface="shown")

    assert world.owner(face={"destination": Destination.REMOTE}).correct("a", content="tea").created


def test_a_name_or_request_of_something_else_is_taken(world: World, ann: Owner) -> None:
    ann.remember("tea", key="a")
    ann.remember("coffee", key="b", request_key="r")
    before = contents_of(world.store)

    with pytest.raises(KeyTakenError) as key:
        ann.correct("a", content="Tea", new_key="b")
    with pytest.raises(KeyTakenError):
        ann.correct("a", content="Tea", new_key="a")
    with pytest.raises(RequestKeyTakenError):
        ann.correct("a", content="Tea", request_key="r")

    assert key.value.code == "key_taken"
    assert contents_of(world.store) == before


def test_what_it_is_derived_from_must_be_there(ann: Owner) -> None:
    ann.remember("tea", key="a")

    with pytest.raises(NotFoundError) as caught:
        ann.correct("a", derived_from=["nobody"])

    assert (caught.value.fields, ann.revision()) == (("derived_from",), 1)


def test_a_correction_that_has_to_wait_leaves_the_old_one_in_force(world: World, ann: Owner) -> None:
    ann.remember("tae", key="a")
    owner = world.owner(policy=Deciding(lambda _: Hold("look")), face={"reviewer": "rita"})

    held = owner.correct("a", content="tea", new_key="b")
    before = contents(ann.recent())
    answer = owner.review("b", True)

    assert (held.status, before) == (Status.HELD, ["tae"])
    assert (answer.superseded, contents(ann.recent())) == (("a",), ["tea"])


def test_a_correction_that_had_to_wait_is_one_when_it_is_approved(world: World, ann: Owner) -> None:
    ann.remember("tae", key="a")
    owner = world.owner(policy=Deciding(lambda _: Hold("look")), face={"reviewer": "rita"})
    owner.correct("a", content="tea", new_key="b")
    world.wait(1)

    owner.review("b", True)

    assert contents(ann.recall(None, valid_at=day(0.5))) == ["tea"]
