"""Facts of memories, by what they are of; and which attributes hold many values."""

import datetime as dt
from typing import Any, Final

import attrs
import pytest

from reminisce.domain.changes import PutMemory, SetFields
from reminisce.domain.memory import Fact, folded
from reminisce.domain.records import Standing
from reminisce.domain.values import Status
from reminisce.ports.store import Store
from reminisce.testing.fakes import NOON
from reminisce.testing.promises import promise
from reminisce.testing.suite.values import AWKWARD
from reminisce.testing.writing import ALICE, BOB, put, write

_LATER: Final = NOON + dt.timedelta(microseconds=1)


def _fact(
    owner: str, key: str, subject: str, attribute: str, value: str, *, ordinal: int = 0, many: bool = False, **raw: Any
) -> PutMemory:
    fact = {"subject": subject, "attribute": attribute, "value": value, "many": many}
    return put(owner, key, 1, ordinal=ordinal, fact=fact, subjects=[subject, "person:else"], **raw)


FACTS: Final = (
    ("z", "person:1", "lives in", "Riga"),
    ("a", "person:1", "likes", "tea"),
    ("m", "person:1", "lives in", "\uff32\uff29\uff27\uff21 "),
    ("b", "person:2", "lives in", "Riga"),
    ("0", "person:1", "lives in", "Tartu"),
)


def _fill(store: Store) -> None:
    write(store, ALICE, put(ALICE, "no fact", 1, ordinal=9, subjects=["person:1"]))
    write(store, ALICE, *(_fact(ALICE, *fact, ordinal=place) for place, fact in enumerate(FACTS)))
    write(store, BOB, _fact(BOB, "of bob", "person:1", "lives in", "Riga"))


def _keys(standings: Any) -> list[str]:
    return [standing.key for standing in standings]


@promise("snapshot.facts")
def test_facts_are_told_by_subject_attribute_and_folded_value_in_canonical_order(store: Store) -> None:
    _fill(store)

    with store.view() as view:
        assert _keys(view.facts(ALICE, "person:1")) == ["z", "a", "m", "0"]
        assert _keys(view.facts(ALICE, "person:2")) == ["b"]
        assert _keys(view.facts(BOB, "person:1")) == ["of bob"]
        assert _keys(view.facts(ALICE, "person:1", attribute="lives in")) == ["z", "m", "0"]
        assert _keys(view.facts(ALICE, "person:1", attribute="lives in", value="riga")) == ["z", "m"]
        assert _keys(view.facts(ALICE, "person:1", attribute="likes", value="tea")) == ["a"]


@promise("snapshot.facts")
def test_order_of_facts_is_that_of_ordinals_however_a_commit_lists_them(store: Store) -> None:
    places = (("a", 2), ("b", 0), ("c", 1))
    write(store, ALICE, *(_fact(ALICE, key, "p", "x", "v", ordinal=ordinal) for key, ordinal in places))

    with store.view() as view:
        assert _keys(view.facts(ALICE, "p")) == ["b", "c", "a"]
        assert _keys(view.facts(ALICE, "p", attribute="x")) == ["b", "c", "a"]
        assert _keys(view.facts(ALICE, "p", attribute="x", value="v")) == ["b", "c", "a"]


@promise("snapshot.facts", "snapshot.absent")
def test_what_no_fact_says_is_told_by_no_fact(store: Store) -> None:
    _fill(store)

    with store.view() as view:
        # It is about that person, and says nothing of it.
        assert list(view.facts(ALICE, "person:else")) == []
        assert list(view.facts(ALICE, "Person:1")) == []
        assert list(view.facts("agent:nobody", "person:1")) == []
        assert list(view.facts(ALICE, "person:1", attribute="Likes")) == []
        assert list(view.facts(ALICE, "person:1", attribute="likes", value="riga")) == []
        assert list(view.facts(ALICE, "person:1", attribute="lives in", value="Riga")) == []


@promise("snapshot.facts_since")
def test_facts_since_a_time_are_those_active_or_not_ended_before_it(store: Store) -> None:
    ends = {"ended": NOON, "at once": _LATER, "open": None, "active": NOON}
    write(
        store,
        ALICE,
        *(_fact(ALICE, key, "p", "x", key, ordinal=place) for place, key in enumerate(ends)),
        *(SetFields(ALICE, key, {"valid_to": end}) for key, end in ends.items()),
        *(SetFields(ALICE, key, {"status": Status.SUPERSEDED}) for key in ends if key != "active"),
    )

    with store.view() as view:
        assert _keys(view.facts(ALICE, "p", since=_LATER)) == ["at once", "open", "active"]
        assert _keys(view.facts(ALICE, "p", attribute="x", value="ended", since=NOON)) == ["ended"]
        assert _keys(view.facts(ALICE, "p", attribute="x", value="ended", since=_LATER)) == []


@promise("snapshot.facts")
def test_a_fact_is_told_with_its_folded_value_and_where_it_stands(store: Store) -> None:
    change = _fact(ALICE, "k", "person:1", "lives in", " R\u012aGA\t\uff01 ", valid_from=NOON, valid_to=_LATER)
    write(store, ALICE, change)

    with store.view() as view:
        [standing] = view.facts(ALICE, "person:1")

    assert standing == Standing("k", "person:1", "lives in", "r\u012bga !", Status.ACTIVE, NOON, _LATER)
    assert type(standing.status) is Status


@promise("snapshot.facts", "fields.set")
@pytest.mark.parametrize("status", Status)
def test_a_fact_stands_as_its_memory_does_whatever_its_status(store: Store, status: Status) -> None:
    write(store, ALICE, _fact(ALICE, "k", "p", "x", "v", valid_from=NOON), _fact(ALICE, "n", "p", "x", "v", ordinal=1))

    write(store, ALICE, SetFields(ALICE, "k", {"status": status, "valid_from": None, "valid_to": _LATER}))

    with store.view() as view:
        assert list(view.facts(ALICE, "p", attribute="x", value="v")) == [
            Standing("k", "p", "x", "v", status, None, _LATER),
            Standing("n", "p", "x", "v", Status.ACTIVE, None, None),
        ]


@promise("snapshot.facts", "fields.set")
def test_a_fact_is_of_its_own_subject_whatever_its_memory_is_about_by_now(store: Store) -> None:
    write(store, ALICE, _fact(ALICE, "k", "p", "x", "v"))

    write(store, ALICE, SetFields(ALICE, "k", {"subjects": ("q",)}))

    with store.view() as view:
        assert _keys(view.facts(ALICE, "p")) == ["k"]
        assert list(view.facts(ALICE, "q")) == []


@promise("snapshot.facts", "snapshot.valued", "snapshot.memories")
@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_any_text_of_a_fact_is_found_again(store: Store, text: str) -> None:
    change = put(ALICE, "k", 1)
    given = attrs.evolve(change.memory.given, fact=Fact(text, text, text))
    write(store, ALICE, attrs.evolve(change, memory=attrs.evolve(change.memory, given=given, many=True)))

    with store.view() as view:
        standing = Standing("k", text, text, folded(text), Status.ACTIVE, None, None)
        assert view.memories(ALICE, ["k"])["k"].fact == given.fact
        assert list(view.facts(ALICE, text)) == [standing]
        assert list(view.facts(ALICE, text, attribute=text, value=folded(text))) == [standing]
        assert view.valued(ALICE, [text]) == {text: True}


@promise("snapshot.valued", "snapshot.twice")
def test_attributes_tell_whether_they_hold_many_values(store: Store) -> None:
    write(
        store,
        ALICE,
        _fact(ALICE, "a", "p", "likes", "tea", many=True),
        _fact(ALICE, "b", "q", "lives in", "Riga", ordinal=1),
    )

    with store.view() as view:
        assert view.valued(ALICE, iter(["likes", "lives in", "likes", "Likes"])) == {"likes": True, "lives in": False}


@promise("snapshot.valued")
@pytest.mark.parametrize("first", [True, False], ids=["many", "one"])
def test_the_owners_first_use_of_an_attribute_decides_for_all_subjects(store: Store, first: bool) -> None:
    # By hand: no planner would let the later uses say otherwise.
    write(store, ALICE, _fact(ALICE, "z", "q", "likes", "tea", many=first))
    for key, subject, status in (("a", "p", Status.ACTIVE), ("b", "q", Status.HELD), ("0", "a", Status.ACTIVE)):
        write(store, ALICE, _fact(ALICE, key, subject, "likes", key, many=not first))
        write(store, ALICE, SetFields(ALICE, key, {"status": status}))
    write(store, ALICE, SetFields(ALICE, "z", {"status": Status.RETIRED}))

    with store.view() as view:
        assert view.valued(ALICE, ["likes"]) == {"likes": first}


@promise("snapshot.valued", "snapshot.absent")
def test_what_another_owner_says_of_an_attribute_does_not_count(store: Store) -> None:
    write(store, BOB, _fact(BOB, "a", "p", "likes", "tea", many=True))
    write(store, BOB, _fact(BOB, "b", "p", "lives in", "Riga", many=True))

    write(store, ALICE, _fact(ALICE, "a", "p", "likes", "tea"))

    with store.view() as view:
        assert view.valued(ALICE, ["likes", "lives in"]) == {"likes": False}
        assert view.valued(BOB, ["likes", "lives in"]) == {"likes": True, "lives in": True}
