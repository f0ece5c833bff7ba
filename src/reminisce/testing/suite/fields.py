"""What is in force of a memory may change; what was given never does."""

import datetime as dt
from typing import Any, Final

import attrs
import pytest

from reminisce.domain.changes import SetFields
from reminisce.domain.values import Status, Tier
from reminisce.ports.store import Store
from reminisce.testing.contents import contents_of
from reminisce.testing.promises import promise
from reminisce.testing.suite.values import AWKWARD, standing
from reminisce.testing.writing import ALICE, BOB, put, write

VALUES: Final[tuple[tuple[str, Any], ...]] = (
    *(("status", status) for status in Status),
    *(("tier", tier) for tier in Tier),
    ("subjects", ()),
    ("subjects", ("person:1", "person:\u00e9", 'thing with "quotes", and commas')),
    ("confidence_thousandths", 0),
    ("confidence_thousandths", 1000),
    ("salience_thousandths", 1),
    ("valid_from", None),
    ("valid_from", dt.datetime(1, 1, 1, tzinfo=dt.UTC)),
    ("valid_from", dt.datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=dt.UTC)),
    ("valid_to", None),
    ("valid_to", dt.datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=dt.UTC)),
    ("valid_to", dt.datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=dt.UTC)),
    ("further_sources", ()),
    ("further_sources", ("doc:1", "doc:\u00e9")),
    ("further_sources", tuple(AWKWARD)),
    ("uses", 0),
    ("uses", 2**40),
    ("consolidated_uses", 0),
    ("consolidated_uses", 7),
    ("consolidated_at", None),
    ("consolidated_at", dt.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=dt.UTC)),
)


@promise("fields.set")
@pytest.mark.parametrize(("name", "value"), VALUES, ids=[f"{name}={value!s:.12}" for name, value in VALUES])
def test_a_field_that_is_set_changes_alone(store: Store, name: str, value: Any) -> None:
    change = standing(put(ALICE, "k", 1, subjects=["person:1"], tier="redacted", confidence=0.5))
    neighbour, namesake = put(ALICE, "n", 1, ordinal=1, subjects=["person:1"]), put(BOB, "k", 1, subjects=["person:1"])
    write(store, ALICE, change, neighbour)
    write(store, BOB, namesake)

    write(store, ALICE, SetFields(ALICE, "k", {name: value}))

    with store.view() as view:
        held = view.memories(ALICE, ["k", "n"])
        assert held == {"k": attrs.evolve(change.memory, **{name: value}), "n": neighbour.memory}
        assert type(getattr(held["k"], name)) is type(value)
        assert view.memories(BOB, ["k"]) == {"k": namesake.memory}


@promise("fields.set")
def test_several_fields_are_set_at_once(store: Store) -> None:
    write(store, ALICE, change := put(ALICE, "k", 1))
    values: dict[str, Any] = {
        "status": Status.HELD,
        "tier": Tier.PRIVATE,
        "subjects": ("p",),
        "salience_thousandths": 7,
    }

    write(store, ALICE, SetFields(ALICE, "k", values))

    with store.view() as view:
        assert view.memories(ALICE, ["k"]) == {"k": attrs.evolve(change.memory, **values)}


@promise("fields.set")
def test_setting_no_fields_changes_nothing(store: Store) -> None:
    write(store, ALICE, change := put(ALICE, "k", 1, subjects=["p"]))

    write(store, ALICE, SetFields(ALICE, "k", {}))

    with store.view() as view:
        assert view.memories(ALICE, ["k"]) == {"k": change.memory}
        assert list(view.about("p", limit=9)) == [(ALICE, "k")]


@promise("fields.set", "snapshot.about")
def test_setting_subjects_moves_the_memory_between_them(store: Store) -> None:
    write(store, ALICE, put(ALICE, "k", 1, subjects=["p", "q"]), put(ALICE, "n", 1, ordinal=1, subjects=["p"]))
    write(store, BOB, put(BOB, "k", 1, subjects=["p"]))

    write(store, ALICE, SetFields(ALICE, "k", {"subjects": ("q", "r")}))

    with store.view() as view:
        assert {ref: list(view.about(ref, limit=9)) for ref in "pqr"} == {
            "p": [(ALICE, "n"), (BOB, "k")],
            "q": [(ALICE, "k")],
            "r": [(ALICE, "k")],
        }


@promise("fields.set", "snapshot.citing")
def test_setting_further_sources_makes_the_memory_cite_them(store: Store) -> None:
    write(store, ALICE, put(ALICE, "k", 1, sources=["s", "t"]), put(ALICE, "n", 1, ordinal=1, sources=["u"]))
    write(store, ALICE, put(ALICE, "0", 2, sources=["t"]))
    write(store, BOB, put(BOB, "k", 1, sources=["u"]))

    write(store, ALICE, SetFields(ALICE, "k", {"further_sources": ("u", "v")}))
    # What it cites already counts once.
    write(store, ALICE, SetFields(ALICE, "k", {"further_sources": ("u", "v", "t")}))

    with store.view() as view:
        assert {source: list(keys) for source, keys in view.citing(ALICE, "stuvw").items()} == {
            "s": ["k"],
            "t": ["k", "0"],
            "u": ["k", "n"],
            "v": ["k"],
        }
        assert {source: list(keys) for source, keys in view.citing(BOB, "stuvw").items()} == {"u": ["k"]}
        assert view.memories(ALICE, ["k"])["k"].sources == ("s", "t", "u", "v", "t")


@promise("fields.set", "snapshot.records")
def test_setting_fields_moves_nothing_in_the_streams(store: Store) -> None:
    write(store, ALICE, put(ALICE, "a", 1, subjects=["p"]), put(ALICE, "b", 1, ordinal=1))

    write(store, ALICE, SetFields(ALICE, "a", {"subjects": (), "status": Status.RETIRED}))

    held = contents_of(store)["held"][ALICE]
    assert [record.memory.key for record in held["records"]] == ["a", "b"]
    assert held["records"][0].memory == held["memories"]["a"]
    assert held["records"][0].memory.given.subjects == ("p",)
