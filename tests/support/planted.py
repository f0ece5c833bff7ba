"""A store in which a word of its own stands in every place that takes words about a person, and in some that are not."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs

from reminisce import Allow, Hold, Memories, Memory, open_memory
from tests.support.pages import found_in

__all__ = ["OTHER", "OWNERS", "PERSON", "REF", "Planted", "opened", "plant"]

REF: Final = "zxperson1"
"""The pseudonym, a word of its own, too."""

PERSON: Final = [REF]
OWNERS: Final = ("agent:alice", "agent:bob")

OTHER: Final = "zxothers"
"""Stands in what is about nobody."""

MANY: Final = 300
"""Memories of a batch: enough that the index is saved, and that pages split."""

LONG: Final = 60_000
"""Letters of a text that fills pages of its own."""


class _Holding:
    """Holds what is only supposed, and says why in a word that was planted."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def check(self, _owner: str, memory: Memory, /) -> Allow | Hold:
        return Hold(self.reason) if memory.content.startswith("Supposed") else Allow()


class _Words:
    """Draws words nobody else uses. Their stems hold them up to the ending."""

    def __init__(self) -> None:
        self.drawn: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        number = len(self.drawn)
        self.drawn[place] = f"zx{chr(97 + number // 26)}{chr(97 + number % 26)}plow"
        return self.drawn[place] + "ings"


@attrs.frozen
class Planted:
    """What stands where."""

    words: Mapping[str, str]
    """Of the person, by place: what word and stem have in common."""

    def places(self, folder: Path) -> dict[str, list[str]]:
        """Where each word can be found in the store of *folder*, by the place where it was planted."""
        escaped = {word: json.dumps(word)[1:-1] for word in self.words.values()}
        found = found_in(folder, {*escaped, *escaped.values()})
        return {
            place: [*found.get(word, ()), *found.get(escaped[word], ())]
            for place, word in self.words.items()
            if word in found or escaped[word] in found
        }


@contextmanager
def opened(folder: Path, *, reason: str = "held") -> Iterator[Memories]:
    """The store of *folder*, with a reviewer and a policy."""
    with open_memory(
        folder / "memory.db",
        keys=folder / "keys",
        reviewer="ann",
        review_aspects=("autobiographical",),
        policy=_Holding(reason),
    ) as memories:
        yield memories


def _remember(memories: Memories, word: _Words) -> None:
    alice, bob = (memories.owner(name) for name in OWNERS)
    alice.remember(
        f"She said {word('content')} and жщыплывущими and 鱻龘 at noon.",
        key="full",
        surface=f"Somebody said {word('surface')}.",
        facets={word("facet name"): word("facet value")},
        fact=(REF, word("fact attribute"), word("fact value")),
        sources=[f"doc:{word('source')}"],
        episode=f"talk {word('episode')}",
        request_key=word("request key"),
        tier="redacted",
        subjects=PERSON,
    )
    alice.remember("About nobody.", key="nobody", surface=OTHER, facets={"word": OTHER})
    alice.remember(f"Told by both: {word('derived')}.", key="summary", derived_from=["full", "nobody"])
    bob.remember(f"Bob heard {word('owner')}.", key="heard", subjects=PERSON)
    long = word("long")
    alice.remember(f"{long} " * (LONG // (len(long) + 1)), key="long", subjects=PERSON)
    many = word("batch")
    alice.remember_many(
        [
            {"content": f"Line {n}: {many} or so, {many}.", "subjects": PERSON, "key": f"b{n * 7919 % MANY}"}
            for n in range(MANY)
        ]
    )
    alice.remember_many([{"content": f"Line {n} of {OTHER}."} for n in range(MANY)])


def _live(memories: Memories, word: _Words, held: str) -> None:
    alice = memories.owner(OWNERS[0])
    alice.forget("b1", reason=f"It was {word('forget reason')}.")
    alice.reinstate("b1")
    alice.correct("b2", content=f"No: {word('correction')}.", new_key="corrected")
    for key, approve in (("yes", True), ("no", False)):
        alice.remember(f"I, {key}.", key=key, aspects=["autobiographical"], subjects=PERSON)
        alice.review(key, approve=approve, reason=f"Since {word(f'review reason {key}')}.")
    alice.remember(f"Supposed {held}.", key="held", subjects=PERSON)
    alice.believe(REF, word("attribute"), word("old value"), valid_from="2020-01-01T00:00:00Z", key="old")
    attribute = word.drawn["attribute"] + "ings"
    alice.believe(REF, attribute, word("new value"), key="new")
    alice.believe(REF, attribute, word.drawn["new value"] + "ings", sources=[f"doc:{word('further source')}"])
    alice.disbelieve(REF, attribute, reason=f"No longer: {word('disbelieve reason')}.")
    alice.contradict("full", "nobody", claim="summary", reason=f"Either {word('contradict reason')}.")
    alice.resolve("full", "nobody", reason=f"Both {word('resolve reason')}.")
    alice.associate(
        ["b3", "nobody", "b4"], word("association kind"), {word("association facet"): word("association value")}
    )


def plant(folder: Path) -> Planted:
    """Make the store of *folder* and plant a word in every place. It is closed afterwards."""
    word = _Words()
    held = word("hold reason")
    with opened(folder, reason=held) as memories:
        _remember(memories, word)
        _live(memories, word, held)
    return Planted({**word.drawn, "russian": "жщыплывущ", "chinese": "鱻龘"})
