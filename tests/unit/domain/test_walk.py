"""A walk over derivations: rings, bounds, and what one memory is trusted."""

import datetime as dt
from collections.abc import Mapping
from itertools import pairwise
from unittest.mock import patch

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reminisce.domain import walk as walking
from reminisce.domain.changes import Commit, PutLink, PutMemory
from reminisce.domain.memory import Attributes, Memory
from reminisce.domain.provenance import trust_of
from reminisce.domain.records import Link, LinkKind, Member
from reminisce.domain.state import State, apply
from reminisce.domain.values import Basis, Destination, Status, Tier
from reminisce.domain.visibility import OWNER_ITSELF, Viewer
from reminisce.domain.walk import Walk

OWNER = "agent:alice"
NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
REMOTE = Viewer(None, Destination.REMOTE)


def memory(key: str, tier: Tier = Tier.OPEN) -> Memory:
    return Memory(
        owner=OWNER, key=key, given=Attributes(content=key), status=Status.ACTIVE, tier=tier, subjects=(),
        confidence_thousandths=1000, salience_thousandths=500, recorded_at=NOON, revision=1,
    )  # fmt: skip


def ground(derived: Mapping[str, str], private: str = "") -> State:
    """Memories of one letter each, and for each the letters that it was derived from."""
    keys = sorted({*derived, *"".join(derived.values())})
    links = [
        Link(f"{key}{source}", LinkKind.DERIVATION, (Member("derived", key), Member("source", source)), 1)
        for key, sources in derived.items()
        for source in sources
    ]
    made = [PutMemory(memory(key, Tier.PRIVATE if key in private else Tier.OPEN), key.encode()) for key in keys]
    return apply(State("0" * 32), Commit(id="c", changes=(*made, *(PutLink(OWNER, link) for link in links))))


def chain(length: int) -> dict[str, str]:
    """a was derived from b, b from c, …: so many steps."""
    return {chr(97 + place): chr(98 + place) for place in range(length)}


def up(state: State, viewer: Viewer = OWNER_ITSELF, start: str = "a") -> Walk:
    return Walk(state, OWNER, viewer, start, "derived")


def down(state: State, start: str, viewer: Viewer = OWNER_ITSELF) -> Walk:
    return Walk(state, OWNER, viewer, start, "source")


def rings(walk: Walk, depth: int = 16) -> list[str]:
    return ["".join(sorted(ring)) for ring in walk.rings(depth)]


def test_rings_are_what_lies_at_each_distance() -> None:
    walk = up(ground({"a": "bc", "b": "d", "c": "de", "d": "f"}))

    assert rings(walk) == ["bc", "de", "f"]
    assert walk.complete
    assert walk.far == {"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": ["f"], "e": [], "f": []}


def test_a_cycle_ends_the_walk() -> None:
    walk = up(ground({"a": "b", "b": "c", "c": "a"}))

    assert rings(walk) == ["b", "c"]
    assert walk.complete


def test_a_memory_derived_from_itself_is_not_its_own_ancestor() -> None:
    assert rings(up(ground({"a": "b", "b": "a"}))) == ["b"]


@pytest.mark.parametrize(("depth", "found", "complete"), [(1, 1, False), (2, 2, False), (3, 3, True), (4, 3, True)])
def test_a_walk_says_when_its_depth_left_something_out(depth: int, found: int, complete: bool) -> None:
    walk = up(ground(chain(3)))

    assert len(rings(walk, depth)) == found
    assert walk.complete is complete


def test_a_walk_goes_around_what_may_not_be_seen() -> None:
    # What lies behind something hidden is reached another way or not at all, and nothing tells that it is there.
    state = ground({"a": "bx", "b": "c", "x": "cd"}, private="x")

    walk = up(state, REMOTE)

    assert rings(walk) == ["b", "c"]
    assert walk.complete
    assert rings(up(ground({"a": "x", "x": "d"}, private="x"), REMOTE), 1) == []


def test_what_is_hidden_behind_the_depth_asked_for_is_not_told() -> None:
    walk = up(ground(chain(2), private="c"), REMOTE)

    assert rings(walk, 1) == ["b"]
    assert walk.complete


def viewers() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("viewer", [OWNER_ITSELF, REMOTE], ids=["owner", "remote"])


@viewers()
@pytest.mark.parametrize(("length", "complete"), [(3, True), (4, True), (5, False), (9, False)])
def test_a_walk_visits_so_many_memories_and_says_when_there_were_more(
    length: int, complete: bool, viewer: Viewer
) -> None:
    with patch.object(walking, "WALK", 4):
        walk = up(ground(chain(length)), viewer)

        assert len(rings(walk, 100)) == min(length, 4)
        assert walk.complete is complete


@viewers()
@pytest.mark.parametrize("shape", ["chain", "star"])
@pytest.mark.parametrize(("length", "complete"), [(3, True), (4, True), (5, False), (9, False)])
def test_a_count_goes_as_far_and_says_when_there_were_more(
    length: int, complete: bool, shape: str, viewer: Viewer
) -> None:
    derived = chain(length) if shape == "chain" else {"a": "".join(chr(98 + place) for place in range(length))}
    with patch.object(walking, "WALK", 4):
        walk = up(ground(derived), viewer)

        assert walk.count() == min(length, 4)
        assert walk.complete is complete


@viewers()
def test_a_wide_ring_is_cut_at_the_bound(viewer: Viewer) -> None:
    with patch.object(walking, "WALK", 4):
        walk = up(ground({"a": "bcdefg"}), viewer)

        assert rings(walk) == ["bcde"]
        assert not walk.complete


@viewers()
def test_a_walk_follows_so_many_derivations_and_says_when_there_were_more(viewer: Viewer) -> None:
    # a's four use up the bound, so that none of its sources is asked for its own.
    derived = {"a": "bcde", "b": "f", "c": "g"}
    with patch.object(walking, "EDGES", 4):
        walk, count = up(ground(derived), viewer), up(ground(derived), viewer)

        assert rings(walk) == ["bcde"]
        assert not walk.complete
        assert count.count() == 4
        assert not count.complete


@given(
    st.dictionaries(
        st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=3).map("".join)
    ),
    st.sampled_from(("", "b", "cd")),
    st.sampled_from((OWNER_ITSELF, REMOTE)),
)
def test_a_walk_finds_what_a_naive_search_finds(drawn: dict[str, str], private: str, viewer: Viewer) -> None:
    # Nothing is derived from itself: a request that says so is refused.
    derived = {"a": "", **{key: sources.replace(key, "") for key, sources in drawn.items()}}
    hidden = set() if viewer is OWNER_ITSELF else set(private)
    seen = [{"a"}]
    while ring := {far for key in seen[-1] for far in derived.get(key, "")} - hidden - set().union(*seen):
        seen.append(ring)

    walk, count = up(ground(derived, private), viewer), up(ground(derived, private), viewer)

    assert rings(walk) == ["".join(sorted(ring)) for ring in seen[1:]]
    assert count.count() == sum(map(len, seen[1:]))
    assert walk.complete
    assert count.complete


def test_both_directions_meet() -> None:
    state = ground(chain(5))

    assert rings(down(state, "f")) == ["e", "d", "c", "b", "a"]
    assert all(rings(down(state, later), 1) == [earlier] for earlier, later in pairwise("abcdef"))


def test_an_ended_derivation_is_not_followed() -> None:
    state = ground({"a": "b"})
    link = state.links(OWNER, ["a"])["a"][0]
    ended = attrs.evolve(link, name="ended", members=(Member("derived", "a"), Member("source", "c")), until=1)
    changes = (PutMemory(memory("c"), b"c"), PutLink(OWNER, ended))

    assert rings(up(apply(state, Commit(id="d", changes=changes)))) == ["b"]


# Trust


@pytest.mark.parametrize(
    ("basis", "worth"),
    [
        (Basis.OBSERVED, 1000),
        (Basis.TOLD, 900),
        (Basis.IMPORTED, 800),
        (Basis.INFERRED, 700),
        (Basis.GENERATED, 500),
    ],
)
def test_each_basis_is_worth_something_of_its_own(basis: Basis, worth: int) -> None:
    given_ = Attributes(content="tea", basis=basis)

    assert trust_of(attrs.evolve(memory("a"), given=given_)) == worth


@given(st.integers(0, 1000), st.integers(0, 1000), st.sampled_from(tuple(Basis)))
def test_trust_is_rounded_down_and_grows_with_confidence(one: int, other: int, basis: Basis) -> None:
    def trusted(confidence: int) -> int:
        given_ = Attributes(content="tea", basis=basis)
        return trust_of(attrs.evolve(memory("a"), given=given_, confidence_thousandths=confidence))

    assert trusted(min(one, other)) <= trusted(max(one, other)) <= max(one, other)
    assert trusted(one) == one * trusted(1000) // 1000


def test_confidence_in_force_counts_not_the_one_given() -> None:
    surer = attrs.evolve(memory("a"), given=Attributes(content="tea", confidence=200), confidence_thousandths=700)

    assert trust_of(surer) == 700
