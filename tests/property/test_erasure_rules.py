"""
The rules of the design's section on fences, each as what it keeps from happening.

A plan is made on one snapshot, something else is committed, and the plan must lose; planned again, it must come out right.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from reminisce import Memories, Store
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.service.held import HeldIndex
from reminisce.domain.changes import Advance, Commit, Fence, FenceKind, PutPiece
from reminisce.domain.erasure import KEPT, KEPT_AS_GIVEN, without_words
from reminisce.domain.index.index import Index
from reminisce.domain.masking import NO_MASKS
from reminisce.domain.memory import Attributes, Cause, Erased, Fact, Memory
from reminisce.domain.planning.believe import plan_believe
from reminisce.domain.planning.consent import plan_consent
from reminisce.domain.planning.correct import plan_correct
from reminisce.domain.planning.erase import plan_erase
from reminisce.domain.planning.forget import plan_forget, plan_reinstate
from reminisce.domain.planning.linking import plan_associate, plan_contradict
from reminisce.domain.planning.plan import Occasion, Plan
from reminisce.domain.planning.reinforce import plan_reinforce
from reminisce.domain.planning.remember import plan_remember
from reminisce.domain.planning.review import plan_review
from reminisce.domain.planning.subjects import last_opening
from reminisce.domain.planning.withdraw import (
    Batch,
    Opening,
    plan_batch,
    plan_close,
    plan_drop,
    plan_open,
    plan_purging,
)
from reminisce.domain.policy import Rules
from reminisce.domain.records import Piece, Subject, SubjectState
from reminisce.domain.requests import read_belief, read_changes, read_request
from reminisce.domain.state import State, apply
from reminisce.domain.values import Basis, Status, Tier
from reminisce.domain.visibility import OWNER_ITSELF
from reminisce.errors import (
    ConflictError,
    CursorExpiredError,
    ErasureIncompleteError,
    StatusError,
    StoreUnavailableError,
    SubjectWithdrawnError,
)
from reminisce.ports.store import View
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock, PlainAnalyser
from reminisce.testing.model.erasing import GIVEN_STAYS, STAYS
from reminisce.testing.writing import ALICE, BOB
from tests.support.stores import STORE_CASES

ADA, EVE = "person:ada", "person:eve"
Planner = Callable[..., Plan[Any]]


@attrs.define
class World:
    """A state, planned on as it is or as it was."""

    state: State = attrs.field(factory=lambda: State("0" * 32))
    _ids: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    def occasion(self) -> Occasion:
        return Occasion(now=NOON, actor="test", commit_id=f"c{next(self._ids)}")

    def plan(self, planner: Planner, *request: Any, at: State | None = None, **options: Any) -> Plan[Any]:
        """What a request would do now, or *at* an earlier state."""
        return planner(self.state if at is None else at, *request, occasion=self.occasion(), **options)

    def commit(self, commit: Commit | None) -> None:
        assert commit is not None
        self.state = apply(self.state, commit)

    def do(self, planner: Planner, *request: Any, **options: Any) -> Any:
        plan = self.plan(planner, *request, **options)
        if plan.commit is not None:
            self.commit(plan.commit)
        return plan.answer

    def loses(self, plan: Plan[Any]) -> None:
        """It is refused, and nothing of it is done."""
        assert plan.commit is not None
        with pytest.raises(ConflictError):
            apply(self.state, plan.commit)

    def remembering(self, content: str, owner: str = ALICE, *, at: State | None = None, **raw: Any) -> Plan[Any]:
        requests = [read_request({"content": content, **raw})]
        return self.plan(plan_remember, owner, requests, [f"m{next(self._ids)}"], viewer=OWNER_ITSELF, at=at)

    def remember(self, content: str, owner: str = ALICE, **raw: Any) -> str:
        plan = self.remembering(content, owner, **raw)
        self.commit(plan.commit)
        key: str = plan.answer[0].key
        return key

    def consent(self, ref: str, *audiences: str, opening: int | None = None) -> Any:
        plan = plan_consent(self.state, ref, audiences, commit_id=f"c{next(self._ids)}", opening=opening)
        if plan.commit is not None:
            self.commit(plan.commit)
        return plan.answer

    def open(self, ref: str = ADA) -> Opening:
        opening: Opening = self.do(plan_open, ref, reason=None)
        return opening

    def erase_all(self, ref: str, opening: Opening) -> None:
        batch: Batch = self.do(plan_batch, ref, opening, after=None, limit=2)
        while batch.last is not None:
            batch = self.do(plan_batch, ref, opening, after=batch.last, limit=2)

    def withdraw(self, ref: str = ADA) -> Opening:
        opening = self.open(ref)
        self.erase_all(ref, opening)
        if opening.state is SubjectState.WITHDRAWING:
            opening = self.do(plan_close, ref, opening)
        return opening

    def purge(self, ref: str = ADA) -> None:
        purging = self.do(plan_purging, ref, self.withdraw(ref))
        self.erase_all(ref, purging)
        self.do(plan_drop, ref, purging)

    def memory(self, key: str, owner: str = ALICE) -> Memory:
        return self.state.memories(owner, [key])[key]

    def fence(self, kind: FenceKind, name: str = "") -> int:
        return self.state.fences([Fence(kind, name)])[Fence(kind, name)]

    def save_piece(self, data: bytes = b"terms") -> None:
        """As a process would that has just brought its index up to date."""
        pieces, erasure = Fence(FenceKind.PIECES, ALICE), Fence(FenceKind.ERASURE, ALICE)
        standing = self.state.fences([pieces, erasure])
        piece = Piece(standing[pieces] + 1, self.state.head(ALICE).revision, data)
        self.commit(
            Commit(
                id=f"c{next(self._ids)}",
                changes=(PutPiece(ALICE, piece),),
                advances=(Advance(pieces, standing[pieces], piece.number),),
                requires=((erasure, standing[erasure]),),
            )
        )


@pytest.fixture
def world() -> World:
    return World()


# What is kept, and nothing else.

KEPT_OF_A_MEMORY = STAYS | {"given", "status", "erased"}
GONE_OF_A_MEMORY = {"named", "request_key", "many", "further_sources", "agreed"}
KEPT_AS_GIVEN_OF_IT = GIVEN_STAYS
GONE_AS_GIVEN = {"content", "sources", "facets", "surface", "episode", "fact"}

GIVEN = Attributes(
    content="a",
    aspects=("semantic",),
    basis=Basis.TOLD,
    confidence=1,
    salience=2,
    occurred_at=NOON,
    due_at=NOON,
    valid_from=NOON,
    valid_to=NOON,
    sources=("b",),
    facets=(("c", "d"),),
    subjects=(ADA,),
    tier=Tier.PRIVATE,
    surface="e",
    episode="f",
    fact=Fact(ADA, "g", "h"),
    reviewer="i",
    derived_from=("j",),
    supersedes=("k",),
)
FULL = Memory(
    owner=ALICE,
    key="l",
    given=GIVEN,
    status=Status.HELD,
    tier=Tier.REDACTED,
    subjects=(ADA, EVE),
    confidence_thousandths=3,
    salience_thousandths=4,
    recorded_at=NOON,
    revision=5,
    ordinal=6,
    named=True,
    request_key="m",
    valid_from=NOON,
    valid_to=NOON,
    many=True,
    further_sources=("n",),
    uses=7,
    consolidated_uses=8,
    consolidated_at=NOON,
    agreed=("team",),
)


def test_every_field_is_either_on_the_kept_list_or_erased() -> None:
    """A field that is new must be decided on here, and in the contract's list, before it can be kept."""
    assert {field.name for field in attrs.fields(Memory)} == KEPT_OF_A_MEMORY | GONE_OF_A_MEMORY
    assert {field.name for field in attrs.fields(Attributes)} == KEPT_AS_GIVEN_OF_IT | GONE_AS_GIVEN
    assert KEPT_OF_A_MEMORY.isdisjoint(GONE_OF_A_MEMORY)
    assert KEPT_AS_GIVEN_OF_IT.isdisjoint(GONE_AS_GIVEN)
    assert KEPT | {"given"} == KEPT_OF_A_MEMORY
    assert KEPT_AS_GIVEN == KEPT_AS_GIVEN_OF_IT


def test_what_is_left_of_a_memory_is_the_kept_list_exactly() -> None:
    by, bare = Erased(Cause.WITHDRAWAL, ADA, 3), Attributes(content="")

    left = without_words(FULL, by)

    for field in attrs.fields(Attributes):
        before, after = (getattr(given, field.name) for given in (GIVEN, left.given))
        assert before != getattr(bare, field.name), f"the test says nothing of {field.name}"
        assert after == (before if field.name in KEPT_AS_GIVEN_OF_IT else getattr(bare, field.name))
    for field in attrs.fields(Memory):
        before, after = (getattr(memory, field.name) for memory in (FULL, left))
        if field.name in GONE_OF_A_MEMORY:
            assert before != field.default, f"the test says nothing of {field.name}"
            assert after == field.default
        elif field.name not in ("given", "status", "erased"):
            assert after == before
    assert (left.status, left.erased) == (Status.WITHDRAWN, by)


# Words.


def _erasing(world: World, key: str) -> Plan[Any]:
    return world.plan(plan_erase, ALICE, [key], viewer=OWNER_ITSELF)


def _withdrawing(world: World, _: str) -> Plan[Any]:
    return world.plan(plan_batch, ADA, world.open(), after=None, limit=9)


@pytest.mark.parametrize("erasing", [_erasing, _withdrawing])
def test_1_pieces_saved_after_an_erasure_was_planned_go_with_it(
    world: World, erasing: Callable[[World, str], Plan[Any]]
) -> None:
    key = world.remember("Ada drinks tea", subjects=[ADA])
    world.save_piece(b"known to the plan")
    plan = erasing(world, key)
    world.save_piece(b"tea, which the plan never saw")

    # It need not be planned again: what it erases is the same.
    world.commit(plan.commit)

    assert world.state.pieces(ALICE) == []


def test_2_an_index_that_was_read_before_an_erasure_cannot_be_saved_after_it(world: World) -> None:
    key = world.remember("Ada drinks tea")
    held = HeldIndex(ALICE, PlainAnalyser(), NO_MASKS)
    saving = held.settled(world.state, "saving", anew=False)
    assert saving is not None
    world.do(plan_erase, ALICE, [key], viewer=OWNER_ITSELF)

    with pytest.raises(ConflictError):
        apply(world.state, saving)
    held.drop()
    again = held.settled(world.state, "again", anew=False)
    world.commit(again)

    [piece] = world.state.pieces(ALICE)
    assert b"tea" in saving.changes[1].piece.data  # type: ignore[union-attr]
    assert b"tea" not in piece.data


def test_3_saved_pieces_leave_the_owners_revision_alone_and_an_erasure_moves_it(world: World) -> None:
    key = world.remember("Ada drinks tea")
    before = world.state.head(ALICE), list(world.state.log(ALICE, since=0)), world.fence(FenceKind.ERASURE, ALICE)

    world.save_piece()
    assert before == (
        world.state.head(ALICE), list(world.state.log(ALICE, since=0)), world.fence(FenceKind.ERASURE, ALICE)
    )  # fmt: skip
    world.do(plan_erase, ALICE, [key], viewer=OWNER_ITSELF)

    assert [entry.operation for entry in world.state.log(ALICE, since=0)] == ["remember", "erase"]
    assert world.fence(FenceKind.ERASURE, ALICE) == before[2] + 1


def _believing(world: World, value: str, **raw: Any) -> Plan[Any]:
    belief = read_belief(ADA, "home", value, None, raw)
    return world.plan(plan_believe, ALICE, belief, f"m{next(world._ids)}", viewer=OWNER_ITSELF)


def test_4_subjects_that_a_memory_gains_reach_all_that_comes_from_it_and_rely_on_all_of_theirs(world: World) -> None:
    belief = _believing(world, "Riga")
    world.commit(belief.commit)
    child = world.remember("She lives by the sea", derived_from=[belief.answer.key], subjects=["person:ivo"])
    grandchild = world.remember("It is windy there", derived_from=[child])
    plan = _believing(world, "Riga", subjects=[EVE])
    assert plan.answer.key == belief.answer.key

    assert plan.commit is not None
    relied = {fence.name for fence, _ in plan.commit.requires} | {claim.fence.name for claim in plan.commit.advances}
    world.open("person:ivo")
    world.loses(plan)
    with pytest.raises(SubjectWithdrawnError):
        _believing(world, "Riga", subjects=[EVE])

    assert {ADA, EVE, "person:ivo"} <= relied
    assert EVE not in world.memory(grandchild).subjects


def test_4_subjects_that_a_memory_gains_are_those_of_all_that_comes_from_it(world: World) -> None:
    belief = _believing(world, "Riga")
    world.commit(belief.commit)
    child = world.remember("She lives by the sea", derived_from=[belief.answer.key])
    grandchild = world.remember("It is windy there", derived_from=[child])

    world.commit(_believing(world, "Riga", subjects=[EVE]).commit)

    assert {world.memory(key).subjects for key in (belief.answer.key, child, grandchild)} == {(ADA, EVE)}
    world.withdraw(EVE)
    assert {world.memory(key).content for key in (belief.answer.key, child, grandchild)} == {""}


ATTACHING: dict[str, Callable[[World, str, str], Plan[Any]]] = {
    "derive": lambda world, key, _: world.remembering("wet", derived_from=[key]),
    "supersede": lambda world, key, _: world.remembering("dry", supersedes=[key]),
    "correct": lambda world, key, _: world.plan(
        plan_correct, ALICE, key, *read_changes({"content": "sun"}), "new", viewer=OWNER_ITSELF
    ),
    "reinforce": lambda world, key, _: world.plan(plan_reinforce, ALICE, key, viewer=OWNER_ITSELF),
    "forget": lambda world, key, _: world.plan(plan_forget, ALICE, [key], reason="false", viewer=OWNER_ITSELF),
    "contradict": lambda world, key, other: world.plan(
        plan_contradict, ALICE, key, other, reason="both?", viewer=OWNER_ITSELF
    ),
    "claim": lambda world, key, other: world.plan(
        plan_contradict, ALICE, other, "third", claim=(key,), viewer=OWNER_ITSELF
    ),
    "associate": lambda world, key, other: world.plan(
        plan_associate, ALICE, [key, other], kind="near", viewer=OWNER_ITSELF
    ),
    "say again by name": lambda world, key, _: world.remembering("rain", key=key),
}


@pytest.mark.parametrize("attach", ATTACHING.values(), ids=ATTACHING)
def test_5_nothing_attaches_to_words_that_are_erased(
    world: World, attach: Callable[[World, str, str], Plan[Any]]
) -> None:
    key, other, _ = world.remember("rain", key="rain"), world.remember("snow"), world.remember("hail", key="third")
    plan = attach(world, key, other)
    world.do(plan_erase, ALICE, [key], viewer=OWNER_ITSELF)
    erased = world.state

    if plan.commit is not None:
        world.loses(plan)
    with pytest.raises(StatusError) as refused:
        attach(world, key, other)

    assert refused.value.status == "withdrawn"
    assert world.state.memories(ALICE, [key]) == erased.memories(ALICE, [key])


def test_5_what_waits_or_was_forgotten_cannot_come_into_force_when_it_is_erased(world: World) -> None:
    requests = [read_request({"content": "rain", "aspects": ["procedural"]})]
    rules = Rules(review_aspects=frozenset({"procedural"}))
    world.do(plan_remember, ALICE, requests, ["held"], viewer=OWNER_ITSELF, rules=rules)
    key = world.remember("snow")
    world.do(plan_forget, ALICE, [key], viewer=OWNER_ITSELF)
    returning: tuple[Callable[[], Plan[Any]], ...] = (
        lambda: world.plan(plan_review, ALICE, "held", approve=True, confirm=True, viewer=OWNER_ITSELF),
        lambda: world.plan(plan_reinstate, ALICE, key, viewer=OWNER_ITSELF),
    )
    plans = [planned() for planned in returning]
    world.do(plan_erase, ALICE, ["held", key], viewer=OWNER_ITSELF)

    for plan, planned in zip(plans, returning, strict=True):
        world.loses(plan)
        with pytest.raises(StatusError):
            planned()


def test_5_what_waited_when_it_was_erased_never_stands_in_the_place_of_anything(world: World) -> None:
    old = world.remember("rain")
    requests = [read_request({"content": "snow", "aspects": ["procedural"], "supersedes": [old]})]
    rules = Rules(review_aspects=frozenset({"procedural"}))
    world.do(plan_remember, ALICE, requests, ["held"], viewer=OWNER_ITSELF, rules=rules)
    new = world.remember("hail", supersedes=["held"])
    world.do(plan_erase, ALICE, ["held"], viewer=OWNER_ITSELF)

    world.do(plan_forget, ALICE, [new], viewer=OWNER_ITSELF)
    world.do(plan_reinstate, ALICE, new, viewer=OWNER_ITSELF)

    assert (world.memory(old).status, world.memory(new).status) == (Status.ACTIVE, Status.ACTIVE)


# Subjects.


def test_6_opening_a_withdrawal_ends_the_consents_and_nobody_consents_before_it_has_closed(world: World) -> None:
    world.consent(ADA, "team")
    key = world.remember("Ada drinks tea", subjects=[ADA])
    before = world.fence(FenceKind.CONSENTS)

    opening = world.open()

    subject = world.state.subjects([ADA])[ADA]
    assert (subject.audiences, subject.state) == ((), SubjectState.WITHDRAWING)
    assert world.fence(FenceKind.CONSENTS) == before + 1
    with pytest.raises(SubjectWithdrawnError):
        world.consent(ADA, "team")
    world.erase_all(ADA, opening)
    with pytest.raises(SubjectWithdrawnError):
        world.consent(ADA, "team")
    world.do(plan_close, ADA, opening)
    assert world.consent(ADA, "team").audiences == ("team",)
    assert world.memory(key).content == ""


def test_6_nobody_consents_while_a_purge_runs(world: World) -> None:
    world.remember("Ada drinks tea", subjects=[ADA])
    purging = world.do(plan_purging, ADA, world.withdraw())

    with pytest.raises(SubjectWithdrawnError):
        world.consent(ADA, "team")

    world.erase_all(ADA, purging)
    with pytest.raises(SubjectWithdrawnError):
        world.consent(ADA, "team")


def test_6_a_consent_that_lost_to_an_opening_is_refused(world: World) -> None:
    world.remember("Ada drinks tea", subjects=[ADA])
    plan = plan_consent(world.state, ADA, ["team"], commit_id="late")
    world.open()

    world.loses(plan)
    with pytest.raises(SubjectWithdrawnError):
        plan_consent(world.state, ADA, ["team"], commit_id="late")


def test_7_a_withdrawal_that_another_process_has_closed_erases_nothing_that_was_said_since(world: World) -> None:
    world.remember("Ada drinks tea", subjects=[ADA])
    slow = world.open()
    planned = world.plan(plan_batch, ADA, slow, after=None, limit=9)
    closing_it = world.plan(plan_close, ADA, slow)
    world.withdraw()
    world.consent(ADA, "team")
    new = world.remember("Ada drinks coffee", subjects=[ADA])

    world.loses(planned)
    world.loses(closing_it)
    assert world.plan(plan_batch, ADA, slow, after=None, limit=9) == Plan(Batch(), None)
    closed = world.plan(plan_close, ADA, slow)

    assert closed == Plan(Opening(slow.epoch, SubjectState.WITHDRAWN), None)
    assert world.memory(new).content == "Ada drinks coffee"


def test_7_a_purge_touches_no_other_opening_than_its_own(world: World) -> None:
    world.remember("Ada drinks tea", subjects=[ADA])
    mine = world.withdraw()
    planned = world.plan(plan_purging, ADA, mine)
    world.consent(ADA)

    world.loses(planned)
    with pytest.raises(ConflictError):
        world.plan(plan_purging, ADA, mine)
    other = world.withdraw()
    assert other.epoch > mine.epoch
    with pytest.raises(ConflictError):
        world.plan(plan_purging, ADA, mine)


def test_7_a_consent_that_was_asked_for_before_a_withdrawal_does_not_undo_it(world: World) -> None:
    world.remember("Ada drinks tea", subjects=[ADA])
    asked = last_opening(world.state, ADA)
    world.withdraw()

    with pytest.raises(SubjectWithdrawnError):
        world.consent(ADA, "team", opening=asked)

    assert world.state.subjects([ADA])[ADA].state is SubjectState.WITHDRAWN


def test_8_every_commit_of_a_purge_relies_on_its_mark(world: World) -> None:
    for number in range(3):
        world.remember(f"Ada drinks {number}", subjects=[ADA, EVE], key=f"k{number}")
    withdrawn = world.withdraw()

    purging = world.do(plan_purging, ADA, withdrawn)
    mark = world.fence(FenceKind.SUBJECT, ADA)
    late = world.plan(plan_batch, ADA, purging, after=None, limit=1)
    dropping = world.plan(plan_drop, ADA, purging)
    world.purge()
    world.remember("somebody else of that name", subjects=[ADA])

    assert late.commit is not None
    assert late.commit.requires == ((Fence(FenceKind.SUBJECT, ADA), mark),)
    world.loses(late)
    world.loses(dropping)
    assert world.plan(plan_batch, ADA, purging, after=None, limit=1) == Plan(Batch(), None)
    assert world.plan(plan_drop, ADA, purging) == Plan(None, None)
    assert len(world.state.about(ADA, limit=9)) == 1


def test_8_a_purge_that_was_killed_anywhere_is_finished_by_the_next(world: World) -> None:
    for number in range(3):
        world.remember(f"Ada drinks {number}", subjects=[ADA, EVE], key=f"k{number}")
    purging = world.do(plan_purging, ADA, world.withdraw())
    world.do(plan_batch, ADA, purging, after=None, limit=1)

    world.purge()

    assert world.state.subjects([ADA, EVE]) == {EVE: Subject(EVE)}
    assert world.state.about(ADA, limit=9) == []
    assert {world.memory(f"k{n}").erased for n in range(3)} == {Erased(Cause.PURGE)}
    assert {world.memory(f"k{n}").subjects for n in range(3)} == {(EVE,)}


def test_8_a_reference_that_is_made_anew_repeats_no_epoch(world: World) -> None:
    seen = list[int]()
    for number in range(3):
        world.remember(f"Ada drinks {number}", subjects=[ADA])
        first = world.fence(FenceKind.SUBJECT, ADA)
        assert first > max(seen, default=0)
        opening = world.withdraw()
        purging = world.do(plan_purging, ADA, opening)
        world.erase_all(ADA, purging)
        seen += [first, opening.epoch, world.fence(FenceKind.SUBJECT, ADA)]
        world.do(plan_drop, ADA, purging)
        assert world.fence(FenceKind.SUBJECT, ADA) == 0

    assert seen == sorted(set(seen))


AGAIN: dict[str, dict[str, Any]] = {"key": {"key": "k"}, "request key": {"request_key": "r"}, "sameness": {}}


@pytest.mark.parametrize("named", AGAIN.values(), ids=AGAIN)
def test_9_nobody_is_answered_with_a_memory_about_somebody_who_is_being_withdrawn(
    world: World, named: dict[str, Any]
) -> None:
    parent = world.remember("Ada drinks tea", subjects=[ADA])
    said = {"derived_from": [parent], **named}
    key = world.remember("tea is drunk", **said)
    # About her by what it comes from: the request says nothing of her.
    assert world.memory(key).subjects == (ADA,)
    assert world.remembering("tea is drunk", **said).answer[0].key == key
    world.open()

    with pytest.raises(SubjectWithdrawnError):
        world.remembering("tea is drunk", **said)

    assert world.memory(key).content == "tea is drunk"


def test_10_a_first_mention_in_flight_is_refused_when_its_subject_is_withdrawn(world: World) -> None:
    plan = world.remembering("Ada drinks tea", subjects=[ADA])

    opening = world.withdraw()

    world.loses(plan)
    with pytest.raises(SubjectWithdrawnError):
        world.remembering("Ada drinks tea", subjects=[ADA])
    subject = world.state.subjects([ADA])[ADA]
    assert (subject.state, opening.state) == (SubjectState.WITHDRAWN, SubjectState.WITHDRAWN)
    assert [(one.opening, one.closed_at) for one in subject.withdrawals] == [(opening.epoch, NOON)]
    assert world.state.owners() == []


def test_10_a_write_in_flight_is_refused_when_its_subjects_withdrawal_opens(world: World) -> None:
    world.remember("Ada drinks tea", BOB, subjects=[ADA])
    plan = world.remembering("Ada drinks coffee", subjects=[ADA])
    before = world.plan(plan_remember, ALICE, [read_request({"content": "rain"})], ["rain"], viewer=OWNER_ITSELF)

    world.open()

    world.loses(plan)
    with pytest.raises(SubjectWithdrawnError):
        world.remembering("Ada drinks coffee", subjects=[ADA])
    # What is about nobody goes on.
    world.commit(before.commit)


# Replies.


class Losing(InMemoryStore):
    """A store before whose next commits something else happens, or whose answers are lost."""

    def __init__(self) -> None:
        super().__init__("0" * 32)
        self.first: list[Callable[[], None]] = []
        self.lost = 0
        self.fails_at = -1
        self.ids: list[str] = []

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        if self.first:
            self.first.pop()()
        if self.fails_at == 0:
            raise StoreUnavailableError("away")
        self.fails_at -= 1
        super().commit(commit, within=within)
        self.ids.append(commit.id)
        if self.lost:
            self.lost -= 1
            raise ConflictError


class Counted(CountingIdentifiers):
    """Tells how many keys were drawn."""

    drawn = 0

    def key(self) -> str:
        self.drawn += 1
        return super().key()


def _memories(store: Store, names: CountingIdentifiers | None = None, clock: FixedClock | None = None) -> Memories:
    return Memories(
        store, analyser=PlainAnalyser(), clock=clock or FixedClock(), identifiers=names or CountingIdentifiers()
    )


def test_11_keys_and_times_are_drawn_once_a_request_however_often_it_is_planned() -> None:
    store, clock, names = Losing(), FixedClock(), Counted()
    mine, other = _memories(store, names, clock).owner(ALICE), _memories(store, CountingIdentifiers(500)).owner(ALICE)

    def rival() -> None:
        other.remember(f"rain {len(store.ids)}")
        clock.time = clock.time.replace(year=clock.time.year + 1)

    store.first = [rival, lambda: None, rival]

    kept = mine.remember("tea")

    assert names.drawn == 1
    assert kept.revision == 3
    assert mine.why(kept.key).memory.recorded_at == NOON


def test_11_a_batch_whose_answer_was_lost_is_not_done_twice_and_counts_once() -> None:
    store = Losing()
    memories = _memories(store)
    for number in range(3):
        memories.owner(ALICE).remember(f"Ada drinks {number}", subjects=[ADA])
    before, store.ids, store.lost = memories.owner(ALICE).revision(), [], 9

    receipt = memories.withdraw(ADA)

    assert (receipt.state, receipt.memories, receipt.unchanged) == ("withdrawn", 3, 0)
    assert receipt.revisions == ((ALICE, before + 1),)
    # Opening, one batch, closing, and the index: each under an id of its own.
    assert len(store.ids) == len(set(store.ids)) == 4


@pytest.mark.parametrize("done", range(4))
def test_11_a_withdrawal_that_the_store_stopped_says_how_far_it_came_and_is_finished_by_the_next(
    monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    monkeypatch.setattr("reminisce.app.service.withdrawing.BATCH", 1)
    store = Losing()
    memories = _memories(store)
    for number in range(2):
        memories.owner(ALICE).remember(f"Ada drinks {number}", subjects=[ADA], key=f"k{number}")
    store.fails_at = done

    with pytest.raises((ErasureIncompleteError, StoreUnavailableError)) as stopped:
        memories.withdraw(ADA)
    store.fails_at = -1

    erased = max(0, done - 1)
    assert getattr(stopped.value, "done", 0) == erased
    states = [memories.owner(ALICE).why(f"k{number}").withdrawal for number in range(2)]
    assert states == (["none"] * 2 if done == 0 else ["incomplete"] * 2)
    receipt = memories.withdraw(ADA)
    assert (receipt.memories, receipt.unchanged) == (2 - erased, erased)
    assert [memories.owner(ALICE).why(f"k{number}").withdrawal for number in range(2)] == ["complete"] * 2


# Reading.


@pytest.fixture(params=STORE_CASES, ids=lambda case: case.name)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with closing(request.param.open(tmp_path)) as opened:
        yield opened


def test_12_an_index_is_read_from_one_view_whatever_is_erased_meanwhile(store: Store) -> None:
    memories = _memories(store)
    alice = memories.owner(ALICE)
    keys = [alice.remember(f"tea {number}", subjects=[ADA]).key for number in range(9)]
    memories.doctor(repair=True)
    alice.remember("rain")

    with store.view() as view:
        memories.withdraw(ADA)
        alice.erase(keys[0], confirm=True)
        index = HeldIndex(ALICE, PlainAnalyser(), NO_MASKS).caught_up(view)
        fresh = Index(PlainAnalyser().terms)
        fresh.update(view.head(ALICE).revision, view.records(ALICE))

    assert index.revision == 10
    assert index.agrees_with(fresh)
    assert memories.doctor(deep=True).findings == ()


@contextmanager
def _counted(store: Store, opened: list[int]) -> Iterator[None]:
    view = store.view

    def counting(**options: Any) -> Any:
        opened.append(1)
        return view(**options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "view", counting)
        yield


@pytest.mark.parametrize(
    "ask",
    [
        lambda owner: owner.recall("tea"),
        lambda owner: owner.recall(None, as_of=1),
        lambda owner: owner.why("k"),
        lambda owner: owner.beliefs(ADA, history=True),
        lambda owner: owner.stats(),
        lambda owner: owner.recent(3),
    ],
    ids=["recall", "past", "why", "beliefs", "stats", "recent"],
)
def test_12_everything_of_one_answer_is_read_through_one_view(store: Store, ask: Callable[[Any], object]) -> None:
    alice = _memories(store).owner(ALICE)
    alice.remember("tea", key="k", subjects=[ADA])
    alice.believe(ADA, "home", "Riga")
    opened = list[int]()

    with _counted(store, opened):
        ask(alice)

    assert len(opened) == 1


INTERVENING: dict[str, Callable[[Memories, Sequence[str]], object]] = {
    "erase": lambda memories, keys: memories.owner(ALICE).erase(keys[0], confirm=True),
    "disbelieve": lambda memories, _: memories.owner(ALICE).disbelieve(EVE, erase=True),
    "withdraw": lambda memories, _: memories.withdraw(ADA),
    "withdraw of nobody known": lambda memories, _: memories.withdraw("person:nobody"),
    "purge": lambda memories, _: memories.purge(ADA, confirm=True),
    "consent": lambda memories, _: memories.consent(ADA, ["team"]),
}


@pytest.mark.parametrize("intervene", INTERVENING.values(), ids=INTERVENING)
def test_13_a_cursor_does_not_outlive_an_erasure_or_a_consent(
    store: Store, intervene: Callable[[Memories, Sequence[str]], object]
) -> None:
    memories = _memories(store)
    alice = memories.owner(ALICE)
    keys = [alice.remember(f"tea {number}", subjects=[ADA]).key for number in range(3)]
    alice.believe(EVE, "drink", "tea")
    cursor = alice.recall("tea", k=1).cursor
    assert cursor is not None
    assert alice.recall("tea", k=1, cursor=cursor).hits != ()
    intervene(memories, keys)

    with pytest.raises(CursorExpiredError):
        alice.recall("tea", k=1, cursor=cursor)


def test_13_what_was_erased_is_in_no_past(store: Store) -> None:
    memories = _memories(store)
    alice = memories.owner(ALICE)
    key = alice.remember("Ada drinks tea", subjects=[ADA]).key
    alice.remember("rain")
    memories.withdraw(ADA)

    told = [alice.recall(query, as_of=revision) for query in ("tea", None) for revision in (1, 2, 3)]

    assert {hit.memory.content for found in told for hit in found} == {"rain"}
    assert alice.why(key, as_of=1).memory.content == ""
