"""What the index knows of a memory: its terms, its tags, and the columns that filters and visibility read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from reminisce.domain.instants import micros
from reminisce.domain.memory import Memory
from reminisce.domain.records import Event, Record
from reminisce.domain.values import Status, Tier
from reminisce.domain.visibility import Form

__all__ = ["OPEN_END", "Document", "SeenAs", "Terms", "documents", "facet_tag", "number_of", "tag"]

Terms = Callable[[str], list[str]]
"""The analyser's work: text to terms."""

OPEN_END: Final = 2**62
"""The `until` of an interval that has not ended: above any revision."""

NO_TIME: Final = -(2**63)
"""Stands in a column of times where none was given: below any time."""

MOST_TIMES: Final = 255
"""Occurrences are counted up to here: one byte of a posting; BM25 is flat long before."""

_ORDINAL_BITS: Final = 20
"""A batch holds fewer than 2^20 memories."""


class SeenAs(NamedTuple):
    """What decides who sees a document. Few different ones exist in an owner, so columns hold their numbers."""

    form: Form
    """The form that this document stands for: a redacted memory with a surface has one document for each."""

    tier: Tier
    surface: bool
    subjects: tuple[str, ...]


class Document(NamedTuple):
    """One memory in one form, as indexed."""

    number: int
    """Canonical: creating revision, ordinal, form. Names the document within its owner for good."""

    key: str
    seen_as: SeenAs
    status: Status
    active: tuple[tuple[int, int], ...]
    """Intervals of revisions, from (included) and to (excluded, or `OPEN_END`), in which the memory was active."""

    happened: int
    recorded: int
    due: int
    """Microseconds since 1970, UTC; `NO_TIME` where not given."""

    confidence: int
    episode: str
    """Empty for none."""

    length: int
    terms: Mapping[str, int]
    """Term to occurrences, 1 to `MOST_TIMES`; and `tag`s, each once, which count for no length."""


def number_of(memory: Memory, form: Form) -> int:
    """A document's canonical number, below 2^63 for the first 2^42 revisions of an owner."""
    return (memory.revision << _ORDINAL_BITS | memory.ordinal) << 1 | form.value


def tag(kind: str, value: str) -> str:
    """A term of our own that marks what a filter asks for. U+0001 keeps it apart from every analyser's term."""
    return f"\x01{kind}:{value}"


def facet_tag(name: str, value: str) -> str:
    """The `tag` of a facet. The name's length goes first, so that no other name and value make the same."""
    return tag("facet", f"{len(name)}:{name}={value}")


def _tags(memory: Memory, form: Form) -> Iterator[str]:
    for aspect in memory.aspects:
        yield tag("aspect", aspect)
    for ref in memory.subjects:
        yield tag("subject", ref)
    for source in memory.sources:
        yield tag("source", source)
    if form is Form.WHOLE:
        for name, value in memory.facets:
            yield facet_tag(name, value)
    if memory.episode is not None:
        yield tag("episode", memory.episode)
    yield tag("basis", memory.basis)


def _active(history: Sequence[Event]) -> tuple[tuple[int, int], ...]:
    intervals: list[tuple[int, int]] = []
    for event in history:
        runs = bool(intervals) and intervals[-1][1] == OPEN_END
        if event.status is Status.ACTIVE and not runs:
            intervals.append((event.revision, OPEN_END))
        elif event.status is not Status.ACTIVE and runs:
            intervals[-1] = (intervals[-1][0], event.revision)
    return tuple(interval for interval in intervals if interval[0] < interval[1])


def documents(record: Record, analyse: Terms) -> Iterator[Document]:
    """The documents of one memory: one as a whole, and one more when a surface stands for it elsewhere."""
    memory, active = record.memory, _active(record.history)
    forms = [Form.WHOLE]
    if memory.tier is Tier.REDACTED and memory.surface is not None:
        forms.append(Form.SURFACE)
    for form in forms:
        found = analyse(memory.content if form is Form.WHOLE else memory.surface or "")
        if form is Form.WHOLE:
            for name, value in memory.facets:
                found += analyse(name)
                found += analyse(value)
        for source in memory.sources:
            found += analyse(source)
        terms: dict[str, int] = {}
        for term in found:
            times = terms.get(term, 0)
            if times < MOST_TIMES:
                terms[term] = times + 1
        for mark in _tags(memory, form):
            terms[mark] = 1
        yield Document(
            number_of(memory, form),
            memory.key,
            SeenAs(form, memory.tier, memory.surface is not None, memory.subjects),
            memory.status,
            active,
            micros(memory.happened_at),
            micros(memory.recorded_at),
            NO_TIME if memory.due_at is None else micros(memory.due_at),
            memory.confidence_thousandths,
            memory.episode or "",
            len(found),
            terms,
        )
