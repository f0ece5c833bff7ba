"""The use case of recall: one view, one index, one page."""

from collections.abc import Iterable
from typing import Any

import attrs

from reminisce.app.service.core import Core, Page
from reminisce.app.service.held import HeldIndex
from reminisce.domain.answers import Explanation, Hit, Recalled
from reminisce.domain.asking import Question
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.cursor import Cursor, Ground, question_of, read_cursor, written
from reminisce.domain.egress import shown
from reminisce.domain.index.query import Match, Query
from reminisce.domain.index.search import search
from reminisce.domain.memory import Memory
from reminisce.domain.planning.reading import origins_seen
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.visibility import Form, Viewer
from reminisce.errors import InvalidError
from reminisce.ports.store import View

__all__ = ["recall", "seen_by"]


def seen_by(held: HeldIndex, view: View, viewer: Viewer) -> dict[str, Any]:
    """What a `Query` needs to know of its viewer. Consents only where they are asked about: the owner sees everything."""
    if viewer.audience is None:
        return {"viewer": viewer}
    number, audiences = held.who_sees(view)
    return {"viewer": viewer, "consents": number, "audiences": audiences}


def recall(core: Core, owner: str, viewer: Viewer, question: Question) -> Recalled:
    """
    Answer one page of a question.

    Raises:
        InvalidError: The face's audience is another, or the cursor belongs to another question.
        CursorExpiredError, StoreError
    """
    if question.audience is not None:
        # A face's own audience is fixed: a call may look through its eyes, never past them.
        if viewer.audience not in (None, question.audience):
            raise InvalidError.of("audience", "fixed", "is fixed when this face was started; leave it out")
        viewer = attrs.evolve(viewer, audience=question.audience)
    terms = None if question.query is None else tuple(core.analyser.terms(question.query))
    with core.indexes.at(owner) as (held, index, view):
        ground = _ground(view, owner, question, viewer)
        cursor = None if question.cursor is None else read_cursor(question.cursor, ground, index.revision)
        revision = index.revision if cursor is None else cursor.revision
        asked = Query(
            terms=terms,
            k=question.k,
            **seen_by(held, view, viewer),
            any_of=question.any_of,
            windows=question.windows,
            at=revision,
            after=None if cursor is None else (cursor.rank, cursor.key),
            explain=question.explain,
        )
        found = search(index, asked)
        memories = view.memories(owner, [match.key for match in found.matches])
        seen = origins_seen(view, owner, viewer, memories.values())
    hits = _fitting((_hit(memories[m.key], m, seen, question.explain) for m in found.matches), core.face.page)
    more = found.more or len(hits) < len(found.matches)
    last = found.matches[len(hits) - 1] if more else None
    return Recalled(
        hits=hits,
        considered=found.considered,
        revision=revision,
        cursor=None if last is None else written(Cursor(revision, last.rank, last.key), ground),
    )


def _ground(view: Snapshot, owner: str, question: Question, viewer: Viewer) -> Ground:
    erasure, changes = Fence(FenceKind.ERASURE, owner), Fence(FenceKind.CONSENTS)
    standing = view.fences([erasure, changes])
    return Ground(
        incarnation=view.incarnation(),
        owner=owner,
        erasure=standing[erasure],
        consents=standing[changes],
        question=question_of(question.query, question.any_of, question.windows, viewer.audience, viewer.destination),
    )


def _fitting(hits: Iterable[Hit], page: Page | None) -> tuple[Hit, ...]:
    """As many of the first *hits* as a page holds, at least one."""
    fitting: list[Hit] = []
    size = 0
    for hit in hits:
        if page is not None:
            size += page.measure(hit)
            if size > page.most and fitting:
                break
        fitting.append(hit)
    return tuple(fitting)


def _hit(memory: Memory, match: Match, seen: frozenset[str] | None, explained: bool) -> Hit:
    explanation = None
    if explained and match.form is Form.WHOLE:
        explanation = Explanation(match.terms, match.coverage, match.neighbours, match.episode)
    return Hit(shown(memory, match.form, seen), match.score, explanation)
