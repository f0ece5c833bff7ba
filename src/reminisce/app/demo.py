"""The product on one page: a conversation, what is done with it, and whether each guarantee holds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs

from reminisce.app.config import Settings
from reminisce.app.service.core import Face
from reminisce.app.service.memories import Memories
from reminisce.app.service.owner import Owner
from reminisce.app.wiring import assemble
from reminisce.domain.answers import Hit, Recalled
from reminisce.domain.values import Destination

__all__ = ["Check", "Played", "Scene", "play"]

OWNER: Final = "agent:demo"

_LINES: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("Mira: I will open the bicycle workshop on Saturdays from April on.", {}),
    ("Agent: How many stands do you have for repairs?", {}),
    ("Mira: Four, but the one by the window wobbles.", {"key": "stands"}),
    ("Mira: Jonas orders the spare parts; inner tubes run out first.", {}),
    ("Mira: He gets them at Radkontor, always before Wednesday noon.", {}),
    ("Agent: Noted, Radkontor before noon.", {}),
    ("米拉:星期三之前要订内胎。", {}),
    ("Mira: The alarm goes off with 7319, so keep that to yourself.", {"key": "alarm", "tier": "private"}),
    ("Mira: The old van is sold, so do not plan with it.", {"key": "van"}),
)
"""Of our own writing. The answer to `QUESTION` shares no word with it: only the lines around it tell."""

CONVERSATION: Final = tuple(
    {
        "content": content,
        "basis": "told",
        "episode": "bike-workshop",
        "sources": ["chat:bike-workshop"],
        # Times give the lines their order; of lines without, the order within one batch would be that of their keys.
        "occurred_at": f"2026-03-02T18:{minute:02}:00+01:00",
        **more,
    }
    for minute, (content, more) in enumerate(_LINES)
)

SUMMARY: Final[dict[str, Any]] = {
    "content": "Mira's workshop has four repair stands; the one by the window needs fixing.",
    "key": "summary",
    "aspects": ["semantic"],
    "basis": "inferred",
    "confidence": 0.9,
    "derived_from": ["stands"],
}

QUESTION: Final = "where does Jonas order inner tubes"
VAN: Final = "the old van"

READABLE: Final = ("bicycle", "wobbles", "Radkontor", "inner tubes", "7319", "bike-workshop", "星期三", OWNER)
"""Words of the conversation, its episode and its owner: none may stand in any byte of the files."""


@attrs.frozen
class Check:
    """A guarantee, and whether it held here and now."""

    guarantee: str
    held: bool


@attrs.frozen
class Scene:
    """One thing done, its answer, and what it proves."""

    title: str
    command: str | None
    """How the same is done by hand, without the program's name."""

    answer: Any
    """One of the library's, or None."""

    checks: tuple[Check, ...]


@attrs.frozen
class Played:
    """The whole demonstration."""

    held: bool
    """Whether every guarantee did."""

    scenes: tuple[Scene, ...]


def _keys(recalled: Recalled) -> list[str]:
    return [hit.memory.key for hit in recalled]


def _adds_up(hit: Hit) -> bool:
    why = hit.explanation
    return why is not None and hit.score == sum(p for _, p in why.terms) + why.coverage + why.neighbours + why.episode


def _remember(mine: Owner) -> Iterator[Scene]:
    kept = mine.remember_many(CONVERSATION)
    again = mine.remember_many(CONVERSATION)
    yield Scene(
        f"A conversation of {len(CONVERSATION)} lines is remembered, twice.",
        "remember … --episode bike-workshop --occurred-at …",
        None,
        (
            Check("every line was kept", all(line.created for line in kept.lines)),
            Check(
                "the second time nothing got a twin",
                [line.key for line in again.lines] == [line.key for line in kept.lines]
                and mine.stats().memories == len(CONVERSATION),
            ),
        ),
    )
    yield Scene("The agent adds what it concludes.", "remember … --derived-from stands", mine.remember(**SUMMARY), ())


def _recall(mine: Owner, reopened: Owner) -> Iterator[Scene]:
    before = mine.revision()
    found = mine.recall(QUESTION, k=3, explain=True)
    first = _keys(mine.recall(QUESTION, k=50))
    yield Scene(
        "It is asked. Terms, neighbours in the conversation and the episode earn the score.",
        f"recall '{QUESTION}' -k 3 --explain",
        attrs.evolve(found, cursor=None),
        (
            Check("the line with the answer is found", any("Radkontor" in hit.memory.content for hit in found)),
            Check("what earned each score adds up to it", all(map(_adds_up, found))),
            Check("asked again, the order is the same", _keys(mine.recall(QUESTION, k=50)) == first),
            Check("opened anew, the order is the same", _keys(reopened.recall(QUESTION, k=50)) == first),
            Check("asking changed nothing", mine.revision() == before),
        ),
    )
    chinese = mine.recall("内胎", k=1)
    yield Scene(
        "Words are found inside a Chinese sentence too.",
        "recall 内胎 -k 1",
        attrs.evolve(chinese, cursor=None),
        (Check("the Chinese line comes first", any("内胎" in hit.memory.content for hit in chinese)),),
    )


def _why(mine: Owner) -> Iterator[Scene]:
    told = mine.why("summary")
    yield Scene(
        "Where does the agent know that from?",
        "why summary",
        told,
        (Check("it names what the summary came from", [found.key for found in told.ancestors] == ["stands"]),),
    )


def _forget(mine: Owner, reopened: Owner) -> Iterator[Scene]:
    there = "van" in _keys(mine.recall(VAN))
    forgotten = mine.forget("van", reason="sold")
    gone = not any("van" in _keys(owner.recall(VAN, k=50)) for owner in (mine, reopened))
    yield Scene(
        "One line is forgotten.",
        "forget van --reason sold",
        forgotten,
        (
            Check("it was recalled before", there),
            Check("it is recalled no more, here and where the store was open already", gone),
        ),
    )
    back = mine.reinstate("van")
    yield Scene(
        "And brought back.",
        "reinstate van",
        back,
        (Check("it is recalled again", "van" in _keys(mine.recall(VAN))),),
    )


def _keep_private(mine: Owner, remote: Owner) -> Iterator[Scene]:
    seen = [hit.memory for hit in remote.recall("alarm 7319", k=50)]
    yield Scene(
        "A model elsewhere asks for what is private.",
        "mcp",
        None,
        (
            Check("the owner itself finds the private line", "alarm" in _keys(mine.recall("alarm 7319"))),
            Check("a remote model does not", all("7319" not in memory.content for memory in seen)),
        ),
    )


def _look_at_files(folder: Path, title: str) -> Iterator[Scene]:
    held = [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]
    readable = any(word.encode() in data for word in READABLE for data in held)
    yield Scene(
        title,
        None,
        None,
        (Check(f"no word is readable in {sum(map(len, held))} bytes", bool(held) and not readable),),
    )


def _open(folder: Path, destination: Destination = Destination.LOCAL) -> Memories:
    # Nothing of the user's settings: the demonstration must not depend on them, nor touch what they name.
    settings = Settings(store=str(folder / "demo.db"), keys=folder / "keys", owner=OWNER)
    return assemble(settings, face=Face(actor="demo", destination=destination))


def _scenes(folder: Path) -> Iterator[Scene]:
    with _open(folder) as memories, _open(folder) as others, _open(folder, Destination.REMOTE) as elsewhere:
        mine, reopened = memories.owner(OWNER), others.owner(OWNER)
        yield from _remember(mine)
        yield from _recall(mine, reopened)
        yield from _why(mine)
        yield from _forget(mine, reopened)
        yield from _keep_private(mine, elsewhere.owner(OWNER))
        yield from _look_at_files(folder, "A thief reads the files while they are open.")
    yield from _look_at_files(folder, "And once they are closed.")


def play() -> Played:
    """
    Play it on a store of its own in the system's folder for temporary files, and leave nothing behind.

    Raises:
        ReminisceError: Something did not work at all.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="reminisce-demo-") as name:
        scenes = tuple(_scenes(Path(name)))
    return Played(all(check.held for scene in scenes for check in scene.checks), scenes)
