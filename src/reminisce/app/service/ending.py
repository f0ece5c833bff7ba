"""An owner's face: what goes out of recall, what comes back, what waits."""

from collections.abc import Iterable
from typing import Any

from reminisce.app.service.choosing import Choosing, read_choice
from reminisce.app.service.recalling import queue
from reminisce.domain.answers import Queue
from reminisce.domain.asking import FILTERS, Question, read_question
from reminisce.domain.checks import Checks
from reminisce.domain.guard.stored import words_of
from reminisce.domain.index.query import ACTIVE
from reminisce.domain.planning.forget import Forgotten, Reinstated, plan_forget, plan_reinstate
from reminisce.domain.planning.reading import named_memories
from reminisce.domain.planning.reclassify import Reclassified, plan_reclassify
from reminisce.domain.planning.review import Reviewed, plan_review
from reminisce.domain.values import Tier
from reminisce.errors import ReviewerError

__all__ = ["Ending"]


class Ending(Choosing):
    """Forget, reinstate, review, reclassify."""

    def forget(
        self,
        keys: str | Iterable[str] | None = None,
        reason: str | None = None,
        *,
        containing: str | None = None,
        dry_run: bool = False,
        **filters: Any,
    ) -> Forgotten:
        """
        Take memories out of recall; their words are kept, and `reinstate` brings one back.

        Args:
            keys: One key, or up to 1,000. Without keys: the active memories that all of the filters admit, in one commit.
            reason: At most 4 KiB, kept in the history.
            containing: Only memories in whose content, surface, facets, fact or sources this text stands, letter by letter.
            dry_run: Only tell what would happen.
            filters: Those of `recall`: aspects, subject, episode, sources, facets, basis, min_confidence, windows of time.

        Returns:
            What went out, and which memories its going leaves superseded.

        Raises:
            InvalidError: Among others when neither keys nor any filter is given, or both.
            NotFoundError, StatusError, StoreError
        """
        checks = Checks()
        takes = ("keys", "reason", "containing", "dry_run")
        choice = read_choice(checks, keys, containing, filters, takes=takes)
        why = None if reason is None else checks.text("reason", reason)
        checks.flag("dry_run", dry_run)
        checks.finish()
        # What is asked for is not stored: a secret that was kept before is found by its own words.
        self._guard(("reason", why))
        names = self._chosen(choice, ACTIVE)
        return self._write(plan_forget, names, reason=why, found=choice.found, dry_run=dry_run)

    def reinstate(self, key: str) -> Reinstated:
        """
        Undo a forget, or bring back a memory whose superseder is gone, by the sameness and belief rules of a write.

        Raises:
            InvalidError, NotFoundError, StatusError, StoreError
        """
        return self._write(plan_reinstate, self._key(key))

    def reviews(self, **options: Any) -> Queue:
        """
        What waits for review, newest first. Takes the options of `recall` that narrow, and k and cursor.

        Raises:
            InvalidError, CursorExpiredError, StoreError
        """
        given = {name: value for name, value in options.items() if name not in ("valid_at", "as_of", "explain")}
        checks = Checks()
        if len(given) < len(options):
            checks.note("arguments", "unknown_name", "takes only k, audience, cursor, " + ", ".join(FILTERS))
        checks.finish()
        question: Question = read_question(None, given)
        return queue(self._core, self.name, self._viewer, question)

    def review(self, key: str, approve: bool, reason: str | None = None, confirm: bool = False) -> Reviewed:
        """
        Put a memory that waits in force, by the sameness and belief rules of a write; or reject it.

        Args:
            approve: False rejects it.
            reason: At most 4 KiB, kept in the history.
            confirm: Approve although a subject has taken back a consent since the memory was held.

        Raises:
            ReviewerError: The face was started for no reviewer, or the memory names another.
            ConsentNarrowedError: A subject has taken back a consent meanwhile.
            InvalidError, NotFoundError, StatusError, StoreError
        """
        checks = Checks()
        name = checks.text("key", key)
        why = None if reason is None else checks.text("reason", reason)
        checks.flag("approve", approve)
        checks.flag("confirm", confirm)
        checks.finish()
        reviewer = self._core.face.reviewer
        if reviewer is None:
            raise ReviewerError
        self._guard(("reason", why))
        occasion = self._occasion(reviewer)
        return self._write(plan_review, name, occasion=occasion, approve=approve, reason=why, confirm=confirm)

    def reclassify(self, key: str, tier: str) -> Reclassified:
        """
        Set how far a memory's text may travel: the only way to a less strict tier.

        A stricter tier is handed on to everything that comes from the memory; a less strict one is this memory's alone.

        Args:
            tier: ``open``, ``redacted`` or ``private``.

        Raises:
            SecretFoundError: It is private, holds a secret, and would be so no more.
            InvalidError, NotFoundError, GuardFailedError, StoreError
        """
        checks = Checks()
        name, wanted = checks.text("key", key), checks.choice("tier", tier, Tier)
        checks.finish()
        if wanted is not Tier.PRIVATE:
            self._guard_words(name)
        return self._write(plan_reclassify, name, wanted)

    def _guard_words(self, key: str) -> None:
        """Look at a memory that was private: words that were admitted there may not leave it."""
        with self._core.store.view() as view:
            memory = named_memories(view, self.name, self._viewer, [key], "key")[key]
        if memory.tier is Tier.PRIVATE:
            self._guard(*words_of(memory.given), *(("sources", source) for source in memory.further_sources))
