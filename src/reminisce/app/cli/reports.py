"""How answers about the store look to people, and those of an import and the demo."""

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from reminisce.app.cli.cells import listed, render, rows, text
from reminisce.app.cli.outcome import Health, KeyMade, Looked, Made
from reminisce.app.cli.screen import visible
from reminisce.app.demo import Played, Scene
from reminisce.domain.answers import Rekeyed
from reminisce.domain.backups import BackedUp, Copied, Restored
from reminisce.domain.moved import Exported, Imported
from reminisce.domain.receipts import Receipt, Scrubbed

_OF_GONE: Final = "The old key opens nothing any more; copies of the file made before need a copy of it."
_OF_KEPT: Final = "The old key was left where it was kept; it opens copies of the file made before."

BAD_LINES: Final = 50
"""Bad lines listed after an import. ``--json`` lists all."""


@render.register
def _(answer: Exported) -> Iterator[RenderableType]:
    yield rows([("memories", str(answer.memories)), ("revision", str(answer.revision))])


@render.register
def _(answer: Imported) -> Iterator[RenderableType]:
    yield rows(
        [
            ("created", str(answer.created)),
            ("corrected", answer.corrected or None),
            ("back again", answer.reinstated or None),
            ("retired", answer.retired or None),
            ("there already", str(answer.unchanged)),
            ("other files", answer.passed_over or None),
            ("bad", str(len(answer.bad))),
            ("ignored names", listed(answer.ignored)),
            ("revision", str(answer.revision)),
        ]
    )
    if not answer.bad:
        return
    table = Table(box=None, pad_edge=False, header_style="bold red")
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("problem", overflow="fold", ratio=1)
    for bad in answer.bad[:BAD_LINES]:
        where = (
            text(bad.problem)
            if bad.file is None
            else Text.assemble((visible(bad.file), "bold"), " ", text(bad.problem))
        )
        table.add_row(str(bad.line), where)
    yield table
    if len(answer.bad) > BAD_LINES:
        yield text(f"and {len(answer.bad) - BAD_LINES} more; --json lists all", "dim")


def _waits(sentences: tuple[str, ...]) -> Iterator[RenderableType]:
    for sentence in sentences:
        yield Text.assemble(("! ", "bold yellow"), visible(sentence))


@render.register
def _(answer: Receipt) -> Iterator[RenderableType]:
    yield rows(
        [
            ("subject", answer.subject),
            ("now", answer.state),
            ("memories erased", str(answer.memories)),
            ("erased before", str(answer.unchanged)),
            ("links erased", str(answer.links)),
            ("notes erased", str(answer.notes)),
            ("revisions", listed(f"{owner} {revision}" for owner, revision in answer.revisions)),
            ("kept on purpose", listed(answer.kept)),
            ("derived, with words", listed(answer.derived)),
        ]
    )
    yield from _waits(answer.waits)


@render.register
def _(answer: BackedUp) -> Iterator[RenderableType]:
    yield rows(
        [
            ("file", answer.path),
            ("owners", str(answer.owners)),
            ("memories", str(answer.memories)),
            ("sealed under subjects' keys", str(answer.sealed)),
            ("keyring", f"number {answer.keyring}, or a later one" if answer.sealed else None),
            ("digest", answer.digest),
        ]
    )
    yield from _waits(answer.notices)


@render.register
def _(answer: Restored) -> Iterator[RenderableType]:
    yield rows(
        [
            ("owners", str(answer.owners)),
            ("memories", str(answer.memories)),
            ("without their words", str(answer.redacted)),
            ("links dropped with them", str(answer.dropped)),
            ("withdrawn since", listed(answer.withdrawn)),
            ("key not in the keyring", listed(answer.missing)),
        ]
    )


@render.register
def _(answer: Copied) -> Iterator[RenderableType]:
    yield rows([("owners", str(answer.owners)), ("memories", str(answer.memories)), ("digest", answer.digest)])


@render.register
def _(answer: Scrubbed) -> Iterator[RenderableType]:
    yield from _waits(answer.waits)
    if not answer.waits:
        yield text("✓ nothing of erased words is left in the store's files", "green")


@render.register
def _(answer: Made) -> Iterator[RenderableType]:
    yield rows([("store", f"{answer.store} ({'made' if answer.created else 'there already'})"), ("key", answer.keys)])
    if answer.created:
        yield text("Without its key nobody can read the store: keep both, apart from each other.", "dim")


@render.register
def _(answer: KeyMade) -> Iterator[RenderableType]:
    if answer.key is not None:
        yield text(answer.key)
    else:
        yield rows([("key", answer.file or "")])


@render.register
def _(answer: Rekeyed) -> Iterator[RenderableType]:
    yield rows([("store", answer.store), ("key", answer.key)])
    yield text(_OF_KEPT if answer.kept_old else _OF_GONE, "dim")


@render.register
def _(answer: Health) -> Iterator[RenderableType]:
    yield rows(
        [
            ("store", answer.store),
            ("key", answer.keys),
            ("checked", listed(answer.checked)),
            ("index built anew for", listed(answer.repaired)),
        ]
    )
    for finding in answer.findings:
        yield Text.assemble(("✗ ", "bold red"), visible(finding))
    if not answer.findings:
        yield text("✓ all is well", "green")


@render.register
def _(answer: Scene) -> Iterator[RenderableType]:
    yield text(f"\n{answer.title}", "bold")
    if answer.command:
        yield text(f"$ reminisce {answer.command}", "dim")
    if answer.answer is not None:
        yield from render(answer.answer)
    for check in answer.checks:
        sign, style = ("✓ ", "green") if check.held else ("✗ ", "bold red")
        yield text(sign + check.guarantee, style)


@render.register
def _(answer: Played) -> Iterator[RenderableType]:
    for scene in answer.scenes:
        yield from render(scene)
    ending = "every guarantee held" if answer.held else "A GUARANTEE DID NOT HOLD"
    yield text(f"\n{ending}; the temporary store is gone", "bold green" if answer.held else "bold red")


@render.register
def _(answer: Looked) -> Iterator[RenderableType]:
    if not answer.findings:
        yield text(f"nothing that looks like a secret, in {answer.files} {'file' if answer.files == 1 else 'files'}")
        return
    table = Table(box=None, pad_edge=False, header_style="bold red")
    table.add_column("file", overflow="fold", ratio=1)
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("rule", overflow="fold")
    for spot in answer.findings:
        table.add_row(text(visible(spot.file)), str(spot.line), spot.rule)
    yield table
