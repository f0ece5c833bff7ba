"""A full scan: what recall must answer, computed the slow way from records, sharing only the ranking's formulas."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import attrs

from reminisce.domain.instants import micros
from reminisce.domain.masking import surface_of
from reminisce.domain.memory import Memory
from reminisce.domain.ranking import NEIGHBOURS, covered, episode_share, information, occurrence, support
from reminisce.domain.records import Event, Record
from reminisce.domain.values import Status
from reminisce.domain.visibility import Form, Viewer, form_seen

Analyse = Callable[[str], list[str]]


@attrs.frozen(kw_only=True)
class Asked:
    """A question in the domain's own words."""

    terms: tuple[str, ...] | None
    k: int
    viewer: Viewer
    consents: Mapping[str, tuple[str, ...]]
    revision: int
    pool: int
    statuses: frozenset[Status] = frozenset({Status.ACTIVE})
    valid_at: int | None = None
    aspects: tuple[str, ...] | None = None
    subject: str | None = None
    episode: str | None = None
    sources: tuple[str, ...] | None = None
    facet: tuple[str, str] | None = None
    min_confidence: int | None = None
    happened_from: int | None = None
    happened_to: int | None = None


@attrs.frozen
class Text:
    """One visible memory, in the form that is seen."""

    memory: Memory
    form: Form
    stood: Event
    """Status and validity, as they were."""
    terms: tuple[str, ...]


def stood(record: Record, revision: int) -> Event | None:
    """What last became of the memory by *revision*; None before it was made."""
    past = [event for event in record.history if event.revision <= revision]
    return past[-1] if past else None


def _words(memory: Memory, form: Form, viewer: Viewer) -> list[str]:
    if form is Form.SURFACE:
        return [surface_of(memory.given, memory.tier, viewer.masks) or "", *memory.sources]
    fact = () if memory.fact is None else (memory.fact.subject, memory.fact.attribute, memory.fact.value)
    return [memory.content, *(part for facet in memory.facets for part in facet), *fact, *memory.sources]


def _form(memory: Memory, viewer: Viewer, consents: Mapping[str, tuple[str, ...]]) -> Form | None:
    surface = surface_of(memory.given, memory.tier, viewer.masks)
    return form_seen(
        viewer, memory.tier, memory.subjects, lambda ref: consents.get(ref, ()), lambda: surface is not None
    )


def visible(records: Sequence[Record], asked: Asked, analyse: Analyse) -> list[Text]:
    """Every memory that stands as asked and that the viewer sees: what is searched and counted."""
    found = []
    for record in records:
        form, then = _form(record.memory, asked.viewer, asked.consents), stood(record, asked.revision)
        if form is not None and then is not None and then.status in asked.statuses:
            terms = tuple(term for word in _words(record.memory, form, asked.viewer) for term in analyse(word))
            found.append(Text(record.memory, form, then, terms))
    return found


def _held(event: Event, time: int) -> bool:
    """Whether it held at *time*, half-open; what says nothing of it always holds."""
    return (event.valid_from is None or micros(event.valid_from) <= time) and (
        event.valid_to is None or time < micros(event.valid_to)
    )


def admits(text: Text, asked: Asked) -> bool:
    """Whether the filters let it pass."""
    memory = text.memory
    return (
        (asked.aspects is None or bool(set(asked.aspects) & set(memory.aspects)))
        and (asked.subject is None or asked.subject in memory.subjects)
        and (asked.episode is None or asked.episode == memory.episode)
        and (asked.sources is None or bool(set(asked.sources) & set(memory.sources)))
        and (asked.facet is None or (text.form is Form.WHOLE and asked.facet in memory.facets))
        and (asked.min_confidence is None or memory.confidence_thousandths >= asked.min_confidence)
        and (asked.happened_from is None or micros(memory.happened_at) >= asked.happened_from)
        and (asked.happened_to is None or micros(memory.happened_at) < asked.happened_to)
        and (asked.valid_at is None or _held(text.stood, asked.valid_at))
    )


def scores(texts: Sequence[Text], asked: Asked) -> dict[str, int]:
    """The score of every memory that has one, whatever the filters."""
    count, total = len(texts), max(1, sum(len(text.terms) for text in texts))
    terms = list(dict.fromkeys(asked.terms or ()))
    worth = {term: information(count, sum(term in text.terms for text in texts)) for term in terms}
    own: dict[str, int] = {}
    held: dict[str, set[str]] = {}
    for text in texts:
        held[text.memory.key] = found = {term for term in terms if term in text.terms}
        if found:
            points = sum(
                worth[t] * occurrence(min(255, text.terms.count(t)), len(text.terms), count, total) // 1024
                for t in found
            )
            own[text.memory.key] = covered(points, sum(worth[t] for t in found), sum(worth.values()))
    givers = set(sorted(own, key=lambda key: (-own[key], key))[: asked.pool])
    final = dict(own)
    for episode in {text.memory.episode for text in texts} - {None}:
        members = sorted(
            (text.memory for text in texts if text.memory.episode == episode), key=lambda m: (m.happened_at, m.key)
        )
        keys = [memory.key for memory in members]
        giving = [key for key in keys if key in givers]
        found_here = {term for key in giving for term in held[key]}
        share = episode_share(worth[term] for term in found_here)
        for place, key in enumerate(keys):
            before, after = keys[:place][::-1][: len(NEIGHBOURS)], keys[place + 1 :][: len(NEIGHBOURS)]
            if key in givers or givers.intersection(before) or givers.intersection(after):
                lent = support(
                    [own[k] if k in givers else 0 for k in before], [own[k] if k in givers else 0 for k in after]
                )
                final[key] = own.get(key, 0) + lent + share
    return final


def scan(records: Sequence[Record], asked: Asked, analyse: Analyse) -> tuple[list[tuple[str, int]], int]:
    """(key, score) of the best k, and how many passed the filters."""
    texts = visible(records, asked, analyse)
    passing = {text.memory.key: text for text in texts if admits(text, asked)}
    if asked.terms is None:
        newest = sorted(passing.values(), key=lambda t: (-micros(t.memory.happened_at), t.memory.key))
        return [(text.memory.key, 0) for text in newest[: asked.k]], len(passing)
    ranked = sorted(
        ((key, score) for key, score in scores(texts, asked).items() if key in passing),
        key=lambda pair: (-pair[1], pair[0]),
    )
    return ranked[: asked.k], len(passing)


def tally(
    records: Sequence[Record], viewer: Viewer, consents: Mapping[str, tuple[str, ...]], now: int
) -> tuple[Counter[str], Counter[str], Counter[str], int]:
    """What the viewer sees, counted: by status, then of the active ones by tier, by aspect, and the live beliefs."""
    statuses, tiers, aspects = Counter[str](), Counter[str](), Counter[str]()
    live = 0
    for record in records:
        memory = record.memory
        form = _form(memory, viewer, consents)
        if form is None:
            continue
        statuses[memory.status] += 1
        if memory.status is Status.ACTIVE:
            tiers[memory.tier] += 1
            aspects.update(memory.aspects)
            live += form is Form.WHOLE and memory.fact is not None and _held(record.history[-1], now)
    return statuses, tiers, aspects, live
