"""How answers look to people: what writing verbs did."""

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType

from reminisce.app.cli.cells import known, listed, render, said, span, text, when
from reminisce.app.cli.outcome import Unedited
from reminisce.domain.beliefs import Outcome
from reminisce.domain.planning.believe import Believed, Disbelieved
from reminisce.domain.planning.consent import Consented
from reminisce.domain.planning.fading import Consolidated, Pruned
from reminisce.domain.planning.forget import Forgotten, Reinstated
from reminisce.domain.planning.linking import Linked, Resolved
from reminisce.domain.planning.reclassify import Reclassified
from reminisce.domain.planning.reinforce import Reinforced
from reminisce.domain.planning.remember import Remembered
from reminisce.domain.planning.review import Reviewed
from reminisce.domain.values import Status

WAITS: Final = "; it waits for review"


@render.register
def _(answer: Remembered) -> Iterator[RenderableType]:
    told = "kept" if answer.created else f"there already ({answer.status})"
    waits = WAITS if answer.created and answer.status is Status.HELD else ""
    yield said(told, answer.key, f", at revision {answer.revision}{waits}")


@render.register
def _(answer: Unedited) -> Iterator[RenderableType]:
    why = {"editor_failed": "the editor failed", "unchanged": "the text is as it was"}.get(answer.reason, answer.reason)
    yield said("nothing changed in", answer.key, f": {why}")


@render.register
def _(answer: Forgotten) -> Iterator[RenderableType]:
    will = "would be forgotten" if answer.dry_run else "forgotten"
    yield from known(
        [
            (will, listed(answer.forgotten) or "nothing"),
            ("out of recall already", listed(answer.unchanged)),
            ("still superseded", listed(answer.left_superseded)),
        ]
    )
    undo = "nothing was written" if answer.dry_run else "`reinstate` undoes a forget"
    yield text(f"at revision {answer.revision}; {undo}", "dim")


@render.register
def _(answer: Reinstated) -> Iterator[RenderableType]:
    told = f"{answer.status} again:" if answer.changed else f"{answer.status} already:"
    yield said(told, answer.key, f", at revision {answer.revision}")


_OUTCOMES: Final = {
    Outcome.NEW: "believed",
    Outcome.REINFORCED: "believed already, and reinforced:",
    Outcome.SUPERSEDED: "believed instead of another:",
    Outcome.HISTORY: "kept as what was true earlier:",
}


@render.register
def _(answer: Believed) -> Iterator[RenderableType]:
    waits = WAITS if answer.status is Status.HELD else ""
    yield said(_OUTCOMES[answer.outcome], answer.key, f", at revision {answer.revision}{waits}")
    yield from known([("holds", span(answer.valid_from, answer.valid_to)), ("superseded", listed(answer.superseded))])


@render.register
def _(answer: Disbelieved) -> Iterator[RenderableType]:
    yield from known(
        [
            ("forgotten", listed(answer.forgotten) or "nothing"),
            ("still superseded", listed(answer.left_superseded)),
        ]
    )
    yield text(f"at revision {answer.revision}; `reinstate` brings one back", "dim")


@render.register
def _(answer: Linked) -> Iterator[RenderableType]:
    told = "recorded" if answer.created else "recorded already:"
    yield said(told, answer.name, f", at revision {answer.revision}")


@render.register
def _(answer: Resolved) -> Iterator[RenderableType]:
    if answer.names:
        yield said("ended", listed(answer.names), f", at revision {answer.revision}")
    else:
        yield text(f"none was in force, at revision {answer.revision}", "dim")


@render.register
def _(answer: Consented) -> Iterator[RenderableType]:
    # Said in full: whoever sets this should see at once whom it lets in and whom no more.
    owners = "the owners themselves"
    who = f"{listed(answer.audiences)}, and {owners}" if answer.audiences else f"nobody but {owners}"
    yield from known([("subject", text(answer.subject, "bold")), ("may see", who)])
    yield text("" if answer.changed else "as it was already", "dim")


@render.register
def _(answer: Reviewed) -> Iterator[RenderableType]:
    yield said(f"{answer.status}:", answer.key, f", at revision {answer.revision}")
    yield from known([("superseded", listed(answer.superseded))])


@render.register
def _(answer: Reclassified) -> Iterator[RenderableType]:
    told = f"{answer.tier}:" if answer.changed else f"{answer.tier} already:"
    yield said(told, answer.key, f", at revision {answer.revision}")


@render.register
def _(answer: Reinforced) -> Iterator[RenderableType]:
    yield said("a use counted:", answer.key, f", uses {answer.uses}, at revision {answer.revision}")


@render.register
def _(answer: Consolidated) -> Iterator[RenderableType]:
    if answer.done:
        yield from known(
            [
                ("brought to", when(answer.until)),
                ("changed", str(answer.changed)),
                ("forgotten", listed(answer.retired)),
            ]
        )
        yield text(f"at revision {answer.revision}", "dim")
    else:
        yield text(f"nothing to bring to {when(answer.until)}, at revision {answer.revision}", "dim")


@render.register
def _(answer: Pruned) -> Iterator[RenderableType]:
    will = "would be forgotten" if answer.dry_run else "forgotten"
    yield from known([(will, listed(answer.pruned) or "nothing")])
    undo = "nothing was written" if answer.dry_run else "`reinstate` undoes a forget"
    yield text(f"at revision {answer.revision}; {undo}", "dim")
