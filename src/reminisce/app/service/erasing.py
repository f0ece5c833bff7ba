"""An owner's face: erasing the words of memories that are named or found."""

from collections.abc import Iterable
from typing import Any, Final

import attrs

from reminisce.app.service.choosing import Choosing, read_choice
from reminisce.app.service.withdrawing import BATCH, stopped
from reminisce.domain.checks import Checks
from reminisce.domain.erasure import LEFT
from reminisce.domain.planning.erase import Erasing as Erased
from reminisce.domain.planning.erase import plan_erase
from reminisce.domain.planning.reading import named_memories
from reminisce.domain.receipts import Receipt
from reminisce.domain.values import Status

__all__ = ["Erasing"]

WORDED: Final = frozenset(Status) - {Status.WITHDRAWN}
"""Whatever still has words can lose them."""


class Erasing(Choosing):
    """Erase: what nothing brings back."""

    def erase(
        self,
        keys: str | Iterable[str] | None = None,
        *,
        confirm: bool = False,
        with_derived: bool = False,
        containing: str | None = None,
        scrub: bool = False,
        **filters: Any,
    ) -> Receipt:
        """
        Erase the words of memories, whatever their status, about somebody or not. Nothing brings them back.

        Interrupted, it leaves every memory either whole or erased; called again, it finishes.

        Args:
            keys: One key, or up to 1,000. Without keys: every memory that all of the filters admit.
            confirm: Must be True.
            with_derived: Also everything derived from them, at any distance. Else the receipt names what is.
            containing: Only memories in whose content, surface, facets, fact or sources this text stands, letter by letter.
            scrub: Leave nothing of the words in any byte of the store's files.
            filters: Those of `recall`, as for `forget`.

        Raises:
            InvalidError: Among others without *confirm*, or when neither keys nor any filter is given, or both.
            NotFoundError, ErasureIncompleteError, StoreError
        """
        checks = Checks()
        takes = ("keys", "confirm", "with_derived", "containing", "scrub")
        choice = read_choice(checks, keys, containing, filters, takes=takes)
        if not checks.flag("confirm", confirm):
            checks.note("confirm", "missing", "must be true: nothing brings erased words back")
        checks.flag("with_derived", with_derived)
        checks.flag("scrub", scrub)
        checks.finish()
        if not choice.found:
            # All or nothing of what was named.
            with self._core.store.view() as view:
                named_memories(view, self.name, self._viewer, choice.names, "keys")
        self._core.indexes.warm(self.name)
        return self._erased(self._chosen(choice, WORDED), with_derived=with_derived, scrub=scrub)

    def _erased(self, keys: tuple[str, ...], *, with_derived: bool = False, scrub: bool = False) -> Receipt:
        store, done = self._core.store, _Done()
        with stopped(lambda: len(done.erased)):
            while keys:
                for start in range(0, len(keys), BATCH):
                    done.add(self._write(plan_erase, keys[start : start + BATCH], found=True))
                # What is derived from words that were just erased: nothing more can be, so this ends.
                keys = done.left() if with_derived else ()
        if done.erased:
            self._core.indexes.save_erased(self.name)
        return Receipt(
            subject=None,
            state=None,
            memories=len(done.erased),
            unchanged=len(done.unchanged),
            links=done.links,
            notes=0,
            revisions=((self.name, done.revision),) if done.erased else (),
            kept=LEFT,
            derived=done.left(),
            waits=tuple(store.scrub() if scrub else store.remnants() if done.erased else ()),
        )


@attrs.define
class _Done:
    """What the commits of one call did."""

    erased: set[str] = attrs.field(factory=set)
    unchanged: set[str] = attrs.field(factory=set)
    derived: set[str] = attrs.field(factory=set)
    links: int = 0
    revision: int = 0

    def add(self, erased: Erased) -> None:
        self.erased.update(erased.erased)
        self.unchanged.update(erased.unchanged)
        self.derived.update(erased.derived)
        self.links += erased.links
        self.revision = erased.revision

    def left(self) -> tuple[str, ...]:
        return tuple(sorted(self.derived - self.erased))
