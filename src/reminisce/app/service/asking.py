"""An owner's face: asking."""

import datetime as dt
from collections.abc import Callable
from typing import Any, Final

import attrs

from reminisce.app.service.acting import Acting
from reminisce.app.service.bundling import bundle, read_bundle
from reminisce.app.service.recalling import fitting, recall, seen_by, then
from reminisce.domain.answers import Bundle, Item, Recalled, Stats
from reminisce.domain.asking import read_moment, read_question
from reminisce.domain.believed import Beliefs, believed
from reminisce.domain.checks import Checks
from reminisce.domain.egress import tokens
from reminisce.domain.index.counting import count
from reminisce.domain.index.query import Query
from reminisce.domain.instants import micros
from reminisce.domain.past import now_of
from reminisce.domain.provenance import DEPTH, WALK, Why, explain

__all__ = ["MOST", "Asking"]

MOST: Final = 1_000
"""How many lines a list in an answer of `why` has when nothing is said."""

Time = dt.datetime | str
"""A time as callers give it: an aware datetime, or ISO 8601 text with an offset."""


class Asking(Acting):
    """Recall, why, beliefs, the past, counts. None of it writes."""

    def recall(self, query: str | None, **options: Any) -> Recalled:
        """
        Find memories, best first; the same store and query give the same order everywhere. Writes nothing.

        Args:
            query: Any text of at most 64 KiB; a blank one matches nothing. None lists what the filters admit, newest first.
            k: How many, 1 to 1,000 (default 8).
            audience: Only what the consents of all its subjects let this audience see.
            aspects, sources, basis: Lists; a memory needs one of each list.
            subject, episode: One name each.
            facets: Mapping of name to value or values; a memory needs one value of each name.
            min_confidence: In [0, 1].
            occurred_from, occurred_to, recorded_from, recorded_to, due_from, due_to: Half-open windows. ``occurred`` falls
                back on the time of recording.
            valid_at: Only what held at that time, superseded by now or not.
            as_of: The owner's past to look at: a time, or a revision. Memories are there in the status and with the validity
                that they had; what the answer tells as it is now, it names in `of_today`.
            cursor: What an earlier answer gave for its next page, with the same query and options.
            explain: Whether to say what earned each score.

        Raises:
            InvalidError: With every problem at once.
            CursorExpiredError: An erasure or a consent came since the first page.
            StoreError: Never an empty answer instead.
        """
        return recall(self._core, self.name, self._viewer, read_question(query, options))

    def bundle(
        self,
        query: str | None,
        *,
        k: int | None = None,
        budget: int | None = None,
        measure: Callable[[Item], int] | None = None,
        **filters: Any,
    ) -> Bundle:
        """
        What may be put before a model: items of key, text, sources and trust, best first. Writes nothing.

        Where it goes was said when the face was started. Of two that say nearly the same the first stays; what does not fit
        into the budget is left out whole, and a later, smaller one may follow. See ``docs/egress.md``.

        Args:
            query: As of `recall`.
            k: Items at most, 1 to 1,000 (default 8).
            budget: Tokens that the texts may take together, at least 0 (default 2,000). A token is counted for every four
                bytes of UTF-8 begun.
            measure: What an item takes of the budget, at least 0, instead of that: tokens as your model counts them, say.
            filters: Those of `recall`: audience, aspects, subject, episode, sources, facets, basis, min_confidence, windows.

        Raises:
            InvalidError: With every problem at once.
            StoreError: Never an empty answer instead.
        """
        question, room = read_bundle(query, {"k": k, **filters}, budget, measure)
        return bundle(self._core, self.name, self._viewer, question, room, tokens if measure is None else measure)

    def recent(self, k: int | None = None, **options: Any) -> Recalled:
        """
        The newest memories first, by when they happened, else by when they were recorded; then by key.

        Takes the options of `recall`.
        """
        return self.recall(None, k=k, **options)

    def as_of(self, moment: Time | int, **options: Any) -> Recalled:
        """
        The owner's memories as they stood at a time, or at a revision, newest first. Takes the options of `recall`.

        Words erased since are not there. `recall`, `why` and `beliefs` look at the past by their option of this name.
        """
        return self.recall(None, as_of=moment, **options)

    def why(self, key: str, depth: int | None = None, most: int | None = None, as_of: Time | int | None = None) -> Why:
        """
        Tell where a memory came from and what became of it, whatever its status.

        Args:
            depth: How far to follow derivations, 1 to 10,000 (default 16).
            most: How many lines a list of the answer may have, 1 to 10,000 (default 1,000). It says when it is not complete.
            as_of: A time or a revision: the story as it could have been told then.

        Raises:
            InvalidError, NotFoundError, StoreError
        """
        checks = Checks()
        name = checks.text("key", key)
        steps = DEPTH if depth is None else checks.count("depth", depth, 1, WALK)
        lines = MOST if most is None else checks.count("most", most, 1, WALK)
        moment = None if as_of is None else read_moment(checks, "as_of", as_of)
        checks.finish()
        page = self._core.face.page
        with self._core.store.view() as view:
            when = then(view, self.name, moment, self._core.clock.now())
            while True:
                answer = explain(
                    when.ground, self.name, name, viewer=self._viewer, depth=steps, most=lines, of_today=when.of_today
                )
                if page is None or lines == 1 or page.measure(answer) <= page.most:
                    return answer
                lines = max(1, lines // 4)

    def beliefs(
        self,
        subject: str,
        *,
        attribute: str | None = None,
        valid_at: Time | None = None,
        history: bool = False,
        as_of: Time | int | None = None,
    ) -> Beliefs:
        """
        What the owner believes of a subject now: what is active and holds at this moment.

        Args:
            attribute: Only of this one.
            valid_at: What held at that time instead, superseded by now or not.
            history: Every belief instead, whatever its status and validity.
            as_of: A time or a revision: as it was believed then. What is live is then asked of that time, too.

        Raises:
            InvalidError, StoreError
        """
        checks = Checks()
        ref = checks.text("subject", subject)
        of = None if attribute is None else checks.text("attribute", attribute)
        time = None if valid_at is None else checks.instant("valid_at", valid_at)
        moment = None if as_of is None else read_moment(checks, "as_of", as_of)
        if checks.flag("history", history) and valid_at is not None:
            checks.note("history", "excludes", "cannot be asked together with valid_at")
        checks.finish()
        now = self._core.clock.now()
        with self._core.store.view() as view:
            when = then(view, self.name, moment, now)
            answer = believed(
                when.ground,
                self.name,
                ref,
                viewer=self._viewer,
                now=when.now,
                attribute=of,
                valid_at=time,
                history=history,
                of_today=when.of_today,
            )
        held = fitting(answer.beliefs, self._core.face.page)
        return answer if len(held) == len(answer) else attrs.evolve(answer, beliefs=held, complete=False)

    def stats(self) -> Stats:
        """Counts of the memories that the caller may see, by status, tier and aspect, and of live beliefs."""
        with self._core.indexes.at(self.name) as (held, index, view):
            now = micros(now_of(view.head(self.name), self._core.clock.now()))
            query = Query(terms=(), k=1, **seen_by(held, view, self._viewer))
            counts = count(index, query, self._core.face.aspects, now)
            revision = index.revision
        return Stats(
            owner=self.name,
            revision=revision,
            memories=sum(counts.by_status.values()),
            by_status=counts.by_status,
            by_tier=counts.by_tier,
            by_aspect=counts.by_aspect,
            live_beliefs=counts.live_beliefs,
        )
