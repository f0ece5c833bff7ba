"""Tiers and consents: what is handed on, what is not, and when it takes effect."""

from collections.abc import Callable
from typing import Any

import pytest

from reminisce import CursorExpiredError, Destination, NotFoundError, Owner, Reclassified, Status, Tier
from tests.unit.app.worlds import World, contents, day

REMOTE = {"destination": Destination.REMOTE}


def tiers(owner: Owner, *keys: str) -> list[str]:
    return [owner.why(key).memory.tier for key in keys]


@pytest.fixture
def chain(world: World, ann: Owner) -> Owner:
    """
    An owner of a, from which b was derived and c from that; d superseded c; believed e, ended by f; z stands apart.

    b also comes from z.
    """
    ann.remember("it is a", key="a")
    ann.remember("it is z", key="z")
    ann.remember("it is b", key="b", derived_from=["a", "z"])
    ann.remember("it is c", key="c", derived_from=["b"])
    ann.remember("it is d", key="d", supersedes=["c"])
    ann.believe("k", "city", "Riga", key="e", derived_from=["a"])
    world.wait(1)
    ann.believe("k", "city", "Oslo", key="f")
    return ann


def test_a_stricter_tier_is_handed_on_to_all_that_comes_from_it(chain: Owner) -> None:
    answer = chain.reclassify("a", "private")

    assert answer == Reclassified("a", Tier.PRIVATE, True, 8)
    assert tiers(chain, *"abcdefz") == ["private"] * 6 + ["open"]


def test_a_stricter_tier_leaves_what_is_stricter_still(chain: Owner) -> None:
    chain.reclassify("c", "private")

    chain.reclassify("a", "redacted")

    assert tiers(chain, *"abcd") == ["redacted", "redacted", "private", "private"]


def test_a_less_strict_tier_is_one_memory_s_alone(chain: Owner) -> None:
    chain.reclassify("a", "private")

    answer = chain.reclassify("b", "open")

    assert (answer.tier, answer.changed) == (Tier.OPEN, True)
    assert tiers(chain, *"abcd") == ["private", "open", "private", "private"]


def test_what_is_derived_later_takes_the_tier_in_force(chain: Owner) -> None:
    chain.remember("was private", key="p", tier="private")
    chain.reclassify("p", "open")

    chain.remember("sum", key="s", derived_from=["p"])

    assert tiers(chain, "p", "s") == ["open", "open"]
    assert chain.why("p").memory.given.tier is Tier.PRIVATE


def test_the_same_tier_changes_nothing(chain: Owner) -> None:
    assert chain.reclassify("a", "open") == Reclassified("a", Tier.OPEN, False, 7)


def test_it_reaches_every_status(world: World, ann: Owner) -> None:
    holding = world.owner(face={"review_aspects": frozenset({"semantic"})})
    holding.remember("held", key="h", aspects=["semantic"])
    ann.remember("retired", key="r")
    ann.forget("r")
    ann.remember("superseded", key="s")
    ann.remember("newer", key="n", supersedes=["s"])

    for key in "hrs":
        ann.reclassify(key, "private")

    assert tiers(ann, *"hrsn") == ["private"] * 4


def test_a_derivative_of_a_held_memory_is_reached_as_well(world: World, ann: Owner) -> None:
    ann.remember("source", key="a")
    holding = world.owner(face={"review_aspects": frozenset({"semantic"}), "reviewer": "rita"})
    holding.remember("held", key="h", aspects=["semantic"], derived_from=["a"])
    holding.remember("sum", key="s", derived_from=["h"])

    ann.reclassify("a", "private")

    assert tiers(ann, "h", "s") == ["private", "private"]


@pytest.mark.parametrize("tier", ["private", "redacted", "open"])
def test_it_takes_effect_at_the_next_recall_of_every_process(world: World, ann: Owner, tier: str) -> None:
    ann.remember("tea", key="a", tier="redacted" if tier != "redacted" else "open", surface="something warm")
    remote = world.owner(face=REMOTE)
    contents(remote.recent())

    ann.reclassify("a", tier)

    assert contents(remote.recent()) == {"private": [], "redacted": ["something warm"], "open": ["tea"]}[tier]
    assert contents(remote.recall("tea")) == (["tea"] if tier == "open" else [])


def test_whoever_sees_a_surface_cannot_lay_open_what_is_behind_it(world: World, ann: Owner) -> None:
    ann.remember("tea", key="a", tier="redacted", surface="something warm")
    remote = world.owner(face=REMOTE)

    with pytest.raises(NotFoundError) as caught:
        remote.reclassify("a", "open")
    before = tiers(ann, "a")

    assert (caught.value.fields, before) == (("key",), ["redacted"])
    assert remote.reclassify("a", "private").changed


@pytest.mark.parametrize("tier", ["redacted", "open"])
def test_it_expires_cursors(ann: Owner, tier: str) -> None:
    ann.remember_many({"content": f"tea {number}", "key": f"k{number}", "tier": "private"} for number in range(3))
    ann.reclassify("k0", "redacted" if tier == "open" else "open")
    cursor = ann.recall("tea", k=1).cursor

    ann.reclassify("k0", tier)

    with pytest.raises(CursorExpiredError):
        ann.recall("tea", k=1, cursor=cursor)


def test_a_tier_that_stays_expires_no_cursor(ann: Owner) -> None:
    ann.remember_many({"content": f"tea {number}", "key": f"k{number}"} for number in range(3))
    cursor = ann.recall("tea", k=1).cursor

    ann.reclassify("k0", "open")

    assert len(ann.recall("tea", k=1, cursor=cursor)) == 1


def test_it_is_told_in_the_history(chain: Owner) -> None:
    chain.reclassify("a", "private")

    assert [(event.operation, event.status) for event in chain.why("a").history] == [
        ("remember", Status.ACTIVE),
        ("reclassify", Status.ACTIVE),
    ]


def test_a_remote_face_that_makes_something_private_sees_it_no_more(world: World, ann: Owner) -> None:
    ann.remember("tea", key="a")
    remote = world.owner(face=REMOTE)

    answer = remote.reclassify("a", "private")

    assert (answer.tier, contents(remote.recent()), remote.stats().memories) == (Tier.PRIVATE, [], 0)


ASKED: dict[str, Callable[[Owner], int]] = {
    "recall": lambda owner: len(owner.recall("tea")),
    "recent": lambda owner: len(owner.recent()),
    "as_of": lambda owner: len(owner.as_of(1)),
    "beliefs": lambda owner: len(owner.beliefs("p")),
    "stats": lambda owner: owner.stats().memories,
    "forget": lambda owner: len(owner.forget(subject="p", dry_run=True).forgotten),
    "prune": lambda owner: len(owner.prune(threshold=1, dry_run=True).pruned),
}


@pytest.mark.parametrize("asked", ASKED)
def test_a_consent_takes_effect_in_another_process_at_its_next_call(world: World, asked: str) -> None:
    memories = world.memories()
    memories.owner("agent:alice").believe("p", "drinks", "tea", salience=0.1)
    team = world.owner(face={"audience": "team"})

    seen = [ASKED[asked](team)]
    for audiences in (["team"], ["press"], ["press", "team"], []):
        memories.consent("p", audiences)
        seen.append(ASKED[asked](team))

    assert seen == [0, 1, 0, 1, 0]


def test_a_subject_that_is_added_by_a_reinforcement_counts_at_once(world: World) -> None:
    memories = world.memories()
    ann = memories.owner("agent:alice")
    memories.consent("p", ["team"])
    ann.believe("p", "drinks", "tea")
    team = world.owner(face={"audience": "team"})
    before = len(team.recall("tea"))

    ann.believe("p", "drinks", "tea", subjects=["p", "q"])

    assert (before, len(team.recall("tea")), len(team.beliefs("p"))) == (1, 0, 0)


def test_what_a_belief_inherits_from_the_one_it_ends_is_handed_on(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga", tier="private", subjects=["k", "l"])
    world.wait(1)

    key = ann.believe("k", "city", "Oslo").key

    memory = ann.why(key).memory
    assert (memory.tier, memory.subjects, memory.given.subjects) == ("private", ("k", "l"), ("k",))


def test_a_belief_that_comes_between_hands_on_to_what_comes_from_it(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Oslo", key="o")
    ann.remember("sum", key="s", derived_from=["o"])
    world.wait(1)
    ann.believe("k", "city", "Riga", key="r", tier="private", valid_from=day(-5))

    # What follows in time was not said in its place: it inherits nothing from what was learned of the time before.
    assert tiers(ann, *"ors") == ["open", "private", "open"]


def test_a_memory_about_nobody_is_seen_by_every_audience(world: World, ann: Owner) -> None:
    ann.remember("tea")

    assert len(world.owner(face={"audience": "anybody"}).recall("tea")) == 1


@pytest.mark.parametrize("face", [{"audience": "team"}, REMOTE, {"audience": "team"} | REMOTE])
def test_what_is_hidden_changes_no_count_and_no_score(world: World, ann: Owner, face: dict[str, Any]) -> None:
    bob = world.owner("agent:bob")
    for owner in (ann, bob):
        owner.remember_many(
            {"content": f"tea {number} milk", "key": f"k{number}", "episode": "e"} for number in range(4)
        )
    ann.remember("tea tea milk", key="x", episode="e", tier="private", subjects=["p"], fact=("p", "drinks", "tea"))

    told = []
    for name in (ann.name, bob.name):
        owner = world.owner(name, face=face)
        found = owner.recall("tea milk", explain=True)
        told.append(
            (
                [(hit.memory.key, hit.score, hit.explanation) for hit in found],
                found.considered,
                owner.stats().by_tier,
                owner.stats().live_beliefs,
            )
        )

    assert told[0] == told[1]
