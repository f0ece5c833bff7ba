"""A request to believe that is sent again: answered as before, and nothing written."""

from typing import Any

import pytest

from reminisce import Believed, Destination, KeyTakenError, Outcome, Owner, RequestKeyTakenError, Status
from tests.unit.app.worlds import World, day

Said = dict[str, Any]

RIGA: Said = {"subject": "k", "attribute": "city", "value": "Riga"}
OSLO: Said = {"subject": "k", "attribute": "city", "value": "Oslo"}
BY_NAME: tuple[Said, Said] = {"key": "name"}, {"request_key": "request"}


def twice(owner: Owner, said: Said) -> tuple[Believed, Believed]:
    return owner.believe(**said), owner.believe(**said)


@pytest.mark.parametrize("named", BY_NAME, ids=["key", "request key"])
def test_a_repeat_of_something_new_is_answered_as_before(ann: Owner, named: Said) -> None:
    first, again = twice(ann, RIGA | named)

    assert first == again
    assert (first.outcome, ann.why(first.key).memory.uses) == (Outcome.NEW, 0)


@pytest.mark.parametrize("named", BY_NAME, ids=["key", "request key"])
def test_a_repeat_of_what_ended_another_is_answered_as_before(world: World, ann: Owner, named: Said) -> None:
    old = ann.believe(**RIGA).key
    world.wait(1)

    first, again = twice(ann, OSLO | named)

    assert first == again
    assert (first.outcome, first.superseded) == (Outcome.SUPERSEDED, (old,))


@pytest.mark.parametrize("named", BY_NAME, ids=["key", "request key"])
def test_a_repeat_of_history_is_answered_as_before(ann: Owner, named: Said) -> None:
    ann.believe(**OSLO)

    first, again = twice(ann, RIGA | named | {"valid_from": day(-1)})

    assert first == again
    assert first.outcome is Outcome.HISTORY


@pytest.mark.parametrize(
    "said",
    [
        OSLO | {"valid_from": day(-5)},
        OSLO | {"valid_from": day(-2)},
        OSLO | {"attribute": "town", "supersedes": ["old"]},
    ],
    ids=["met", "after", "named"],
)
def test_a_repeat_tells_of_all_that_went_out_of_force(ann: Owner, said: Said) -> None:
    ann.believe(**RIGA, key="old", valid_from=day(-10), valid_to=day(-5))

    first, again = twice(ann, said | {"key": "name"})

    assert (first.outcome, first.superseded) == (Outcome.SUPERSEDED, ("old",))
    assert first == again


def test_a_repeat_names_nothing_that_the_caller_may_not_see(world: World, ann: Owner) -> None:
    ann.believe(**RIGA, tier="private", key="secret")
    world.wait(1)

    first, again = twice(world.owner(face={"destination": Destination.REMOTE}), OSLO | {"key": "name"})

    assert first == again
    assert again.superseded == ()


def test_a_reinforcement_makes_nothing_to_be_repeated_so_that_each_counts(ann: Owner) -> None:
    key = ann.believe(**RIGA).key

    answers = twice(ann, RIGA | {"request_key": "request", "sources": ["doc:a"]})

    assert [(answer.key, answer.outcome) for answer in answers] == [(key, Outcome.REINFORCED)] * 2
    assert (ann.why(key).memory.uses, ann.why(key).memory.sources) == (2, ("doc:a",))


def test_a_repeat_revives_nothing(ann: Owner) -> None:
    first = ann.believe(**RIGA, key="name")
    ann.forget("name")

    again = ann.believe(**RIGA, key="name")

    assert (again.key, again.status, again.revision) == (first.key, Status.RETIRED, 2)


def test_a_repeat_while_it_waits_for_review_still_waits(world: World) -> None:
    owner = world.owner(face={"review_aspects": frozenset({"semantic"})})

    first, again = twice(owner, RIGA | {"key": "name", "aspects": ["semantic"]})

    assert first == again
    assert (first.status, owner.revision()) == (Status.HELD, 1)


def test_a_key_or_request_key_of_something_else_is_taken(ann: Owner) -> None:
    ann.believe(**RIGA, key="name", request_key="request")

    with pytest.raises(KeyTakenError):
        ann.believe(**OSLO, key="name")
    with pytest.raises(RequestKeyTakenError):
        ann.believe(**OSLO, request_key="request")

    assert ann.revision() == 1


def test_a_repeat_of_a_line_of_a_batch_tells_nothing_of_the_other_lines(ann: Owner) -> None:
    fact = {"content": "k city: Riga", "key": "name", "subjects": ["k"], "fact": ("k", "city", "Riga")}
    ann.remember_many([fact, {"content": "tea"}])

    again = ann.believe(**RIGA, key="name")

    assert (again.key, again.outcome, again.superseded) == ("name", Outcome.NEW, ())
