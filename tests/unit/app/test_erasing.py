"""Withdraw, purge and erase: what goes, what stays, what is told of it, and what happens when they are stopped."""

from typing import Any

import pytest
from attrs import define

from reminisce import (
    CursorExpiredError,
    ErasureIncompleteError,
    InvalidError,
    NotFoundError,
    Owner,
    Status,
    StatusError,
    StoreError,
    SubjectWithdrawnError,
    View,
)
from reminisce.domain.changes import Commit
from tests.support.failing import FailingStore
from tests.unit.app.worlds import World, contents

RUTH = "person:ruth"
TOM = "person:tom"
FULL: dict[str, Any] = {
    "aspects": ["semantic", "procedural"],
    "basis": "told",
    "confidence": 0.875,
    "salience": 0.25,
    "occurred_at": "2026-01-02T00:00:00Z",
    "due_at": "2026-02-02T00:00:00Z",
    "valid_from": "2026-01-01T00:00:00Z",
    "valid_to": "2027-01-01T00:00:00Z",
    "sources": ["doc:walk"],
    "facets": {"place": "north"},
    "tier": "redacted",
    "surface": "Somebody likes flowers.",
    "episode": "walk",
    "reviewer": "ann",
    "request_key": "request-1",
}


@define
class StoppingStore(FailingStore):
    """A store that does only so many commits more."""

    left: int = 1_000_000

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        if not self.left:
            raise StoreError("no more")
        self.left -= 1
        FailingStore.commit(self, commit, within=within)


def stopping(world: World, left: int = 1_000_000) -> tuple[World, StoppingStore]:
    """The world by way of a store that does *left* commits and no more."""
    store = StoppingStore(world.store, left=left)
    return world.through(store), store


def many(owner: Owner, count: int = 1100) -> None:
    owner.remember_many([{"content": f"Tulips {n}.", "key": f"k{n:04d}", "subjects": [RUTH]} for n in range(count)])


def states(owner: Owner, *keys: str) -> list[str]:
    return [owner.why(key).withdrawal for key in keys]


# What stays


def test_what_is_left_is_what_the_receipt_says_and_nothing_else(world: World, ann: Owner) -> None:
    ann.remember("Roots.", key="root")
    ann.remember("Old.", key="old")
    ann.remember("Ruth likes tulips.", key="k", subjects=[RUTH], derived_from=["root"], supersedes=["old"], **FULL)
    ann.reinforce("k")
    before = ann.why("k").memory
    world.memories().withdraw(RUTH)

    left = ann.why("k").memory

    kept = ("aspects", "basis", "confidence", "salience", "occurred_at", "due_at", "valid_from", "valid_to", "subjects")
    assert [getattr(left, name) for name in (*kept, "tier", "reviewer")] == [
        getattr(before, name) for name in (*kept, "tier", "reviewer")
    ]
    assert (left.uses, left.recorded_at, left.status) == (1, before.recorded_at, Status.WITHDRAWN)
    assert (left.content, left.surface, left.facets, left.fact, left.episode) == ("", None, (), None, None)
    assert (left.sources, left.request_key) == ((), None)


def test_links_to_what_it_comes_from_stay(world: World, ann: Owner) -> None:
    ann.remember("Root.", key="root")
    ann.remember("Old.", key="old")
    ann.remember("Ruth.", key="k", subjects=[RUTH], derived_from=["root"], supersedes=["old"])
    world.memories().withdraw(RUTH)

    why = ann.why("k")

    assert ([ancestor.key for ancestor in why.ancestors], why.supersedes) == (["root"], ("old",))


def test_its_history_stays_without_reasons(world: World, ann: Owner) -> None:
    ann.remember("Ruth.", key="k", subjects=[RUTH])
    ann.forget("k", reason="Ruth asked.")
    ann.reinstate("k")
    world.memories(face={"actor": "desk"}).withdraw(RUTH)

    history = ann.why("k").history

    assert [(event.operation, event.status, event.actor, event.reason) for event in history] == [
        ("remember", "active", "library", None),
        ("forget", "retired", "library", None),
        ("reinstate", "active", "library", None),
        ("withdraw", "withdrawn", "desk", None),
    ]


def test_a_source_that_nobody_else_cites_goes_and_a_shared_one_stays(world: World, ann: Owner) -> None:
    ann.remember("Ruth.", key="k", subjects=[RUTH], sources=["doc:hers", "doc:shared"])
    ann.remember("Weather.", key="other", sources=["doc:shared"])
    world.memories().withdraw(RUTH)

    with world.store.view() as view:
        cited = view.citing(ann.name, ["doc:hers", "doc:shared"])

    assert dict(cited) == {"doc:shared": ["other"]}
    assert ann.why("other").memory.sources == ("doc:shared",)


def test_links_that_say_something_about_it_go_with_it(world: World, ann: Owner) -> None:
    for key, refs in (("a", [RUTH]), ("b", []), ("c", [])):
        ann.remember(f"Words of {key}.", key=key, subjects=refs)
    ann.contradict("a", "b", reason="Ruth says otherwise.")
    ann.associate(["a", "b", "c"], "flowers", {"for": "Ruth"})
    ann.associate(["b", "c"], "weather")

    receipt = world.memories().withdraw(RUTH)

    why = ann.why("b")
    assert (receipt.memories, receipt.links) == (1, 2)
    assert (why.contradictions, [link.kind for link in why.associations]) == ((), ["weather"])


# What is told


def test_a_receipt_counts_what_one_call_did(world: World, ann: Owner) -> None:
    bob = world.owner("agent:bob")
    ann.remember("Ruth.", key="a", subjects=[RUTH])
    ann.remember("Ruth, too.", key="b", subjects=[RUTH])
    bob.remember("Ruth here.", key="c", subjects=[RUTH])
    ann.erase("a", confirm=True)

    receipt = world.memories().withdraw(RUTH, "She asked.")

    assert (receipt.subject, receipt.state, receipt.memories, receipt.unchanged) == (RUTH, "withdrawn", 2, 1)
    assert dict(receipt.revisions) == {ann.name: ann.revision(), bob.name: bob.revision()}
    assert "content" not in " ".join(receipt.kept)


def test_why_says_what_reached_a_memory(world: World, ann: Owner) -> None:
    memories = world.memories()
    ann.remember("Weather.", key="weather")
    ann.remember("Ruth.", key="ruth", subjects=[RUTH])
    ann.remember("Tom.", key="tom", subjects=[TOM])
    ann.remember("Named.", key="named")
    memories.withdraw(RUTH)
    memories.purge(TOM, confirm=True)
    ann.erase("named", confirm=True)

    assert states(ann, "weather", "ruth", "tom", "named") == ["none", "complete", "purged", "complete"]


def test_a_purge_leaves_no_trace_of_the_subject(world: World, ann: Owner) -> None:
    memories = world.memories()
    ann.remember("Ruth and Tom.", key="both", subjects=[RUTH, TOM])
    memories.withdraw(RUTH, "She asked.")
    receipt = memories.purge(RUTH, confirm=True)

    with world.store.view() as view:
        left = view.subjects([RUTH]), view.about(RUTH, limit=10), view.keyring()

    memory = ann.why("both").memory
    assert (receipt.state, receipt.memories) == ("purged", 0)
    assert (dict(left[0]), list(left[1])) == ({}, [])
    assert not any(key.ref == RUTH for key in left[2][0])
    assert (memory.subjects, memory.given.subjects) == ((TOM,), (TOM,))


def test_a_key_is_never_free_again(world: World, ann: Owner) -> None:
    ann.remember("Ruth.", key="k", subjects=[RUTH])
    world.memories().purge(RUTH, confirm=True)

    with pytest.raises(StatusError):
        ann.reinforce("k")
    with pytest.raises(StatusError):
        ann.remember("Weather.", key="k")

    assert ann.why("k").memory.status is Status.WITHDRAWN


# Stopped on the way


@pytest.mark.parametrize("done", [1, 2, 3])
def test_a_withdrawal_stopped_on_its_way_says_how_far_it_came(world: World, ann: Owner, done: int) -> None:
    many(ann)
    through, _ = stopping(world, 1 + done)

    with pytest.raises(ErasureIncompleteError) as caught:
        through.memories().withdraw(RUTH)

    first, last = min(500 * done, 1100), "k1099"
    assert (caught.value.done, caught.value.cause, caught.value.code) == (first, "store", "erasure_incomplete")
    assert set(states(ann, "k0000", last)) == {"incomplete"}
    assert bool(ann.why(last).memory.content) == (done < 3)


def test_run_again_it_finishes(world: World, ann: Owner) -> None:
    many(ann)
    through, store = stopping(world, 2)
    memories = through.memories()
    with pytest.raises(ErasureIncompleteError):
        memories.withdraw(RUTH)
    store.left = 1_000_000

    receipt = memories.withdraw(RUTH)

    assert (receipt.memories, receipt.unchanged, receipt.state) == (600, 500, "withdrawn")
    assert set(states(ann, "k0000", "k0500", "k1099")) == {"complete"}


def test_stopped_before_its_first_commit_it_never_began(world: World, ann: Owner) -> None:
    ann.remember("Ruth.", key="k", subjects=[RUTH])
    through, _ = stopping(world, 0)

    with pytest.raises(StoreError):
        through.memories().withdraw(RUTH)

    assert (states(ann, "k"), contents(ann.recall("Ruth"))) == (["none"], ["Ruth."])


def test_while_it_is_half_done_nothing_is_written_shown_or_agreed_to(world: World, ann: Owner) -> None:
    world.memories().consent(RUTH, ["team"])
    many(ann)
    through, _ = stopping(world, 2)
    with pytest.raises(ErasureIncompleteError):
        through.memories().withdraw(RUTH)

    for refused in (
        lambda: ann.remember("More.", subjects=[RUTH]),
        lambda: ann.note("More.", subjects=[RUTH]),
        lambda: world.memories().consent(RUTH, ["team"]),
    ):
        with pytest.raises(SubjectWithdrawnError):
            refused()

    assert len(world.owner(face={"audience": "team"}).recall("tulips").hits) == 0


def test_a_purge_stopped_at_each_commit_finishes_when_it_is_run_again(world: World, ann: Owner) -> None:
    many(ann, 600)
    through, store = stopping(world)
    memories = through.memories()
    stops = 0
    while stops < 20:
        store.left = 1
        try:
            memories.purge(RUTH, confirm=True)
        except (ErasureIncompleteError, StoreError):
            stops += 1
            continue
        break

    assert stops > 4
    assert set(states(ann, "k0000", "k0599")) == {"purged"}
    with world.store.view() as view:
        assert dict(view.subjects([RUTH])) == {}


def test_an_erasure_stopped_on_its_way_leaves_each_memory_whole_or_erased(world: World, ann: Owner) -> None:
    many(ann)
    through, store = stopping(world, 1)
    owner = through.owner()

    with pytest.raises(ErasureIncompleteError) as caught:
        owner.erase(subject=RUTH, confirm=True)
    left = len(ann.recent(1000, subject=RUTH).hits)
    store.left = 1_000_000
    receipt = owner.erase(subject=RUTH, confirm=True)

    assert (caught.value.done, left, receipt.memories) == (500, 600, 600)


def test_a_withdrawal_of_one_says_nothing_of_another_that_is_half_done(world: World, ann: Owner) -> None:
    ann.remember("Ruth and Tom.", key="both", subjects=[RUTH, TOM])
    world.memories().withdraw(RUTH)
    through, _ = stopping(world, 1)
    with pytest.raises(StoreError):
        through.memories().withdraw(TOM)

    assert states(ann, "both") == ["complete"]


# Afterwards


def test_a_consent_opens_the_subject_again_and_brings_nothing_back(world: World, ann: Owner) -> None:
    memories = world.memories()
    ann.remember("Ruth likes tulips.", key="old", subjects=[RUTH])
    memories.withdraw(RUTH)
    with pytest.raises(SubjectWithdrawnError):
        ann.remember("Ruth likes roses.", subjects=[RUTH])

    memories.consent(RUTH, ["team"])
    ann.remember("Ruth likes roses.", key="new", subjects=[RUTH])

    team = world.owner(face={"audience": "team"})
    assert contents(team.recall("Ruth tulips roses")) == ["Ruth likes roses."]
    assert states(ann, "old", "new") == ["complete", "none"]


def test_withdrawn_again_it_reaches_what_was_written_since(world: World, ann: Owner) -> None:
    memories = world.memories()
    receipts = []
    for key in ("one", "two"):
        memories.consent(RUTH, [])
        ann.remember(f"Ruth, {key}.", key=key, subjects=[RUTH])
        receipts.append(memories.withdraw(RUTH))

    assert [(receipt.memories, receipt.unchanged) for receipt in receipts] == [(1, 0), (1, 1)]
    assert states(ann, "one", "two") == ["complete", "complete"]


def test_an_erased_memory_about_nobody_is_seen_by_its_owner_alone(world: World, ann: Owner) -> None:
    ann.remember("Weather.", key="k")
    team = world.owner(face={"audience": "team"})
    before = team.why("k").memory.content
    ann.erase("k", confirm=True)

    with pytest.raises(NotFoundError):
        team.why("k")

    assert (before, ann.why("k").memory.content, team.stats().memories) == ("Weather.", "", 0)


def test_no_past_shows_words_that_were_erased_later(world: World, ann: Owner) -> None:
    ann.remember("Ruth likes tulips.", key="k", subjects=[RUTH])
    then = ann.revision()
    world.memories().withdraw(RUTH)

    assert len(ann.recall("tulips", as_of=then).hits) == 0
    assert len(ann.recent(as_of=then).hits) == 0
    assert ann.why("k", as_of=then).memory.content == ""


@pytest.mark.parametrize("erasing", ["withdraw", "erase"])
def test_pages_that_were_begun_before_expire(world: World, ann: Owner, erasing: str) -> None:
    for n in range(4):
        ann.remember(f"Tulips {n}.", key=str(n), subjects=[RUTH])
    cursor = ann.recall("tulips", k=2).cursor
    world.memories().withdraw(RUTH) if erasing == "withdraw" else ann.erase("3", confirm=True)

    with pytest.raises(CursorExpiredError):
        ann.recall("tulips", k=2, cursor=cursor)


def test_words_are_found_by_no_sameness_afterwards(world: World, ann: Owner) -> None:
    ann.remember("Weather.", key="k", request_key="r")
    ann.erase("k", confirm=True)

    again = ann.remember("Weather.", request_key="r")

    assert (again.created, again.key != "k") == (True, True)


# Notes


@pytest.mark.parametrize("purged", [False, True])
def test_notes_go_at_once_here_and_at_the_next_call_elsewhere(world: World, ann: Owner, purged: bool) -> None:
    here, elsewhere = world.memories(), world.memories()
    owners = [memories.owner(ann.name) for memories in (here, elsewhere)]
    for owner in owners:
        owner.note("Ruth, call back.", subjects=[RUTH])
        owner.note("Buy milk.")
    ann.remember("Ruth.", subjects=[RUTH])

    receipt = here.purge(RUTH, confirm=True) if purged else here.withdraw(RUTH)

    assert receipt.notes == 1
    assert [[note.content for note in owner.notes()] for owner in owners] == [["Buy milk."]] * 2


def test_a_note_from_what_was_erased_goes_too(ann: Owner) -> None:
    ann.remember("Weather.", key="k")
    ann.note("So rain.", derived_from=["k"])

    ann.erase("k", confirm=True)

    assert ann.notes() == ()


# By name


def test_erasing_wants_to_be_confirmed(ann: Owner) -> None:
    ann.remember("Weather.", key="k")

    with pytest.raises(InvalidError) as caught:
        ann.erase("k")

    assert [(problem.field, problem.code) for problem in caught.value.problems] == [("confirm", "missing")]
    assert ann.why("k").memory.content == "Weather."


def test_purging_wants_to_be_confirmed(world: World, ann: Owner) -> None:
    ann.remember("Ruth.", key="k", subjects=[RUTH])

    with pytest.raises(InvalidError) as caught:
        world.memories().purge(RUTH)

    assert (caught.value.fields, states(ann, "k")) == (("confirm",), ["none"])


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        ({}, ("keys",)),
        ({"keys": []}, ("keys",)),
        ({"keys": "k", "containing": "x"}, ("keys",)),
        ({"containing": ""}, ("containing",)),
        ({"keys": "k", "with_derived": 1, "scrub": "yes"}, ("with_derived", "scrub")),
        ({"keys": "k", "since": 1}, ("arguments",)),
        ({"aspects": []}, ("keys",)),
    ],
)
def test_erasing_says_what_is_wrong_with_what_it_was_given(
    ann: Owner, arguments: dict[str, Any], fields: tuple[str, ...]
) -> None:
    ann.remember("Weather.", key="k")

    with pytest.raises(InvalidError) as caught:
        ann.erase(confirm=True, **arguments)

    assert (caught.value.fields, ann.why("k").memory.content) == (fields, "Weather.")


def test_named_keys_are_erased_all_or_none(ann: Owner) -> None:
    ann.remember("Weather.", key="k")

    with pytest.raises(NotFoundError):
        ann.erase(["k", "nobody's"], confirm=True)

    assert ann.why("k").memory.content == "Weather."


def test_what_is_found_is_erased_whatever_its_status(world: World, ann: Owner) -> None:
    ann.remember("Tulips.", key="active")
    ann.remember("Tulips, no more.", key="retired")
    ann.remember("Tulips, once.", key="superseded")
    ann.remember("Roses.", key="roses", supersedes=["superseded"])
    ann.forget("retired")
    world.wait(1)

    receipt = ann.erase(containing="Tulips", confirm=True)

    assert (receipt.memories, states(ann, "active", "retired", "superseded", "roses")) == (
        3,
        ["complete", "complete", "complete", "none"],
    )


def test_containing_is_letter_by_letter_within_the_filters(ann: Owner) -> None:
    ann.remember("Tulips here.", key="a", episode="one")
    ann.remember("tulips here.", key="b", episode="one")
    ann.remember("Tulips there.", key="c", episode="two")

    receipt = ann.erase(containing="Tulips", episode="one", confirm=True)

    assert (receipt.memories, states(ann, "a", "b", "c")) == (1, ["complete", "none", "none"])


@pytest.mark.parametrize("with_derived", [False, True])
def test_what_is_derived_goes_when_it_is_asked_for_and_is_named_when_not(ann: Owner, with_derived: bool) -> None:
    ann.remember("Root.", key="a")
    ann.remember("Branch.", key="b", derived_from=["a"])
    ann.remember("Leaf.", key="c", derived_from=["b"])

    receipt = ann.erase("a", confirm=True, with_derived=with_derived)

    texts = [ann.why(key).memory.content for key in "abc"]
    assert (receipt.memories, receipt.derived) == ((3, ()) if with_derived else (1, ("b",)))
    assert texts == (["", "", ""] if with_derived else ["", "Branch.", "Leaf."])


def test_erasing_twice_erases_once(ann: Owner) -> None:
    ann.remember("Weather.", key="k")
    ann.erase("k", confirm=True)
    before = ann.revision(), ann.why("k")

    receipt = ann.erase("k", confirm=True)

    assert (receipt.memories, receipt.unchanged, receipt.revisions) == (0, 1, ())
    assert (ann.revision(), ann.why("k")) == before


def test_another_owners_memory_is_not_there(world: World, ann: Owner) -> None:
    ann.remember("Weather.", key="k")

    with pytest.raises(NotFoundError):
        world.owner("agent:bob").erase("k", confirm=True)

    assert ann.why("k").memory.content == "Weather."
