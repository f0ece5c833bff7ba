"""One script of operations through the library, the command and the server gives the same answers."""

import itertools
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
]

SAID_OTHERWISE = {"recall": {"audience"}}
"""Options that a server does not take: they were fixed when it was started."""


def timeless(answer: Any, seen: dict[str, str]) -> Any:
    """The answer with each time of recording replaced by its place in the order of their first occurrence."""
    if isinstance(answer, dict):
        return {
            name: seen.setdefault(value, f"time {len(seen)}")
            if name in {"recorded_at", "time", "valid_from", "valid_to"} and value is not None
            else "face"
            if name == "actor"
            else timeless(value, seen)
            for name, value in answer.items()
        }
    if isinstance(answer, list):
        return [timeless(item, seen) for item in answer]
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


@pytest.mark.parametrize("place", range(len(SCRIPT)), ids=lambda place: f"{place}-{SCRIPT[place][0]}")
def test_an_answer_is_the_same_through_every_face(played: list[list[Plain | None]], place: int) -> None:
    answers = []
    for history in played:
        seen: dict[str, str] = {}
        *_, last = (timeless(cursorless(answer), seen) if answer else None for answer in history[: place + 1])
        answers.append(last)
    by_library, by_command, by_server = answers

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
