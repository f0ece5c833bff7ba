"""Answers as people read them: here what questions are answered with."""

import io
from collections.abc import Iterable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from reminisce.app.cli import notices, reports  # noqa: F401 (they say how the other answers look)
from reminisce.app.cli.cells import grid, listed, of_today, pages, render, rows, short, span, text, when
from reminisce.app.cli.screen import console
from reminisce.domain.answers import Bundle, Explanation, Queue, Recalled, Stats
from reminisce.domain.believed import Belief, Beliefs
from reminisce.domain.memory import Memory
from reminisce.domain.provenance import Association, Contradiction, Why
from reminisce.domain.records import Event
from reminisce.domain.values import Status, Tier

__all__ = ["as_text"]


def _earned(explanation: Explanation) -> str:
    parts = [f"{term} {points:+}" for term, points in explanation.terms]
    rest = {"coverage": explanation.coverage, "neighbours": explanation.neighbours, "episode": explanation.episode}
    return listed([*parts, *(f"({name} {points:+})" for name, points in rest.items() if points)])


def _about(memory: Memory, *, expected: Status = Status.ACTIVE) -> str:
    """One line of what matters beside the words."""
    parts = [memory.key, when(memory.happened_at), *memory.aspects]
    if memory.status is not expected:
        parts.append(memory.status)
    if memory.tier is not Tier.OPEN:
        parts.append(memory.tier)
    return " · ".join([*parts, *memory.sources])


@render.register
def _(answer: Recalled) -> Iterator[RenderableType]:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right", style="bold cyan", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for hit in answer:
        lines = [text(short(hit.memory.content)), text(_about(hit.memory), "dim")]
        if hit.explanation is not None:
            lines.append(text(f"earned by {_earned(hit.explanation)}", "green"))
        table.add_row(str(hit.score) if hit.score else "", Group(*lines))
    if answer.hits:
        yield table
    counts = f"{len(answer)} of {answer.considered} memories, at revision {answer.revision}"
    yield text(counts if answer.hits else f"nothing found: {counts}", "dim")
    yield from of_today(answer.of_today)
    yield from pages(answer.cursor)


@render.register
def _(answer: Bundle) -> Iterator[RenderableType]:
    for item in answer:
        yield text(item.text)
        yield text(listed([item.key, f"trust {item.trust}", *item.sources]), "dim")
    counts = f"{len(answer)} of {answer.considered} memories, {answer.used} of {answer.budget} tokens"
    counts = counts if answer.items else f"nothing to put before a model: {counts}"
    left = {"said already": answer.dropped.near_duplicates, "over the budget": answer.dropped.over_budget}
    yield text(listed([counts, *(f"{count} {cause}" for cause, count in left.items() if count)]), "dim")


@render.register
def _(answer: Queue) -> Iterator[RenderableType]:
    for waiting in answer:
        yield text(short(waiting.memory.content))
        about = _about(waiting.memory, expected=Status.HELD)
        named = waiting.memory.reviewer
        yield text(about if named is None else f"{about} · for {named} to review", "dim")
        if waiting.reason is not None:
            yield text(f"held: {waiting.reason}", "yellow")
    counts = f"{len(answer)} waiting, at revision {answer.revision}"
    yield text(counts if answer.waiting else f"nothing waits for review, at revision {answer.revision}", "dim")
    yield from pages(answer.cursor)


def _standing(belief: Belief) -> str:
    parts = [belief.key]
    if belief.status is not Status.ACTIVE:
        parts.append(belief.status)
    if belief.confidence != 1:
        parts.append(f"confidence {belief.confidence}")
    if belief.uses:
        parts.append(f"uses {belief.uses}")
    return " · ".join(parts)


@render.register
def _(answer: Beliefs) -> Iterator[RenderableType]:
    table = grid("attribute", "value", "holds", "key")
    for belief in answer:
        table.add_row(
            text(belief.attribute + (" (many)" if belief.many else "")),
            text(short(belief.value), "bold"),
            text(span(belief.valid_from, belief.valid_to)),
            text(_standing(belief), "dim"),
        )
    if answer.beliefs:
        yield table
    counts = f"{len(answer)} beliefs" if answer.beliefs else "nothing is believed"
    yield text(f"{counts} of {answer.subject}, at revision {answer.revision}", "dim")
    yield text("" if answer.complete else "there is more; --attribute asks for one of them", "yellow")
    yield from of_today(answer.of_today)


def _attributes(memory: Memory) -> Iterator[tuple[str, object]]:
    yield "key", text(memory.key, "bold")
    yield "content", text(memory.content)
    yield "status", memory.status
    yield "aspects", listed(memory.aspects)
    yield "basis", memory.basis
    yield "confidence, salience", f"{memory.confidence}, {memory.salience}"
    yield "uses", memory.uses or None
    yield "tier", memory.tier
    yield "surface", memory.surface
    for name in ("occurred_at", "due_at", "valid_from", "valid_to", "recorded_at"):
        time = getattr(memory, name)
        yield name.replace("_", " "), None if time is None else when(time)
    yield "facets", listed(f"{name}={value}" for name, value in memory.facets)
    yield "subjects", listed(memory.subjects)
    if memory.fact is not None:
        many = " (many)" if memory.many else ""
        yield "fact", f"{memory.fact.subject} · {memory.fact.attribute}{many} · {memory.fact.value}"
    yield "episode", memory.episode
    yield "reviewer", memory.reviewer


def _because(words: str | None) -> str:
    return "" if words is None else f": {words}"


def _contradiction(link: Contradiction, key: str) -> str:
    others = listed([side for side in link.between if side != key] or link.between)
    claim = f", as {' from '.join(link.claim)} says" if link.claim else ""
    end = "" if link.until is None else f"; resolved at revision {link.until}{_because(link.resolution)}"
    return f"with {others}{claim}, since revision {link.since}{_because(link.reason)}{end}"


def _association(link: Association, key: str) -> str:
    facets = "".join(f" {name}={value}" for name, value in link.facets)
    others = listed(other for other in link.keys if other != key)
    end = "" if link.until is None else f"; ended at revision {link.until}"
    return f"{link.kind}{facets} with {others}, since revision {link.since}{end}".lstrip()


def _events(history: Iterable[Event]) -> Iterator[str]:
    before = ""
    for event in history:
        held = span(event.valid_from, event.valid_to)
        line = f"{event.revision}  {when(event.time)}  {event.operation} → {event.status}  by {event.actor}"
        yield line + (f", valid {held}" if held not in ("", before) else "") + _because(event.reason)
        before = held


@render.register
def _(answer: Why) -> Iterator[RenderableType]:
    key = answer.memory.key
    yield rows(
        [
            *_attributes(answer.memory),
            ("trust", answer.trust),
            ("withdrawal", answer.withdrawal if answer.withdrawal != "none" else None),
            (
                "sources",
                "\n".join(f"{source}  also cited by {listed(by)}" if by else source for source, by in answer.sources),
            ),
            (
                "derived from",
                "\n".join(f"{'  ' * (found.depth - 1)}{found.key} ({found.status})" for found in answer.ancestors),
            ),
            ("derivatives", answer.descendants or None),
            ("supersedes", listed(answer.supersedes)),
            ("superseded by", listed(answer.superseded_by)),
            ("contradictions", "\n".join(_contradiction(link, key) for link in answer.contradictions)),
            ("associations", "\n".join(_association(link, key) for link in answer.associations)),
            ("history", "\n".join(_events(answer.history))),
        ]
    )
    yield text("" if answer.complete else "there is more than this walk reached; --depth goes further", "yellow")
    yield from of_today(answer.of_today)


def _counts(counts: Mapping[str, int]) -> str:
    return listed(f"{name} {count}" for name, count in counts.items())


@render.register
def _(answer: Stats) -> Iterator[RenderableType]:
    yield rows(
        [
            ("owner", answer.owner),
            ("memories", str(answer.memories)),
            ("by status", _counts(answer.by_status)),
            ("active by tier", _counts(answer.by_tier)),
            ("active by aspect", _counts(answer.by_aspect)),
            ("live beliefs", str(answer.live_beliefs)),
            ("revision", str(answer.revision)),
        ]
    )


def as_text(answer: object) -> str:
    """An answer for people, as wide as their terminal."""
    written = io.StringIO()
    screen = console(written)
    for piece in render(answer):
        if not (isinstance(piece, Text) and not piece.plain):
            screen.print(piece)
    return written.getvalue()
