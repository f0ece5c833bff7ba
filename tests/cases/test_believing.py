"""Believing: what is added is added, and what replaces replaces."""

from collections.abc import Iterator
from typing import Any

import pytest

from reminisce import Outcome, Owner, open_memory
from tests.support.faces import Home


@pytest.fixture(params=["memory", "file"])
def owner(request: pytest.FixtureRequest, home: Home) -> Iterator[Owner]:
    with open_memory(":memory:") if request.param == "memory" else home.memories() as memories:
        yield memories.owner(home.owner)


def live(owner: Owner) -> list[str]:
    return [belief.value for belief in owner.beliefs("K.")]


def found(owner: Owner, query: str, **options: Any) -> list[str]:
    return [hit.memory.content for hit in owner.recall(query, **options)]


def test_rec_additive_facts_of_many_values_are_both_live(owner: Owner) -> None:
    owner.believe("K.", "role", "works at M", many=True, content="K. works at M.")

    answer = owner.believe("K.", "role", "administers S", content="K. also administers S.")

    assert (answer.outcome, answer.superseded) == (Outcome.NEW, ())
    assert live(owner) == ["works at M", "administers S"]
    assert sorted(found(owner, "what does K. do at M and S")) == ["K. also administers S.", "K. works at M."]
    assert owner.stats().live_beliefs == 2


def test_rec_additive_facts_of_one_value_replace(owner: Owner) -> None:
    old = owner.believe("K.", "employer", "M", content="K. works at M.").key

    answer = owner.believe("K.", "employer", "S", content="K. works at S.")

    assert (answer.outcome, answer.superseded) == (Outcome.SUPERSEDED, (old,))
    assert live(owner) == ["S"]
    assert found(owner, "where does K. work") == ["K. works at S."]


def test_rec_additive_attributes_stand_beside_one_another(owner: Owner) -> None:
    owner.believe("K.", "employer", "M")
    owner.believe("K.", "administers", "S")

    assert sorted(live(owner)) == ["M", "S"]


def test_rec_additive_facts_of_memories_follow_the_same_rule(owner: Owner) -> None:
    for many, value in ((True, "works at M"), (None, "administers S")):
        fact = {"subject": "K.", "attribute": "role", "value": value} | ({} if many is None else {"many": many})
        owner.remember(f"K. {value}.", subjects=["K."], fact=fact)
    for value in ("Riga", "Oslo"):
        owner.remember(f"K. lives in {value}.", subjects=["K."], fact=("K.", "city", value))

    assert live(owner) == ["Oslo", "works at M", "administers S"]
    assert found(owner, "lives") == ["K. lives in Oslo."]


def test_rec_additive_values_are_forgotten_one_by_one(owner: Owner) -> None:
    first = owner.believe("K.", "role", "works at M", many=True).key
    owner.believe("K.", "role", "administers S")

    owner.forget(first)

    assert live(owner) == ["administers S"]
