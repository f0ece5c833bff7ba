"""The use cases of recall: one view, one index, one page."""

import datetime as dt
from collections.abc import Iterable
from typing import Any, Final

import attrs

from reminisce.app.service.core import Core, Page
from reminisce.app.service.held import HeldIndex
from reminisce.domain.answers import Explanation, Hit, Queue, Recalled, Waiting
from reminisce.domain.asking import Moment, Question
from reminisce.domain.beliefs import COUNTED
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.cursor import Cursor, Ground, question_of, read_cursor, written
from reminisce.domain.egress import shown
from reminisce.domain.index.query import ACTIVE, Found, Match, Query
from reminisce.domain.index.search import search
from reminisce.domain.instants import micros
from reminisce.domain.memory import Memory
from reminisce.domain.past import OF_TODAY, Past, now_of
from reminisce.domain.planning.reading import origins_seen
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Form, Viewer
from reminisce.errors import InvalidError
from reminisce.ports.store import View

__all__ = ["fitting", "looking", "queue", "recall", "seen_by", "then"]

_HELD: Final = frozenset({Status.HELD})


def seen_by(held: HeldIndex, view: View, viewer: Viewer) -> dict[str, Any]:
    """What a `Query` needs to know of its viewer. Consents only where they are asked about: the owner sees everything."""
    if viewer.audience is None:
        return {"viewer": viewer}
    number, audiences = held.who_sees(view)
    return {"viewer": viewer, "consents": number, "audiences": audiences}


def looking(viewer: Viewer, audience: str | None) -> Viewer:
    """
    Who asks, where a call names an audience.

    Raises:
        InvalidError: The face's audience is another.
    """
    if audience is None:
        return viewer
    # A face's own audience is fixed: a call may look through its eyes, never past them.
    if viewer.audience not in (None, audience):
        raise InvalidError.of("audience", "fixed", "is fixed when this face was started; leave it out")
    return attrs.evolve(viewer, audience=audience)


def revision_at(view: Snapshot, owner: str, moment: Moment) -> int:
    """The owner's revision at a time, or that of a number; never above the one it stands at."""
    revision = view.revision_at(owner, moment) if isinstance(moment, dt.datetime) else moment
    return min(revision, view.head(owner).revision)


@attrs.frozen
class Then:
    """What a question about a moment reads."""

    ground: Any
    """The view, or the past of it."""

    now: dt.datetime
    """What is now, for it."""

    of_today: tuple[str, ...] = ()
    """What it tells as it is today."""


def then(view: Snapshot, owner: str, moment: Moment | None, clock: dt.datetime) -> Then:
    """The present, or the owner's past at *moment*; a moment to come, and the last revision, are now."""
    head = view.head(owner)
    now = now_of(head, clock)
    if moment is None:
        return Then(view, now)
    revision = revision_at(view, owner, moment)
    if isinstance(moment, dt.datetime):
        now = min(moment, now)
    elif revision < head.revision:
        entry = next(view.log(owner, since=revision - 1), None) if revision else None
        now = now if entry is None else entry.time
    return Then(Past(view, owner, revision, now), now, OF_TODAY)


@attrs.frozen
class _Answer:
    found: Found
    memories: dict[str, Memory]
    seen: frozenset[str] | None
    ground: Ground
    revision: int
    reasons: dict[str, str | None]

    def cursor(self, shown: int) -> str | None:
        """The way on behind the first *shown* matches."""
        if not (self.found.more or shown < len(self.found.matches)):
            return None
        last = self.found.matches[shown - 1]
        return written(Cursor(self.revision, last.rank, last.key), self.ground)


def _search(
    core: Core, owner: str, viewer: Viewer, question: Question, statuses: frozenset[Status], *, reasons: bool = False
) -> _Answer:
    terms = None if question.query is None else tuple(core.analyser.terms(question.query))
    with core.indexes.at(owner) as (held, index, view):
        ground = _ground(view, owner, question, viewer, statuses)
        revision = index.revision if question.as_of is None else revision_at(view, owner, question.as_of)
        cursor = None if question.cursor is None else read_cursor(question.cursor, ground, revision)
        revision = revision if cursor is None else cursor.revision
        asked = Query(
            terms=terms,
            k=question.k,
            **seen_by(held, view, viewer),
            any_of=question.any_of,
            windows=question.windows,
            statuses=statuses,
            valid_at=None if question.valid_at is None else micros(question.valid_at),
            at=revision,
            after=None if cursor is None else (cursor.rank, cursor.key),
            explain=question.explain,
        )
        found = search(index, asked)
        past = view if revision == index.revision else Past(view, owner, revision, None)
        memories = dict(past.memories(owner, [match.key for match in found.matches]))
        seen = origins_seen(view, owner, viewer, memories.values())
        history = view.history(owner, memories) if reasons else {}
    last = {key: events[-1].reason for key, events in history.items()}
    return _Answer(found, memories, seen, ground, revision, last)


def recall(core: Core, owner: str, viewer: Viewer, question: Question) -> Recalled:
    """
    Answer one page of a question.

    Raises:
        InvalidError: The face's audience is another, or the cursor belongs to another question.
        CursorExpiredError, StoreError
    """
    viewer = looking(viewer, question.audience)
    statuses = ACTIVE if question.valid_at is None else COUNTED
    answer = _search(core, owner, viewer, question, statuses)
    found = answer.found.matches
    hits = fitting(
        (_hit(answer.memories[m.key], m, viewer, answer.seen, question.explain) for m in found), core.face.page
    )
    return Recalled(
        hits=hits,
        considered=answer.found.considered,
        revision=answer.revision,
        cursor=answer.cursor(len(hits)),
        of_today=() if question.as_of is None else OF_TODAY,
    )


def queue(core: Core, owner: str, viewer: Viewer, question: Question) -> Queue:
    """One page of what waits for review."""
    viewer = looking(viewer, question.audience)
    answer = _search(core, owner, viewer, question, _HELD, reasons=True)
    waiting = fitting(
        (
            Waiting(
                shown(answer.memories[match.key], match.form, viewer.masks, answer.seen),
                answer.reasons.get(match.key) if match.form is Form.WHOLE else None,
            )
            for match in answer.found.matches
        ),
        core.face.page,
    )
    return Queue(waiting, answer.revision, answer.cursor(len(waiting)))


def _ground(view: Snapshot, owner: str, question: Question, viewer: Viewer, statuses: frozenset[Status]) -> Ground:
    erasure, changes = Fence(FenceKind.ERASURE, owner), Fence(FenceKind.CONSENTS)
    standing = view.fences([erasure, changes])
    return Ground(
        incarnation=view.incarnation(),
        owner=owner,
        erasure=standing[erasure],
        consents=standing[changes],
        question=question_of(
            question.query, question.any_of, question.windows, viewer.audience, viewer.destination,
            sorted(statuses), question.valid_at, question.as_of,
        ),
    )  # fmt: skip


def fitting(hits: Iterable[Any], page: Page | None) -> tuple[Any, ...]:
    """As many of the first *hits* as a page holds, at least one."""
    held: list[Any] = []
    size = 0
    for hit in hits:
        if page is not None:
            size += page.measure(hit)
            if size > page.most and held:
                break
        held.append(hit)
    return tuple(held)


def _hit(memory: Memory, match: Match, viewer: Viewer, seen: frozenset[str] | None, explained: bool) -> Hit:
    explanation = None
    if explained and match.form is Form.WHOLE:
        explanation = Explanation(match.terms, match.coverage, match.neighbours, match.episode)
    return Hit(shown(memory, match.form, viewer.masks, seen), match.score, explanation)
