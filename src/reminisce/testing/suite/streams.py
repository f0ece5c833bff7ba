"""The two streams: an owner's log and its records."""

import datetime as dt
from itertools import islice
from typing import Final

import pytest

from reminisce.domain.changes import SetFields
from reminisce.domain.records import LogEntry
from reminisce.domain.values import Status
from reminisce.ports.store import Store
from reminisce.testing.fakes import NOON
from reminisce.testing.promises import promise
from reminisce.testing.writing import ALICE, BOB, forget, next_commit, put, remember, remember_many, write

LONG: Final = 1_250
"""Longer than two of the chunks that any store of ours reads at once."""

COMMITS: Final = 520

MICRO: Final = dt.timedelta(microseconds=1)


@promise("snapshot.log")
def test_the_log_tells_the_owners_commits_in_order(store: Store) -> None:
    first, second = (line.key for line in remember_many(store, ALICE, [{"content": "one"}, {"content": "two"}]))
    remember(store, BOB, "of bob")
    forget(store, ALICE, second, first)

    with store.view() as view:
        assert list(view.log(ALICE, since=0)) == [
            LogEntry(ALICE, 1, NOON, "remember", (first, second)),
            LogEntry(ALICE, 2, NOON, "forget", (second, first)),
        ]


@promise("snapshot.log")
@pytest.mark.parametrize(("since", "expected"), [(0, [1, 2, 3]), (1, [2, 3]), (3, []), (99, [])])
def test_the_log_tells_what_came_after_a_revision(store: Store, since: int, expected: list[int]) -> None:
    for number in range(3):
        remember(store, ALICE, f"words {number}")

    with store.view() as view:
        assert [entry.revision for entry in view.log(ALICE, since=since)] == expected


@promise("snapshot.log")
def test_a_long_log_has_no_seams(store: Store) -> None:
    for revision in range(1, COMMITS + 1):
        write(store, ALICE, put(ALICE, f"k{revision}", revision))

    with store.view() as view:
        assert [entry.revision for entry in view.log(ALICE, since=0)] == list(range(1, COMMITS + 1))
        assert [entry.revision for entry in view.log(ALICE, since=COMMITS - 1)] == [COMMITS]


_DAY: Final = [NOON + dt.timedelta(microseconds=step) for step in (0, 0, 0, 1, 3_600_000_000, 3_600_000_000)]
"""When commits 1 to 6 were made: several at one time, and two a microsecond apart."""


@promise("snapshot.revision-at")
@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (dt.datetime(1, 1, 1, tzinfo=dt.UTC), 0),
        (_DAY[0] - MICRO, 0),
        (_DAY[0], 3),
        (_DAY[3], 4),
        (_DAY[3] + MICRO, 4),
        (_DAY[4] - MICRO, 4),
        (_DAY[4], 6),
        (_DAY[4] + MICRO, 6),
        (dt.datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=dt.UTC), 6),
    ],
    ids=["long before", "before", "first", "next", "after next", "before last", "last", "after", "long after"],
)
def test_a_time_tells_the_last_revision_that_was_there_by_then(store: Store, time: dt.datetime, expected: int) -> None:
    remember(store, BOB, "of bob", now=_DAY[0] - dt.timedelta(days=1))
    for revision, made in enumerate(_DAY, 1):
        store.commit(next_commit(store, ALICE, put(ALICE, f"k{revision}", revision), time=made))

    with store.view() as view:
        assert view.revision_at(ALICE, time) == expected


@promise("snapshot.revision-at")
def test_times_before_1970_tell_revisions_too(store: Store) -> None:
    made = [dt.datetime(1, 1, 1, tzinfo=dt.UTC), dt.datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=dt.UTC)]
    for revision, time in enumerate(made, 1):
        store.commit(next_commit(store, ALICE, put(ALICE, f"k{revision}", revision), time=time))

    with store.view() as view:
        assert [view.revision_at(ALICE, time) for time in (made[0], made[1] - MICRO, made[1], NOON)] == [1, 1, 2, 2]


@promise("snapshot.records")
def test_records_come_in_canonical_order_whatever_their_keys_and_statuses(store: Store) -> None:
    remember_many(store, ALICE, [{"content": key, "key": key} for key in ("z", "a", "m")])
    remember(store, BOB, "of bob", key="b")
    remember(store, ALICE, "newest", key="0", supersedes=["z"])
    forget(store, ALICE, "a")

    with store.view() as view:
        records = list(view.records(ALICE))
        history = view.history(ALICE, ["z", "a", "m", "0"])

    assert [record.memory.key for record in records] == ["z", "a", "m", "0"]
    assert [record.memory.status for record in records] == [
        Status.SUPERSEDED,
        Status.RETIRED,
        Status.ACTIVE,
        Status.ACTIVE,
    ]
    assert {record.memory.key: list(record.history) for record in records} == {
        key: list(events) for key, events in history.items()
    }


@promise("snapshot.records")
def test_order_is_that_of_ordinals_however_a_commit_lists_them(store: Store) -> None:
    write(store, ALICE, *(put(ALICE, key, 1, ordinal=ordinal) for key, ordinal in (("a", 2), ("b", 0), ("c", 1))))

    with store.view() as view:
        assert [record.memory.key for record in view.records(ALICE)] == ["b", "c", "a"]


@promise("snapshot.in_order")
def test_memories_in_order_are_those_of_the_records(store: Store) -> None:
    write(store, ALICE, *(put(ALICE, f"k{place}", 1, ordinal=place) for place in range(LONG)))
    write(store, BOB, put(BOB, "b", 1))
    write(store, ALICE, put(ALICE, "last", 2))
    forget(store, ALICE, "k1")

    with store.view() as view:
        assert list(view.in_order(ALICE)) == [record.memory for record in view.records(ALICE)]
        assert [memory.key for memory in view.in_order(ALICE, after=(1, LONG - 2))] == [f"k{LONG - 1}", "last"]
        assert list(view.in_order(ALICE, after=(2, 0))) == []


@promise("snapshot.records")
def test_a_long_stream_of_records_has_no_seams(store: Store) -> None:
    write(store, ALICE, *(put(ALICE, f"k{place}", 1, ordinal=place) for place in range(LONG - 1)))
    write(store, BOB, *(put(BOB, f"b{place}", 1, ordinal=place) for place in range(LONG)))
    write(store, ALICE, put(ALICE, "last", 2))

    with store.view() as view:
        keys = [record.memory.key for record in view.records(ALICE)]

    assert keys == [*(f"k{place}" for place in range(LONG - 1)), "last"]


@promise("snapshot.after")
@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ((0, -1), "bcad"),
        ((0, 7), "bcad"),
        ((1, 0), "cad"),
        ((1, 1), "ad"),
        ((1, 2), "d"),
        ((1, 99), "d"),
        ((2, -1), "d"),
        ((2, 0), ""),
        ((9, 0), ""),
    ],
)
def test_records_begin_after_a_place_in_canonical_order(store: Store, after: tuple[int, int], expected: str) -> None:
    write(store, ALICE, *(put(ALICE, key, 1, ordinal=ordinal) for key, ordinal in (("a", 2), ("b", 0), ("c", 1))))
    write(store, ALICE, put(ALICE, "d", 2))
    write(store, BOB, put(BOB, "of bob", 1))

    with store.view() as view:
        assert [record.memory.key for record in view.records(ALICE, after=after)] == list(expected)


@promise("snapshot.after")
def test_a_long_stream_of_records_goes_on_wherever_it_was_left(store: Store) -> None:
    write(store, ALICE, *(put(ALICE, f"k{place}", 1, ordinal=place) for place in range(LONG)))
    write(store, ALICE, put(ALICE, "last", 2))

    with store.view() as view:
        for left in (0, 499, 500, LONG - 1):
            keys = [record.memory.key for record in view.records(ALICE, after=(1, left))]
            assert keys == [*(f"k{place}" for place in range(left + 1, LONG)), "last"]


@promise("snapshot.records", "view.still")
def test_a_stream_half_read_does_not_see_what_is_committed_meanwhile(store: Store) -> None:
    write(store, ALICE, *(put(ALICE, f"k{place}", 1, ordinal=place) for place in range(LONG)))

    with store.view() as view:
        records, log = view.records(ALICE), view.log(ALICE, since=0)
        begun = list(islice(records, 3))
        remember(store, ALICE, "more")
        write(store, ALICE, SetFields(ALICE, f"k{LONG - 1}", {"status": Status.RETIRED}))
        rest = list(records)

        assert len(begun) + len(rest) == LONG
        assert rest[-1].memory.status is Status.ACTIVE
        assert [entry.revision for entry in log] == [1]


@promise("snapshot.records")
def test_two_streams_of_one_view_are_read_side_by_side(store: Store) -> None:
    for owner in (ALICE, BOB):
        write(store, owner, *(put(owner, f"k{place}", 1, ordinal=place) for place in range(LONG)))

    with store.view() as view:
        pairs = zip(view.records(ALICE), view.records(BOB), strict=True)

        assert all(
            (one.memory.owner, two.memory.owner, one.memory.key) == (ALICE, BOB, two.memory.key) for one, two in pairs
        )
