"""Answers as people read them."""

import datetime as dt
import io
from collections.abc import Iterable, Iterator, Mapping
from functools import singledispatch
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from reminisce.app.cli.outcome import Health, Made
from reminisce.app.cli.screen import console, visible
from reminisce.app.demo import Played, Scene
from reminisce.domain.answers import Explanation, Imported, Recalled, Stats
from reminisce.domain.memory import Memory
from reminisce.domain.planning.forget import Forgotten, Reinstated
from reminisce.domain.planning.remember import Remembered
from reminisce.domain.provenance import Why
from reminisce.domain.values import Tier

__all__ = ["as_text"]

SHOWN: Final = 600
"""Characters of a memory in a list: a screen should hold several. `why` shows all of them."""

BAD_LINES: Final = 50
"""Bad lines listed after an import. ``--json`` lists all."""


def _text(text: str, style: str = "") -> Text:
    return Text(visible(text), style, overflow="fold")


def _when(time: dt.datetime) -> str:
    return time.isoformat(" ", "minutes").replace("+00:00", "Z")


def _rows(pairs: Iterable[tuple[str, object]]) -> Table:
    """Names and values, those that have one."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for name, value in pairs:
        if value not in (None, "", ()):
            table.add_row(name, value if isinstance(value, Text | Table) else _text(str(value)))
    return table


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} … ({len(text) - SHOWN} more characters)"


def _earned(explanation: Explanation) -> str:
    parts = [f"{term} {points:+}" for term, points in explanation.terms]
    rest = {"coverage": explanation.coverage, "neighbours": explanation.neighbours, "episode": explanation.episode}
    return _listed([*parts, *(f"({name} {points:+})" for name, points in rest.items() if points)])


def _about(memory: Memory) -> str:
    """One line of what matters beside the words."""
    parts = [memory.key, _when(memory.happened_at), *memory.aspects]
    if memory.tier is not Tier.OPEN:
        parts.append(memory.tier)
    return " · ".join([*parts, *memory.sources])


@singledispatch
def render(answer: object) -> Iterator[RenderableType]:
    """An answer in pieces, from the top."""
    raise NotImplementedError(type(answer).__name__)


@render.register
def _(answer: Recalled) -> Iterator[RenderableType]:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right", style="bold cyan", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for hit in answer:
        lines = [_text(_short(hit.memory.content)), _text(_about(hit.memory), "dim")]
        if hit.explanation is not None:
            lines.append(_text(f"earned by {_earned(hit.explanation)}", "green"))
        table.add_row(str(hit.score) if hit.score else "", Group(*lines))
    if answer.hits:
        yield table
    counts = f"{len(answer)} of {answer.considered} memories, at revision {answer.revision}"
    yield _text(counts if answer.hits else f"nothing found: {counts}", "dim")
    if answer.cursor is not None:
        yield _text(f"more with --cursor={answer.cursor}", "dim")


@render.register
def _(answer: Remembered) -> Iterator[RenderableType]:
    said = "kept" if answer.created else f"there already ({answer.status})"
    yield Text.assemble((f"{said} ", ""), (visible(answer.key), "bold"), (f", at revision {answer.revision}", "dim"))


@render.register
def _(answer: Forgotten) -> Iterator[RenderableType]:
    yield _rows(
        [
            ("forgotten", _listed(answer.forgotten)),
            ("out of recall already", _listed(answer.unchanged)),
            ("still superseded", _listed(answer.left_superseded)),
        ]
    )
    yield _text(f"at revision {answer.revision}; `reinstate` undoes a forget", "dim")


@render.register
def _(answer: Reinstated) -> Iterator[RenderableType]:
    said = f"{answer.status} again:" if answer.changed else f"{answer.status} already:"
    yield Text.assemble((f"{said} ", ""), (visible(answer.key), "bold"), (f", at revision {answer.revision}", "dim"))


def _attributes(memory: Memory) -> Iterator[tuple[str, object]]:
    yield "key", _text(memory.key, "bold")
    yield "content", _text(memory.content)
    yield "status", memory.status
    yield "aspects", _listed(memory.aspects)
    yield "basis", memory.basis
    yield "confidence, salience", f"{memory.confidence}, {memory.salience}"
    yield "tier", memory.tier
    yield "surface", memory.surface
    for name in ("occurred_at", "due_at", "valid_from", "valid_to", "recorded_at"):
        time = getattr(memory, name)
        yield name.replace("_", " "), None if time is None else _when(time)
    yield "facets", _listed(f"{name}={value}" for name, value in memory.facets)
    yield "subjects", _listed(memory.subjects)
    yield "episode", memory.episode


@render.register
def _(answer: Why) -> Iterator[RenderableType]:
    sources = [f"{source}  also cited by {_listed(keys)}" if keys else source for source, keys in answer.sources]
    ancestors = [f"{'  ' * (found.depth - 1)}{found.key} ({found.status})" for found in answer.ancestors]
    history = [
        f"{event.revision}  {_when(event.time)}  {event.operation} → {event.status}  by {event.actor}"
        + (f": {event.reason}" if event.reason else "")
        for event in answer.history
    ]
    yield _rows(
        [
            *_attributes(answer.memory),
            ("sources", "\n".join(sources)),
            ("derived from", "\n".join(ancestors)),
            ("derivatives", answer.descendants or None),
            ("supersedes", _listed(answer.supersedes)),
            ("superseded by", _listed(answer.superseded_by)),
            ("history", "\n".join(history)),
        ]
    )
    yield _text("" if answer.complete else "there is more than this walk reached; --depth goes further", "yellow")


@render.register
def _(answer: Imported) -> Iterator[RenderableType]:
    yield _rows(
        [
            ("created", str(answer.created)),
            ("there already", str(answer.unchanged)),
            ("bad lines", str(len(answer.bad))),
            ("ignored names", _listed(answer.ignored)),
            ("revision", str(answer.revision)),
        ]
    )
    if not answer.bad:
        return
    table = Table(box=None, pad_edge=False, header_style="bold red")
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("problem", overflow="fold", ratio=1)
    for bad in answer.bad[:BAD_LINES]:
        table.add_row(str(bad.line), _text(bad.problem))
    yield table
    if len(answer.bad) > BAD_LINES:
        yield _text(f"and {len(answer.bad) - BAD_LINES} more; --json lists all", "dim")


def _counts(counts: Mapping[str, int]) -> str:
    return _listed(f"{name} {count}" for name, count in counts.items())


@render.register
def _(answer: Stats) -> Iterator[RenderableType]:
    yield _rows(
        [
            ("owner", answer.owner),
            ("memories", str(answer.memories)),
            ("by status", _counts(answer.by_status)),
            ("active by tier", _counts(answer.by_tier)),
            ("active by aspect", _counts(answer.by_aspect)),
            ("revision", str(answer.revision)),
        ]
    )


@render.register
def _(answer: Made) -> Iterator[RenderableType]:
    yield _rows([("store", f"{answer.store} ({'made' if answer.created else 'there already'})"), ("key", answer.keys)])
    if answer.created:
        yield _text("Without its key nobody can read the store: keep both, apart from each other.", "dim")


@render.register
def _(answer: Health) -> Iterator[RenderableType]:
    yield _rows(
        [
            ("store", answer.store),
            ("key", answer.keys),
            ("checked", _listed(answer.checked)),
            ("index built anew for", _listed(answer.repaired)),
        ]
    )
    for finding in answer.findings:
        yield Text.assemble(("✗ ", "bold red"), visible(finding))
    if not answer.findings:
        yield _text("✓ all is well", "green")


@render.register
def _(answer: Scene) -> Iterator[RenderableType]:
    yield _text(f"\n{answer.title}", "bold")
    if answer.command:
        yield _text(f"$ reminisce {answer.command}", "dim")
    if answer.answer is not None:
        yield from render(answer.answer)
    for check in answer.checks:
        sign, style = ("✓ ", "green") if check.held else ("✗ ", "bold red")
        yield _text(sign + check.guarantee, style)


@render.register
def _(answer: Played) -> Iterator[RenderableType]:
    for scene in answer.scenes:
        yield from render(scene)
    ending = "every guarantee held" if answer.held else "A GUARANTEE DID NOT HOLD"
    yield _text(f"\n{ending}; the temporary store is gone", "bold green" if answer.held else "bold red")


def as_text(answer: object) -> str:
    """An answer for people, as wide as their terminal."""
    written = io.StringIO()
    screen = console(written)
    for piece in render(answer):
        if not (isinstance(piece, Text) and not piece.plain):
            screen.print(piece)
    return written.getvalue()
