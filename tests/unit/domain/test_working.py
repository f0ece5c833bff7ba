"""The scratchpad: how many notes, how long, in which order."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from reminisce.domain.memory import Attributes
from reminisce.domain.requests import Request
from reminisce.domain.working import CAPACITY, Note, Scratchpad

NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
MINUTE, MICRO = dt.timedelta(minutes=1), dt.timedelta(microseconds=1)


def note(name: str, *, noted: int = 0, minutes: int = 60) -> Note:
    """A note that was made *noted* minutes after noon and lasts so many."""
    at = NOON + noted * MINUTE
    return Note(name, "agent:a", Request(attributes=Attributes(content=name)), (), 0, at, at + minutes * MINUTE)


def pad(*notes: Note, capacity: int = CAPACITY) -> Scratchpad:
    """What is there after these were noted, one after another."""
    held = Scratchpad(capacity=capacity)
    for one in notes:
        held = held.with_(one)
    return held


def names(held: Scratchpad) -> list[str]:
    return [one.name for one in held.notes]


def test_the_newest_note_comes_first() -> None:
    assert names(pad(note("a"), note("b"), note("c"))) == ["c", "b", "a"]


def test_sixteen_notes_fit_when_nothing_is_said() -> None:
    held = pad(*(note(str(number)) for number in range(17)))

    assert CAPACITY == 16
    assert names(held) == [str(number) for number in range(16, 0, -1)]


@given(st.integers(1, 20), st.integers(0, 40))
def test_the_oldest_notes_go_when_there_is_no_room(capacity: int, count: int) -> None:
    held = pad(*(note(str(number)) for number in range(count)), capacity=capacity)

    assert names(held) == [str(number) for number in range(count)][::-1][:capacity]


def test_a_note_is_still_there_when_it_expires_and_gone_right_after() -> None:
    held = pad(note("a", minutes=60))
    end = NOON + 60 * MINUTE

    assert [names(held.at(time)) for time in (end - MICRO, end, end + MICRO)] == [["a"], ["a"], []]


def test_each_note_lasts_as_long_as_was_said_whatever_came_after() -> None:
    held = pad(note("long", minutes=90), note("short", noted=1, minutes=5), note("last", noted=2, minutes=60))

    assert names(held.at(NOON + 30 * MINUTE)) == ["last", "long"]


def test_what_expired_makes_room() -> None:
    held = pad(note("short", minutes=5), note("long"), capacity=2).at(NOON + 10 * MINUTE).with_(note("new", noted=10))

    assert names(held) == ["new", "long"]


def test_a_note_is_taken_away_by_its_name() -> None:
    held = pad(note("a"), note("b"), note("c"))

    assert names(held.without("b")) == ["c", "a"]
    assert held.without("nobody") == held


def test_a_pad_itself_never_changes() -> None:
    held = pad(note("a"))

    held.with_(note("b"))
    held.without("a")
    held.at(NOON + 600 * MINUTE)

    assert names(held) == ["a"]
