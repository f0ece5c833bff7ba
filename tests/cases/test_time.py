"""Time: an instant is an instant, wherever the process thinks it is."""

import datetime as dt
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reminisce import InvalidError, open_memory
from tests.support.faces import Face, Home, Session, code_of, keys_of

PACIFIC: dict[str, Any] = {"TZ": "US/Pacific"}
NIGHT = "2026-03-09T02:00:00Z"
"""In California it was still the evening before, on the day that has no 02:00."""

TIMES = ["occurred_at", "due_at", "valid_from", "valid_to"]
WINDOWS = [f"{name}_{end}" for name in ("occurred", "recorded", "due") for end in ("from", "to")]


@pytest.fixture(scope="module")
def pacific(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Home, Session]]:
    """A memory written by a process in California, and a server that runs there."""
    home = Home(tmp_path_factory.mktemp("pacific"))
    home.cli("remember", "Written at night.", "--key=night", f"--occurred-at={NIGHT}", f"--due-at={NIGHT}", **PACIFIC)
    with home.session("--local", "--extended", **PACIFIC) as session:
        yield home, session


def test_tm_zone_of_the_writer_changes_nothing_for_the_library(pacific: tuple[Home, Session]) -> None:
    home, _ = pacific
    with home.memories() as memories:
        memory = memories.owner(home.owner).why("night").memory

    assert memory.occurred_at == memory.due_at == dt.datetime(2026, 3, 9, 2, tzinfo=dt.UTC)
    assert memory.occurred_at is not None
    assert memory.occurred_at.utcoffset() == dt.timedelta(0)


@pytest.mark.parametrize("zone", ["US/Pacific", "Asia/Kathmandu", "UTC", "Pacific/Kiritimati"])
def test_tm_zone_of_the_reader_changes_nothing_for_the_command(pacific: tuple[Home, Session], zone: str) -> None:
    home, _ = pacific

    memory = home.cli("why", "night", "--json", TZ=zone).answer["memory"]

    assert (memory["occurred_at"], memory["due_at"]) == (NIGHT, NIGHT)


def test_tm_zone_of_the_reader_changes_nothing_in_tables(pacific: tuple[Home, Session]) -> None:
    home, _ = pacific

    shown = home.cli("recall", "night", **PACIFIC).stdout.decode()

    assert "2026-03-09 02:00Z" in shown


def test_tm_zone_of_the_server_changes_nothing(pacific: tuple[Home, Session]) -> None:
    _, session = pacific

    memory = session.ask("memory_why", key="night")["memory"]

    assert (memory["occurred_at"], memory["due_at"]) == (NIGHT, NIGHT)
    assert [hit["occurred_at"] for hit in session.ask("memory_recall")["hits"]] == [NIGHT]


@pytest.mark.parametrize(
    ("since", "until", "there"),
    [
        (NIGHT, "2026-03-09T02:00:00.000001Z", True),
        ("2026-03-08T19:00:00-07:00", "2026-03-08T19:00:01-07:00", True),
        ("2026-03-09T07:45:00+05:45", "2026-03-09T07:45:01+05:45", True),
        ("2026-03-09T02:00:00.000001Z", "2026-03-10T00:00:00Z", False),
        ("2026-03-08T00:00:00Z", NIGHT, False),
        ("2026-03-09T02:00:00-07:00", "2026-03-09T03:00:00-07:00", False),
    ],
)
def test_tm_zone_of_a_window_changes_nothing(
    pacific: tuple[Home, Session], since: str, until: str, there: bool
) -> None:
    home, session = pacific
    with home.memories() as memories:
        by_library = memories.owner(home.owner).recall("night", occurred_from=since, occurred_to=until)

    by_server = session.ask("memory_recall", query="night", occurred_from=since, occurred_to=until)
    due = session.ask("memory_recall", query="night", due_from=since, due_to=until)

    assert (len(by_library) == 1) is there
    assert keys_of(by_server) == keys_of(due) == (["night"] if there else [])


def test_tm_zone_of_the_recorder_changes_nothing(pacific: tuple[Home, Session]) -> None:
    home, session = pacific
    recorded = session.ask("memory_remember", content="Just now.", key="now") and session.ask("memory_why", key="now")

    shown = home.cli("why", "now", "--json", TZ="Asia/Kathmandu").answer["memory"]["recorded_at"]

    assert shown == recorded["memory"]["recorded_at"]
    assert shown.endswith("Z")
    assert keys_of(session.ask("memory_recent", recorded_from=shown, k=1)) == ["now"]
    assert "now" not in keys_of(session.ask("memory_recent", recorded_to=shown))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-03-09T02:00:00+00:00", NIGHT),
        ("2026-03-08T19:00:00-07:00", NIGHT),
        ("2026-03-09T02:00:30+00:00:30", NIGHT),
        ("2026-03-09T02:00:00.000001Z", "2026-03-09T02:00:00.000001Z"),
        ("2026-03-09T02:00:00.120Z", "2026-03-09T02:00:00.120000Z"),
        ("2026-03-10T01:59:00+23:59", NIGHT),
        ("2026-03-08T02:01:00-23:59", NIGHT),
        ("20260309T020000Z", NIGHT),
        ("2026-03-09 02:00:00Z", NIGHT),
        ("2026-W11-1T02:00:00Z", NIGHT),
        ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
        ("1850-01-01T00:00:00+00:53:28", "1849-12-31T23:06:32Z"),
        ("2024-02-29T23:00:00-02:00", "2024-03-01T01:00:00Z"),
    ],
)
def test_tm_zone_in_any_notation_is_the_same_instant(face: Face, written: str, read: str) -> None:
    key = face.do("remember", content=f"Written as {written}.", occurred_at=written)["key"]

    assert face.do("why", key=key)["memory"]["occurred_at"] == read


@pytest.mark.parametrize(
    ("zone", "wall", "fold", "instant"),
    [
        ("America/Los_Angeles", dt.datetime(2026, 11, 1, 1, 30), 0, "2026-11-01T08:30:00+00:00"),  # noqa: DTZ001
        ("America/Los_Angeles", dt.datetime(2026, 11, 1, 1, 30), 1, "2026-11-01T09:30:00+00:00"),  # noqa: DTZ001
        ("Europe/Berlin", dt.datetime(2026, 10, 25, 2, 30), 0, "2026-10-25T00:30:00+00:00"),  # noqa: DTZ001
        ("Europe/Berlin", dt.datetime(2026, 10, 25, 2, 30), 1, "2026-10-25T01:30:00+00:00"),  # noqa: DTZ001
        ("Europe/Berlin", dt.datetime(2026, 3, 29, 2, 30), 0, "2026-03-29T01:30:00+00:00"),  # noqa: DTZ001
        ("Europe/Berlin", dt.datetime(2026, 3, 29, 2, 30), 1, "2026-03-29T00:30:00+00:00"),  # noqa: DTZ001
        ("Australia/Lord_Howe", dt.datetime(2026, 4, 5, 1, 45), 1, "2026-04-04T15:15:00+00:00"),  # noqa: DTZ001
    ],
)
def test_tm_zone_where_clocks_change_keeps_both_instants_apart(
    zone: str, wall: dt.datetime, fold: int, instant: str
) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        key = owner.remember("The clocks changed.", occurred_at=wall.replace(tzinfo=ZoneInfo(zone), fold=fold)).key

        occurred = owner.why(key).memory.occurred_at
    assert occurred is not None
    assert (occurred.isoformat(), occurred.fold) == (instant, 0)


def test_tm_zone_where_clocks_change_orders_by_instant() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember("later", key="b", occurred_at=dt.datetime(2026, 10, 25, 2, 10, fold=1, tzinfo=berlin))
        owner.remember("earlier", key="a", occurred_at=dt.datetime(2026, 10, 25, 2, 50, fold=0, tzinfo=berlin))

        assert [hit.memory.key for hit in owner.recent()] == ["b", "a"]


@given(
    time=st.datetimes(
        min_value=dt.datetime(1, 1, 2),  # noqa: DTZ001
        max_value=dt.datetime(9999, 12, 30),  # noqa: DTZ001
        timezones=st.timezones(),
    )
)
def test_tm_zone_of_any_kind_is_the_same_instant(time: dt.datetime) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        key = owner.remember("At some time.", occurred_at=time).key

        assert owner.why(key).memory.occurred_at == time.astimezone(dt.UTC)


NAIVE = ["2026-03-09T02:00:00", "2026-03-09", "2026-03-09 02:00", "20260309", "2026-W11"]


@pytest.mark.parametrize("naive", [NAIVE[0], NAIVE[1]])
@pytest.mark.parametrize("field", TIMES)
def test_tm_naive_time_next_to_an_aware_one_is_refused(face: Face, field: str, naive: str) -> None:
    other = "due_at" if field == "occurred_at" else "occurred_at"

    refused = face.do("remember", content="Never kept: naive.", **{field: naive, other: NIGHT})

    assert (code_of(refused), refused["error"]["fields"]) == ("invalid", [field])
    assert refused["error"]["problems"][0]["code"] == "naive_time"
    assert face.do("recall", query="naive never")["hits"] == []


@pytest.mark.parametrize("option", WINDOWS)
def test_tm_naive_time_in_a_window_is_refused(face: Face, option: str) -> None:
    refused = face.do("recall", query="x", **{option: "2026-03-09T02:00:00"})

    assert (code_of(refused), refused["error"]["fields"]) == ("invalid", [option])


@pytest.mark.parametrize("naive", [*NAIVE, dt.datetime(2026, 3, 9, 2)])  # noqa: DTZ001
def test_tm_naive_time_in_any_notation_is_refused(naive: object) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        with pytest.raises(InvalidError) as caught:
            owner.remember("Never kept.", occurred_at=naive, due_at=dt.datetime(2026, 3, 9, tzinfo=dt.UTC))

        assert [(problem.field, problem.code) for problem in caught.value.problems] == [("occurred_at", "naive_time")]
        assert owner.revision() == 0


def test_tm_naive_time_whose_zone_says_nothing_is_refused() -> None:
    class Nowhere(dt.tzinfo):
        def utcoffset(self, _: dt.datetime | None) -> None:
            return None

        dst = tzname = utcoffset

    with open_memory(":memory:") as memories, pytest.raises(InvalidError) as caught:
        memories.owner("agent:alice").remember("x", occurred_at=dt.datetime(2026, 3, 9, tzinfo=Nowhere()))

    assert [problem.code for problem in caught.value.problems] == ["naive_time"]


@pytest.mark.parametrize(
    "value", [0, 1_700_000_000, 1.5, True, dt.date(2026, 3, 9), dt.time(2), b"2026", [], {}, object()]
)
def test_tm_naive_things_that_are_no_times_are_refused(value: object) -> None:
    with open_memory(":memory:") as memories, pytest.raises(InvalidError) as caught:
        memories.owner("agent:alice").remember("x", due_at=value)

    assert [(problem.field, problem.code) for problem in caught.value.problems] == [("due_at", "wrong_type")]


FAR = [
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ("0001-01-01T12:00:00+12:00", "0001-01-01T00:00:00Z"),
    ("9999-12-31T11:59:59-12:00", "9999-12-31T23:59:59Z"),
    ("0999-06-15T00:00:00Z", "0999-06-15T00:00:00Z"),
]

IMPOSSIBLE = [
    ("0001-01-01T00:00:00+00:01", "out_of_range"),
    ("0001-01-01T11:59:59+12:00", "out_of_range"),
    ("9999-12-31T23:59:59-00:01", "out_of_range"),
    ("9999-12-31T23:59:59.999999-23:59", "out_of_range"),
    ("2016-12-31T23:59:60Z", "not_a_time"),
    ("2026-02-29T00:00:00Z", "not_a_time"),
    ("2026-13-01T00:00:00Z", "not_a_time"),
    ("2026-03-09T25:00:00Z", "not_a_time"),
    ("2026-03-09T02:00:00+24:00", "not_a_time"),
    ("0000-01-01T00:00:00Z", "not_a_time"),
    ("-0001-01-01T00:00:00Z", "not_a_time"),
    ("10000-01-01T00:00:00Z", "not_a_time"),
    ("+10000-01-01T00:00:00Z", "not_a_time"),
    ("100,000 years ago", "not_a_time"),
    ("yesterday", "not_a_time"),
    ("now", "not_a_time"),
    ("1700000000", "not_a_time"),
    ("Z", "not_a_time"),
    ("２０２６-03-09T02:00:00Z", "not_a_time"),
]


@pytest.mark.parametrize(("written", "read"), FAR)
def test_tm_far_times_are_kept_and_found(face: Face, written: str, read: str) -> None:
    key = face.do("remember", content=f"Far away at {written}.", occurred_at=written, due_at=written)["key"]

    found = face.do("recall", query="far away", occurred_from=written, due_from=written, k=100)

    assert face.do("why", key=key)["memory"]["occurred_at"] == read
    assert key in keys_of(found)
    assert "error" not in face.do("recent", occurred_to=written, due_to=written)


@pytest.mark.parametrize(("written", "code"), IMPOSSIBLE)
@pytest.mark.parametrize("field", ["occurred_at", "valid_to"])
def test_tm_far_times_that_cannot_be_are_refused(face: Face, field: str, written: str, code: str) -> None:
    refused = face.do("remember", content="Never kept: impossible.", **{field: written})

    assert (code_of(refused), refused["error"]["fields"]) == ("invalid", [field])
    assert refused["error"]["problems"][0]["code"] == code
    assert face.do("recall", query="impossible never")["hits"] == []


@pytest.mark.parametrize(("written", "code"), IMPOSSIBLE)
def test_tm_far_times_that_cannot_be_are_refused_in_a_window(face: Face, written: str, code: str) -> None:
    refused = face.do("recall", query="x", occurred_from=written)

    assert (code_of(refused), refused["error"]["problems"][0]["code"]) == ("invalid", code)


@pytest.mark.parametrize(
    "query",
    [
        "100,000 years ago",
        "what happened 100,000 years ago",
        "in the year 10000",
        "in 9999999999999999999999",
        "on 0000-00-00",
        "2016-12-31T23:59:60Z",
        "-0001-01-01",
        "in year 1",
        "9999-12-31",
        "last century",
        "1e400 days ago",
        "32nd of January",
        "25:61",
    ],
)
def test_tm_far_times_in_a_query_are_plain_words(face: Face, query: str) -> None:
    answer = face.do("recall", query=query)

    assert "error" not in answer


def test_tm_far_times_in_content_are_found_by_their_words(face: Face) -> None:
    key = face.do("remember", content="Mammoths lived here 100,000 years ago.")["key"]

    assert keys_of(face.do("recall", query="100,000 years ago"))[:1] == [key]


def test_tm_far_intervals_that_end_before_they_begin_are_refused(face: Face) -> None:
    for until in (NIGHT, "2026-03-08T19:00:00-07:00", "2026-03-09T01:00:00Z"):
        refused = face.do("remember", content="Never kept: backwards.", valid_from=NIGHT, valid_to=until)

        assert (code_of(refused), refused["error"]["fields"]) == ("invalid", ["valid_to"])


def test_tm_far_windows_that_end_before_they_begin_are_empty(face: Face) -> None:
    face.do("remember", content="Within no window.", occurred_at=NIGHT)

    answer = face.do("recall", query="window", occurred_from=NIGHT, occurred_to=NIGHT)

    assert (answer["hits"], answer["considered"]) == ([], 0)


def test_tm_far_memory_without_a_due_time_is_in_no_due_window(face: Face) -> None:
    key = face.do("remember", content="Falls due at no time whatever.")["key"]

    for window in ({"due_from": "0001-01-01T00:00:00Z"}, {"due_to": "9999-12-31T23:59:59Z"}):
        assert key not in keys_of(face.do("recall", query="falls due whatever", **window))
