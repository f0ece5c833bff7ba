"""The service: one store, its owners, and the one way in which anything is written."""

from collections.abc import Callable, Collection, Iterable
from types import TracebackType
from typing import Final, TypeVar

import attrs

from reminisce.domain.answers import Diagnosis
from reminisce.app.service.indexes import Indexes
from reminisce.app.service.owner import Owner
from reminisce.domain.changes import Commit, Fence
from reminisce.domain.checks import Checks
from reminisce.domain.planning.consent import Consented, plan_consent
from reminisce.domain.planning.plan import Plan
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import DEFAULT_ASPECTS, Destination
from reminisce.domain.visibility import Viewer
from reminisce.errors import ConflictError
from reminisce.ports.analyser import Analyser
from reminisce.ports.clock import Clock
from reminisce.ports.identifiers import Identifiers
from reminisce.ports.store import Store

__all__ = ["Face", "Memories"]

A = TypeVar("A")

TRIES: Final = 3
"""Plans that may lose a race before the fences are held. Three keep locks short where writers seldom meet."""

INDEX_BUDGET: Final = 256 * 1024 * 1024
"""Bytes that the indexes of all owners may take in this process: about a million short memories."""


@attrs.frozen(kw_only=True)
class Face:
    """What is fixed when a face starts, and no call may change."""

    actor: str = "library"
    """What histories call it."""

    audience: str | None = None
    destination: Destination = Destination.LOCAL
    aspects: tuple[str, ...] = DEFAULT_ASPECTS
    """What the store is configured with."""


class Memories:
    """
    A store of memories and everything that may be done with it.

    Use `reminisce.open_memory` to get one. It is a context manager; many threads may use it at once.
    """

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        *,
        analyser: Analyser,
        clock: Clock,
        identifiers: Identifiers,
        face: Face | None = None,
        index_budget: int = INDEX_BUDGET,
    ) -> None:
        self.face = face or Face()
        self.store = store
        self.analyser = analyser
        self.clock = clock
        self.identifiers = identifiers
        self.indexes = Indexes(store, analyser, identifiers, budget=index_budget)

    def __enter__(self) -> "Memories":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def owner(self, owner: str) -> Owner:
        """
        The memories of one owner. Opens nothing and writes nothing.

        Args:
            owner: ``kind:id`` of at most 256 bytes, such as ``agent:alice``.

        Raises:
            InvalidError: It is not of that form.
        """
        checks = Checks()
        name = checks.owner(owner)
        checks.finish()
        return Owner(self, name, Viewer(self.face.audience, self.face.destination))

    def consent(self, subject: str, audiences: Iterable[str]) -> Consented:
        """
        Say who may see what is about *subject*, in every owner. Takes effect on the next recall of every process.

        Args:
            subject: A pseudonym of at most 256 bytes; one never seen before is made.
            audiences: At most 64; none closes the subject to all but the owners themselves.

        Raises:
            InvalidError
        """
        checks = Checks()
        ref = checks.name("subject", subject)
        names = checks.names("audiences", audiences)
        checks.finish()
        commit_id = self.identifiers.commit()
        return self.write(lambda view: plan_consent(view, ref, names, commit_id=commit_id), commit_id)

    def write(self, plan: Callable[[Snapshot], Plan[A]], commit_id: str) -> A:
        """
        Plan and commit, planning again when another writer was first; after `TRIES` losses with the fences held.

        Args:
            plan: Pure; called once for each try.
            commit_id: What its commit is called, so that one whose answer was lost is not done twice.

        Raises:
            ReminisceError: What the planner refuses, or `StoreError`. Nothing was written then.
        """
        fences: Collection[Fence] = ()
        for _ in range(TRIES):
            with self.store.view() as view:
                planned, incarnation = plan(view), view.incarnation()
            if planned.commit is None:
                return planned.answer
            fences = tuple(planned.commit.fences())
            try:
                self.store.commit(planned.commit)
            except ConflictError:
                continue
            self._after(planned.commit, incarnation)
            return planned.answer
        with self.store.view(for_writing=fences) as view:
            planned, incarnation = plan(view), view.incarnation()
            if planned.commit is not None:
                self.store.commit(planned.commit, within=view)
        if planned.commit is not None:
            self._after(planned.commit, incarnation)
        return planned.answer

    def _after(self, commit: Commit, incarnation: str) -> None:
        self.indexes.absorb(commit, incarnation)
        for entry in commit.entries:
            self.indexes.save_by_and_by(entry.owner)

    def setup(self) -> None:
        """Make the store ready, or check that it is. Twice changes nothing."""
        self.store.setup()

    def owners(self) -> tuple[str, ...]:
        """Every owner that ever wrote, sorted. For the host: no face shows it to a model."""
        with self.store.view() as view:
            return tuple(view.owners())

    def doctor(self, *, deep: bool = False, repair: bool = False) -> Diagnosis:
        """
        Look for trouble in the store and its indexes.

        Args:
            deep: Read the whole store, which takes about as long as copying it.
            repair: Build every owner's saved index anew.
        """
        checked = ["the store's structure, in full" if deep else "the store's structure"]
        findings = list(self.store.check(deep=deep))
        repaired: list[str] = []
        if not findings:
            for owner in self.owners():
                if repair:
                    self.indexes.rebuild(owner)
                    repaired.append(owner)
                else:
                    self.indexes.warm(owner)
            checked.append("the index of every owner")
        return Diagnosis(tuple(findings), tuple(checked), tuple(repaired))

    def close(self) -> None:
        """Save what is worth saving and let the store go. Closing twice closes once."""
        if not self._closed:
            self._closed = True
            try:
                self.indexes.close()
            finally:
                self.store.close()

    _closed = False
