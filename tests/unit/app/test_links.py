"""Contradictions and associations: recorded once, told by `why` of every member, ended, and kept in the past."""

import pytest

from reminisce import Association, Contradiction, Destination, Owner, Status
from tests.unit.app.worlds import World


@pytest.fixture
def three(ann: Owner) -> Owner:
    """An owner of the memories a, b and c."""
    ann.remember_many({"content": f"it is {key}", "key": key} for key in "abc")
    return ann


def contradictions(owner: Owner, key: str) -> list[tuple[tuple[str, ...], tuple[str, ...], int, int | None]]:
    return [(held.between, held.claim, held.since, held.until) for held in owner.why(key).contradictions]


def associations(owner: Owner, key: str) -> list[tuple[str, tuple[str, ...], int | None]]:
    return [(held.kind, held.keys, held.until) for held in owner.why(key).associations]


def test_both_sides_of_a_contradiction_tell_it_and_stay_in_force(three: Owner) -> None:
    answer = three.contradict("b", "a", reason="north is not south")

    told = [three.why(key).contradictions for key in "abc"]
    assert (answer.created, answer.revision) == (True, 2)
    assert told[0] == told[1] == (Contradiction(answer.name, ("a", "b"), (), "north is not south", 2, None, None),)
    assert told[2] == ()
    assert three.stats().by_status == {"active": 3}


def test_a_claim_may_be_a_memory(three: Owner) -> None:
    three.contradict("a", "b", claim="c")

    assert [contradictions(three, key) for key in "abc"] == [[(("a", "b"), ("c",), 2, None)]] * 3


def test_a_claim_may_be_one_of_the_sides(three: Owner) -> None:
    three.contradict("a", "b", claim=["a"])

    assert contradictions(three, "b") == [(("a", "b"), ("a",), 2, None)]


def test_a_claim_may_be_a_derivation(three: Owner) -> None:
    three.remember("so it is not b", key="d", derived_from=["c"])

    three.contradict("a", "b", claim=["d", "c"])

    assert [contradictions(three, key) for key in "abcd"] == [[(("a", "b"), ("d", "c"), 3, None)]] * 4


def test_the_same_contradiction_is_recorded_once_whichever_side_is_named_first(three: Owner) -> None:
    first = three.contradict("a", "b", claim="c", reason="r")

    again = three.contradict("b", "a", claim=["c", "c"], reason="r")

    assert (again.name, again.created, again.revision) == (first.name, False, 2)


@pytest.mark.parametrize("other", [{}, {"claim": "c"}, {"claim": "b", "reason": "r"}, {"reason": "s"}])
def test_other_words_or_another_claim_are_another_contradiction(three: Owner, other: dict[str, str]) -> None:
    three.contradict("a", "b", claim="c", reason="r")

    assert three.contradict("a", "b", **other).created
    assert len(three.why("a").contradictions) == 2


def test_resolving_ends_all_between_two_and_keeps_them_in_the_past(three: Owner) -> None:
    names = (three.contradict("a", "b").name, three.contradict("a", "b", claim="c").name)
    three.contradict("a", "c")

    answer = three.resolve("b", "a", reason="a was a typo")

    assert (answer.names, answer.revision) == (names, 5)
    assert [held.resolution for held in three.why("b").contradictions] == ["a was a typo"] * 2
    assert [until for *_, until in contradictions(three, "a")] == [5, 5, None]


def test_resolving_twice_resolves_once(three: Owner) -> None:
    three.contradict("a", "b")
    three.resolve("a", "b")

    assert three.resolve("a", "b", reason="again").names == ()
    assert three.revision() == 3
    assert three.contradict("a", "b").created


def test_a_contradiction_of_which_both_sides_were_replaced_is_ended_once(ann: Owner) -> None:
    ann.remember("it is a", key="a")
    ann.remember("it is b", key="b", supersedes=["a"])
    name = ann.contradict("a", "b").name
    ann.remember("it is c", key="c", supersedes=["b"])

    assert ann.resolve("c", "b").names == (name,)
    assert ann.resolve("c", "b").names == ()


def test_one_resolve_settles_what_a_correction_took_over(three: Owner) -> None:
    names = [three.contradict("a", "b").name]
    three.correct("a", content="it is A", new_key="A")
    three.correct("A", content="it is AA", new_key="AA")
    names += [held.name for key in ("A", "AA") for held in three.why(key).contradictions]

    answer = three.resolve("AA", "b")

    assert answer.names == tuple(names)
    assert [until for *_, until in contradictions(three, "b")] == [answer.revision] * 3


def test_a_contradiction_is_there_in_the_past_in_which_it_was_open(three: Owner) -> None:
    three.contradict("a", "b", reason="r")
    three.resolve("a", "b", reason="s")

    told = [three.why("a", as_of=revision).contradictions for revision in (1, 2, 3)]

    assert [[(held.until, held.resolution) for held in answer] for answer in told] == [[], [(None, None)], [(3, "s")]]


def test_forgotten_memories_may_be_in_a_contradiction(three: Owner) -> None:
    three.forget("a")

    assert three.contradict("a", "b").created
    assert three.why("a").memory.status is Status.RETIRED


def test_an_association_has_members_a_kind_and_facets(three: Owner) -> None:
    answer = three.associate(["c", "a", "b"], "same trip", facets={"place": ["Riga", "Oslo"]})

    facets = (("place", "Oslo"), ("place", "Riga"))
    expected = Association(answer.name, "same trip", ("a", "b", "c"), facets, 2, None)
    assert [three.why(key).associations for key in "abc"] == [(expected,)] * 3


def test_the_same_association_is_made_once_whatever_the_order(three: Owner) -> None:
    first = three.associate(["a", "b"], "trip", facets=[("x", "1")])

    again = three.associate(["b", "a", "b"], "trip", facets={"x": ["1", "1"]})

    assert (again.name, again.created, again.revision) == (first.name, False, 2)


@pytest.mark.parametrize(
    ("keys", "kind", "facets"),
    [("abc", "trip", {}), ("ab", "Trip", {}), ("ab", "trip", {"x": "1"}), ("ac", "trip", {})],
)
def test_other_members_kind_or_facets_are_another_association(
    three: Owner, keys: str, kind: str, facets: dict[str, str]
) -> None:
    three.associate(["a", "b"], "trip")

    assert three.associate(list(keys), kind, facets=facets).created


def test_dissociating_ends_those_of_the_kind_between_exactly_these(three: Owner) -> None:
    ended = [three.associate(["a", "b"], "trip").name, three.associate(["a", "b"], "trip", facets={"x": "1"}).name]
    three.associate(["a", "b", "c"], "trip")
    three.associate(["a", "b"], "topic")

    answer = three.dissociate(["b", "a"], "trip")

    assert answer.names == tuple(sorted(ended))
    assert associations(three, "b") == [
        ("trip", ("a", "b"), 6),
        ("trip", ("a", "b"), 6),
        ("trip", ("a", "b", "c"), None),
        ("topic", ("a", "b"), None),
    ]


def test_dissociating_what_is_not_associated_writes_nothing(three: Owner) -> None:
    three.associate(["a", "b", "c"], "trip")

    assert (three.dissociate(["a", "b"], "trip").names, three.revision()) == ((), 2)


def test_an_association_may_have_256_members(ann: Owner) -> None:
    keys = [line.key for line in ann.remember_many({"content": str(n)} for n in range(256)).lines]

    ann.associate(keys, "list")

    assert associations(ann, keys[7]) == [("list", tuple(sorted(keys)), None)]


def test_a_link_of_which_one_member_is_hidden_is_not_told(world: World, three: Owner) -> None:
    three.reclassify("c", "private")
    three.contradict("a", "b", claim="c")
    three.associate(["a", "b", "c"], "trip")
    three.associate(["a", "b"], "trip")

    remote = world.owner(face={"destination": Destination.REMOTE})

    assert contradictions(remote, "a") == []
    assert associations(remote, "a") == [("trip", ("a", "b"), None)]


def test_a_link_of_which_one_member_shows_its_surface_is_told_without_words(world: World, ann: Owner) -> None:
    ann.remember("a", key="a")
    ann.remember("b", key="b", tier="redacted", surface="s")
    ann.contradict("a", "b", reason="words")
    ann.associate(["a", "b"], "words", facets={"words": "words"})
    ann.resolve("a", "b", reason="words")

    why = world.owner(face={"destination": Destination.REMOTE}).why("a")

    assert [(held.reason, held.resolution) for held in why.contradictions] == [(None, None)]
    assert [(held.kind, held.facets) for held in why.associations] == [("", ())]


def test_what_a_caller_may_not_see_it_does_not_end(world: World, three: Owner) -> None:
    three.contradict("a", "b", claim="c")
    three.reclassify("c", "private")
    remote = world.owner(face={"destination": Destination.REMOTE})

    answer = remote.resolve("a", "b")

    assert answer.names == ()
    assert contradictions(three, "a")[0][3] is None


def test_links_of_another_owner_with_the_same_keys_are_its_own(world: World, three: Owner) -> None:
    bob = world.owner("agent:bob")
    bob.remember_many({"content": f"it is {key}", "key": key} for key in "abc")

    three.contradict("a", "b")
    three.associate(["a", "b"], "trip")

    assert (contradictions(bob, "a"), associations(bob, "a"), bob.revision()) == ([], [], 1)


def test_the_log_names_the_members_of_a_link(world: World, three: Owner) -> None:
    three.contradict("a", "b", claim="c")
    three.resolve("a", "b")
    three.associate(["a", "b"], "trip")

    with world.store.view() as view:
        entries = [(entry.operation, sorted(entry.keys)) for entry in view.log("agent:alice", since=1)]

    assert entries == [("contradict", ["a", "b", "c"]), ("resolve", ["a", "b", "c"]), ("associate", ["a", "b"])]
