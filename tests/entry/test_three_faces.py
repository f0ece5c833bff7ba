"""One script of operations through the library, the command and the server gives the same answers."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from reminisce import InvalidError, open_memory
from tests.support.faces import CliFace, Face, Home, LibraryFace, McpFace, Plain

Step = tuple[str, Plain]

TEXT = "The ferry \N{GRINNING FACE} 渡し船 leaves at “ten”; line two:\n\t<b>é</b> \u2028 end"

FULL: Plain = {
    "key": "full",
    "aspects": ["semantic", "procedural"],
    "basis": "told",
    "confidence": 0.875,
    "salience": 0.0625,
    "occurred_at": "2026-03-09T02:00:00.000001+05:45",
    "due_at": "9999-12-31T23:59:59Z",
    "valid_from": "0001-01-01T00:00:00Z",
    "valid_to": "2028-02-29T00:00:00-08:00",
    "sources": ["doc:timetable", "https://example.org/?a=b&c=d", "doc:timetable"],
    "facets": {"port": ["Kiel", "Oslo"], "übrig": "ja", "spaced name": "a = b"},
    "subjects": ["person-2", "person-1"],
    "tier": "redacted",
    "surface": "A ferry leaves.",
    "episode": "journey 1",
    "request_key": "request-1",
}

RIGA: Plain = {"subject": "person-1", "attribute": "lives_in", "value": "Riga"}
OSLO: Plain = {"subject": "person-1", "attribute": "lives_in", "value": "Oslo"}
SPEAKS: Plain = {"subject": "person-1", "attribute": "speaks"}
GERMAN: Plain = {"subject": "person-1", "attribute": "speaks", "value": "Deutsch"}

SCRIPT: list[Step] = [
    ("remember", {"content": "The ferry leaves at nine.", "key": "nine", "sources": ["doc:timetable"]}),
    ("remember", {"content": "The ferry leaves at nine.", "key": "nine", "sources": ["doc:timetable"]}),
    ("remember", {"content": TEXT, **FULL}),
    ("remember", {"content": TEXT, **FULL}),
    ("remember", {"content": "The ferry leaves at ten.", "key": "ten", "supersedes": ["nine"], "episode": "journey 1"}),
    ("remember", {"content": "Ten beats nine.", "key": "why", "derived_from": ["nine", "ten"], "basis": "inferred"}),
    ("remember", {"content": "Ferries in general.", "key": "general", "derived_from": ["why", "full"]}),
    ("remember", {"content": "A private ferry.", "key": "private", "tier": "private", "episode": "journey 1"}),
    ("recall", {"query": "ferry"}),
    ("recall", {"query": "ferry", "explain": True, "k": 100}),
    ("recall", {"query": "渡し船"}),
    ("recall", {"query": "at nine or ten", "episode": "journey 1", "explain": True}),
    ("recall", {"query": "ferry", "facets": {"port": ["Oslo", "Bergen"]}, "subject": "person-1"}),
    ("recall", {"query": "ferry", "aspects": ["procedural", "episodic"], "basis": ["told"], "min_confidence": 0.875}),
    ("recall", {"query": "ferry", "sources": ["doc:timetable"], "occurred_to": "2026-03-08T20:15:00.000002Z"}),
    ("recall", {"query": "ferry", "due_from": "9999-01-01T00:00:00Z"}),
    ("recall", {"query": "ferry", "audience": "team"}),
    ("recall", {"query": ""}),
    ("recall", {"query": "the of"}),
    ("recall", {"query": "zeppelin"}),
    ("recent", {}),
    ("recent", {"k": 2}),
    ("recent", {"occurred_from": "2026-01-01T00:00:00Z", "occurred_to": "2026-03-08T20:15:00.000001Z"}),
    ("why", {"key": "nine"}),
    ("why", {"key": "ten"}),
    ("why", {"key": "full"}),
    ("why", {"key": "general"}),
    ("why", {"key": "general", "depth": 1}),
    ("stats", {}),
    ("forget", {"keys": ["ten", "private"], "reason": "the timetable changed: “新しい”"}),
    ("forget", {"keys": ["ten"]}),
    ("why", {"key": "ten"}),
    ("recall", {"query": "ferry", "k": 1}),
    ("remember", {"content": "A private ferry.", "key": "private", "tier": "private", "episode": "journey 1"}),
    ("stats", {}),
    ("believe", {**RIGA, "key": "riga", "valid_from": "2020-01-01T00:00:00Z", "valid_to": "2025-01-01T00:00:00Z"}),
    ("believe", {**OSLO, "key": "oslo", "valid_from": "2024-01-01T00:00:00Z", "basis": "told", "confidence": 0.5}),
    ("believe", {**OSLO, "value": "ＯＳＬＯ", "valid_from": "2024-06-01T00:00:00Z", "sources": ["doc:register"]}),
    ("believe", {**RIGA, "key": "early", "valid_from": "2010-01-01T00:00:00Z", "content": "Riga, “earlier”."}),
    ("believe", {**SPEAKS, "value": "norsk – bokmål", "key": "no", "many": True, "facets": {"level": ["B1", "B2"]}}),
    ("believe", {**SPEAKS, "value": "latviešu", "key": "lv", "subjects": ["person-2"], "tier": "private"}),
    ("believe", {**SPEAKS, "subject": "person-2", "value": "-", "key": "none", "many": True}),
    ("remember", {"content": "Speaks German.", "key": "de", "subjects": ["person-1"], "fact": GERMAN}),
    ("beliefs", {"subject": "person-1"}),
    ("beliefs", {"subject": "person-1", "attribute": "lives_in"}),
    ("beliefs", {"subject": "person-1", "valid_at": "2021-01-01T00:00:00Z"}),
    ("beliefs", {"subject": "person-1", "history": True}),
    ("beliefs", {"subject": "person-1", "as_of": 11, "history": True}),
    ("beliefs", {"subject": "nobody", "as_of": "2026-01-01T00:00:00Z"}),
    ("reinforce", {"key": "oslo"}),
    ("reinforce", {"key": "full"}),
    ("why", {"key": "oslo"}),
    ("why", {"key": "riga"}),
    ("why", {"key": "nine", "as_of": 1}),
    ("recall", {"query": "ferry", "as_of": 3}),
    ("recall", {"query": "lives Riga", "valid_at": "2021-01-01T00:00:00Z"}),
    ("recent", {"as_of": 2}),
    ("disbelieve", {"subject": "person-1", "attribute": "lives_in", "reason": "the register was wrong"}),
    ("disbelieve", {"subject": "person-1"}),
    ("disbelieve", {"subject": "person-1"}),
    ("remember", {"content": "A dull day.", "key": "dull", "salience": 0.05}),
    ("prune", {"half_life": 0, "threshold": 0.06, "dry_run": True}),
    ("prune", {"half_life": 0, "threshold": 0.06, "dry_run": False}),
    ("prune", {"half_life": 86_400.5, "threshold": 0, "dry_run": False}),
    ("stats", {}),
]

REFUSED: list[Step] = [
    ("remember", {"content": " "}),
    ("remember", {"content": "x", "key": "nine"}),
    ("remember", {"content": "x", "request_key": "request-1"}),
    ("remember", {"content": "x", "derived_from": ["nobody's"]}),
    ("remember", {"content": "x", "supersedes": ["nobody's"]}),
    ("remember", {"content": "x", "occurred_at": "2026-01-01T00:00:00"}),
    ("remember", {"content": "x", "due_at": "soon", "occurred_at": "0001-01-01T00:00:00+01:00"}),
    ("remember", {"content": "x", "valid_from": "2026-01-02T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z"}),
    ("remember", {"content": "x", "key": "k", "derived_from": ["k"]}),
    ("remember", {"content": "x", "episode": "two\0lines"}),
    ("remember", {"content": "x", "sources": ["s" * 2_049]}),
    ("remember", {"content": "x", "facets": {"n" * 129: "v"}}),
    ("remember", {"content": "x", "aspects": ["nonsense"]}),
    ("remember", {"content": "x", "basis": "nonsense"}),
    ("remember", {"content": "x", "tier": "nonsense"}),
    ("remember", {"content": "x", "confidence": 1.5, "salience": -0.5}),
    ("recall", {"query": "x", "k": 0}),
    ("recall", {"query": "x", "k": 1_001}),
    ("recall", {"query": "x", "cursor": "nonsense"}),
    ("recall", {"query": "x", "min_confidence": 7.0}),
    ("recall", {"query": "x", "occurred_from": "2026-01-01", "due_to": "never"}),
    ("recall", {"query": "x", "subject": "two\0lines"}),
    ("why", {"key": "nobody's"}),
    ("why", {"key": "nine", "depth": 0}),
    ("forget", {"keys": ["nobody's"]}),
    ("forget", {"keys": ["nine", "nobody's"]}),
    ("forget", {"keys": ["nine"], "reason": " "}),
    ("believe", {**RIGA, "subject": " "}),
    ("believe", {**RIGA, "attribute": "a" * 257, "value": "v" * 5_000}),
    ("believe", {**RIGA, "valid_from": "2020-01-01T00:00:00"}),
    ("believe", {**SPEAKS, "value": "x", "many": False}),
    ("believe", {**RIGA, "key": "nine"}),
    ("beliefs", {"subject": "two\0lines"}),
    ("beliefs", {"subject": "person-1", "as_of": "yesterday"}),
    ("beliefs", {"subject": "person-1", "history": True, "valid_at": "2021-01-01T00:00:00Z"}),
    ("disbelieve", {"subject": "person-1", "reason": " "}),
    ("reinforce", {"key": "nobody's"}),
    ("reinforce", {"key": "ten"}),
    ("prune", {"threshold": 7.0, "half_life": -1.0, "dry_run": True}),
    ("why", {"key": "full", "as_of": 1}),
]

LIVES: list[Step] = [
    ("remember", {"content": "The gaet is red.", "key": "gaet", "subjects": ["person-1"], "sources": ["doc:walk"]}),
    ("remember", {"content": "The gate is blue.", "key": "blue"}),
    ("remember", {"content": "It cannot be both.", "key": "both", "derived_from": ["gaet", "blue"]}),
    ("remember", {"content": "I like gates.", "key": "mine", "aspects": ["autobiographical"]}),
    ("remember", {"content": "I like ferries.", "key": "ours", "aspects": ["autobiographical"], "reviewer": "ann"}),
    ("reviews", {}),
    ("reviews", {"k": 1, "aspects": ["autobiographical"]}),
    ("review", {"key": "mine", "approve": True, "reason": "so it is"}),
    ("review", {"key": "ours", "approve": False, "reason": "not so"}),
    ("why", {"key": "ours"}),
    ("contradict", {"a": "gaet", "b": "blue", "claim": ["both", "gaet"], "reason": "one gate, two colours"}),
    ("contradict", {"a": "gaet", "b": "blue", "claim": ["both", "gaet"], "reason": "one gate, two colours"}),
    ("associate", {"keys": ["gaet", "blue", "mine"], "kind": "gates", "facets": {"place": ["north", "south"]}}),
    ("why", {"key": "gaet"}),
    ("correct", {"key": "gaet", "content": "The gate is red.", "new_key": "red", "salience": 0.25}),
    ("correct", {"key": "gaet", "content": "The gate is red.", "new_key": "red", "salience": 0.25}),
    ("why", {"key": "red"}),
    ("resolve", {"a": "red", "b": "blue", "reason": "painted meanwhile"}),
    ("dissociate", {"keys": ["red", "blue"], "kind": "gates"}),
    ("dissociate", {"keys": ["mine", "red", "blue"], "kind": "gates"}),
    ("why", {"key": "blue"}),
    ("as_of", {"moment": 3}),
    ("as_of", {"moment": "1999-01-01T00:00:00Z", "k": 3}),
    ("why", {"key": "gaet", "as_of": 8}),
    ("consent", {"subject": "person-1", "audiences": ["team", "doctors"]}),
    ("recall", {"query": "gate", "audience": "team"}),
    ("bundle", {"query": "gate"}),
    ("bundle", {"query": "gate", "k": 1, "budget": 4, "audience": "team"}),
    ("bundle", {"query": "gates", "aspects": ["autobiographical"], "budget": 0}),
    ("bundle", {"query": " "}),
    ("consent", {"subject": "person-1", "audiences": []}),
    ("consent", {"subject": "person-1", "audiences": []}),
    ("recall", {"query": "gate", "audience": "team"}),
    ("reclassify", {"key": "red", "tier": "private"}),
    ("reclassify", {"key": "red", "tier": "private"}),
    ("reinforce", {"key": "red"}),
    ("consolidate", {"half_life": 0, "threshold": 0.125}),
    ("consolidate", {"until": "2026-01-01T00:00:00Z"}),
    ("why", {"key": "red"}),
    ("forget", {"containing": "gate is", "subject": "person-1", "dry_run": True}),
    ("forget", {"containing": "gate is", "reason": "painted over"}),
    ("forget", {"keys": ["mine"], "dry_run": True}),
    ("reinstate", {"key": "gaet"}),
    ("stats", {}),
    ("remember", {"content": "A post.", "key": "post"}),
    ("remember", {"content": "A painted post.", "key": "painted", "derived_from": ["post"]}),
    ("erase", {"keys": ["post"], "confirm": True}),
    ("erase", {"keys": ["post", "painted"], "confirm": True, "with_derived": True}),
    ("remember", {"content": "A second post.", "key": "second", "episode": "posts"}),
    ("erase", {"containing": "second", "episode": "posts", "confirm": True, "scrub": True}),
    ("believe", {"subject": "person-1", "attribute": "paints", "value": "gates", "key": "paints"}),
    ("disbelieve", {"subject": "person-1", "erase": True}),
    ("withdraw", {"subject": "person-1", "reason": "asked on paper"}),
    ("withdraw", {"subject": "person-1", "scrub": True}),
    ("withdraw", {"subject": "person-9"}),
    ("why", {"key": "gaet"}),
    ("why", {"key": "blue"}),
    ("why", {"key": "paints"}),
    ("recall", {"query": "gate post"}),
    ("scrub", {}),
    ("purge", {"subject": "person-1", "confirm": True, "scrub": True}),
    ("purge", {"subject": "person-1", "confirm": True}),
    ("why", {"key": "gaet"}),
    ("stats", {}),
    ("withdraw", {"subject": "person-8"}),
]
"""What a server does not offer: for the library and the command."""

LIVES_REFUSED: list[Step] = [
    ("review", {"key": "mine", "approve": True}),
    ("review", {"key": "nobody's", "approve": False, "reason": " "}),
    ("reviews", {"k": 0, "recorded_from": "2026-01-01"}),
    ("contradict", {"a": "blue", "b": "blue"}),
    ("contradict", {"a": "blue", "b": "mine", "claim": ["nobody's"]}),
    ("resolve", {"a": "blue", "b": "nobody's"}),
    ("associate", {"keys": ["blue"], "kind": "alone"}),
    ("associate", {"keys": ["blue", "nobody's"], "kind": "pair"}),
    ("dissociate", {"keys": ["blue", "mine"], "kind": " "}),
    ("correct", {"key": "blue"}),
    ("correct", {"key": "ours", "content": "I do."}),
    ("correct", {"key": "blue", "content": "x", "new_key": "mine"}),
    ("reclassify", {"key": "blue", "tier": "secret"}),
    ("reclassify", {"key": "nobody's", "tier": "open"}),
    ("consolidate", {"until": "9999-01-01T00:00:00Z", "threshold": 2.0}),
    ("as_of", {"moment": "2026-01-01T00:00:00"}),
    ("consent", {"subject": " ", "audiences": ["a" * 257]}),
    ("forget", {}),
    ("forget", {"keys": ["blue"], "containing": "x"}),
    ("bundle", {"query": "gate", "k": 0, "budget": -1, "occurred_from": "2026-01-01"}),
    ("bundle", {"query": "gate", "budget": 2**63}),
    ("erase", {"keys": ["blue"]}),
    ("erase", {"confirm": True}),
    ("erase", {"keys": ["blue"], "containing": "x", "confirm": True}),
    ("erase", {"keys": ["blue", "nobody's"], "confirm": True}),
    ("withdraw", {"subject": " ", "reason": " "}),
    ("purge", {"subject": "person-8"}),
    ("disbelieve", {"subject": "person-8", "erase": True, "reason": "x"}),
    ("remember", {"content": "x", "subjects": ["person-8"]}),
    ("believe", {"subject": "person-8", "attribute": "paints", "value": "x"}),
    ("reinforce", {"key": "post"}),
    ("correct", {"key": "post", "content": "x"}),
]

SAID_OTHERWISE = {"recall": {"audience"}}
"""Options that a server does not take: they were fixed when it was started."""


TIMES = {"recorded_at", "time", "valid_from", "valid_to", "until"}

NAMED = re.compile("[0-9a-f]{32}")
"""What is drawn at random in the name of a link."""


def timeless(answer: Any, seen: dict[str, str]) -> Any:
    """The answer with each time of recording, and each random name, replaced by its place in the order of occurrence."""
    if isinstance(answer, dict):
        return {
            name: seen.setdefault(value, f"time {len(seen)}")
            if name in TIMES and isinstance(value, str)
            else "face"
            if name == "actor"
            else timeless(value, seen)
            for name, value in answer.items()
        }
    if isinstance(answer, list):
        return [timeless(item, seen) for item in answer]
    if isinstance(answer, str):
        return NAMED.sub(lambda name: seen.setdefault(name[0], f"name {len(seen)}"), answer)
    return answer


def cursorless(answer: Plain) -> Plain:
    """The answer with its cursor told from none: a cursor names the store that it belongs to."""
    return answer | ({"cursor": "a cursor"} if "cursor" in answer else {})


def takes(face: Face, step: Step) -> bool:
    operation, arguments = step
    return face.name != "mcp" or not SAID_OTHERWISE.get(operation, set()) & set(arguments)


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Face]]:
    homes = [Home(tmp_path_factory.mktemp(name)) for name in ("library", "cli", "mcp")]
    with homes[0].memories() as memories, homes[2].session("--local", "--extended") as session:
        yield [LibraryFace(homes[0], memories), CliFace(homes[1]), McpFace(session)]


@pytest.fixture(scope="module")
def played(faces: list[Face]) -> list[list[Plain | None]]:
    """The answers of each face to the script; None for a step that it does not take."""
    return [[face.do(step[0], **step[1]) if takes(face, step) else None for step in SCRIPT] for face in faces]


def answers_at(played: list[list[Plain | None]], place: int) -> list[Plain | None]:
    """What each face answered to one step, in a form that can be compared."""
    answers = []
    for history in played:
        seen: dict[str, str] = {}
        *_, last = (timeless(cursorless(answer), seen) if answer else None for answer in history[: place + 1])
        answers.append(last)
    return answers


@pytest.mark.parametrize("place", range(len(SCRIPT)), ids=lambda place: f"{place}-{SCRIPT[place][0]}")
def test_an_answer_is_the_same_through_every_face(played: list[list[Plain | None]], place: int) -> None:
    by_library, by_command, by_server = answers_at(played, place)

    assert by_library is not None
    assert "error" not in by_library
    assert by_command == by_library
    assert by_server in (by_library, None)


@pytest.mark.parametrize("step", REFUSED)
def test_a_refusal_has_the_same_code_and_fields_through_every_face(
    faces: list[Face], played: list[list[Plain | None]], step: Step
) -> None:
    operation, arguments = step

    refusals = [face.do(operation, **arguments)["error"] for face in faces]

    assert len({refusal["code"] for refusal in refusals}) == 1
    assert [sorted(refusal["fields"]) for refusal in refusals] == [sorted(refusals[0]["fields"])] * 3


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Face]]:
    """The library and the command, in whose homes ann reviews what is autobiographical."""
    homes = [Home(tmp_path_factory.mktemp(name)) for name in ("library", "cli")]
    for home in homes:
        (home.folder / "config").mkdir()
        (home.folder / "config" / "config.toml").write_text('reviewer = "ann"\nreview_aspects = ["autobiographical"]\n')
    with homes[0].memories(reviewer="ann", review_aspects=("autobiographical",)) as memories:
        yield [LibraryFace(homes[0], memories), CliFace(homes[1])]


@pytest.fixture(scope="module")
def lived(living: list[Face]) -> list[list[Plain | None]]:
    return [[face.do(operation, **arguments) for operation, arguments in LIVES] for face in living]


@pytest.mark.parametrize("place", range(len(LIVES)), ids=lambda place: f"{place}-{LIVES[place][0]}")
def test_what_no_server_offers_is_the_same_through_the_command(lived: list[list[Plain | None]], place: int) -> None:
    by_library, by_command = answers_at(lived, place)

    assert by_library is not None
    assert "error" not in by_library
    assert by_command == by_library


@pytest.mark.parametrize("step", LIVES_REFUSED)
def test_a_refusal_of_what_no_server_offers_is_the_same_through_the_command(
    living: list[Face], lived: list[list[Plain | None]], step: Step
) -> None:
    operation, arguments = step

    by_library, by_command = (face.do(operation, **arguments)["error"] for face in living)

    assert by_command == by_library


def test_pages_are_the_same_through_every_face(faces: list[Face], played: list[list[Plain | None]]) -> None:
    walks = []
    for face in faces:
        cursor, pages = None, []
        for _ in itertools.repeat(None, 10):
            answer = face.do("recall", query="ferry", k=1, cursor=cursor)
            pages.append([(hit["key"], hit["score"]) for hit in answer["hits"]])
            cursor = answer.get("cursor")
            if cursor is None:
                break
        walks.append(pages)

    assert walks[0] == walks[1] == walks[2]
    assert len(walks[0]) > 1


def test_a_refused_command_exits_with_1(faces: list[Face], played: list[list[Plain | None]]) -> None:
    command = next(face for face in faces if isinstance(face, CliFace))
    command.codes.clear()

    for operation, arguments in REFUSED:
        command.do(operation, **arguments)

    assert set(command.codes) == {1}


def test_one_store_is_the_same_through_every_face(tmp_path_factory: pytest.TempPathFactory) -> None:
    home = Home(tmp_path_factory.mktemp("shared"))
    with home.memories() as memories, home.session("--local", "--extended") as session:
        writers: list[Face] = [LibraryFace(home, memories), CliFace(home), McpFace(session)]
        for number, face in enumerate(writers):
            face.do("remember", content=f"The ferry, said by {face.name}.", key=face.name, episode="shared")
            assert [reader.do("stats")["memories"] for reader in writers] == [number + 1] * 3
        reads: list[Step] = [
            ("recall", {"query": "ferry", "explain": True}),
            ("recent", {"k": 2}),
            ("why", {"key": "mcp"}),
        ]

        answers = [[face.do(operation, **arguments) for face in writers] for operation, arguments in reads]

    assert all(answer == same[0] for same in answers for answer in same)


@pytest.mark.parametrize("name", ["confidence", "salience", "min_confidence"])
def test_a_share_of_absurd_size_is_refused_by_the_library_as_by_the_others(name: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        try:
            owner.recall("x", **{name: 10**5000}) if name == "min_confidence" else owner.remember(
                "x", **{name: 10**5000}
            )
        except InvalidError as error:
            assert error.fields == (name,)  # noqa: PT017 (a ValueError of another kind is what must not come)
