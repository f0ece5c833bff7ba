"""Rules: beliefs."""

import datetime as dt
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from reminisce.domain.beliefs import Outcome
from reminisce.domain.believed import believed
from reminisce.domain.memory import folded
from reminisce.domain.planning.believe import Believed, Disbelieved, plan_believe, plan_disbelieve
from reminisce.domain.policy import Verdict
from reminisce.domain.requests import read_belief
from reminisce.domain.values import Status
from reminisce.domain.visibility import OWNER_ITSELF
from reminisce.errors import InvalidError
from reminisce.testing.model.base import Machine, worded
from reminisce.testing.strategies import (
    ATTRIBUTES,
    BELIEFS,
    MAIN,
    OWNERS,
    POLICIES,
    REASONS,
    REFS,
    TIMES,
    VALUES,
)

__all__ = ["Believing"]


class Believing(Machine):
    """Believe, disbelieve."""

    @rule(owner=OWNERS, said=BELIEFS, policy=POLICIES, reviewed=st.booleans())
    def believe(
        self,
        owner: str,
        said: tuple[str, str, str, bool | None, dict[str, Any]],
        policy: Verdict | None,
        reviewed: bool,
    ) -> None:
        subject, attribute, value, many, raw = said
        try:
            request = read_belief(subject, attribute, value, many, self.resolved(owner, raw))
        except InvalidError:
            return
        [name] = self.names(owner, 1)
        answer: Believed | None = self.plan_new(plan_believe, owner, request, name, policy=policy, reviewed=reviewed)
        if answer is None:
            return
        held, given = self.memory(owner, answer.key), request.attributes
        assert held is not None
        assert (answer.status, answer.valid_from, answer.valid_to) == (held.status, held.valid_from, held.valid_to)
        if answer.outcome is Outcome.REINFORCED:
            self.told.used(owner, answer.key)
            self.told.became(owner, [answer.key], answer.status)
            self.told.superseded(owner, answer.superseded)
        elif (owner, answer.key) in self.told:
            self.told.repeated(owner, answer.key, given.content)
            return
        else:
            self.told.made(
                owner, answer.key, given.content, status=answer.status, supersedes=given.supersedes, belief=True
            )
        if answer.status is not Status.HELD:
            start = given.valid_from or self.time(owner)
            then = believed(
                self.model, owner, subject, viewer=OWNER_ITSELF, now=self.now, attribute=attribute, valid_at=start
            )
            assert folded(value) in {folded(belief.value) for belief in then}, (
                "what is said later stands from its start"
            )

    @rule(value=st.sampled_from(VALUES), start=st.sampled_from(TIMES), end=st.sampled_from((None, *TIMES)))
    def believe_of_one_thing(self, value: str, start: dt.datetime, end: dt.datetime | None) -> None:
        """Of one owner, so that beliefs meet."""
        times = {"valid_from": start} if end is None or end <= start else {"valid_from": start, "valid_to": end}
        self.believe(MAIN, (REFS[0], ATTRIBUTES[0], value, None, times), None, False)

    @rule(
        owner=OWNERS,
        ref=st.sampled_from(REFS),
        attribute=st.sampled_from((*ATTRIBUTES, None)),
        reason=REASONS,
        erase=st.sampled_from((False, False, True)),
    )
    def disbelieve(self, owner: str, ref: str, attribute: str | None, reason: str | None, erase: bool) -> None:
        before = self.model
        answer: Disbelieved | None = self.plan(plan_disbelieve, owner, ref, attribute, reason=reason, erase=erase)
        if answer is None:
            # A reason is words: about somebody whose words are being erased there are none to come.
            assert reason is not None
            assert not erase
            return
        if erase:
            self.told.erased(owner, answer.forgotten)
            self.told.dropped(owner, worded(before, owner, answer.forgotten))
        else:
            self.told.became(owner, answer.forgotten, Status.RETIRED)
        live = believed(self.model, owner, ref, viewer=OWNER_ITSELF, now=self.time(owner), attribute=attribute)
        assert live.beliefs == (), "something disbelieved is live"
