"""Erases the words of people, in every owner: what happens in which commit is planned, this runs it to its end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import attrs

from reminisce.app.service.core import Core
from reminisce.app.service.keyrings import keep_keyring
from reminisce.domain.erasure import LEFT
from reminisce.domain.planning.plan import Occasion, Plan
from reminisce.domain.planning.withdraw import (
    Batch,
    Opening,
    plan_batch,
    plan_close,
    plan_drop,
    plan_open,
    plan_purging,
)
from reminisce.domain.receipts import Receipt
from reminisce.domain.records import SubjectState
from reminisce.errors import ErasureIncompleteError, ReminisceError, StoreError

__all__ = ["BATCH", "Withdrawing", "stopped"]

A = TypeVar("A")

BATCH: Final = 500
"""Memories that one commit erases: it takes about as long as 500 writes, and holds up other writers no longer."""


@attrs.define
class _Done:
    """What the batches of one call did."""

    memories: int = 0
    unchanged: int = 0
    links: int = 0
    revisions: dict[str, int] = attrs.field(factory=dict)

    def add(self, batch: Batch) -> None:
        self.memories += batch.erased
        self.unchanged += batch.unchanged
        self.links += batch.links
        self.revisions.update(batch.revisions)


@contextmanager
def stopped(done: Callable[[], int]) -> Iterator[None]:
    """Say how far an erasure came when the store fails on its way."""
    try:
        yield
    except StoreError as error:
        if not done():
            raise
        raise ErasureIncompleteError(done(), error.code) from error


class Withdrawing:
    """
    Erases what is about one subject.

    Args:
        ref: The subject.
    """

    def __init__(self, core: Core, ref: str) -> None:
        self._core = core
        self._ref = ref
        self._done = _Done()
        self._waits: tuple[str, ...] = ()

    def withdraw(self, reason: str | None, *, scrub: bool) -> Receipt:
        """Erase every word about the subject."""
        with stopped(lambda: self._done.memories):
            opening = self._erase(reason)
        self._save()
        return self._receipt(str(opening.state), scrub)

    def purge(self, *, scrub: bool) -> Receipt:
        """Erase every word about the subject, then its links, then itself. One that is not there stays so."""
        with self._core.store.view() as view:
            known = bool(view.subjects([self._ref]))
        if known:
            with stopped(lambda: self._done.memories):
                self._remove(self._erase(None))
            self._save()
        return self._receipt("purged" if known else None, scrub)

    def _write(self, planner: Callable[..., Plan[A]], *request: object, **options: object) -> A:
        core = self._core
        occasion = Occasion(now=core.clock.now(), actor=core.face.actor, commit_id=core.identifiers.commit())
        return core.write(
            lambda view: planner(view, self._ref, *request, **options, occasion=occasion), occasion.commit_id
        )

    def _erase(self, reason: str | None) -> Opening:
        opening = self._write(plan_open, reason=reason)
        self._keep_keyring()
        for batch in self._batches(opening):
            self._done.add(batch)
        return self._write(plan_close, opening) if opening.state is SubjectState.WITHDRAWING else opening

    def _keep_keyring(self) -> None:
        """Note that the subject's key is gone. That it cannot be noted now must not keep words from being erased."""
        try:
            keep_keyring(self._core)
        except ReminisceError as error:
            problem = f"the keyring could not be written ({error.code})"
            self._waits = (f"{problem}: until that is done, older backups open: withdraw again",)

    def _remove(self, opening: Opening) -> None:
        purging = self._write(plan_purging, opening)
        for batch in self._batches(purging):
            self._done.revisions.update(batch.revisions)
        self._write(plan_drop, purging)

    def _batches(self, opening: Opening) -> Iterator[Batch]:
        def following(last: tuple[str, str] | None) -> Batch:
            self._warm(last)
            return self._write(plan_batch, opening, after=last, limit=BATCH)

        batch = following(None)
        while batch.last is not None:
            yield batch
            batch = following(batch.last)

    def _warm(self, after: tuple[str, str] | None) -> None:
        """Load the indexes that a batch will touch while their saved pieces are there: the batch drops those."""
        with self._core.store.view() as view:
            places = view.about(self._ref, after=after, limit=BATCH)
        for owner in dict.fromkeys(owner for owner, _ in places):
            if owner not in self._done.revisions:
                self._core.indexes.warm(owner)

    def _save(self) -> None:
        """Write the indexes again, once. What cannot be saved now is built anew by whoever needs it."""
        for owner in self._done.revisions:
            self._core.indexes.save_erased(owner)

    def _receipt(self, state: str | None, scrub: bool) -> Receipt:
        store, done = self._core.store, self._done
        return Receipt(
            subject=self._ref,
            state=state,
            memories=done.memories,
            unchanged=done.unchanged,
            links=done.links,
            notes=self._core.notes.drop_about(self._ref),
            revisions=tuple(sorted(done.revisions.items())),
            kept=LEFT,
            waits=(*self._waits, *(store.scrub() if scrub else store.remnants())),
        )
