"""Rules: memories kept, corrected, reviewed, forgotten, brought back; who may see them."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import attrs
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from reminisce.domain.memory import Memory
from reminisce.domain.planning.consent import plan_consent
from reminisce.domain.planning.correct import plan_correct
from reminisce.domain.planning.forget import Forgotten, Reinstated, plan_forget, plan_reinstate
from reminisce.domain.planning.reclassify import plan_reclassify
from reminisce.domain.planning.remember import Remembered, plan_remember
from reminisce.domain.planning.review import Reviewed, plan_review
from reminisce.domain.policy import Verdict
from reminisce.domain.records import SubjectState
from reminisce.domain.requests import Request, read_changes, read_request
from reminisce.domain.values import Status, Tier, strictest
from reminisce.errors import InvalidError
from reminisce.testing.model.base import Machine
from reminisce.testing.strategies import (
    AUDIENCES,
    CHANGES,
    MAIN,
    OWNERS,
    PLACES,
    POLICIES,
    REASONS,
    REFS,
    REQUESTS,
    STEPS,
)

__all__ = ["Keeping"]


class Keeping(Machine):
    """Remember, correct, forget, reinstate, review, reclassify, consent."""

    @initialize(step=STEPS, raws=st.lists(REQUESTS, min_size=1, max_size=3))
    def begin(self, step: dt.timedelta, raws: list[dict[str, Any]]) -> None:
        self.now += step
        for raw in raws:
            self.remember(MAIN, [raw], None, False)

    @rule(owner=OWNERS, raws=st.lists(REQUESTS, min_size=1, max_size=3), policy=POLICIES, reviewed=st.booleans())
    def remember(self, owner: str, raws: list[dict[str, Any]], policy: Verdict | None, reviewed: bool) -> None:
        try:
            requests = [read_request(self.resolved(owner, raw)) for raw in raws]
        except InvalidError:
            return
        names = self.names(owner, len(raws))
        answers: Sequence[Remembered] | None = self.plan_new(
            plan_remember, owner, requests, names, policy=policy, reviewed=reviewed
        )
        for answer, request in zip(answers or (), requests, strict=bool(answers)):
            self._kept_as_told(owner, answer, request)

    def _kept_as_told(self, owner: str, answer: Remembered, request: Request) -> None:
        given = request.attributes
        if answer.created:
            belief = given.fact is not None
            # Of a batch, what a later line did to it follows with that line.
            self.told.made(
                owner, answer.key, given.content, status=_first(answer.status, self.memory(owner, answer.key), belief),
                supersedes=given.supersedes, belief=belief,
            )  # fmt: skip
        else:
            self.told.repeated(owner, answer.key, given.content)

    @rule(owner=OWNERS, place=PLACES, raw=CHANGES, policy=POLICIES, reviewed=st.booleans())
    def correct(self, owner: str, place: int, raw: dict[str, Any], policy: Verdict | None, reviewed: bool) -> None:
        key = self.key(owner, place)
        try:
            request, changed = read_changes(self.resolved(owner, raw))
        except InvalidError:
            return
        old = self.memory(owner, key)
        [name] = self.names(owner, 1)
        answer: Remembered | None = self.plan_new(
            plan_correct, owner, key, request, changed, name, policy=policy, reviewed=reviewed
        )
        if answer is None:
            return
        assert old is not None
        content = _corrected(old, request, changed)
        if not answer.created:
            self.told.repeated(owner, answer.key, content)
            return
        new = self.memory(owner, answer.key)
        assert new is not None
        self.told.made(
            owner, answer.key, content, status=answer.status, supersedes=(key,), belief=new.fact is not None,
            uses=old.uses,
        )  # fmt: skip
        if old.fact is not None and not {"fact", "valid_from"}.intersection(changed):
            assert new.valid_from == old.valid_from, "a correction starts when what it corrects started"

    @rule(owner=OWNERS, places=st.lists(PLACES, min_size=1, max_size=2), reason=REASONS, dry_run=st.booleans())
    def forget(self, owner: str, places: list[int | str], reason: str | None, dry_run: bool) -> None:
        keys = self.keys(owner, places)
        answer: Forgotten | None = self.plan(plan_forget, owner, keys, reason=reason, dry_run=dry_run)
        if answer and not dry_run:
            self.told.became(owner, answer.forgotten, Status.RETIRED)

    @rule(owner=OWNERS, place=PLACES)
    def reinstate(self, owner: str, place: int) -> None:
        self._reinstate(owner, self.key(owner, place))

    def _reinstate(self, owner: str, key: str) -> Reinstated | None:
        before, stands = self.memory(owner, key), self._said_later_from_the_same_start(owner, key)
        answer: Reinstated | None = self.plan(plan_reinstate, owner, key)
        if answer and answer.changed:
            assert before is not None
            assert not stands or before.status is not Status.SUPERSEDED, "what superseded it stands"
            self.told.returned(owner, answer.key, answer.status)
        return answer

    def _said_later_from_the_same_start(self, owner: str, key: str) -> bool:
        """Whether an active belief of the same thing holds from the same time on, and was said, or said again, after it."""
        memory = self.memory(owner, key)
        return memory is not None and any(
            other.status is Status.ACTIVE
            and other.valid_from == memory.valid_from
            and self._said(owner, other) > self._said(owner, memory)
            for other in self.rivals(owner, memory)
        )

    def _said(self, owner: str, memory: Memory) -> tuple[int, int]:
        """When it was said last, by revision and place within it."""
        events = self.model.history(owner, [memory.key])[memory.key]
        return max(e.revision for e in events if e is events[0] or e.operation == "believe"), memory.ordinal

    @rule(owner=OWNERS, place=PLACES)
    def forget_and_bring_back(self, owner: str, place: int) -> None:
        """With nothing in between, that gives back what was."""
        key = self.key(owner, place)
        before = {record.memory.key: record.memory for record in self.model.records(owner)}
        if key not in before or before[key].status not in (Status.ACTIVE, Status.SUPERSEDED):
            return
        people = self.model.subjects(ref for memory in before.values() for ref in memory.subjects)
        if any(subject.state is not SubjectState.OPEN for subject in people.values()):
            # What is being withdrawn may be forgotten, and nothing of it comes back.
            return
        self.forget(owner, [key], None, False)
        assert self._reinstate(owner, key) is not None
        after = {record.memory.key: record.memory for record in self.model.records(owner)}
        assert after[key] == before[key]
        # What had ended unnoticed may be marked by it.
        assert {name: _unmarked(memory) for name, memory in after.items()} == {
            name: _unmarked(memory) for name, memory in before.items()
        }

    @rule(owner=OWNERS, place=PLACES, approve=st.booleans(), reason=REASONS, confirm=st.booleans())
    def review(self, owner: str, place: int, approve: bool, reason: str | None, confirm: bool) -> None:
        waiting = [r.memory.key for r in self.model.records(owner) if r.memory.status is Status.HELD]
        key = waiting[place % len(waiting)] if waiting and place else self.key(owner, place)
        answer: Reviewed | None = self.plan(plan_review, owner, key, approve=approve, reason=reason, confirm=confirm)
        if answer is None:
            return
        if approve and answer.key == key:
            self.told.returned(owner, key, answer.status)
            self.told.superseded(owner, answer.superseded)
        else:
            self.told.became(owner, [key], Status.REJECTED)

    @rule(owner=OWNERS, place=PLACES, tier=st.sampled_from(Tier))
    def reclassify(self, owner: str, place: int, tier: Tier) -> None:
        key = self.key(owner, place)
        before = self.memory(owner, key)
        if self.plan(plan_reclassify, owner, key, tier) is None:
            return
        assert before is not None
        after = self.memory(owner, key)
        assert after is not None
        assert after.tier is tier
        if strictest((before.tier, tier)) is not tier:
            self.lowered.add((owner, key))
        elif tier is Tier.PRIVATE:
            self.lowered.discard((owner, key))

    @rule(ref=st.sampled_from(REFS), audiences=AUDIENCES)
    def consent(self, ref: str, audiences: list[str]) -> None:
        commit_id = self.id()
        answer = self.decide(lambda view: plan_consent(view, ref, audiences, commit_id=commit_id))
        held = self.model.subjects([ref])[ref]
        if answer is None:
            assert held.state in (SubjectState.WITHDRAWING, SubjectState.PURGING)
            return
        assert held.audiences == answer.audiences == tuple(sorted(set(audiences)))
        assert held.state is SubjectState.OPEN


def _corrected(old: Memory, request: Request, changed: Sequence[str]) -> str:
    """The words of a correction. Those that were made from a fact are made anew."""
    fact = request.attributes.fact
    if "content" in changed:
        return request.attributes.content
    if fact is not None and old.fact is not None and old.content == old.fact.told:
        return fact.told
    return old.content


def _first(answered: Status, held: Memory | None, belief: bool) -> Status:
    """What a memory was made as. An answer tells what it is after its whole batch."""
    assert held is not None
    assert answered is held.status
    return answered if belief or answered is Status.HELD else Status.ACTIVE


def _unmarked(memory: Memory) -> Memory:
    return memory if memory.fact is None else attrs.evolve(memory, status=Status.ACTIVE)
