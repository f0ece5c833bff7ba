"""Rules: time passing over what is used and what is not."""

import datetime as dt

from hypothesis import strategies as st
from hypothesis.stateful import rule

from reminisce.domain.planning.fading import Batch, Fading, Pruned, plan_consolidate, plan_prune
from reminisce.domain.planning.reinforce import Reinforced, plan_reinforce
from reminisce.domain.values import Status
from reminisce.testing.model.base import Machine
from reminisce.testing.strategies import FADINGS, OWNERS, PLACES

__all__ = ["Passing"]


class Passing(Machine):
    """Reinforce, consolidate, prune."""

    def __init__(self) -> None:
        super().__init__()
        self._consolidated: dict[str, dt.datetime] = {}

    @rule(owner=OWNERS, place=PLACES)
    def reinforce(self, owner: str, place: int) -> None:
        key = self.key(owner, place)
        answer: Reinforced | None = self.plan(plan_reinforce, owner, key)
        if answer:
            assert self.told.used(owner, key) == answer.uses

    @rule(owner=OWNERS, back=st.integers(0, 2), fading=FADINGS, size=st.integers(1, 9))
    def consolidate(self, owner: str, back: int, fading: Fading, size: int) -> None:
        """One batch, from the start: the last one when it holds all there is."""
        until = self.now - dt.timedelta(minutes=back)
        answer: Batch | None = self.plan(plan_consolidate, owner, (0, -1), size, until=until, fading=fading)
        reached = self._consolidated.get(owner)
        assert (answer is None) == (reached is not None and until <= reached), "an interval is consolidated once"
        if answer:
            self.told.became(owner, answer.retired, Status.RETIRED)
            if answer.last:
                self._consolidated[owner] = until

    @rule(owner=OWNERS, fading=FADINGS, dry_run=st.booleans())
    def prune(self, owner: str, fading: Fading, dry_run: bool) -> None:
        answer: Pruned | None = self.plan(plan_prune, owner, fading=fading, dry_run=dry_run)
        assert answer is not None
        if not dry_run:
            self.told.became(owner, answer.pruned, Status.RETIRED)
