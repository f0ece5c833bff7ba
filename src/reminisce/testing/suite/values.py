"""Whatever a memory holds comes back as it was."""

import datetime as dt
from typing import Any, Final

import attrs
import pytest

from reminisce.domain.changes import PutMemory, SetFields
from reminisce.domain.records import Outline
from reminisce.domain.values import Basis, Status, Tier
from reminisce.ports.store import Store
from reminisce.testing.promises import promise
from reminisce.testing.writing import ALICE, put, write

EVERYTHING: Final[dict[str, Any]] = {
    "key": "all",
    "aspects": ["semantic", "procedural"],
    "basis": "told",
    "confidence": 0.001,
    "salience": 0.999,
    "occurred_at": "1969-12-31T23:59:59.999999+00:00",
    "due_at": "2031-05-06T07:08:09.000001+02:00",
    "valid_from": "0001-01-01T00:00:00+00:00",
    "valid_to": "9999-12-31T23:59:59.999999+00:00",
    "sources": ["doc:b", "doc:a"],
    "facets": {"colour": ["red", "blue"], "size": "small"},
    "subjects": ["person:2", "person:1"],
    "fact": {"subject": "person:2", "attribute": "lives in", "value": "\uff32\u012bga  (old  town)", "many": True},
    "reviewer": "alice@example.org",
    "tier": "redacted",
    "surface": "somebody likes something",
    "episode": "talk-1",
    "request_key": "request-1",
}

AWKWARD: Final = (
    "a",
    " \t\n\rx\r\n ",
    'it\'s "quoted" \\ ` $1 ? :x %s {}',
    "'; DROP TABLE memories; --",
    "e\u0301 and \u00e9 are not folded",
    "\u202eright to left\u202c \u200b\u200d\ufeff",
    "\U0010ffff\ufffd\ud7ff",
    "家族 👩‍👩‍👧‍👦 עִבְרִית",
    "x" * 65_536,
    "\x01\x1f\x7f\x85\u2028",
)


def standing(change: PutMemory) -> PutMemory:
    """The same memory, with everything in force that its caller did not give."""
    memory = attrs.evolve(
        change.memory,
        status=Status.HELD,
        tier=Tier.PRIVATE,
        subjects=(*change.memory.subjects, "person:3"),
        confidence_thousandths=2,
        salience_thousandths=998,
        valid_from=dt.datetime(1970, 1, 1, tzinfo=dt.UTC),
        valid_to=dt.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=dt.UTC),
        further_sources=("doc:c", "doc:\u00e9"),
        uses=11,
        consolidated_uses=10,
        consolidated_at=dt.datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=dt.UTC),
        agreed=("friends", "work \u00e9"),
    )
    return attrs.evolve(change, memory=memory)


@promise("snapshot.memories")
def test_what_is_in_force_comes_back_beside_what_was_given(store: Store) -> None:
    write(store, ALICE, change := standing(put(ALICE, revision=1, **EVERYTHING)))

    with store.view() as view:
        held = view.memories(ALICE, ["all"])["all"]
        citing = view.citing(ALICE, held.sources)

    assert held == change.memory
    assert held.many is True
    assert {name: type(getattr(held, name)) for name in ("agreed", "further_sources", "subjects")} == {
        "agreed": tuple,
        "further_sources": tuple,
        "subjects": tuple,
    }
    assert {source: list(keys) for source, keys in citing.items()} == {source: ["all"] for source in held.sources}


@promise("snapshot.memories")
def test_a_memory_comes_back_as_it_was_given(store: Store) -> None:
    write(store, ALICE, change := put(ALICE, revision=1, **EVERYTHING))

    with store.view() as view:
        held = view.memories(ALICE, ["all"])["all"]

    assert held == change.memory
    assert type(held.status) is Status
    assert type(held.tier) is Tier
    assert type(held.basis) is Basis
    assert held.named is True


@promise("snapshot.outlines")
def test_an_outline_is_what_its_memory_says(store: Store) -> None:
    write(store, ALICE, put(ALICE, revision=1, **EVERYTHING), put(ALICE, "plain", 1, ordinal=1))
    write(
        store, ALICE, SetFields(ALICE, "plain", {"tier": Tier.PRIVATE, "confidence_thousandths": 7, "subjects": ("p",)})
    )

    with store.view() as view:
        memories, outlines = view.memories(ALICE, ["all", "plain"]), view.outlines(ALICE, ["all", "plain", "nobody"])

    assert outlines == {key: Outline.of(memory) for key, memory in memories.items()}
    assert {type(outline.basis) for outline in outlines.values()} == {Basis}


@promise("snapshot.memories")
@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_any_text_comes_back_character_by_character(store: Store, text: str) -> None:
    change = put(ALICE, "k", 1, content=text, facets={"name": text[:100]}, sources=[text[:100]], surface=text)
    write(store, ALICE, change)

    with store.view() as view:
        assert view.memories(ALICE, ["k"]) == {"k": change.memory}
        assert list(view.citing(ALICE, [text[:100]])[text[:100]]) == ["k"]


@promise("snapshot.memories")
def test_names_that_differ_in_form_only_are_different_names(store: Store) -> None:
    keys = ["k", "K", "k ", "\u00e9", "e\u0301", "k%", "k_"]
    write(store, ALICE, *(put(ALICE, key, 1, ordinal=place) for place, key in enumerate(keys)))

    with store.view() as view:
        assert {key: memory.content for key, memory in view.memories(ALICE, keys).items()} == {
            key: f"the words of {key}" for key in keys
        }
