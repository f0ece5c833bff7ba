"""Consolidation: uses and decay brought into salience, once an interval, whoever writes and stops meanwhile."""

import datetime as dt
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from reminisce import Consolidated, Destination, Owner, Status, StoreError
from reminisce.app.service import fading
from reminisce.domain.changes import Commit
from reminisce.ports.store import Store, View
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import World, day

MONTH = dt.timedelta(days=30)


def salience(owner: Owner, *keys: str) -> list[float]:
    return [owner.why(key).memory.salience for key in keys]


def keep(owner: Owner, **saliences: float) -> None:
    owner.remember_many({"content": f"tea {key}", "key": key, "salience": share} for key, share in saliences.items())


def test_a_consolidation_leaves_what_decay_leaves(world: World, ann: Owner) -> None:
    keep(ann, a=1.0, b=0.5, c=0.001)
    now = world.wait(30)

    answer = ann.consolidate(half_life=MONTH)

    assert answer == Consolidated(now, 3, (), True, 2)
    assert salience(ann, "a", "b", "c") == [0.5, 0.25, 0.0]


def test_a_thousandth_s_half_is_rounded_to_even(world: World, ann: Owner) -> None:
    keep(ann, a=0.001, b=0.003)
    world.wait(30)

    ann.consolidate(half_life=MONTH)

    assert salience(ann, "a", "b") == [0.0, 0.002]


def test_a_second_consolidation_changes_nothing_and_says_so(world: World, ann: Owner) -> None:
    keep(ann, a=1.0)
    now = world.wait(30)
    ann.consolidate(half_life=MONTH)
    before = contents_of(world.store)

    again = ann.consolidate(half_life=MONTH)

    assert again == Consolidated(now, 0, (), False, 2)
    assert contents_of(world.store) == before


def test_an_earlier_end_after_a_later_one_changes_nothing(world: World, ann: Owner) -> None:
    keep(ann, a=1.0)
    world.wait(30)
    ann.consolidate(half_life=MONTH)

    assert not ann.consolidate(day(10), half_life=MONTH).done
    assert salience(ann, "a") == [0.5]


def test_many_short_intervals_leave_what_one_long_one_does(world: World, ann: Owner) -> None:
    keep(ann, a=1.0)
    bob = world.owner("agent:bob")
    keep(bob, a=1.0)

    for _ in range(72):
        world.wait(1 / 144)
        ann.consolidate(half_life=MONTH)
    bob.consolidate(half_life=MONTH)

    assert salience(ann, "a") == pytest.approx(salience(bob, "a"), abs=0.001)


def test_uses_are_folded_in_once(world: World, ann: Owner) -> None:
    keep(ann, a=0.5)
    ann.reinforce("a")
    ann.reinforce("a")

    world.wait(1)
    ann.consolidate(half_life=0)
    after = salience(ann, "a")
    world.wait(1)
    ann.consolidate(half_life=0)
    ann.reinforce("a")
    world.wait(1)
    ann.consolidate(half_life=0)

    # Each closes a tenth of what is missing to 1: 1 - 0.5 x 0.9^2, then 1 - 0.405 x 0.9 = 0.6355, to even.
    assert (after, salience(ann, "a")) == ([0.595], [0.636])
    assert ann.why("a").memory.uses == 3


def test_a_half_life_of_nothing_means_no_decay(world: World, ann: Owner) -> None:
    keep(ann, a=0.5)
    world.wait(3650)

    assert ann.consolidate(half_life=0).changed == 0
    assert salience(ann, "a") == [0.5]


def test_what_falls_below_the_threshold_is_retired_with_a_reason(world: World, ann: Owner) -> None:
    keep(ann, a=1.0, b=0.5, c=0.2)
    world.wait(30)

    answer = ann.consolidate(half_life=MONTH, threshold=0.25)

    assert (answer.retired, answer.changed) == (("c",), 3)
    assert [ann.why(key).memory.status for key in "abc"] == ["active", "active", "retired"]
    event = ann.why("c").history[-1]
    assert (event.operation, event.reason) == ("consolidate", "faded")
    assert len(ann.recall("tea")) == 2


def test_what_was_made_after_the_interval_is_left_alone(world: World, ann: Owner) -> None:
    keep(ann, a=1.0)
    world.wait(30)
    keep(ann, b=1.0)
    world.wait(30)

    ann.consolidate(day(30), half_life=MONTH)

    assert salience(ann, "a", "b") == [0.5, 1.0]


def test_an_owner_of_nothing_has_nothing_to_consolidate(ann: Owner) -> None:
    answer = ann.consolidate()

    assert (answer.changed, answer.revision, ann.revision()) == (0, 0, 0)


def test_a_consolidation_moves_no_score(world: World, ann: Owner) -> None:
    keep(ann, a=1.0, b=0.5)
    before = [(hit.memory.key, hit.score) for hit in ann.recall("tea")]
    world.wait(30)

    ann.consolidate()

    assert [(hit.memory.key, hit.score) for hit in ann.recall("tea")] == before


class Stumbling:
    """A store that is out of order at its n-th commit."""

    def __init__(self, store: Store, at: int) -> None:
        self._store = store
        self.left = at

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        self.left -= 1
        if not self.left:
            raise StoreError
        self._store.commit(commit, within=within)


@pytest.fixture
def _small() -> Iterator[None]:
    with patch.object(fading, "BATCH", 2):
        yield


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_a_consolidation_that_was_stopped_is_finished_by_calling_again(world: World, ann: Owner, at: int) -> None:
    keys = "abcdefg"
    keep(ann, **dict.fromkeys(keys, 1.0))
    for key in "aceg":
        ann.reinforce(key)
    world.wait(30)
    stumbling = world.through(Stumbling(world.store, at))  # type: ignore[arg-type]

    with pytest.raises(StoreError):
        stumbling.owner().consolidate(half_life=MONTH, threshold=0.52)
    done = sum(share < 1 for share in salience(ann, *keys))
    answer = ann.consolidate(half_life=MONTH, threshold=0.52)

    assert done == 2 * (at - 1)
    assert answer.done
    assert answer.changed == len(keys) - done
    assert salience(ann, *keys) == [0.55, 0.5] * 3 + [0.55]
    assert [ann.why(key).memory.status == "retired" for key in keys] == [False, True] * 3 + [False]
    assert not ann.consolidate(half_life=MONTH).done


@pytest.mark.usefixtures("_small")
def test_others_write_between_two_batches(world: World, ann: Owner) -> None:
    keep(ann, **dict.fromkeys("abcdef", 1.0))
    world.wait(30)

    class Busy(Stumbling):
        """Another writer comes after every commit."""

        def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
            self._store.commit(commit, within=within)
            ann.reinforce("f")
            ann.remember(f"meanwhile {ann.revision()}")

    answer = world.through(Busy(world.store, 0)).owner().consolidate(half_life=MONTH)  # type: ignore[arg-type]

    assert (answer.done, answer.changed) == (True, 6)
    # Two batches had passed before the one that f is in, so that two of its uses are in; the others wait for the next time.
    assert salience(ann, *"abcdef") == [0.5] * 5 + [0.595]
    assert ann.why("f").memory.uses == 4
    assert ann.stats().memories == 10


@pytest.mark.usefixtures("_small")
def test_of_two_consolidations_at_once_one_does_it(world: World, ann: Owner) -> None:
    keep(ann, **dict.fromkeys("abcd", 1.0))
    world.wait(30)
    other = world.owner()

    class Beaten(Stumbling):
        """Another process consolidates, too, before the first commit."""

        def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
            if self.left == 1:
                self.left = 0
                other.consolidate(half_life=MONTH)
            self._store.commit(commit, within=within)

    answer = world.through(Beaten(world.store, 1)).owner().consolidate(half_life=MONTH)  # type: ignore[arg-type]

    assert (answer.done, answer.changed) == (False, 0)
    assert salience(ann, *"abcd") == [0.5] * 4


def test_consolidating_names_and_retires_nothing_that_the_caller_may_not_see(world: World, ann: Owner) -> None:
    ann.remember("tea", key="a", salience=0.1, tier="private")
    world.wait(30)

    answer = world.owner(face={"destination": Destination.REMOTE}).consolidate(threshold=1)

    assert answer.retired == ()
    assert (ann.why("a").memory.status, salience(ann, "a")) == (Status.ACTIVE, [0.05])


def test_uses_are_folded_in_although_the_salience_was_rounded_down_before(world: World, ann: Owner) -> None:
    keep(ann, a=0.01)
    world.wait(2.4)
    ann.consolidate(half_life=MONTH)
    before = salience(ann, "a")
    ann.reinforce("a")
    world.wait(1)

    answer = ann.consolidate(half_life=MONTH, threshold=0.2)

    assert before == [0.009]
    assert (salience(ann, "a"), answer.changed, answer.retired) == ([0.108], 1, ("a",))
