"""What an owner believes of a subject."""

import datetime as dt
from collections.abc import Iterator

import attrs

from reminisce.domain.beliefs import COUNTED, holds_at
from reminisce.domain.memory import Memory
from reminisce.domain.planning.reading import forms_seen
from reminisce.domain.provenance import Told
from reminisce.domain.values import Status, decimal_of
from reminisce.domain.visibility import Form, Viewer

__all__ = ["Belief", "Beliefs", "believed"]


@attrs.frozen
class Belief:
    """One value of an attribute of a subject, and when it holds."""

    key: str
    """Of the memory that says so."""

    attribute: str
    value: str
    """As written."""

    valid_from: dt.datetime | None
    valid_to: dt.datetime | None
    """Half-open; None: no end is known."""

    many: bool
    """Whether the attribute holds several values at once."""

    status: Status
    confidence: float
    uses: int
    recorded_at: dt.datetime
    content: str


@attrs.frozen
class Beliefs:
    """What is believed of a subject. Iterates over its beliefs: by attribute, then by when they start, then by key."""

    subject: str
    beliefs: tuple[Belief, ...]
    revision: int
    """The owner's revision that this answers for."""

    complete: bool = True
    """False when the face's bound on an answer left some out: ask for one attribute."""

    of_today: tuple[str, ...] = ()
    """Of an answer about the past: what it tells as it is now."""

    def __iter__(self) -> Iterator[Belief]:
        return iter(self.beliefs)

    def __len__(self) -> int:
        return len(self.beliefs)


def _belief(memory: Memory) -> Belief:
    fact = memory.fact
    assert fact is not None  # noqa: S101 (only memories with facts are asked for)
    return Belief(
        key=memory.key,
        attribute=fact.attribute,
        value=fact.value,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        many=memory.many,
        status=memory.status,
        confidence=decimal_of(memory.confidence_thousandths),
        uses=memory.uses,
        recorded_at=memory.recorded_at,
        content=memory.content,
    )


def believed(
    ground: Told,
    owner: str,
    subject: str,
    *,
    viewer: Viewer,
    now: dt.datetime,
    attribute: str | None = None,
    valid_at: dt.datetime | None = None,
    history: bool = False,
    of_today: tuple[str, ...] = (),
) -> Beliefs:
    """
    The live beliefs of a subject: active, and holding at *now*.

    Args:
        attribute: Only of this one.
        valid_at: What held then instead, superseded by now or not.
        history: Every belief instead, whatever its status and validity.
    """
    lines = ground.facts(owner, subject, attribute=attribute, since=None if history else valid_at or now)
    if valid_at is not None:
        lines = [
            line for line in lines if line.status in COUNTED and holds_at(line.valid_from, line.valid_to, valid_at)
        ]
    elif not history:
        lines = [
            line for line in lines if line.status is Status.ACTIVE and holds_at(line.valid_from, line.valid_to, now)
        ]
    held = ground.memories(owner, [line.key for line in lines])
    forms = forms_seen(ground, viewer, held.values())
    beliefs = [_belief(held[line.key]) for line in lines if forms.get(line.key) is Form.WHOLE]
    beliefs.sort(key=lambda belief: (belief.attribute, belief.valid_from or now, belief.key))
    return Beliefs(subject, tuple(beliefs), ground.head(owner).revision, of_today=of_today)
