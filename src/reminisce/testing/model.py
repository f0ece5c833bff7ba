"""The state machine: random programs over the domain's planners, on a store and on its model side by side."""

import datetime as dt
import itertools
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from reminisce.domain.changes import Advance, Commit, DropPieces, Fence, FenceKind, PutPiece
from reminisce.domain.memory import Memory, sameness
from reminisce.domain.planning.consent import plan_consent
from reminisce.domain.planning.forget import Forgotten, Reinstated, plan_forget, plan_reinstate
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.remember import Remembered, plan_remember
from reminisce.domain.records import Piece
from reminisce.domain.requests import read_request
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.state import State, apply
from reminisce.domain.values import Status
from reminisce.domain.visibility import OWNER_ITSELF
from reminisce.errors import ConflictError, ReminisceError
from reminisce.ports.store import Store
from reminisce.testing.cases import StoreCase
from reminisce.testing.contents import contents
from reminisce.testing.fakes import NOON
from reminisce.testing.strategies import AUDIENCES, IN_FORCE, KEYS, OWNERS, REFS, REQUESTS

__all__ = ["StoreMachine"]


@attrs.define
class _Said:
    """What callers were told of one memory."""

    content: str
    status: Status
    supersedes: tuple[str, ...]


class StoreMachine(RuleBasedStateMachine):
    """
    Subclasses name the case.

    Two models, since the in-memory store is the first one behind a lock: `domain.state.apply`, which every answer is
    compared with, and a plain dict of what callers were told, which knows nothing of planners and changes.
    """

    case: ClassVar[StoreCase]

    def __init__(self) -> None:
        super().__init__()
        self._held = ExitStack()
        self._folder = Path(self._held.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        self.store: Store = self.case.open(self._folder)
        with self.store.view() as view:
            self.model = State(view.incarnation())
        self.now = NOON
        self.said: dict[tuple[str, str], _Said] = {}
        self.commits: list[Commit] = []
        self.stale: list[Commit] = []
        self.epochs: dict[str, int] = {}
        self._ids = itertools.count(1)
        self._names = itertools.count(1)
        self._views = ExitStack()
        self._kept: tuple[Snapshot, State] | None = None

    def teardown(self) -> None:
        self._views.close()
        self.store.close()
        self._held.close()

    def _all(self, snapshot: Snapshot) -> dict[str, Any]:
        return contents(snapshot, refs=REFS, commits=[commit.id for commit in self.commits])

    def _id(self) -> str:
        return f"{next(self._ids):032x}"

    def _occasion(self) -> Occasion:
        return Occasion(now=self.now, actor="test", commit_id=self._id())

    def _commit(self, commit: Commit) -> None:
        self.stale = [*self.stale[-3:], commit]
        self.store.commit(commit)
        self.model = apply(self.model, commit)
        self.commits.append(commit)

    def _plan(self, planner: Callable[[Snapshot], Plan[Any]]) -> Any:
        """Plan on the store and on the model, which must come to the same, and commit. None when it is refused."""
        expected = _outcome(planner, self.model)
        with self.store.view() as view:
            planned = _outcome(planner, view)
        assert planned == expected
        if not isinstance(planned, Plan):
            return None
        if planned.commit is not None:
            self._commit(planned.commit)
        return planned.answer

    @initialize(step=st.integers(-3, 3))
    def begin(self, step: int) -> None:
        self.pass_time(step)

    @rule(step=st.integers(-3, 3))
    def pass_time(self, step: int) -> None:
        """Clocks go back, too."""
        self.now += dt.timedelta(seconds=step)

    @rule(owner=OWNERS, raws=st.lists(REQUESTS, min_size=1, max_size=3))
    def remember(self, owner: str, raws: list[dict[str, Any]]) -> None:
        try:
            requests = [read_request(raw) for raw in raws]
        except ReminisceError:
            return
        names = [f"m_{next(self._names)}" for _ in raws]
        occasion = self._occasion()
        answers: Sequence[Remembered] | None = self._plan(
            lambda view: plan_remember(view, owner, requests, names, viewer=OWNER_ITSELF, occasion=occasion)
        )
        for answer, request in zip(answers or (), requests, strict=bool(answers)):
            place, given = (owner, answer.key), request.attributes
            if answer.created:
                assert place not in self.said, "a key was used for two memories"
                self.said[place] = _Said(given.content, Status.ACTIVE, given.supersedes)
                self._supersede(owner, given.supersedes)
            assert self.said[place].content == given.content

    def _supersede(self, owner: str, keys: Sequence[str]) -> None:
        """Out of force goes everything behind *keys*, through what is out of force already."""
        ahead, seen = list(keys), set[str]()
        while ahead:
            key = ahead.pop()
            if key not in seen:
                seen.add(key)
                said = self.said[owner, key]
                ahead.extend(said.supersedes)
                if said.status is Status.ACTIVE:
                    said.status = Status.SUPERSEDED

    @rule(owner=OWNERS, keys=st.lists(KEYS, min_size=1, max_size=2, unique=True), reason=st.sampled_from((None, "why")))
    def forget(self, owner: str, keys: list[str], reason: str | None) -> None:
        occasion = self._occasion()
        answer: Forgotten | None = self._plan(
            lambda view: plan_forget(view, owner, keys, reason=reason, viewer=OWNER_ITSELF, occasion=occasion)
        )
        for key in answer.forgotten if answer else ():
            self.said[owner, key].status = Status.RETIRED

    @rule(owner=OWNERS, key=KEYS)
    def reinstate(self, owner: str, key: str) -> None:
        occasion = self._occasion()
        answer: Reinstated | None = self._plan(
            lambda view: plan_reinstate(view, owner, key, viewer=OWNER_ITSELF, occasion=occasion)
        )
        if answer and answer.changed:
            self.said[owner, answer.key].status = answer.status
            if answer.status is Status.ACTIVE:
                self._supersede(owner, self.said[owner, answer.key].supersedes)

    @rule(ref=st.sampled_from(REFS), audiences=AUDIENCES)
    def consent(self, ref: str, audiences: list[str]) -> None:
        commit_id = self._id()
        answer = self._plan(lambda view: plan_consent(view, ref, audiences, commit_id=commit_id))
        assert self.model.subjects([ref])[ref].audiences == answer.audiences == tuple(sorted(set(audiences)))

    @rule(owner=OWNERS, key=KEYS, values=IN_FORCE)
    def set_in_force(self, owner: str, key: str, values: dict[str, Any]) -> None:
        """No planner sets these yet; a store must be ready for those that will."""
        if not self.model.memories(owner, [key]):
            return
        book = Notebook(self.model, owner, "test", self._occasion())
        book.set(self.model.memories(owner, [key])[key], **values)
        book.rely_on(values.get("subjects", ()))
        commit = book.plan(None).commit
        assert commit is not None
        self._commit(commit)

    @rule(owner=OWNERS, drop=st.sampled_from((False, None, 1, 2)), data=st.binary(max_size=8))
    def save_pieces(self, owner: str, drop: int | None, data: bytes) -> None:
        fence, erasure = Fence(FenceKind.PIECES, owner), Fence(FenceKind.ERASURE, owner)
        standing = self.model.fences([fence, erasure])
        number = standing[fence] + 1
        changes = [] if drop is False else [DropPieces(owner, None if drop is None else (drop,))]
        self._commit(
            Commit(
                id=self._id(),
                changes=(*changes, PutPiece(owner, Piece(number, self.model.head(owner).revision, data))),
                advances=(Advance(fence, standing[fence], number),),
                requires=((erasure, standing[erasure]),),
            )
        )

    @precondition(lambda self: self.commits)
    @rule(data=st.data())
    def commit_again(self, data: st.DataObject) -> None:
        """A reply was lost, and the commit is sent once more. The invariant sees that nothing changed."""
        self.store.commit(data.draw(st.sampled_from(self.commits)))

    @precondition(lambda self: self.stale)
    @rule(data=st.data())
    def commit_what_was_planned_before(self, data: st.DataObject) -> None:
        """A writer that planned on an earlier state comes late."""
        late = attrs.evolve(data.draw(st.sampled_from(self.stale)), id=self._id())
        # Every commit of this machine advances a fence, so none can win twice.
        with pytest.raises(ConflictError):
            self.store.commit(late)

    @precondition(lambda self: self._kept is None)
    @rule()
    def open_a_view(self) -> None:
        self._kept = (self._views.enter_context(self.store.view()), self.model)

    @precondition(lambda self: self._kept is not None)
    @rule()
    def close_the_view(self) -> None:
        assert self._kept is not None
        view, state = self._kept
        assert self._all(view) == self._all(state), "a view changed while it was open"
        self._kept = None
        self._views.close()

    @precondition(lambda self: self.case.durable and self._kept is None)
    @rule()
    def close_and_open(self) -> None:
        self.store.close()
        self.store = self.case.open(self._folder)

    @invariant()
    def the_store_holds_what_the_model_holds(self) -> None:
        with self.store.view() as view:
            assert self._all(view) == self._all(self.model)

    @invariant()
    def what_callers_were_told_is_so(self) -> None:
        with self.store.view() as view:
            for owner in {owner for owner, _ in self.said}:
                told = {key: said for (of, key), said in self.said.items() if of == owner}
                held = view.memories(owner, told)
                assert {key: (memory.content, memory.status) for key, memory in held.items()} == {
                    key: (said.content, said.status) for key, said in told.items()
                }
                assert len(list(view.records(owner))) == len(told)

    @invariant()
    def the_laws_hold(self) -> None:
        with self.store.view() as view:
            for owner in view.owners():
                log = list(view.log(owner, since=0))
                assert [entry.revision for entry in log] == list(range(1, len(log) + 1))
                assert [entry.time for entry in log] == sorted(entry.time for entry in log)
                assert max(Counter(_unnamed(view, owner)).values(), default=1) == 1, "two active twins"
            fences = {ref: Fence(FenceKind.SUBJECT, ref) for ref in REFS}
            standing = view.fences(fences.values())
            for ref, fence in fences.items():
                assert standing[fence] >= self.epochs.get(ref, 0), "an epoch went back"
                assert (standing[fence] > 0) == (ref in view.subjects([ref]))
                self.epochs[ref] = standing[fence]


def _unnamed(view: Snapshot, owner: str) -> list[bytes]:
    memories: list[Memory] = [record.memory for record in view.records(owner)]
    return [sameness(memory.given) for memory in memories if memory.status is Status.ACTIVE and not memory.named]


def _outcome(action: Callable[[Any], Any], state: Any) -> Any:
    """What it answers, or the class and data of what it is refused with."""
    try:
        return action(state)
    except ReminisceError as error:
        return type(error), error.fields
