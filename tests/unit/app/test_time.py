"""Time passing: uses counted, what has faded, decay of the host's own."""

import datetime as dt

import pytest

from reminisce import Destination, Owner, Pruned, Reinforced, Status, StatusError
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import Deciding, World, contents

MONTH = dt.timedelta(days=30)


def salience(owner: Owner, *keys: str) -> list[float]:
    return [owner.why(key).memory.salience for key in keys]


def keep(owner: Owner, **saliences: float) -> None:
    owner.remember_many({"content": f"tea {key}", "key": key, "salience": share} for key, share in saliences.items())


def test_a_use_is_counted_and_changes_nothing_else(ann: Owner) -> None:
    key = ann.remember("tea").key
    before = ann.recall("tea", explain=True).hits

    answers = [ann.reinforce(key) for _ in range(2)]

    assert answers == [Reinforced(key, 1, 2), Reinforced(key, 2, 3)]
    assert (ann.why(key).memory.uses, salience(ann, key)) == (2, [0.5])
    assert [(hit.score, hit.explanation) for hit in ann.recall("tea", explain=True)] == [
        (hit.score, hit.explanation) for hit in before
    ]
    assert len(ann.why(key).history) == 1


def test_recall_counts_no_use(ann: Owner) -> None:
    key = ann.remember("tea").key

    for _ in range(3):
        ann.recall("tea")
        ann.recent()
        ann.why(key)

    assert (ann.why(key).memory.uses, ann.revision()) == (0, 1)


def test_only_what_is_in_force_is_reinforced(ann: Owner) -> None:
    key = ann.remember("tea").key
    ann.forget(key)

    with pytest.raises(StatusError):
        ann.reinforce(key)

    assert ann.why(key).memory.uses == 0


def test_pruning_forgets_what_has_faded_strictly_below_the_threshold(world: World, ann: Owner) -> None:
    keep(ann, a=0.502, b=0.5, c=0.498, d=0.1)
    world.wait(30)

    answer = ann.prune(half_life=MONTH, threshold=0.25)

    assert answer == Pruned(("c", "d"), False, 2)
    assert sorted(contents(ann.recall("tea"))) == ["tea a", "tea b"]
    assert salience(ann, "c") == [0.498]
    assert ann.why("d").history[-1].reason == "faded"


def test_a_dry_run_lists_what_would_go_and_writes_nothing(world: World, ann: Owner) -> None:
    keep(ann, a=1.0, b=0.1)
    world.wait(30)
    before = contents_of(world.store)

    answer = ann.prune(half_life=MONTH, threshold=0.25, dry_run=True)

    assert answer == Pruned(("b",), True, 1)
    assert contents_of(world.store) == before


def test_a_threshold_of_nothing_prunes_nothing(world: World, ann: Owner) -> None:
    keep(ann, a=0.0)
    world.wait(3650)

    assert ann.prune(threshold=0) == Pruned((), False, 1)


def test_uses_that_wait_for_consolidation_count_against_fading(world: World, ann: Owner) -> None:
    keep(ann, a=0.1, b=0.1)
    ann.reinforce("a")
    world.wait(30)

    assert ann.prune(half_life=MONTH, threshold=0.1).pruned == ("b",)


def test_what_was_pruned_can_be_brought_back(world: World, ann: Owner) -> None:
    keep(ann, a=0.1)
    world.wait(300)
    ann.prune()

    assert ann.reinstate("a").status is Status.ACTIVE


def test_a_clock_that_went_back_fades_nothing(world: World, ann: Owner) -> None:
    keep(ann, a=0.5)
    world.wait(-30)

    assert ann.prune(threshold=0.5, dry_run=True).pruned == ()


def test_the_decay_can_be_replaced_and_hears_age_half_life_and_salience(world: World) -> None:
    heard: list[tuple[dt.timedelta, dt.timedelta, int]] = []

    def steps(age: dt.timedelta, half_life: dt.timedelta, salience: int) -> int:
        heard.append((age, half_life, salience))
        return max(0, salience - 100 * age.days)

    owner = world.owner(decay=steps)
    keep(owner, a=0.5)
    world.wait(2)

    pruned = owner.prune(half_life=60, threshold=0.301, dry_run=True).pruned
    owner.consolidate(half_life=60)

    assert (pruned, salience(owner, "a")) == (("a",), [0.3])
    assert heard == [(dt.timedelta(days=2), dt.timedelta(minutes=1), 500)] * 2


def test_pruning_touches_nothing_that_the_caller_may_not_see(world: World, ann: Owner) -> None:
    ann.remember("tea", key="a", salience=0.1, tier="private")
    world.wait(30)

    assert world.owner(face={"destination": Destination.REMOTE}).prune().pruned == ()
    assert ann.why("a").memory.status is Status.ACTIVE


def test_no_policy_is_asked_by_time(world: World, ann: Owner) -> None:
    keep(ann, a=0.1)
    world.wait(30)
    policy = Deciding()
    owner = world.owner(policy=policy)

    owner.reinforce("a")
    owner.consolidate()
    owner.prune(threshold=1)

    assert policy.asked == []
