"""What leaves: tier by destination, then near-duplicates, then the budget."""

from typing import Any

import attrs
import pytest

from reminisce.domain.answers import Item
from reminisce.domain.egress import Leaving, leaving, tokens
from reminisce.domain.masking import MARK, Masks
from reminisce.domain.memory import Attributes, Memory
from reminisce.domain.records import Subject
from reminisce.domain.values import Destination, Status, Tier
from reminisce.domain.visibility import OWNER_ITSELF, Viewer
from reminisce.testing.fakes import NOON

REMOTE = Viewer(destination=Destination.REMOTE)


def memory(key: str, content: str, tier: str = "open", *, subjects: tuple[str, ...] = (), **given: Any) -> Memory:
    said = Attributes(content=content, tier=Tier(tier), **given)
    return Memory(
        owner="agent:alice", key=key, given=said, status=Status.ACTIVE, tier=Tier(tier), subjects=subjects,
        confidence_thousandths=1_000, salience_thousandths=500, recorded_at=NOON, revision=1,
    )  # fmt: skip


def left(*ranked: Memory, viewer: Viewer = OWNER_ITSELF, k: int = 10, budget: int = 1_000) -> Leaving:
    subjects = {"open": Subject("open", ("team",)), "closed": Subject("closed")}
    return leaving(ranked, viewer=viewer, subjects=subjects, k=k, budget=budget, measure=tokens, trust=lambda _: 0.5)


def keys(found: Leaving) -> list[str]:
    return [item.key for item in found.items]


SECRET = memory("secret", "the private gate", "private", sources=("doc:secret",))
VEILED = memory("veiled", "the gate of hyacinth", "redacted", surface="somebody's gate", facets=(("who", "hyacinth"),))
BARE = memory("bare", "the bare gate", "redacted")
PLAIN = memory("plain", "the plain gate", sources=("doc:gate",))


def test_all_of_it_stays_at_home_whole() -> None:
    found = left(SECRET, VEILED, BARE, PLAIN)

    assert [item.text for item in found.items] == [m.content for m in (SECRET, VEILED, BARE, PLAIN)]


def test_what_is_private_or_has_no_surface_never_goes_elsewhere() -> None:
    found = left(SECRET, VEILED, BARE, PLAIN, viewer=REMOTE)

    assert found.items == (
        Item("veiled", "somebody's gate", (), 0.5),
        Item("plain", "the plain gate", ("doc:gate",), 0.5),
    )


def test_what_is_masked_goes_as_what_is_left() -> None:
    found = left(SECRET, BARE, viewer=attrs.evolve(REMOTE, masks=Masks(terms=("bare", "private"))))

    assert [item.text for item in found.items] == [f"the {MARK} gate"]


@pytest.mark.parametrize(("subjects", "seen"), [((), True), (("open",), True), (("open", "closed"), False)])
def test_an_audience_gets_what_every_subject_lets_it_see(subjects: tuple[str, ...], seen: bool) -> None:
    found = left(memory("k", "the gate", subjects=subjects), viewer=Viewer("team"))

    assert bool(found.items) is seen


def test_what_is_hidden_counts_nowhere_and_repeats_nothing() -> None:
    twin = memory("twin", "the private gate!")

    found = left(SECRET, BARE, twin, viewer=REMOTE)

    assert keys(found) == ["twin"]
    assert (found.dropped.near_duplicates, found.dropped.over_budget) == (0, 0)
    assert left(twin, viewer=REMOTE)[:3] == found[:3]


def test_near_duplicates_are_compared_on_what_would_leave() -> None:
    other = memory("other", "something else", "redacted", surface="Somebody's gate!")

    assert keys(left(VEILED, other, viewer=REMOTE)) == ["veiled"]
    assert keys(left(VEILED, other)) == ["veiled", "other"]


def test_what_does_not_fit_is_left_out_whole_and_a_smaller_one_follows() -> None:
    ranked = [memory(key, key * size) for key, size in (("a", 16), ("b", 21), ("c", 13), ("d", 4))]

    found = left(*ranked, budget=9)

    assert [item.text for item in found.items] == ["a" * 16, "c" * 13, "d" * 4]
    assert (found.used, found.dropped.over_budget) == (9, 1)


def test_what_repeats_something_too_large_is_a_repeat_all_the_same() -> None:
    found = left(memory("a", "the large gate!!!!!"), memory("b", "the large gate"), budget=4)

    assert (keys(found), found.dropped.near_duplicates, found.dropped.over_budget) == ([], 1, 1)


def test_a_budget_of_nothing_holds_nothing() -> None:
    found = left(PLAIN, budget=0)

    assert (found.items, found.used, found.dropped.over_budget) == ((), 0, 1)


def test_k_is_reached_by_what_leaves_and_ends_the_look() -> None:
    found = left(PLAIN, attrs.evolve(PLAIN, key="again"), VEILED, BARE, SECRET, k=2)

    assert (keys(found), found.looked_at) == (["plain", "veiled"], 3)


@pytest.mark.parametrize(("text", "count"), [("a", 1), ("abcd", 1), ("abcde", 2), ("猫", 1), ("猫猫", 2)])
def test_a_token_is_counted_for_every_four_bytes_begun(text: str, count: int) -> None:
    assert tokens(Item("k", text, (), 1.0)) == count
