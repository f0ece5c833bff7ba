"""What the index knows of a memory: its terms, its tags, and the columns that filters and visibility read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from reminisce.domain.instants import micros
from reminisce.domain.masking import NO_MASKS, Masks, surface_of
from reminisce.domain.memory import Memory
from reminisce.domain.records import Event, Record
from reminisce.domain.values import Status, Tier
from reminisce.domain.visibility import Form

__all__ = [
    "BELIEF",
    "NO_END",
    "REVISION_BITS",
    "STATUSES",
    "Document",
    "SeenAs",
    "Spell",
    "Terms",
    "documents",
    "facet_tag",
    "number_of",
    "tag",
]

Terms = Callable[[str], list[str]]
"""The analyser's work: text to terms."""

STATUSES: Final = tuple(Status)
"""A status is kept as its place in here."""

NO_TIME: Final = -(2**63)
"""Stands in a column of times where none was given, and for a validity without a beginning: below any time."""

NO_END: Final = 2**63 - 1
"""Stands for a validity without an end: above any time."""

MOST_TIMES: Final = 255
"""Occurrences are counted up to here: one byte of a posting; BM25 is flat long before."""

_ORDINAL_BITS: Final = 20
"""A batch holds fewer than 2^20 memories."""

REVISION_BITS: Final = _ORDINAL_BITS + 1
"""A document's number shifted right by this is the revision that made its memory; the last bit is the form."""


class SeenAs(NamedTuple):
    """What decides who sees a document. Few different ones exist in an owner, so columns hold their numbers."""

    form: Form
    """The form that this document stands for: a redacted memory with a surface has one document for each."""

    tier: Tier
    surface: bool
    subjects: tuple[str, ...]
    erased: bool = False


class Spell(NamedTuple):
    """How a memory stood for a while: from revision `since` until the next spell's."""

    since: int
    status: int
    """A place in `STATUSES`."""

    valid_from: int
    valid_to: int
    """Microseconds since 1970, half-open; `NO_TIME` and `NO_END` where open."""


class Document(NamedTuple):
    """One memory in one form, as indexed."""

    number: int
    """Canonical: creating revision, ordinal, form. Names the document within its owner for good."""

    key: str
    seen_as: SeenAs
    spells: tuple[Spell, ...]
    """Its whole life, oldest first; never empty."""

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


BELIEF: Final = tag("belief", "")
"""The tag of what has a fact."""


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
        if memory.fact is not None:
            yield BELIEF
    if memory.episode is not None:
        yield tag("episode", memory.episode)
    yield tag("basis", memory.basis)


def _spell(event: Event) -> Spell:
    return Spell(
        event.revision,
        STATUSES.index(event.status),
        NO_TIME if event.valid_from is None else micros(event.valid_from),
        NO_END if event.valid_to is None else micros(event.valid_to),
    )


def _spells(history: Sequence[Event]) -> tuple[Spell, ...]:
    spells: list[Spell] = []
    for spell in map(_spell, history):
        if spells and spells[-1].since == spell.since:
            # What came about within one commit was never seen.
            spells.pop()
        if not spells or spells[-1][1:] != spell[1:]:
            spells.append(spell)
    return tuple(spells)


def _words(memory: Memory, form: Form, surface: str | None) -> Iterator[str]:
    """Every text of a memory that is searched."""
    yield memory.content if form is Form.WHOLE else surface or ""
    if form is Form.WHOLE:
        for name, value in memory.facets:
            yield name
            yield value
        if memory.fact is not None:
            yield from (memory.fact.subject, memory.fact.attribute, memory.fact.value)
    yield from memory.sources


def documents(record: Record, analyse: Terms, masks: Masks = NO_MASKS) -> Iterator[Document]:
    """The documents of one memory: one as a whole, and one more when a surface stands for it elsewhere."""
    memory, spells = record.memory, _spells(record.history)
    erased = memory.status is Status.WITHDRAWN
    if erased:
        # It is found in no past either.
        spells = (spells[-1]._replace(since=memory.revision),)
    surface = surface_of(memory.given, memory.tier, masks)
    forms = [Form.WHOLE]
    if not erased and memory.tier is Tier.REDACTED and surface is not None:
        forms.append(Form.SURFACE)
    for form in forms:
        # Nothing is left to analyse, and a reader beside a withdrawal waits for thousands of these.
        found = [] if erased else [term for text in _words(memory, form, surface) for term in analyse(text)]
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
            SeenAs(form, memory.tier, surface is not None, memory.subjects, erased),
            spells,
            micros(memory.happened_at),
            micros(memory.recorded_at),
            NO_TIME if memory.due_at is None else micros(memory.due_at),
            memory.confidence_thousandths,
            memory.episode or "",
            len(found),
            terms,
        )
