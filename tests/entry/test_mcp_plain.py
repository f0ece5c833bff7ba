"""Every answer of the library as plain data: nothing but what JSON has, times with Z, words for words."""

import datetime as dt
import io
import json
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import pytest

import reminisce
from reminisce import Face, Memories, Owner, open_memory, rekey
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.service.core import Page
from reminisce.codec import to_json, to_plain, written_bytes
from reminisce.testing import CountingIdentifiers, FixedClock

NOTED_AT = "2026-01-01T00:00:00Z"


@attrs.frozen
class World:
    """A store with something of everything."""

    memories: Memories
    owner: Owner


def opened(**face: Any) -> Memories:
    return Memories(
        InMemoryStore("0" * 32),
        analyser=DefaultAnalyser(),
        clock=FixedClock(),
        identifiers=CountingIdentifiers(),
        face=Face(actor="test", reviewer="bo", review_aspects=frozenset({"semantic"}), **face),
    )


@pytest.fixture(scope="module")
def world() -> World:
    memories = opened()
    owner = memories.owner("agent:alice")
    owner.remember(
        "Whole.",
        key="whole",
        sources=["doc:a"],
        facets={"a": ["b", "c"], "d": "e"},
        occurred_at=NOTED_AT,
        episode="day",
    )
    owner.remember("Other.", key="other", derived_from=["whole"], sources=["doc:a"])
    owner.believe("ann", "lives_in", "Riga", key="riga", valid_from="2020-01-01T00:00:00Z")
    owner.believe("ann", "lives_in", "Oslo", key="oslo", valid_from="2021-01-01T00:00:00Z")
    owner.believe("ann", "speaks", "Norsk", key="norsk", many=True)
    owner.contradict("whole", "other", reason="so it says")
    owner.associate(["whole", "other"], "pair", {"a": ["b", "c"]})
    owner.remember("Waiting.", key="waiting", aspects=["semantic"], reviewer="bo")
    owner.remember("Asked.", key="asked", aspects=["semantic"])
    return World(memories, owner)


def rekeyed(_: World) -> object:
    with TemporaryDirectory() as folder:
        store, keys = f"{folder}/memory.db", f"{folder}/keys"
        open_memory(store, keys=keys).close()
        return rekey(store, keys=keys)


def moved(name: str) -> object:
    """What moving a whole store answers."""
    with TemporaryDirectory() as folder, open_memory(":memory:") as one, open_memory(":memory:") as two:
        one.owner("agent:a").remember("Once.", subjects=["ann"])
        backed_up = one.backup(f"{folder}/backup")
        if name == "BackedUp":
            return backed_up
        return one.copy(two) if name == "Copied" else two.restore(f"{folder}/backup")


ANSWERS: dict[str, Callable[[World], object]] = {
    "Remembered": lambda w: w.owner.remember("Once."),
    "RememberedMany": lambda w: w.owner.remember_many([{"content": "Twice."}]),
    "Imported": lambda w: w.owner.import_([b'{"content": "Thrice.", "status": "x"}', b"[]"]),
    "Exported": lambda w: w.owner.export(io.BytesIO()),
    "Recalled": lambda w: w.owner.recall("whole", explain=True),
    "Hit": lambda w: w.owner.recall("whole", explain=True).hits[0],
    "Bundle": lambda w: w.owner.bundle("whole"),
    "Item": lambda w: w.owner.bundle("whole").items[0],
    "Why": lambda w: w.owner.why("whole"),
    "Beliefs": lambda w: w.owner.beliefs("ann", history=True),
    "Belief": lambda w: next(iter(w.owner.beliefs("ann", history=True))),
    "Believed": lambda w: w.owner.believe("bo", "lives_in", "Kiel", valid_to="2030-01-01T00:00:00+01:00"),
    "Disbelieved": lambda w: w.owner.disbelieve("bo", reason="no"),
    "Linked": lambda w: w.owner.associate(["whole", "riga"], "trip"),
    "Resolved": lambda w: w.owner.dissociate(["whole", "riga"], "trip"),
    "Queue": lambda w: w.owner.reviews(k=1),
    "Waiting": lambda w: w.owner.reviews().waiting[0],
    "Reviewed": lambda w: w.owner.review("asked", True),
    "Noted": lambda w: w.owner.note(
        "Jot.", tier="private", basis="told", confidence=0.25, facets={"a": "b"}, due_at="2026-01-01T01:00:00+01:00"
    ),
    "Cleared": lambda w: w.owner.clear(),
    "Reinforced": lambda w: w.owner.reinforce("norsk"),
    "Forgotten": lambda w: w.owner.forget(["other"], dry_run=True),
    "Reinstated": lambda w: w.owner.reinstate("other"),
    "Pruned": lambda w: w.owner.prune(dry_run=True, threshold=1),
    "Consolidated": lambda w: w.owner.consolidate(half_life=dt.timedelta(days=1)),
    "Reclassified": lambda w: w.owner.reclassify("other", "redacted"),
    "Consented": lambda w: w.memories.consent("ann", ["team"]),
    "Stats": lambda w: w.owner.stats(),
    "Diagnosis": lambda w: w.memories.doctor(),
    "Rekeyed": rekeyed,
    "BackedUp": lambda _: moved("BackedUp"),
    "Restored": lambda _: moved("Restored"),
    "Copied": lambda _: moved("Copied"),
    "Receipt": lambda w: w.memories.withdraw("ann", "asked"),
    "Scrubbed": lambda w: w.memories.scrub(),
}
"""How to come by one of each class, in an order in which that works."""


@pytest.fixture(scope="module")
def answers(world: World) -> dict[str, object]:
    return {name: ask(world) for name, ask in ANSWERS.items()}


def leaves(plain: object) -> Iterator[object]:
    """Every value in *plain* that holds no other; names too."""
    if type(plain) is dict:
        for name, value in plain.items():
            yield name
            yield from leaves(value)
    elif type(plain) is list:
        for item in plain:
            yield from leaves(item)
    else:
        yield plain


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_made_of_what_json_has(answers: dict[str, object], name: str) -> None:
    answer = answers[name]

    plain = to_plain(answer)

    assert type(answer).__name__ == name
    assert type(plain) is dict
    # Exactly these: no word of an enumeration that only compares equal to its text.
    assert {type(leaf) for leaf in leaves(plain)} <= {str, int, float, bool, type(None)}
    assert json.loads(to_json(answer)) == plain


@pytest.mark.parametrize("name", ANSWERS)
def test_every_field_of_an_answer_is_there_under_its_name(answers: dict[str, object], name: str) -> None:
    answer = answers[name]
    kind: Any = type(answer)
    fields = {field.name for field in attrs.fields(kind)}
    parts = {"Hit": {"memory"}, "Noted": {"attributes"}}
    may_be_missing = {"cursor", "of_today"}

    plain = to_plain(answer)

    assert fields - parts.get(name, set()) - may_be_missing <= set(plain)


PUBLIC = {name for name in reminisce.__all__ if attrs.has(getattr(reminisce, name))}

NO_ANSWERS = {
    "Allow",
    "Hold",
    "Refuse",
    "Face",
    "Attributes",
    "Fact",
    "Memory",
    "Explanation",
    "Problem",
    "Finding",
    "Event",
    "Keyring",
    "Erased",
}
INNER = {"Ancestor", "Association", "Contradiction", "Bad", "Dropped", "Line"}
"""Parts of answers that stand in them."""


def test_every_public_answer_is_tried() -> None:
    errors = {name for name in PUBLIC if issubclass(getattr(reminisce, name), Exception)}

    assert PUBLIC - errors - NO_ANSWERS - INNER - {"Memories", "Owner"} == set(ANSWERS)


@pytest.mark.parametrize("name", ["Recalled", "Why", "Beliefs"])
def test_what_is_of_today_is_said_of_the_past_only(world: World, name: str) -> None:
    ask: Callable[[int | None], object] = {
        "Recalled": lambda moment: world.owner.recall("whole", as_of=moment),
        "Why": lambda moment: world.owner.why("whole", as_of=moment),
        "Beliefs": lambda moment: world.owner.beliefs("ann", as_of=moment),
    }[name]

    assert "of_today" not in to_plain(ask(None))
    assert "tier" in to_plain(ask(4))["of_today"]


def test_facets_are_objects_wherever_they_stand(world: World, answers: dict[str, object]) -> None:
    why = to_plain(world.owner.why("whole"))

    assert why["memory"]["facets"] == {"a": ["b", "c"], "d": ["e"]}
    assert why["associations"][0]["facets"] == {"a": ["b", "c"]}
    assert to_plain(answers["Noted"])["facets"] == {"a": ["b"]}


def test_why_tells_contradictions_and_associations(answers: dict[str, object]) -> None:
    why = to_plain(answers["Why"])

    assert [set(one) for one in why["contradictions"]] == [
        {"name", "between", "claim", "reason", "since", "until", "resolution"}
    ]
    assert [set(one) for one in why["associations"]] == [{"name", "kind", "keys", "facets", "since", "until"}]
    assert why["sources"] == [{"source": "doc:a", "cited_by": ["other"]}]


def test_a_memory_looks_the_same_in_every_answer(world: World) -> None:
    hit = to_plain(world.owner.recall("whole").hits[0])
    score = hit.pop("score")

    assert score > 0
    assert hit == to_plain(world.owner.why("whole"))["memory"]
    waiting = to_plain(world.owner.reviews())["waiting"][-1]
    assert (waiting["reason"], waiting["memory"]["status"], waiting["memory"]["reviewer"]) == (
        "review_aspects",
        "held",
        "bo",
    )


def test_a_note_says_what_would_be_remembered(answers: dict[str, object]) -> None:
    note = to_plain(answers["Noted"])

    said = {name: note[name] for name in ("tier", "basis", "confidence", "salience", "aspects", "due_at")}
    assert said == {
        "tier": "private",
        "basis": "told",
        "confidence": 0.25,
        "salience": 0.5,
        "aspects": ["episodic"],
        "due_at": "2026-01-01T00:00:00Z",
    }


def test_times_are_utc_with_a_z(answers: dict[str, object]) -> None:
    assert to_plain(answers["Believed"])["valid_to"] == "2029-12-31T23:00:00Z"
    assert to_plain(answers["Consolidated"])["until"].endswith("Z")
    belief = to_plain(answers["Belief"])
    assert (belief["valid_from"], belief["valid_to"]) == ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z")


MOST = 64 * 1024


@pytest.fixture(scope="module")
def crowded() -> Owner:
    owner = opened(page=Page(MOST, written_bytes)).owner("agent:alice")
    # Values of one attribute, of the caller's own writing: as many as a host lets come together.
    owner.remember_many(
        {
            "content": f"Ann knows number {number}.",
            "subjects": ["ann"],
            "fact": {"subject": "ann", "attribute": "knows", "value": f"{number}", "many": True},
        }
        for number in range(2_000)
    )
    return owner


def test_beliefs_by_thousands_stay_within_the_page(crowded: Owner) -> None:
    answer = crowded.beliefs("ann")

    assert 50 < len(answer) < 2_000
    assert not answer.complete
    assert written_bytes(answer) <= MOST * 1.05
