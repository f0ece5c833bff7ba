"""The use case of recall: one view, one index, one page."""

from collections.abc import Mapping
from typing import Any

import attrs

from reminisce.app.service.core import Core
from reminisce.domain.answers import Explanation, Hit, Recalled
from reminisce.domain.asking import Question
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.cursor import Cursor, Ground, question_of, read_cursor, written
from reminisce.domain.egress import shown
from reminisce.domain.index.query import Match, Query
from reminisce.domain.index.search import search
from reminisce.domain.memory import Memory, text_bytes
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.visibility import Form, Viewer
from reminisce.errors import InvalidError
from reminisce.ports.store import View

__all__ = ["recall", "seen_by"]


def seen_by(core: Core, owner: str, view: View, viewer: Viewer) -> dict[str, Any]:
    """What a `Query` needs to know of its viewer. Consents only where they are asked about: the owner sees everything."""
    if viewer.audience is None:
        return {"viewer": viewer}
    number, audiences = core.indexes.audiences(owner, view)
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
    with core.indexes.at(owner) as (index, view):
        ground = _ground(view, owner, question, viewer)
        cursor = None if question.cursor is None else read_cursor(question.cursor, ground, index.revision)
        revision = index.revision if cursor is None else cursor.revision
        asked = Query(
            terms=terms,
            k=question.k,
            **seen_by(core, owner, view, viewer),
            any_of=question.any_of,
            windows=question.windows,
            at=revision,
            after=None if cursor is None else (cursor.rank, cursor.key),
            explain=question.explain,
        )
        found = search(index, asked)
        memories = view.memories(owner, [match.key for match in found.matches])
    matches = _fitting(found.matches, memories, core.face.page_bytes)
    more = found.more or len(matches) < len(found.matches)
    return Recalled(
        hits=tuple(_hit(memories[match.key], match, question.explain) for match in matches),
        considered=found.considered,
        revision=revision,
        cursor=written(Cursor(revision, matches[-1].rank, matches[-1].key), ground) if more else None,
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


def _fitting(matches: tuple[Match, ...], memories: Mapping[str, Memory], most: int | None) -> tuple[Match, ...]:
    """As many of the first *matches* as *most* bytes hold, at least one."""
    if most is None:
        return matches
    size = 0
    for place, match in enumerate(matches):
        size += text_bytes(memories[match.key])
        if size > most and place:
            return matches[:place]
    return matches


def _hit(memory: Memory, match: Match, explained: bool) -> Hit:
    explanation = None
    if explained and match.form is Form.WHOLE:
        explanation = Explanation(match.terms, match.coverage, match.neighbours, match.episode)
    return Hit(shown(memory, match.form), match.score, explanation)
