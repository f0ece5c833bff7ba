"""Forget by filters and by text: exactly what is meant, listed beforehand on request, and never all by mistake."""

from typing import Any

import pytest

from reminisce import Destination, InvalidError, Owner, Status
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import World, contents, day

GATES: list[dict[str, Any]] = [
    {"content": "gate north", "key": "a", "aspects": ["semantic"], "episode": "e", "sources": ["doc:x"]},
    {"content": "gate south", "key": "b", "basis": "told", "subjects": ["p"], "occurred_at": day(-5)},
    {"content": "gate west", "key": "c", "confidence": 0.4, "facets": {"colour": "red"}, "due_at": day(5)},
    {"content": "gate east", "key": "d", "episode": "e", "facets": {"colour": "green"}},
]


@pytest.fixture
def gates(ann: Owner) -> Owner:
    """An owner of four gates, newest first d, c, a, b."""
    for number, gate in enumerate(GATES):
        ann.remember(**gate)
        assert ann.revision() == number + 1
    return ann


@pytest.mark.parametrize(
    ("filters", "gone"),
    [
        ({"aspects": ["semantic"]}, "a"),
        ({"episode": "e"}, "ad"),
        ({"sources": ["doc:x", "doc:y"]}, "a"),
        ({"basis": "told"}, "b"),
        ({"subject": "p"}, "b"),
        ({"occurred_to": day(-1)}, "b"),
        ({"recorded_from": day(0)}, "abcd"),
        ({"recorded_from": day(1)}, ""),
        ({"due_from": day(5), "due_to": day(6)}, "c"),
        ({"min_confidence": 0.5}, "abd"),
        ({"facets": {"colour": ["red", "green"]}}, "cd"),
        ({"facets": {"colour": "red"}, "episode": "e"}, ""),
        ({"containing": "gate"}, "abcd"),
        ({"containing": "gate north"}, "a"),
        ({"containing": "st", "episode": "e"}, "d"),
        ({"containing": "red"}, "c"),
        ({"containing": "doc:x"}, "a"),
        ({"containing": "Gate"}, ""),
        ({"episode": "e", "sources": []}, "ad"),
    ],
)
def test_what_all_of_the_filters_admit_is_forgotten_in_one_commit(
    gates: Owner, filters: dict[str, Any], gone: str
) -> None:
    answer = gates.forget(**filters, reason="moved")

    assert sorted(answer.forgotten) == list(gone)
    assert (answer.unchanged, answer.dry_run) == ((), False)
    assert gates.revision() == answer.revision == (5 if gone else 4)
    assert [key for key in "abcd" if gates.why(key).memory.status is Status.RETIRED] == list(gone)
    assert {gates.why(key).history[-1].reason for key in gone} <= {"moved"}


@pytest.mark.parametrize("filters", [{"episode": "e"}, {"containing": "gate"}, {"keys": ["a", "b"]}, {"keys": "a"}])
def test_a_dry_run_says_what_would_go_and_writes_nothing(world: World, gates: Owner, filters: dict[str, Any]) -> None:
    before = contents_of(world.store)

    dry = gates.forget(**filters, dry_run=True)
    after = contents_of(world.store)
    wet = gates.forget(**filters)

    assert after == before
    assert (dry.dry_run, dry.revision) == (True, 4)
    assert (dry.forgotten, dry.unchanged, dry.left_superseded) == (wet.forgotten, wet.unchanged, wet.left_superseded)


TEXTS = [
    "100% sure",
    "100 sure",
    "under_score",
    "underXscore",
    "a.b*c",
    "aXbbc",
    "[x]",
    "x",
    "back\\slash",
    'qu"ote',
    "qu'ote; DROP TABLE memory; --",
    "line\nbreak",
    "ＷＩＤＥ",
    "wide",
    "straße",
    "strasse",
    "e\u0301",
    "\u00e9",
    "日本語",
    "😀",
]


@pytest.mark.parametrize("place", range(len(TEXTS)))
def test_a_text_is_a_text_and_no_pattern(alice: Owner, place: int) -> None:
    alice.remember_many({"content": text} for text in TEXTS)
    wanted = TEXTS[place]

    forgotten = alice.forget(containing=wanted).forgotten

    assert sorted(alice.why(key).memory.content for key in forgotten) == sorted(
        text for text in TEXTS if wanted in text
    )


@pytest.mark.parametrize("pattern", ["%", "_", "gate%", "*", ".*", "gate?north", "^gate", "gate|north", "\\"])
def test_what_would_match_as_a_pattern_matches_nothing(gates: Owner, pattern: str) -> None:
    assert gates.forget(containing=pattern).forgotten == ()
    assert gates.revision() == 4


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ({"surface": "zebra"}, "zebra"),
        ({"facets": {"zebra": "x"}}, "zebra"),
        ({"facets": {"x": "zebra"}}, "zebra"),
        ({"sources": ["doc:zebra"]}, "zebra"),
        ({"fact": ("k", "zebra", "v"), "subjects": ["k"]}, "zebra"),
        ({"fact": ("k", "a", "zebra"), "subjects": ["k"]}, "zebra"),
    ],
)
def test_every_text_of_a_memory_is_looked_through(alice: Owner, attributes: dict[str, Any], text: str) -> None:
    key = alice.remember("tea", **attributes).key
    alice.remember("other tea")

    assert alice.forget(containing=text).forgotten == (key,)


def test_sources_that_reinforcements_brought_are_looked_through(ann: Owner) -> None:
    key = ann.believe("k", "city", "Riga").key
    ann.believe("k", "city", "Riga", sources=["doc:zebra"])

    assert ann.forget(containing="zebra").forgotten == (key,)


def test_only_what_is_active_is_found(world: World, gates: Owner) -> None:
    gates.remember("gate", key="n", supersedes=["a"])
    gates.forget("b")
    holding = world.owner(face={"review_aspects": frozenset({"procedural"})})
    holding.remember("gate", key="h", aspects=["procedural"])

    answer = gates.forget(containing="gate")

    assert sorted(answer.forgotten) == ["c", "d", "n"]
    assert answer.left_superseded == ("a",)
    assert gates.why("h").memory.status is Status.HELD


def test_those_whose_superseders_go_too_are_not_left(ann: Owner) -> None:
    ann.remember("gate north", key="a")
    ann.remember("gate south", key="b", supersedes=["a"])

    assert ann.forget(["a", "b"]).left_superseded == ()


def test_only_what_the_caller_may_see_is_found(world: World) -> None:
    memories = world.memories()
    ann = memories.owner("agent:alice")
    memories.consent("p", ["team"])
    ann.remember("zebra", key="open")
    ann.remember("zebra", key="of p", subjects=["p"])
    ann.remember("zebra", key="of q", subjects=["q"])
    ann.remember("zebra", key="redacted", tier="redacted", surface="striped")
    ann.remember("zebra", key="private", tier="private")
    faces: dict[str, dict[str, Any]] = {
        "remote": {"destination": Destination.REMOTE},
        "team": {"audience": "team"},
        "both": {"destination": Destination.REMOTE, "audience": "team"},
    }

    found = {
        name: sorted(world.owner(face=face).forget(containing="zebra", dry_run=True).forgotten)
        for name, face in faces.items()
    }
    surface = world.owner(face=faces["remote"]).forget(containing="striped", dry_run=True).forgotten

    assert found == {
        "remote": ["of p", "of q", "open"],
        "team": ["of p", "open", "private", "redacted"],
        "both": ["of p", "open"],
    }
    assert surface == ("redacted",)


@pytest.mark.parametrize(
    ("arguments", "field", "code"),
    [
        ({}, "keys", "empty"),
        ({"keys": None}, "keys", "empty"),
        ({"keys": []}, "keys", "empty"),
        ({"aspects": []}, "keys", "empty"),
        ({"facets": {}, "sources": [], "basis": []}, "keys", "empty"),
        ({"reason": "tidy up", "dry_run": True}, "keys", "empty"),
        ({"containing": ""}, "containing", "blank"),
        ({"containing": " \n"}, "containing", "blank"),
        ({"containing": "é" * 2049}, "containing", "too_large"),
        ({"containing": ["gate"]}, "containing", "wrong_type"),
        ({"containing": "a\0"}, "containing", "nul"),
        ({"keys": ["a"], "episode": "e"}, "keys", "excludes"),
        ({"keys": "a", "containing": "gate"}, "keys", "excludes"),
        ({"keys": [], "containing": "gate"}, "keys", "excludes"),
        ({"episode": "e", "dry_run": "yes"}, "dry_run", "wrong_type"),
        ({"episode": "e", "dry_run": 1}, "dry_run", "wrong_type"),
        ({"query": "gate"}, "arguments", "unknown_name"),
        ({"episode": "e", "k": 5}, "arguments", "unknown_name"),
        ({"episode": "e", "valid_at": day(0)}, "arguments", "unknown_name"),
        ({"occurred_from": "yesterday"}, "occurred_from", "not_a_time"),
        ({"min_confidence": 2}, "min_confidence", "out_of_range"),
        ({"episode": "e", "reason": "é" * 2049}, "reason", "too_large"),
    ],
)
def test_a_forget_that_is_not_clear_is_refused(
    world: World, gates: Owner, arguments: dict[str, Any], field: str, code: str
) -> None:
    before = contents_of(world.store)

    with pytest.raises(InvalidError) as caught:
        gates.forget(**arguments)

    assert (field, code) in {(problem.field, problem.code) for problem in caught.value.problems}
    assert contents_of(world.store) == before


def test_more_than_a_thousand_may_go_by_a_filter(world: World, ann: Owner) -> None:
    ann.remember_many({"content": f"tea {number}", "episode": "e"} for number in range(1_201))
    ann.remember("coffee")

    answer = ann.forget(episode="e", containing="tea")

    assert (len(answer.forgotten), answer.revision) == (1_201, 3)
    assert contents(ann.recent()) == ["coffee"]


def test_another_owner_of_the_same_words_keeps_them(world: World, gates: Owner) -> None:
    bob = world.owner("agent:bob")
    bob.remember("gate north")

    gates.forget(containing="gate")

    assert contents(bob.recent()) == ["gate north"]
