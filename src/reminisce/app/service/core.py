"""What every use case works with: the ports, the indexes, and the one way in which anything is written."""

import logging
from collections.abc import Callable
from typing import Final, TypeVar

import attrs

from reminisce.app.service.guarding import Guard
from reminisce.app.service.indexes import Indexes
from reminisce.app.service.judging import Judge
from reminisce.app.service.notes import Notes
from reminisce.domain.changes import Commit, FenceKind
from reminisce.domain.masking import NO_MASKS, Masks
from reminisce.domain.planning.plan import Plan
from reminisce.domain.retention import Decay, retention
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import DEFAULT_ASPECTS, Destination
from reminisce.errors import ConflictError
from reminisce.ports.analyser import Analyser
from reminisce.ports.clock import Clock
from reminisce.ports.identifiers import Identifiers
from reminisce.ports.keyrings import Keyrings
from reminisce.ports.store import Store

__all__ = ["Core", "Face", "Page"]

A = TypeVar("A")

_log = logging.getLogger(__name__)

TRIES: Final = 3
"""Plans that may lose a race before the fences are held. Three keep locks short where writers seldom meet."""


@attrs.frozen
class Page:
    """What one answer may take when it is written out. What does not fit is behind the cursor; one memory always fits."""

    most: int
    """Bytes."""

    measure: Callable[[object], int]
    """Tells what an answer, or one of its hits, takes: `codec.written_bytes` where it is sent as JSON, twice."""


@attrs.frozen(kw_only=True)
class Face:
    """What is fixed when a face starts, and no call may change."""

    actor: str = "library"
    """What histories call it."""

    audience: str | None = None
    destination: Destination = Destination.LOCAL
    aspects: tuple[str, ...] = DEFAULT_ASPECTS
    """What the store is configured with."""

    page: Page | None = None
    """How much one answer may hold; None for no bound."""

    reviewer: str | None = None
    """Who answers for its reviews; None: it reviews nothing."""

    masks: Masks = NO_MASKS
    """What makes a surface of a redacted memory that was given none. The index goes by them, whatever the destination."""

    review_aspects: frozenset[str] = frozenset()
    """Memories with one of these wait for review."""


@attrs.frozen(kw_only=True)
class Core:
    """One store with all that belongs to serving it."""

    store: Store
    analyser: Analyser
    clock: Clock
    identifiers: Identifiers
    indexes: Indexes
    face: Face
    notes: Notes
    guard: Guard
    """Refuses secrets."""

    judge: Judge | None = None
    """Asks the host's policy; None where there is none."""

    keyrings: Callable[[], Keyrings] | None = None
    """Makes what keeps subjects' keys apart from the store, when it is needed; None: nobody does."""

    decay: Decay = retention

    def write(self, plan: Callable[[Snapshot], Plan[A]], commit_id: str) -> A:
        """
        Plan and commit, planning again when another writer was first; after `TRIES` losses with the fences held.

        Args:
            plan: Pure; called once for each try.
            commit_id: What its commit is called, so that one whose answer was lost is not done twice.

        Raises:
            ReminisceError: What the planner refuses, or `StoreError`. Nothing was written then.
        """
        planned: Plan[A] | None = None
        for _ in range(TRIES):
            with self.store.view() as view:
                if planned is not None and view.committed(commit_id):
                    return planned.answer
                planned, incarnation = plan(view), view.incarnation()
            if planned.commit is None:
                return planned.answer
            try:
                self.store.commit(planned.commit)
            except ConflictError:
                continue
            self._after(planned.commit, incarnation)
            return planned.answer
        return self._write_alone(plan, planned, commit_id)

    def _write_alone(self, plan: Callable[[Snapshot], Plan[A]], last: Plan[A] | None, commit_id: str) -> A:
        """Plan and commit while holding the fences of the plan that lost, so that nobody can be first again."""
        assert last is not None  # noqa: S101 (it lost at least once)
        assert last.commit is not None  # noqa: S101
        with self.store.view(for_writing=tuple(last.commit.fences())) as view:
            if view.committed(commit_id):
                return last.answer
            planned, incarnation = plan(view), view.incarnation()
            if planned.commit is not None:
                self.store.commit(planned.commit, within=view)
        if planned.commit is not None:
            self._after(planned.commit, incarnation)
        return planned.answer

    def _after(self, commit: Commit, incarnation: str) -> None:
        """Let the indexes follow. The commit stands whatever happens here: what an index lacks is read again."""
        try:
            self.indexes.absorb(commit, incarnation)
            erasing = {fence.name for fence, _, _ in commit.advances if fence.kind is FenceKind.ERASURE}
            for entry in commit.entries:
                if entry.owner not in erasing:
                    # Whoever erases saves once, when all batches are done: each of them drops what was saved before.
                    self.indexes.save_by_and_by(entry.owner)
        except Exception as error:  # noqa: BLE001 (a host's analyser may raise anything; the memory is kept)
            _log.warning("an index could not follow a write: %s", type(error).__name__)
