"""Deleting: what goes says what it leaves behind, and the story stays told."""

from collections.abc import Iterator

import pytest

from reminisce import Owner, Status, StatusError, open_memory
from tests.support.faces import Home


@pytest.fixture(params=["memory", "file"])
def owner(request: pytest.FixtureRequest, home: Home) -> Iterator[Owner]:
    """An owner of N, which superseded O."""
    with open_memory(":memory:") if request.param == "memory" else home.memories() as memories:
        owner = memories.owner(home.owner)
        owner.remember("The gate opens at nine.", key="O")
        owner.remember("The gate opens at ten.", key="N", supersedes=["O"])
        yield owner


def found(owner: Owner) -> list[str]:
    return [hit.memory.key for hit in owner.recall("when does the gate open")]


def test_del_superseder_names_what_it_leaves_superseded_and_that_comes_back(owner: Owner) -> None:
    answer = owner.forget("N", reason="It was a rumour.")

    assert (answer.forgotten, answer.left_superseded) == (("N",), ("O",))
    assert found(owner) == []

    back = owner.reinstate("O")

    assert (back.changed, back.status) == (True, Status.ACTIVE)
    assert found(owner) == ["O"]


def test_del_superseder_story_is_told_by_why(owner: Owner) -> None:
    owner.forget("N", reason="It was a rumour.")
    owner.reinstate("O")

    why = owner.why("O")

    assert [(event.operation, event.status) for event in why.history] == [
        ("remember", "active"),
        ("remember", "superseded"),
        ("reinstate", "active"),
    ]
    assert why.superseded_by == ("N",)
    assert owner.why("N").history[-1].reason == "It was a rumour."


def test_del_superseder_beforehand_says_the_same_and_does_nothing(owner: Owner) -> None:
    answer = owner.forget(containing="at ten", dry_run=True)

    assert (answer.forgotten, answer.left_superseded) == (("N",), ("O",))
    assert found(owner) == ["N"]


def test_del_superseder_that_stands_lets_nothing_back(owner: Owner) -> None:
    with pytest.raises(StatusError):
        owner.reinstate("O")

    assert found(owner) == ["N"]


def test_del_superseder_of_a_chain_names_what_can_come_back(owner: Owner) -> None:
    owner.remember("The gate opens at eleven.", key="M", supersedes=["N"])

    assert owner.forget("M").left_superseded == ("N",)
    assert owner.reinstate("N").status is Status.ACTIVE


def test_del_superseder_names_what_stands_behind_something_forgotten_before(owner: Owner) -> None:
    owner.remember("The gate opens at eleven.", key="M", supersedes=["N"])

    first, second = owner.forget("N").left_superseded, owner.forget("M").left_superseded

    assert owner.reinstate("O").status is Status.ACTIVE
    assert (first, second) == ((), ("O",))


def test_del_superseder_of_a_correction_and_of_a_belief(owner: Owner) -> None:
    corrected = owner.correct("N", content="The gate opens at ten o'clock.").key
    old = owner.believe("gate", "opens", "nine", valid_from="2020-01-01T00:00:00Z").key
    new = owner.believe("gate", "opens", "ten").key

    assert owner.forget(corrected).left_superseded == ("N",)
    assert owner.forget(new).left_superseded == (old,)
