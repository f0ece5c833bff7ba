"""Beliefs in valid time: what docs/beliefs.md says, over every case of its table and after any history."""

import datetime as dt
import re
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reminisce.domain.beliefs import Outcome
from reminisce.domain.believed import believed
from reminisce.domain.memory import Memory, folded
from reminisce.domain.planning.believe import Believed
from reminisce.domain.values import Status
from reminisce.domain.visibility import OWNER_ITSELF, Form, Viewer, form_of
from tests.property.living import (
    BELIEVING,
    MANY,
    OWNER,
    REMOTE,
    SUBJECTS,
    VIEWERS,
    Life,
    Steps,
    at_least,
    beliefs,
    day,
    histories,
)

SUBJECT = SUBJECTS[0]
COUNTED = {Status.ACTIVE, Status.SUPERSEDED}
Interval = tuple[float, float | None]
"""Days, half-open; None leaves the end open."""


def interval(memory: Memory | Believed) -> Interval:
    """When it holds, in days."""
    assert memory.valid_from is not None
    since, until = memory.valid_from - day(0), None if memory.valid_to is None else memory.valid_to - day(0)
    return since / dt.timedelta(days=1), None if until is None else until / dt.timedelta(days=1)


def said(value: str, when: Interval, **more: Any) -> tuple[str, dict[str, Any]]:
    """The step that believes a value of a one-valued attribute."""
    ends = {} if when[1] is None else {"valid_to": day(when[1])}
    return "believe", {
        "subject": SUBJECT, "attribute": "home", "value": value, "valid_from": day(when[0]), **ends, **more
    }  # fmt: skip


def holds(memory: Memory, time: dt.datetime) -> bool:
    """Whether its validity includes *time*."""
    return (memory.valid_from is None or memory.valid_from <= time) and (
        memory.valid_to is None or time < memory.valid_to
    )


def empty(memory: Memory) -> bool:
    """Whether it never held."""
    return memory.valid_from is not None and memory.valid_to is not None and memory.valid_to <= memory.valid_from


def groups(life: Life) -> list[list[Memory]]:
    """The beliefs in force, or once in force, of which one at most may hold at any time."""
    found: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in life.memories().values():
        fact = memory.fact
        if fact is not None and memory.status in COUNTED and not empty(memory):
            value = folded(fact.value) if memory.many else ""
            found.setdefault((fact.subject, fact.attribute, value), []).append(memory)
    return list(found.values())


# The one rule


@st.composite
def statements(draw: st.DrawFn) -> list[Interval]:
    """What is said of one attribute: each starts at another time."""
    starts = draw(st.lists(st.integers(0, 12), min_size=1, max_size=6, unique=True))
    lengths = [draw(st.one_of(st.none(), st.integers(1, 12))) for _ in starts]
    return [(start, None if length is None else start + length) for start, length in zip(starts, lengths, strict=True)]


def by_the_one_rule(spoken: list[Interval]) -> list[Interval]:
    """Each holds until its own end, or until the next one starts, whichever is first."""
    ordered = sorted(spoken, key=lambda line: line[0])
    nexts = [start for start, _ in ordered[1:]]
    ends = [
        min((time for time in (own, later) if time is not None), default=None)
        for (_, own), later in zip(ordered, [*nexts, None], strict=True)
    ]
    return [(start, end) for (start, _), end in zip(ordered, ends, strict=True)]


@at_least(100)
@given(spoken=statements(), data=st.data(), clock=st.sampled_from((-10, 0, 30)))
def test_the_order_in_which_things_are_learned_does_not_matter(
    spoken: list[Interval], data: st.DataObject, clock: int
) -> None:
    told = data.draw(st.permutations([(f"city {place}", line) for place, line in enumerate(spoken)]))

    life = Life(waited=dt.timedelta(days=clock)).live([said(value, line) for value, line in told])

    memories = sorted(life.memories().values(), key=interval)
    assert [interval(memory) for memory in memories] == by_the_one_rule(spoken)
    if clock == 30:
        # All of it is past, so that what ended gave way to what came after it, and the last one stands.
        assert [memory.status for memory in memories] == [
            *[Status.SUPERSEDED] * (len(memories) - 1),
            Status.ACTIVE,
        ]


# After any history


@at_least(200)
@given(histories(BELIEVING))
def test_beliefs_never_overlap(history: Steps) -> None:
    life = Life()
    for operation, value in history:
        life.step(operation, value)

        for group in groups(life):
            for one, other in combinations(group, 2):
                first, second = sorted((one, other), key=interval)
                assert first.valid_to is not None
                assert second.valid_from is not None
                assert first.valid_to <= second.valid_from


@at_least(100)
@given(histories(BELIEVING), st.integers(0, 28))
def test_one_value_at_most_is_live_at_any_time(history: Steps, half: int) -> None:
    life = Life().live(history)
    time = day(half / 2)

    for attribute, many in MANY.items():
        live = believed(life.state, OWNER, SUBJECT, viewer=OWNER_ITSELF, now=time, attribute=attribute)
        values = [folded(belief.value) if many else "" for belief in live]
        assert len(values) == len(set(values))


@at_least(200)
@given(histories(BELIEVING))
def test_the_history_tells_every_change_of_status_and_validity(history: Steps) -> None:
    life = Life()
    for operation, value in history:
        before = life.memories()
        told = {record.memory.key: len(record.history) for record in life.records()}
        life.step(operation, value)

        for record in life.records():
            memory, last = record.memory, record.history[-1]
            assert (memory.status, *_validity(memory)) == (last.status, last.valid_from, last.valid_to)
            old = before.get(memory.key)
            if old is not None and (old.status, *_validity(old)) != (memory.status, *_validity(memory)):
                assert len(record.history) > told[memory.key]
                assert last.revision == life.state.head(OWNER).revision


def _validity(memory: Memory) -> tuple[dt.datetime | None, dt.datetime | None]:
    return memory.valid_from, memory.valid_to


@at_least(100)
@given(
    history=histories((*BELIEVING, "consent", "reclassify")),
    subject=st.sampled_from(SUBJECTS),
    attribute=st.sampled_from((None, *MANY)),
    viewer=st.sampled_from(VIEWERS),
    half=st.integers(0, 28),
)
def test_beliefs_are_what_a_naive_reading_finds(
    history: Steps, subject: str, attribute: str | None, viewer: Viewer, half: int
) -> None:
    life, time = Life().live(history), day(half / 2)
    facts = [
        memory
        for memory in life.memories().values()
        if memory.fact is not None
        and memory.fact.subject == subject
        and attribute in (None, memory.fact.attribute)
        and form_of(memory, viewer, life.state.subjects(memory.subjects)) is Form.WHOLE
    ]
    asked: dict[str, Any] = {"viewer": viewer, "now": time, "attribute": attribute}

    held = {belief.key for belief in believed(life.state, OWNER, subject, **asked, valid_at=time)}
    live = {belief.key for belief in believed(life.state, OWNER, subject, **asked)}
    every = {belief.key for belief in believed(life.state, OWNER, subject, **asked, history=True)}

    assert held == {memory.key for memory in facts if memory.status in COUNTED and holds(memory, time)}
    assert live == {memory.key for memory in facts if memory.status is Status.ACTIVE and holds(memory, time)}
    assert every == {memory.key for memory in facts}


@at_least(100)
@given(histories(BELIEVING), beliefs())
def test_what_is_believed_holds_from_then_on(history: Steps, belief: dict[str, Any]) -> None:
    life = Life().live(history)

    answer = life.step("believe", belief)

    if answer is not None and answer.status in COUNTED and answer.outcome is not Outcome.REINFORCED:
        memory = life.memories()[answer.key]
        assert not empty(memory)
        assert belief.get("valid_from", memory.valid_from) == memory.valid_from
        assert (answer.valid_from, answer.valid_to, answer.status) == (*_validity(memory), memory.status)


@example(
    # Who may not see what was ended is not told so by asking twice.
    [said("Oslo", (1, None), tier="private")],
    said("Bonn", (3, None), viewer=REMOTE)[1],
)
@example([said("Oslo", (1, 2))], said("Bonn", (3, None), supersedes=[0])[1])
@example(
    # It ends nothing, yet marks what had ended before it: an outcome that no link between both tells.
    [said("Oslo", (1, 2))],
    said("Bonn", (3, None))[1],
)
@at_least(100)
@given(histories(BELIEVING), beliefs())
def test_a_belief_that_is_said_again_under_its_request_key_is_answered_as_before(
    history: Steps, belief: dict[str, Any]
) -> None:
    life = Life().live(history)
    request = life.resolved(belief) | {"request_key": "once"}
    first = life.step("believe", request)

    if first is not None and first.outcome is not Outcome.REINFORCED:
        before = life.state
        assert life.step("believe", request) == first
        assert life.state is before


# The table of docs/beliefs.md


class Row(NamedTuple):
    """One case of overlap: when each is said to hold, and what comes of it."""

    relation: str
    old: Interval
    new: Interval
    another: str
    same: str


def _interval(text: str) -> Interval:
    found = re.search(r"\[(\d+), (\d+)\)", text)
    assert found is not None
    return int(found[1]), int(found[2])


def table() -> list[Row]:
    """The rows, as the document has them."""
    text = (Path(__file__).parents[2] / "docs" / "beliefs.md").read_text("utf-8")
    section = text.split("## Every case of overlap", 1)[1].split("\n## ", 1)[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    rows = [Row(name, _interval(old), _interval(new), one, other) for name, old, new, one, other in cells[2:]]
    # "the same" says again what the column beside it says.
    return [row._replace(same=row.another) if row.same == "the same" else row for row in rows]


class Result(NamedTuple):
    """What a row promises."""

    outcome: Outcome
    old: Interval
    old_status: Status
    new: Interval | None
    """None: there is no new memory."""


def promised(row: Row, text: str) -> Result:
    """What *text*, one of the row's last two cells, says."""
    outcome = re.search(r"`(\w+)`", text)
    told = re.search(r"\bE (stays|never held|\[.*?\))(, now superseded)?", text)
    assert outcome is not None, text
    assert told is not None, text
    if told[1] == "stays":
        old = row.old
    elif told[1] == "never held":
        old = (row.old[0], row.old[0])
    else:
        old = _interval(told[1])
    word = Outcome(outcome[1])
    # All times are past: what N superseded is so by now.
    status = Status.SUPERSEDED if word is Outcome.SUPERSEDED else Status.ACTIVE
    new = re.search(r"\bN (\[.*?\))", text)
    return Result(word, old, status, None if new is None else _interval(new[1]))


def came_of(row: Row, value: str) -> Result:
    """What comes of saying so."""
    life = Life(waited=dt.timedelta(days=100))
    [old] = (life.step(*said("Riga", row.old)),)
    new = life.step(*said(value, row.new))
    memories = life.memories()
    held = memories[old.key]
    if new.outcome is Outcome.SUPERSEDED:
        assert new.superseded == (old.key,)
    else:
        assert new.superseded == ()
    return Result(
        new.outcome, interval(held), held.status, interval(memories[new.key]) if new.key != old.key else None
    )  # fmt: skip


def without_end(row: Row, result: Result, last: float) -> tuple[Row, Result]:
    """The same with no end where the latest one is."""

    def open_(when: Interval) -> Interval:
        return (when[0], None if when[1] == last else when[1])

    return row._replace(old=open_(row.old), new=open_(row.new)), result._replace(
        old=open_(result.old), new=None if result.new is None else open_(result.new)
    )


ROWS = table()


def test_the_table_has_every_one_of_allens_relations() -> None:
    # Thirteen pairs of signs of what is before what: no two rows are the same case, and each is drawn as it is called.
    def sign(one: float | None, other: float | None) -> int:
        assert one is not None
        assert other is not None
        return (one > other) - (one < other)

    cases = {tuple(sign(new, old) for new in row.new for old in row.old): row.relation for row in ROWS}

    assert len(ROWS) == len(cases) == 13
    assert cases[0, -1, 1, 0] == "equals"
    assert cases[-1, -1, -1, -1] == "before"
    assert cases[1, -1, 1, -1] == "during"


@pytest.mark.parametrize("value", ["Oslo", "riga "], ids=["another value", "the same value"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.relation)
def test_every_case_of_overlap_is_as_the_table_says(row: Row, value: str) -> None:
    assert came_of(row, value) == promised(row, row.another if value == "Oslo" else row.same)


@pytest.mark.parametrize("value", ["Oslo", "riga "], ids=["another value", "the same value"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.relation)
def test_no_end_is_as_one_later_than_every_other(row: Row, value: str) -> None:
    last = max(row.old[1] or 0, row.new[1] or 0)
    row, result = without_end(row, promised(row, row.another if value == "Oslo" else row.same), last)

    assert None in (row.old[1], row.new[1])
    assert came_of(row, value) == result


# Values


SPELLINGS = {"Riga": ("Riga", "riga ", "ＲＩＧＡ", "  RIGA"), "old town": ("old town", "Old\t Town", "ＯＬＤ town ")}


@at_least(100)
@given(history=histories(("believe", "believe", "disbelieve", "forget", "reinstate", "wait")), data=st.data())
def test_values_are_compared_whatever_their_case_width_and_spaces(history: Steps, data: st.DataObject) -> None:
    words = {"Riga": "Riga", "ＲＩＧＡ ": "Riga", "Oslo": "old town", "Bonn": "Bonn"}
    plain, varied = Life(), Life()
    for operation, value in history:
        if operation != "believe":
            assert plain.step(operation, value) == varied.step(operation, value)
            continue
        word = words[value["value"]]
        spelling = data.draw(st.sampled_from(SPELLINGS.get(word, (word,))))
        # Words of their own: those made of the fact would tell two apart.
        line = value | {"content": "said"}
        line.pop("request_key", None)
        assert plain.step(operation, line | {"value": word}) == varied.step(operation, line | {"value": spelling})

    def told(life: Life) -> list[Any]:
        return [
            attrs.asdict(memory, filter=lambda name, _: name.name != "given") for memory in life.memories().values()
        ]

    assert told(plain) == told(varied)


# One value or many


MAKING = ("believe", "remember", "forget", "disbelieve", "review")


@given(histories(MAKING), st.data())
def test_the_first_use_of_an_attribute_decides_how_many_values_it_holds(history: Steps, data: st.DataObject) -> None:
    life = Life()
    fixed: dict[str, bool] = {}
    for operation, value in history:
        if operation == "believe":
            many = data.draw(st.sampled_from((None, True, False)))
            attribute = value["attribute"]
            before = life.state
            answer = life.step(operation, value | {"many": many})
            if attribute in fixed and many not in (None, fixed[attribute]):
                # Unless it says again what an earlier request of that name said.
                assert answer is None or life.state is before
        else:
            life.step(operation, value)
        for memory in life.memories().values():
            if memory.fact is not None:
                assert memory.many is fixed.setdefault(memory.fact.attribute, memory.many)
        assert dict(life.state.valued(OWNER, MANY)) == fixed


@pytest.mark.parametrize("first", [True, False, None])
@pytest.mark.parametrize("later", [True, False, None])
def test_a_later_use_that_says_otherwise_is_refused(first: bool | None, later: bool | None) -> None:
    life = Life()
    life.step(*said("Riga", (1, 2), many=first))

    # Of another subject: the attribute is the owner's, not the subject's.
    answer = life.step("believe", said("Oslo", (1, 2), many=later)[1] | {"subject": SUBJECTS[1]})

    assert (answer is None) is (later is not None and later is not bool(first))
