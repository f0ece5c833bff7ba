"""An owner's face: time passing."""

import datetime as dt
from typing import Final

import attrs

from reminisce.app.service.acting import Acting
from reminisce.app.service.asking import Time
from reminisce.app.service.recalling import fitting
from reminisce.domain.checks import Checks
from reminisce.domain.past import now_of
from reminisce.domain.planning.fading import Batch, Consolidated, Fading, Pruned, plan_consolidate, plan_prune
from reminisce.domain.planning.reinforce import Reinforced, plan_reinforce

__all__ = ["HALF_LIFE", "THRESHOLD", "Passing"]

HALF_LIFE: Final = dt.timedelta(days=30)
"""How long until half of a salience is gone when nothing is said. Our choice: a month of not being used."""

THRESHOLD: Final = 0.05
"""Below what salience `prune` forgets when nothing is said: an ordinary memory not used for over three half-lives."""

BATCH: Final = 1_000
"""Memories brought on in one commit: it holds the store for some 30 ms, so that other writers pass between two."""

TOLD: Final = 1_000
"""Keys of faded memories that an answer names at most."""


class Passing(Acting):
    """Reinforce, consolidate, prune."""

    def reinforce(self, key: str) -> Reinforced:
        """
        Count a use of a memory. `recall` itself never does: what is found is not yet used.

        Raises:
            InvalidError, NotFoundError, StatusError, StoreError
        """
        return self._write(plan_reinforce, self._key(key))

    def consolidate(
        self,
        until: Time | None = None,
        *,
        half_life: dt.timedelta | float = HALF_LIFE,
        threshold: float = 0,
    ) -> Consolidated:
        """
        Bring every active memory's salience to *until*: what decay leaves of it since the last time, and its uses folded in.

        In batches that other writers can pass. A second call for the same interval's end changes nothing and says so; one
        that was stopped half way is finished by calling again.

        Args:
            until: The end of the interval, not in the future (default now).
            half_life: A timedelta, or seconds; 0 means no decay (default 30 days).
            threshold: In [0, 1]: what falls strictly below it is forgotten, too. 0 forgets nothing.

        Raises:
            InvalidError, StoreError
        """
        checks = Checks()
        with self._core.store.view() as view:
            head = view.head(self.name)
        now, revision = now_of(head, self._core.clock.now()), head.revision
        end = now if until is None else checks.instant("until", until)
        if end is not None and not dt.datetime(1970, 1, 1, tzinfo=dt.UTC) < end <= now:
            checks.note("until", "out_of_range", "must lie after 1970, and not in the future")
        fading = self._fading(checks, half_life, threshold)
        checks.finish()
        assert end is not None  # noqa: S101 (checked)
        # An owner of nothing has nothing to consolidate, and nothing to remember it by.
        changed, retired, done = 0, list[str](), not revision
        after, last = (0, -1), not revision
        while not last:
            part: Batch | None = self._write(plan_consolidate, after, BATCH, until=end, fading=fading)
            if part is None:
                break
            done = True
            changed += part.changed
            retired += part.retired
            revision, after, last = part.revision, part.end, part.last
        told = tuple(retired[:TOLD])
        return Consolidated(end, changed, told, done, revision, len(told) == len(retired))

    def _fading(self, checks: Checks, half_life: object, threshold: object) -> Fading:
        return Fading(
            half_life=checks.duration("half_life", half_life),
            decay=self._core.decay,
            threshold=checks.share("threshold", threshold),
        )

    def prune(
        self, half_life: dt.timedelta | float = HALF_LIFE, threshold: float = THRESHOLD, *, dry_run: bool = False
    ) -> Pruned:
        """
        Forget every active memory whose salience time has left strictly below a threshold by now, in one commit.

        Args:
            half_life: A timedelta, or seconds; 0 means no decay (default 30 days).
            threshold: In [0, 1] (default 0.05); 0 prunes nothing.
            dry_run: Only list what would go.

        Raises:
            InvalidError, StoreError
        """
        checks = Checks()
        fading = self._fading(checks, half_life, threshold)
        checks.flag("dry_run", dry_run)
        checks.finish()
        answer = self._write(plan_prune, fading=fading, dry_run=dry_run)
        held = fitting(answer.pruned, self._core.face.page)
        return answer if len(held) == len(answer.pruned) else attrs.evolve(answer, pruned=held, complete=False)
