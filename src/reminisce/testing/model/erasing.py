"""Rules: words erased by name, and people withdrawn and purged, step by step, by several at once."""

from collections.abc import Callable
from typing import Any, Final

import attrs
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from reminisce.domain.changes import Advance, Commit, EraseMemory, Fence, FenceKind, PutSubjectKey
from reminisce.domain.memory import Attributes, Cause, Memory
from reminisce.domain.planning.consent import plan_consent
from reminisce.domain.planning.erase import Erasing as Erased
from reminisce.domain.planning.erase import plan_erase
from reminisce.domain.planning.plan import Occasion, Plan
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
from reminisce.domain.records import LinkKind, SubjectKey, SubjectState
from reminisce.domain.state import State
from reminisce.domain.values import Status
from reminisce.testing.model.base import Machine, worded
from reminisce.testing.strategies import AUDIENCES, OWNERS, PLACES, REASONS, REFS

__all__ = ["GIVEN_STAYS", "STAYS", "Erasing"]

_PEOPLE: Final = st.sampled_from(REFS)

STAYS: Final = {
    *("owner", "key", "tier", "subjects", "confidence_thousandths", "salience_thousandths", "recorded_at", "revision"),
    *("ordinal", "valid_from", "valid_to", "uses", "consolidated_uses", "consolidated_at"),
}
"""Of a memory, as the contract's section 7 says it. Told here again, apart from the code that keeps it."""

GIVEN_STAYS: Final = {
    *("aspects", "basis", "confidence", "salience", "occurred_at", "due_at", "valid_from", "valid_to", "subjects"),
    *("tier", "reviewer", "derived_from", "supersedes"),
}
"""Of what was given of it."""

_BARE: Final = Attributes(content="")


@attrs.define
class _Work:
    """A process on its way through a withdrawal, or a purge."""

    ref: str
    opening: Opening
    purges: bool
    after: tuple[str, str] | None = None


class Erasing(Machine):
    """Erase, withdraw, purge, and consent anew."""

    def __init__(self) -> None:
        super().__init__()
        self._works: list[_Work] = []
        self._asked: tuple[str, int] | None = None
        self._keys = 0

    def commit(self, commit: Commit) -> None:
        before = self.model
        super().commit(commit)
        erased = [change.memory for change in commit.changes if isinstance(change, EraseMemory)]
        for memory in erased:
            self._check_kept(before, memory.owner, memory.key)
        for owner in {memory.owner for memory in erased}:
            assert self.model.pieces(owner) == [], "a saved piece may hold words that were erased"

    def _check_kept(self, before: State, owner: str, key: str) -> None:
        was, now = (state.memories(owner, [key])[key] for state in (before, self.model))
        purged = set(was.subjects) - set(now.subjects)
        assert now.status is Status.WITHDRAWN
        for field in attrs.fields(Memory):
            name, value = field.name, getattr(now, field.name)
            if name == "subjects":
                assert value == tuple(ref for ref in was.subjects if ref not in purged)
            elif name in STAYS:
                assert value == getattr(was, name), name
            elif name not in ("given", "status", "erased"):
                assert value == field.default, name
        for field in attrs.fields(Attributes):
            name, value = field.name, getattr(now.given, field.name)
            if name == "subjects":
                assert value == tuple(ref for ref in was.given.subjects if ref not in purged)
            else:
                assert value == getattr(was.given if name in GIVEN_STAYS else _BARE, name), name

    def _plan(self, planner: Callable[..., Plan[Any]], ref: str, *request: Any, **options: Any) -> Any:
        occasion = Occasion(now=self.now, actor="test", commit_id=self.id())
        return self.decide(lambda view: planner(view, ref, *request, occasion=occasion, **options))

    def _gone(self, before: State, owner: str, keys: list[str]) -> int:
        """Tell that words went. Gives how many links did."""
        names = worded(before, owner, keys)
        self.told.erased(owner, keys)
        self.told.dropped(owner, names)
        return len(names)

    @rule(owner=OWNERS, places=st.lists(PLACES, min_size=1, max_size=2), found=st.booleans())
    def erase(self, owner: str, places: list[int], found: bool) -> None:
        keys, before = self.keys(owner, places), self.model
        held = {key: m for key, m in before.memories(owner, keys).items() if m.status is not Status.WITHDRAWN}
        answer: Erased | None = self.plan(plan_erase, owner, keys, found=found)
        assert (answer is None) == (not found and len(before.memories(owner, keys)) < len(keys))
        if answer is None:
            return
        assert set(answer.erased) == set(held)
        assert answer.links == self._gone(before, owner, list(answer.erased))
        links = self.model.links(owner, keys, kinds=[LinkKind.DERIVATION])
        derived = {link.role("derived")[0] for of in links.values() for link in of if link.role("source")[0] in keys}
        left = self.model.memories(owner, derived - set(keys))
        assert answer.derived == tuple(sorted(key for key, memory in left.items() if memory.erased is None))

    @rule(ref=_PEOPLE, reason=REASONS, purges=st.booleans())
    def begin_to_withdraw(self, ref: str, reason: str | None, purges: bool) -> None:
        before = self.model.subjects([ref]).get(ref)
        if purges and before is None:
            return
        opening: Opening = self._plan(plan_open, ref, reason=reason)
        after = self.model.subjects([ref])[ref]
        assert after.state is opening.state is not SubjectState.OPEN
        assert after.withdrawals[-1].opening == opening.epoch
        if before is not None and before.state is not SubjectState.OPEN:
            assert after == before, "what is under way, or done, is not opened again"
        self._works.append(_Work(ref, opening, purges))

    @precondition(lambda self: self._works)
    @rule(data=st.data(), limit=st.integers(1, 3))
    def go_on_withdrawing(self, data: st.DataObject, limit: int) -> None:
        self._step(data.draw(st.sampled_from(self._works)), limit)

    @precondition(lambda self: self._works)
    @rule(data=st.data())
    def withdraw_to_the_end(self, data: st.DataObject) -> None:
        work = data.draw(st.sampled_from(self._works))
        while work in self._works:
            self._step(work, 2)
        withdrawn = self.model.subjects([work.ref]).get(work.ref)
        if withdrawn is not None and not work.purges and withdrawn.withdrawals[-1].opening == work.opening.epoch:
            assert withdrawn.state is not SubjectState.WITHDRAWING

    @precondition(lambda self: self._works)
    @rule(data=st.data())
    def stop_withdrawing(self, data: st.DataObject) -> None:
        """Killed on its way. Others, or the same once more, finish it."""
        self._works.remove(data.draw(st.sampled_from(self._works)))

    def _step(self, work: _Work, limit: int) -> None:
        before = self.model
        held = before.subjects([work.ref]).get(work.ref)
        places = before.about(work.ref, after=work.after, limit=limit)
        batch: Batch = self._plan(plan_batch, work.ref, work.opening, after=work.after, limit=limit)
        if held is None or held.state is not work.opening.state or held.withdrawals[-1].opening != work.opening.epoch:
            assert batch == Batch(), "another has finished it, and it goes on"
        if batch.last is None:
            self._finish(work)
            return
        work.after = batch.last
        if work.opening.state is not SubjectState.PURGING:
            going: dict[str, list[str]] = {}
            for owner, key in places:
                if before.memories(owner, [key])[key].status is not Status.WITHDRAWN:
                    going.setdefault(owner, []).append(key)
            assert batch.erased == sum(map(len, going.values()))
            assert batch.links == sum(self._gone(before, owner, keys) for owner, keys in going.items())
            for owner, keys in going.items():
                by = {memory.erased for memory in self.model.memories(owner, keys).values()}
                assert {(one.cause, one.subject, one.opening) for one in by if one} == {
                    (Cause.WITHDRAWAL, work.ref, work.opening.epoch)
                }

    def _finish(self, work: _Work) -> None:
        work.after = None
        match work.opening.state:
            case SubjectState.WITHDRAWING:
                work.opening = self._plan(plan_close, work.ref, work.opening)
                assert work.opening.state is SubjectState.WITHDRAWN
                if not work.purges:
                    self._works.remove(work)
            case SubjectState.WITHDRAWN if work.purges:
                purging: Opening | None = self._plan(plan_purging, work.ref, work.opening)
                if purging is None:
                    # Opened again meanwhile.
                    self._works.remove(work)
                else:
                    work.opening = purging
            case SubjectState.WITHDRAWN:
                self._works.remove(work)
            case _:
                self._plan(plan_drop, work.ref, work.opening)
                self._works.remove(work)

    @rule(ref=_PEOPLE)
    def ask_for_a_consent(self, ref: str) -> None:
        self._asked = ref, last_opening(self.model, ref)

    @precondition(lambda self: self._asked is not None)
    @rule(audiences=AUDIENCES)
    def consent_as_it_was_asked_for(self, audiences: list[str]) -> None:
        """A consent that was asked for before a withdrawal does not undo it."""
        assert self._asked is not None
        (ref, opening), self._asked = self._asked, None
        since = last_opening(self.model, ref)
        answer = self._plan_consent(ref, audiences, opening)
        if opening != since:
            assert answer is None

    def _plan_consent(self, ref: str, audiences: list[str], opening: int) -> Any:
        commit_id = self.id()
        return self.decide(lambda view: plan_consent(view, ref, audiences, commit_id=commit_id, opening=opening))

    @rule(ref=_PEOPLE)
    def make_a_key(self, ref: str) -> None:
        """As a backup would, of who is open and has none."""
        subject = self.model.subjects([ref]).get(ref)
        if subject is None or subject.state is not SubjectState.OPEN or self.model.subject_keys([ref]):
            return
        self._keys += 1
        fences = [Fence(FenceKind.SUBJECT, ref), Fence(FenceKind.KEYS)]
        standing = self.model.fences(fences)
        self.commit(
            Commit(
                id=self.id(),
                changes=(PutSubjectKey(SubjectKey(f"{self._keys:032x}", ref, bytes([self._keys % 256] * 32))),),
                advances=(Advance(fences[1], standing[fences[1]], standing[fences[1]] + 1),),
                requires=((fences[0], standing[fences[0]]),),
            )
        )
