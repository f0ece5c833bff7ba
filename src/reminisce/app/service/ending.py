"""An owner's face: what goes out of recall, what comes back, what waits."""

from collections.abc import Iterable
from typing import Any, Final

import attrs

from reminisce.app.service.acting import Acting
from reminisce.app.service.recalling import queue, seen_by
from reminisce.domain.answers import Queue
from reminisce.domain.asking import FILTERS, Question, read_filters, read_question
from reminisce.domain.checks import Checks
from reminisce.domain.egress import holds_text
from reminisce.domain.guard.stored import words_of
from reminisce.domain.index.query import Query
from reminisce.domain.index.search import search
from reminisce.domain.planning.forget import Forgotten, Reinstated, plan_forget, plan_reinstate
from reminisce.domain.planning.reading import forms_seen, named_memories
from reminisce.domain.planning.reclassify import Reclassified, plan_reclassify
from reminisce.domain.planning.review import Reviewed, plan_review
from reminisce.domain.values import Tier
from reminisce.errors import ReviewerError

__all__ = ["Ending"]

CHUNK: Final = 1_000
"""Memories read at a time while their words are looked through."""


class Ending(Acting):
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
        given = {name: value for name, value in filters.items() if value is not None}
        if not set(given).issubset(FILTERS):
            checks.note(
                "arguments", "unknown_name", "takes only keys, reason, containing, dry_run, " + ", ".join(FILTERS)
            )
        any_of, windows = read_filters(checks, given)
        text = None if containing is None else checks.text("containing", containing)
        why = None if reason is None else checks.text("reason", reason)
        checks.flag("dry_run", dry_run)
        names = () if keys is None else checks.texts("keys", [keys] if isinstance(keys, str) else keys)
        filtered = bool(any_of or windows or text is not None)
        if keys is not None and filtered:
            checks.note("keys", "excludes", "cannot be given together with filters")
        elif not names and not filtered:
            # Filters that are empty lists admit everything: nobody means to forget all by that.
            checks.note("keys", "empty", "must name at least one, or a filter must be given")
        checks.finish()
        # What is asked for is not stored: a secret that was kept before is found by its own words.
        self._guard(("reason", why))
        found = keys is None
        if found:
            names = self._found(Query(terms=None, k=1, any_of=any_of, windows=windows), text)
        return self._write(plan_forget, names, reason=why, found=found, dry_run=dry_run)

    def _found(self, query: Query, text: str | None) -> tuple[str, ...]:
        """Keys of the active memories that *query* admits and the text stands in, newest first."""
        with self._core.indexes.at(self.name) as (held, index, view):
            count = max(1, sum(part.count for _, part in index.parts))
            asked = attrs.evolve(query, k=count, **seen_by(held, view, self._viewer))
            keys = [match.key for match in search(index, asked).matches]
        if text is None:
            return tuple(keys)
        # Words never change, so they are looked through without holding up who else uses the index.
        found = []
        with self._core.store.view() as view:
            for start in range(0, len(keys), CHUNK):
                chunk = keys[start : start + CHUNK]
                memories = view.memories(self.name, chunk)
                forms = forms_seen(view, self._viewer, memories.values())
                found += [key for key in chunk if key in forms and holds_text(memories[key], forms[key], text)]
            return tuple(found)

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
