"""The service: one store and its owners."""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Final, Self

from reminisce.app.service.backups import Backups, Tools
from reminisce.app.service.core import Core, Face
from reminisce.app.service.guarding import Guard, plainly
from reminisce.app.service.indexes import Indexes
from reminisce.app.service.judging import PATIENCE_S, Judge
from reminisce.app.service.notes import Notes
from reminisce.app.service.owner import Owner
from reminisce.app.service.whole import WholeStore
from reminisce.app.service.withdrawing import Withdrawing
from reminisce.domain.answers import Diagnosis
from reminisce.domain.checks import Checks
from reminisce.domain.masking import NO_MASKS
from reminisce.domain.planning.consent import Consented, plan_consent
from reminisce.domain.planning.subjects import last_opening
from reminisce.domain.receipts import Receipt, Scrubbed
from reminisce.domain.retention import Decay, retention
from reminisce.domain.values import Destination
from reminisce.domain.visibility import Viewer
from reminisce.domain.working import CAPACITY
from reminisce.ports.analyser import Analyser
from reminisce.ports.clock import Clock
from reminisce.ports.identifiers import Identifiers
from reminisce.ports.keyrings import Keyrings
from reminisce.ports.policy import Policy
from reminisce.ports.store import Store

__all__ = ["Memories"]

INDEX_BUDGET: Final = 256 * 1024 * 1024
"""Bytes that the indexes of all owners may take in this process: about a million short memories."""


class Memories(Backups):
    """
    A store of memories and everything that may be done with it.

    Use `reminisce.open_memory` to get one. It is a context manager; many threads may use it at once.
    """

    def __init__(
        self,
        store: Store,
        *,
        analyser: Analyser,
        clock: Clock,
        identifiers: Identifiers,
        guard: Guard | None = None,
        keyrings: Callable[[], Keyrings] | None = None,
        face: Face | None = None,
        policy: Policy | None = None,
        patience_s: float = PATIENCE_S,
        decay: Decay = retention,
        notes: int = CAPACITY,
        index_budget: int = INDEX_BUDGET,
        tools: Callable[[], Tools] | None = None,
    ) -> None:
        """
        Args:
            guard: Refuses secrets; left out: one without extras.
            keyrings: Makes what keeps the keys of subjects apart from the store, when it is needed.
            policy: Judges every memory before it is kept.
            patience_s: How long it may think about one, in seconds.
            decay: What is left of a salience in time.
            notes: How many notes each owner's working memory holds.
            index_budget: Bytes that the indexes of all owners may take.
            tools: Makes what backups take, when it is needed; without it there are none.
        """
        face = face or Face()
        self._store, self._tools = store, tools
        store = WholeStore(store)
        self._core = Core(
            store=store,
            analyser=analyser,
            clock=clock,
            identifiers=identifiers,
            indexes=Indexes(store, analyser, identifiers, masks=face.masks, budget=index_budget),
            face=face,
            guard=guard or Guard(plainly),
            keyrings=keyrings,
            notes=Notes(notes),
            judge=None if policy is None else Judge(policy, patience_s=patience_s),
            decay=decay,
        )
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def aspects(self) -> tuple[str, ...]:
        """What memories of this store may be."""
        return self._core.face.aspects

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
        face = self._core.face
        # Where nothing leaves, nothing is masked.
        masks = face.masks if face.destination is Destination.REMOTE else NO_MASKS
        return Owner(self._core, name, Viewer(face.audience, face.destination, masks))

    def consent(self, subject: str, audiences: Iterable[str]) -> Consented:
        """
        Say who may see what is about *subject*, in every owner. Takes effect on the next recall of every process.

        Args:
            subject: A pseudonym of at most 256 bytes; one never seen before is made.
            audiences: At most 64; none closes the subject to all but the owners themselves.

        Raises:
            SubjectWithdrawnError: A withdrawal or purge is under way.
            InvalidError, SecretFoundError, GuardFailedError, StoreError
        """
        checks = Checks()
        ref = checks.text("subject", subject)
        names = checks.texts("audiences", audiences)
        checks.finish()
        self._core.guard.check((("subject", ref), *(("audiences", name) for name in names)))
        commit_id = self._core.identifiers.commit()
        with self._core.store.view() as view:
            # A consent asked for now does not undo a withdrawal that comes before it is written down.
            opening = last_opening(view, ref)
        return self._core.write(
            lambda view: plan_consent(view, ref, names, commit_id=commit_id, opening=opening), commit_id
        )

    def withdraw(self, subject: str, reason: str | None = None, *, scrub: bool = False) -> Receipt:
        """
        Erase everything that was said about *subject*, in every owner. Afterwards nothing is written about it, until
        `consent` opens it again. Stopped on its way, `why` says so, and called again it finishes; then it changes nothing.

        Args:
            reason: At most 4 KiB, kept until a purge. It must not quote the person.
            scrub: Leave nothing of the words in any byte of the store's files.

        Raises:
            ErasureIncompleteError: The store failed on the way.
            SecretFoundError, GuardFailedError: Of the reason, or of a reference never seen, which is recorded.
            InvalidError, StoreError
        """
        checks = Checks()
        ref = checks.text("subject", subject)
        why = None if reason is None else checks.text("reason", reason)
        checks.flag("scrub", scrub)
        checks.finish()
        with self._core.store.view() as view:
            known = view.subjects([ref])
        # A reference that is there may be erased whatever it looks like.
        said = (*(() if known else (("subject", ref),)), *(() if why is None else (("reason", why),)))
        self._core.guard.check(said)
        return Withdrawing(self._core, ref).withdraw(why, scrub=scrub)

    def purge(self, subject: str, *, confirm: bool = False, scrub: bool = False) -> Receipt:
        """
        `withdraw`, then remove the subject: its links to memories, the record of its withdrawals, and at last itself.

        Args:
            confirm: Must be True.

        Raises:
            ConflictError: The subject was opened again meanwhile.
            ErasureIncompleteError, InvalidError, StoreError
        """
        checks = Checks()
        ref = checks.text("subject", subject)
        if not checks.flag("confirm", confirm):
            checks.note("confirm", "missing", "must be true: afterwards nothing tells that the subject was ever there")
        checks.flag("scrub", scrub)
        checks.finish()
        return Withdrawing(self._core, ref).purge(scrub=scrub)

    def scrub(self) -> Scrubbed:
        """Leave nothing of words erased before in any byte of the store's files. Readers go on, writers wait."""
        return Scrubbed(tuple(self._core.store.scrub()))

    def setup(self) -> None:
        """Make the store ready, or check that it is. Twice changes nothing."""
        self._core.store.setup()

    def owners(self) -> tuple[str, ...]:
        """Every owner that ever wrote, sorted. For the host: no face shows it to a model."""
        with self._core.store.view() as view:
            return tuple(view.owners())

    def doctor(self, *, deep: bool = False, repair: bool = False) -> Diagnosis:
        """
        Look for trouble in the store and its indexes.

        Args:
            deep: Read the whole store, which takes about as long as copying it.
            repair: Build every owner's saved index anew.
        """
        checked = ["the store's structure, in full" if deep else "the store's structure"]
        findings = list(self._core.store.check(deep=deep))
        repaired: list[str] = []
        if not findings:
            indexes = self._core.indexes
            for owner in self.owners():
                if repair and indexes.rebuild(owner):
                    repaired.append(owner)
                elif repair:
                    findings.append("an index could not be built anew while others were writing: try again")
                if not indexes.sound(owner, deep=deep):
                    findings.append(
                        "a saved index differs from its memories: `reminisce doctor --repair` builds it anew"
                    )
            checked.append("every owner's index, against its memories" if deep else "every owner's index")
        return Diagnosis(tuple(findings), tuple(checked), tuple(repaired))

    def close(self) -> None:
        """Save what is worth saving and let the store go. Closing twice closes once."""
        if not self._closed:
            self._closed = True
            try:
                self._core.indexes.close()
            finally:
                self._core.store.close()
