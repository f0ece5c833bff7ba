"""Deleting: what goes says what it leaves behind, and the story stays told."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from reminisce import Memories, NotFoundError, Owner, ReminisceError, Status, StatusError, open_memory
from tests.support.faces import Home
from tests.support.pages import found_in

PERSON = "person:1"


@pytest.fixture(params=["memory", "file"])
def owner(request: pytest.FixtureRequest, home: Home) -> Iterator[Owner]:
    """An owner of N, which superseded O."""
    with open_memory(":memory:") if request.param == "memory" else home.memories() as memories:
        owner = memories.owner(home.owner)
        owner.remember("The gate opens at nine.", key="O")
        owner.remember("The gate opens at ten.", key="N", supersedes=["O"])
        yield owner


def found(owner: Owner, query: str = "when does the gate open") -> list[str]:
    return [hit.memory.key for hit in owner.recall(query)]


def test_del_superseder_names_what_it_leaves_superseded_and_that_comes_back(owner: Owner) -> None:
    answer = owner.forget("N", reason="It was a rumour.")

    assert (answer.forgotten, answer.left_superseded) == (("N",), ("O",))
    assert found(owner) == []

    back = owner.reinstate("O")

    assert (back.changed, back.status) == (True, Status.ACTIVE)
    assert found(owner) == ["O"]


def test_del_superseder_story_is_told_by_why(owner: Owner) -> None:
    owner.forget("N", reason="It was a rumour.")
    owner.reinstate("O")

    why = owner.why("O")

    assert [(event.operation, event.status) for event in why.history] == [
        ("remember", "active"),
        ("remember", "superseded"),
        ("reinstate", "active"),
    ]
    assert why.superseded_by == ("N",)
    assert owner.why("N").history[-1].reason == "It was a rumour."


def test_del_superseder_beforehand_says_the_same_and_does_nothing(owner: Owner) -> None:
    answer = owner.forget(containing="at ten", dry_run=True)

    assert (answer.forgotten, answer.left_superseded) == (("N",), ("O",))
    assert found(owner) == ["N"]


def test_del_superseder_that_stands_lets_nothing_back(owner: Owner) -> None:
    with pytest.raises(StatusError):
        owner.reinstate("O")

    assert found(owner) == ["N"]


def test_del_superseder_of_a_chain_names_what_can_come_back(owner: Owner) -> None:
    owner.remember("The gate opens at eleven.", key="M", supersedes=["N"])

    assert owner.forget("M").left_superseded == ("N",)
    assert owner.reinstate("N").status is Status.ACTIVE


def test_del_superseder_names_what_stands_behind_something_forgotten_before(owner: Owner) -> None:
    owner.remember("The gate opens at eleven.", key="M", supersedes=["N"])

    first, second = owner.forget("N").left_superseded, owner.forget("M").left_superseded

    assert owner.reinstate("O").status is Status.ACTIVE
    assert (first, second) == ((), ("O",))


def test_del_superseder_of_a_correction_and_of_a_belief(owner: Owner) -> None:
    corrected = owner.correct("N", content="The gate opens at ten o'clock.").key
    old = owner.believe("gate", "opens", "nine", valid_from="2020-01-01T00:00:00Z").key
    new = owner.believe("gate", "opens", "ten").key

    assert owner.forget(corrected).left_superseded == ("N",)
    assert owner.forget(new).left_superseded == (old,)


# What is erased


def words_left(memories: Memories, owners: Iterable[str]) -> int:
    """How many memories still have words."""
    return sum(
        bool(line.memory.content) for name in owners for line in memories.owner(name).recent(1000, subject=PERSON).hits
    )


@pytest.fixture(params=["memory", "file"])
def memories(request: pytest.FixtureRequest, home: Home) -> Iterator[Memories]:
    with (
        open_memory(":memory:", reviewer="ann")
        if request.param == "memory"
        else home.memories(reviewer="ann") as opened
    ):
        yield opened


def test_del_bytes_the_text_is_nowhere(tmp_path: Path) -> None:
    with open_memory(tmp_path / "memory.db", keys=tmp_path / "keys") as memories:
        owner = memories.owner("agent:alice")
        owner.remember_many([{"content": f"Ruth likes zxtulips {n}.", "subjects": [PERSON]} for n in range(300)])
    before = found_in(tmp_path, ["zxtulip"])
    with open_memory(tmp_path / "memory.db", keys=tmp_path / "keys") as memories:
        receipt = memories.withdraw(PERSON, scrub=True)
        after = found_in(tmp_path, ["zxtulip"])

    assert before
    assert (after, receipt.memories, receipt.waits) == ({}, 300, ())


@pytest.mark.parametrize("count", [250, 251, 500, 501])
def test_del_all_redacts_every_memory_and_counts_it(memories: Memories, count: int) -> None:
    owners = ["agent:alice", "agent:bob", "agent:carol"]
    for place, name in enumerate(owners):
        numbers = range(place, count, len(owners))
        memories.owner(name).remember_many([{"content": f"Line {n}.", "subjects": [PERSON]} for n in numbers])

    before = words_left(memories, owners)
    receipt = memories.withdraw(PERSON)

    assert (before, receipt.memories, receipt.unchanged) == (count, count, 0)
    assert [owner for owner, _ in receipt.revisions] == owners
    assert words_left(memories, owners) == 0
    assert [memories.owner(name).stats().memories for name in owners] == [len(range(p, count, 3)) for p in range(3)]


def test_del_derived_goes_with_what_it_comes_from(memories: Memories) -> None:
    owner = memories.owner("agent:alice")
    owner.remember("Ruth likes tulips.", key="A", subjects=[PERSON])
    owner.remember("Tulips are in season.", key="B")
    owner.remember("Tulips for Ruth now.", key="S", derived_from=["A", "B"])
    owner.remember("Buy them.", key="T", derived_from=["S"])

    memories.withdraw(PERSON)

    whys = {key: owner.why(key) for key in "ABST"}
    assert {key: why.memory.content for key, why in whys.items()} == {
        "A": "",
        "B": "Tulips are in season.",
        "S": "",
        "T": "",
    }
    assert {key: why.withdrawal for key, why in whys.items()} == {
        "A": "complete", "B": "none", "S": "complete", "T": "complete",
    }  # fmt: skip


def test_del_derived_is_incomplete_where_a_derivative_keeps_its_words(memories: Memories) -> None:
    owner = memories.owner("agent:alice")
    owner.remember("Tulips.", key="A")
    owner.remember("More tulips.", key="S", derived_from=["A"])

    receipt = owner.erase("A", confirm=True)

    assert receipt.derived == ("S",)
    assert owner.why("S").memory.content == "More tulips."


LATE: dict[str, Callable[[Owner], object]] = {
    "reinforce": lambda owner: owner.reinforce("M"),
    "review": lambda owner: owner.review("M", approve=True),
    "correct": lambda owner: owner.correct("M", content="Ruth likes roses."),
    "forget": lambda owner: owner.forget("M", reason="late"),
    "reinstate": lambda owner: owner.reinstate("M"),
    "derive": lambda owner: owner.remember("So she does.", derived_from=["M"]),
    "supersede": lambda owner: owner.remember("She does not.", supersedes=["M"]),
    "contradict": lambda owner: owner.contradict("M", "other", reason="late"),
    "associate": lambda owner: owner.associate(["M", "other"], "flowers"),
    "remember": lambda owner: owner.remember("Ruth likes tulips.", key="M", subjects=[PERSON]),
    "mention": lambda owner: owner.remember("Ruth likes tulips.", subjects=[PERSON]),
    "believe": lambda owner: owner.believe(PERSON, "likes", "tulips"),
}
"""What a task that started earlier may still want of M."""


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("purged", [False, True], ids=["withdrawn", "purged"])
def test_del_late_task_is_refused_and_leaves_no_ghost(memories: Memories, late: str, purged: bool) -> None:
    owner = memories.owner("agent:alice")
    owner.remember("Ruth likes tulips.", key="M", subjects=[PERSON])
    owner.remember("Something else.", key="other")
    memories.purge(PERSON, confirm=True) if purged else memories.withdraw(PERSON)
    revision, events = owner.revision(), owner.why("M").history
    # A purge leaves nothing that could tell that the person was ever there: a new mention is a new subject's.
    news = purged and late in ("mention", "believe")

    try:
        LATE[late](owner)
        code = "done"
    except ReminisceError as error:
        code = error.code

    assert code == "done" if news else code in ("status", "subject_withdrawn", "key_taken")
    assert owner.why("M").history == events
    assert (owner.why("M").memory.content, owner.why("M").memory.status) == ("", Status.WITHDRAWN)
    assert "M" not in found(owner, "tulips Ruth")
    assert news or owner.revision() == revision


@pytest.mark.parametrize("purged", [False, True], ids=["withdrawn", "purged"])
def test_del_late_task_promotes_nothing(memories: Memories, purged: bool) -> None:
    owner = memories.owner("agent:alice")
    note = owner.note("Ruth likes tulips.", subjects=[PERSON])
    owner.remember("Ruth.", subjects=[PERSON])
    memories.purge(PERSON, confirm=True) if purged else memories.withdraw(PERSON)

    with pytest.raises(NotFoundError):
        owner.promote(note.name)

    assert (owner.notes(), found(owner, "tulips Ruth")) == ((), [])


def test_withdrawing_nothing_changes_nothing(memories: Memories) -> None:
    owner = memories.owner("agent:alice")
    owner.remember("Ruth likes tulips.", key="M", subjects=[PERSON])
    before = owner.revision()

    receipts = [
        memories.withdraw("person:never"),
        memories.withdraw("person:never"),
        memories.purge("nobody", confirm=True),
    ]

    assert [(receipt.memories, receipt.links, receipt.revisions) for receipt in receipts] == [(0, 0, ())] * 3
    assert [receipt.state for receipt in receipts] == ["withdrawn", "withdrawn", None]
    assert (owner.revision(), found(owner, "tulips")) == (before, ["M"])


def test_withdrawing_twice_withdraws_once(memories: Memories) -> None:
    owner = memories.owner("agent:alice")
    owner.remember("Ruth likes tulips.", key="M", subjects=[PERSON])
    memories.withdraw(PERSON)
    before = owner.revision(), owner.why("M")

    receipt = memories.withdraw(PERSON)

    assert (receipt.memories, receipt.unchanged, receipt.revisions) == (0, 1, ())
    assert (owner.revision(), owner.why("M")) == before
