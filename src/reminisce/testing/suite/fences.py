"""Fences: of two commits that claim one, which may both succeed."""

from functools import partial
from typing import Final

import pytest

from reminisce.domain.changes import Advance, Commit, Fence, FenceKind
from reminisce.domain.records import LogEntry
from reminisce.errors import ConflictError
from reminisce.ports.store import Store
from reminisce.testing.fakes import NOON
from reminisce.testing.promises import promise
from reminisce.testing.threads import at_once
from reminisce.testing.writing import ALICE, fresh_id

FENCES: Final = tuple(
    Fence(
        kind,
        {FenceKind.CONSENTS: "", FenceKind.FLOOR: "", FenceKind.KEYS: "", FenceKind.SUBJECT: "person:1"}.get(
            kind, ALICE
        ),
    )
    for kind in FenceKind
)

ANY: Final = pytest.mark.parametrize("fence", FENCES, ids=[fence.kind.value for fence in FENCES])


def _advancing(*fences: Fence, seen: int = 0, to: int = 1) -> Commit:
    entries = [LogEntry(fence.name, to, NOON, "test", ()) for fence in fences if fence.kind is FenceKind.OWNER]
    return Commit(
        id=fresh_id(), changes=(), advances=tuple(Advance(fence, seen, to) for fence in fences), entries=tuple(entries)
    )


def _requiring(*fences: Fence, seen: int = 0) -> Commit:
    return Commit(id=fresh_id(), changes=(), requires=tuple((fence, seen) for fence in fences))


def _standing(store: Store, *fences: Fence) -> list[int]:
    with store.view() as view:
        standing = view.fences(fences)
    return [standing[fence] for fence in fences]


@ANY
@promise("fences.exclusive", "snapshot.fences")
def test_a_fence_stands_where_the_last_commit_left_it(store: Store, fence: Fence) -> None:
    store.commit(_advancing(fence))
    store.commit(_advancing(fence, seen=1, to=2))

    assert _standing(store, fence) == [2]


@ANY
@promise("fences.exclusive")
def test_of_two_advances_from_one_value_the_second_loses(store: Store, fence: Fence) -> None:
    first, second = _advancing(fence), _advancing(fence)
    store.commit(first)

    with pytest.raises(ConflictError):
        store.commit(second)

    assert _standing(store, fence) == [1]


@ANY
@promise("fences.exclusive")
def test_any_number_may_require_one_value(store: Store, fence: Fence) -> None:
    store.commit(_advancing(fence))

    for _ in range(3):
        store.commit(_requiring(fence, seen=1))

    assert _standing(store, fence) == [1]


@ANY
@promise("fences.exclusive")
def test_a_requirement_loses_to_an_advance_before_it(store: Store, fence: Fence) -> None:
    planned = _requiring(fence)
    store.commit(_advancing(fence))

    with pytest.raises(ConflictError):
        store.commit(planned)


@ANY
@promise("fences.exclusive")
def test_an_advance_wins_after_a_requirement(store: Store, fence: Fence) -> None:
    planned = _advancing(fence)
    store.commit(_requiring(fence))

    store.commit(planned)

    assert _standing(store, fence) == [1]


@ANY
@promise("fences.exclusive")
def test_a_value_that_was_never_reached_cannot_be_claimed(store: Store, fence: Fence) -> None:
    for commit in (_advancing(fence, seen=1, to=2), _requiring(fence, seen=1)):
        with pytest.raises(ConflictError):
            store.commit(commit)

    assert _standing(store, fence) == [0]


@promise("fences.exclusive", "commit.whole")
@pytest.mark.parametrize("stale", range(3))
def test_one_stale_fence_among_several_advances_none(store: Store, stale: int) -> None:
    fences = [Fence(FenceKind.SUBJECT, f"p{number}") for number in range(3)]
    store.commit(_advancing(fences[stale], to=5))

    with pytest.raises(ConflictError):
        store.commit(_advancing(*fences))

    assert _standing(store, *fences) == [5 if place == stale else 0 for place in range(3)]


@promise("fences.exclusive")
def test_a_fence_may_be_advanced_by_more_than_one(store: Store) -> None:
    fence = Fence(FenceKind.SUBJECT, "p")
    store.commit(_advancing(fence, to=2**40))

    store.commit(_requiring(fence, seen=2**40))

    assert _standing(store, fence) == [2**40]


@promise("fences.exclusive", "store.threads")
def test_of_many_advances_at_once_exactly_one_wins(store: Store) -> None:
    fence = Fence(FenceKind.SUBJECT, "p")
    commits = [_advancing(fence) for _ in range(16)]

    outcomes = at_once([partial(store.commit, commit) for commit in commits])

    assert [type(outcome) for outcome in outcomes if outcome is not None] == [ConflictError] * 15
    with store.view() as view:
        assert [view.committed(commit.id) for commit in commits] == [outcome is None for outcome in outcomes]


@promise("fences.exclusive", "store.threads")
def test_requirements_never_stop_an_advance(store: Store) -> None:
    fence = Fence(FenceKind.SUBJECT, "p")
    commits = [_advancing(fence), *(_requiring(fence) for _ in range(7))]

    outcomes = at_once([partial(store.commit, commit) for commit in commits])

    assert outcomes[0] is None
    assert {type(outcome) for outcome in outcomes} <= {type(None), ConflictError}
    assert _standing(store, fence) == [1]
