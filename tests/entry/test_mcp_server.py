"""The MCP server of the command: every tool is the library's call, for one owner and one destination."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from jsonschema import Draft202012Validator
from mcp import Client, MCPError

from reminisce import Face, Memories, Owner, ReminisceError
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.config import read_settings
from reminisce.app.mcp.server import make_server
from reminisce.app.mcp.tools import tools
from reminisce.codec import to_plain
from reminisce.domain.values import DEFAULT_ASPECTS
from reminisce.testing import CountingIdentifiers, FixedClock
from tests.support.faces import Home, Plain, Session, code_of, keys_of

CORE = ["memory_remember", "memory_recall", "memory_forget", "memory_why"]
EXTENDED = [
    *CORE,
    "memory_recent",
    "memory_believe",
    "memory_beliefs",
    "memory_disbelieve",
    "memory_reinforce",
    "memory_prune",
    "memory_stats",
]

UNSEEN = ["private", "unshowable", "from-private", "takes-private", "believed-private"]
"""Memories that no remote model may learn of."""

SECRETS = ["plutonium", "hyacinth", "bergamot"]
"""Words of what is private, or redacted and replaced by its surface."""


def seed(owner: Owner) -> None:
    owner.remember(
        "The gate opens at noon.", key="open", sources=["doc:gates"], facets={"place": "gate"}, episode="day"
    )
    owner.remember("The gate code is plutonium.", key="private", tier="private", sources=["doc:gates"], episode="day")
    owner.remember(
        "Hyacinth lost her gate key.",
        key="redacted",
        tier="redacted",
        surface="Somebody lost a gate key.",
        facets={"who": "hyacinth"},
        sources=["doc:gates"],
        episode="day",
    )
    owner.remember("Bergamot gate, without a surface.", key="unshowable", tier="redacted", episode="day")
    owner.remember("The gate opens with plutonium.", key="from-private", derived_from=["private", "open"])
    owner.remember("The gate closes at one.", key="old", occurred_at="2026-01-01T00:00:00Z", subjects=["guard"])
    owner.remember("The gate closes at two.", key="new", supersedes=["old"], due_at="2027-01-01T00:00:00Z")
    owner.remember("Gate notes, plutonium edition.", key="takes-private", tier="private", derived_from=["open"])
    owner.remember(
        "Gates in general \N{GRINNING FACE} 门", key="derived", derived_from=["new", "open"], confidence=0.25
    )
    owner.remember("An obsolete gate.", key="gone")
    owner.forget("gone", "hyacinth said so")
    owner.believe("guard", "stands_at", "the north gate", key="north", valid_from="2020-01-01T00:00:00Z")
    owner.believe("guard", "stands_at", "the south gate", key="south", valid_from="2020-02-01T00:00:00Z")
    owner.believe(
        "guard",
        "likes",
        "Plutonium",
        many=True,
        key="believed-private",
        tier="private",
        content="The gate likes plutonium.",
    )
    owner.believe("guard", "likes", "Tea", key="tea", confidence=0.5, sources=["doc:gates"])
    owner.contradict("open", "derived", claim="new", reason="gates vary")
    owner.contradict("open", "private", reason="plutonium")
    owner.resolve("open", "derived", "they do")
    owner.associate(["open", "new"], "pair", {"kind": ["twin", "pair"]})
    owner.reinforce("open")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home(tmp_path_factory.mktemp("home"))
    with home.memories() as memories:
        seed(memories.owner(home.owner))
    return home


@pytest.fixture(scope="module")
def remote(home: Home) -> Iterator[Session]:
    """As started without a word about the destination, in the stateless era."""
    with home.session("--extended") as session:
        yield session


@pytest.fixture(scope="module")
def local(home: Home) -> Iterator[Session]:
    """As started for a model on this machine, in the handshake era."""
    with home.session("--extended", mode="legacy", REMINISCE_LOCAL="1") as session:
        yield session


@pytest.fixture(params=["remote", "local"])
def served(request: pytest.FixtureRequest, home: Home) -> Iterator[tuple[Session, Owner]]:
    """A server, and the library with the same destination on the same store."""
    session = request.getfixturevalue(request.param)
    with home.memories(destination=request.param) as memories:
        yield session, memories.owner(home.owner)


READS: list[tuple[str, Plain]] = [
    ("recall", {"query": "gate"}),
    ("recall", {"query": "gate", "explain": True, "k": 100}),
    ("recall", {"query": "gate", "k": 1}),
    ("recall", {"query": "plutonium"}),
    ("recall", {"query": "hyacinth"}),
    ("recall", {"query": "somebody lost a key", "explain": True}),
    ("recall", {"query": "门"}),
    ("recall", {"query": "the of and"}),
    ("recall", {"query": ""}),
    ("recall", {"query": "zeppelin"}),
    ("recall", {}),
    ("recall", {"k": 2, "aspects": ["episodic"], "basis": "observed"}),
    ("recall", {"query": "gate", "facets": {"place": ["gate", "door"]}}),
    ("recall", {"query": "gate", "facets": {"who": "hyacinth"}}),
    ("recall", {"query": "gate", "sources": ["doc:gates"], "episode": "day", "min_confidence": 0.5}),
    ("recall", {"query": "gate", "subject": "guard"}),
    ("recall", {"query": "gate", "basis": ["told", "observed"], "due_from": "2026-12-31T00:00:00+01:00"}),
    ("recall", {"occurred_to": "2026-01-02T00:00:00Z"}),
    ("recent", {}),
    ("recent", {"k": 1}),
    ("recent", {"episode": "day", "explain": True}),
    ("why", {"key": "open"}),
    ("why", {"key": "redacted"}),
    ("why", {"key": "old"}),
    ("why", {"key": "gone"}),
    ("why", {"key": "new", "depth": 1}),
    ("why", {"key": "derived", "depth": 1_000}),
    ("why", {"key": "private"}),
    ("why", {"key": "nobody's"}),
    ("stats", {}),
    ("recall", {"query": "gate", "valid_at": "2020-01-15T00:00:00Z", "k": 100}),
    ("recall", {"query": "gate", "as_of": 3}),
    ("recall", {"as_of": "2020-01-01T00:00:00Z"}),
    ("recall", {"query": "gate", "as_of": "9999-01-01T00:00:00Z", "valid_at": "2020-01-15T00:00:00Z", "k": 100}),
    ("recent", {"as_of": 0}),
    ("recent", {"as_of": 11, "valid_at": "2020-01-15T00:00:00+01:00", "k": 3}),
    ("why", {"key": "old", "as_of": 6}),
    ("why", {"key": "open", "as_of": "9999-01-01T00:00:00Z", "most": 1}),
    ("why", {"key": "new", "as_of": 2}),
    ("why", {"key": "north"}),
    ("why", {"key": "tea"}),
    ("beliefs", {"subject": "guard"}),
    ("beliefs", {"subject": "guard", "attribute": "likes"}),
    ("beliefs", {"subject": "guard", "history": True}),
    ("beliefs", {"subject": "guard", "valid_at": "2020-01-15T00:00:00Z"}),
    ("beliefs", {"subject": "guard", "as_of": 11}),
    ("beliefs", {"subject": "guard", "as_of": "9999-01-01T00:00:00Z", "attribute": "stands_at", "history": False}),
    ("beliefs", {"subject": "nobody"}),
    ("prune", {}),
    ("prune", {"half_life": 0.5, "threshold": 1}),
    ("prune", {"dry_run": True, "threshold": 0.5, "half_life": 0}),
    ("forget", {"keys": ["open", "new", "gone"], "dry_run": True}),
    ("reinforce", {"key": "nobody's"}),
    ("reinforce", {"key": "old"}),
    ("disbelieve", {"subject": "nobody"}),
    ("believe", {"subject": "guard", "attribute": "likes", "value": "Tea", "many": False}),
    ("believe", {"subject": "guard", "attribute": "likes", "value": "Tea", "key": "tea", "supersedes": ["nobody's"]}),
    ("recall", {"query": "gate", "cursor": "nonsense"}),
    ("forget", {"keys": ["nobody's"]}),
    ("forget", {"keys": ["open", "private"]} | {"keys": ["nobody's", "open"]}),
    ("remember", {"content": "The gate opens at noon.", "key": "open"}),
    ("remember", {"content": "Text.", "derived_from": ["nobody's"]}),
    ("remember", {"content": "An obsolete gate.", "key": "gone"}),
]
"""Calls that change nothing."""


def by_library(owner: Owner, operation: str, arguments: Mapping[str, Any]) -> Plain:
    given = dict(arguments)
    try:
        if operation == "recall":
            return to_plain(owner.recall(given.pop("query", None), **given))
        if operation == "prune":
            given.setdefault("dry_run", True)  # the one default that is another for a model
        return to_plain(getattr(owner, operation)(**given))
    except ReminisceError as error:
        return to_plain(error)


@pytest.mark.parametrize(("operation", "arguments"), READS)
def test_a_tool_answers_as_the_library_does(served: tuple[Session, Owner], operation: str, arguments: Plain) -> None:
    session, owner = served
    expected = by_library(owner, operation, arguments)

    answer = session.call("memory_" + operation, **arguments)

    assert answer.structured_content == expected
    assert answer.is_error is ("error" in expected)
    [content] = answer.content
    assert json.loads(getattr(content, "text", "")) == expected


@pytest.mark.parametrize(("operation", "arguments"), READS)
def test_an_answer_fits_the_output_schema(served: tuple[Session, Owner], operation: str, arguments: Plain) -> None:
    session, _ = served
    schema = tools(DEFAULT_ASPECTS, extended=True)["memory_" + operation].answer

    answer = session.call("memory_" + operation, **arguments)

    assert answer.is_error or Draft202012Validator(schema).is_valid(answer.structured_content)


def test_pages_are_those_of_the_library(served: tuple[Session, Owner]) -> None:
    session, owner = served
    whole = [hit.memory.key for hit in owner.recall("gate", k=100)]

    keys, answer = [], session.ask("memory_recall", query="gate", k=2)
    while "cursor" in answer:
        keys += keys_of(answer)
        answer = session.ask("memory_recall", query="gate", k=2, cursor=answer["cursor"])

    assert keys + keys_of(answer) == whole


def fresh() -> Owner:
    """An owner whose names and times are the same in every run."""
    memories = Memories(
        InMemoryStore("0" * 32),
        analyser=DefaultAnalyser(),
        clock=FixedClock(),
        identifiers=CountingIdentifiers(),
        face=Face(actor="test"),
    )
    return memories.owner("agent:alice")


WRITES: list[tuple[str, Plain]] = [
    ("remember", {"content": "First."}),
    ("remember", {"content": "First."}),
    ("remember", {"content": "Second.", "key": "second", "facets": {"a": ["b", "c"], "d": "e"}, "salience": 1}),
    (
        "remember",
        {"content": "Third.", "supersedes": ["second"], "request_key": "r", "aspects": ["semantic", "episodic"]},
    ),
    ("remember", {"content": "Other.", "request_key": "r"}),
    ("remember", {"content": "Other.", "key": "second"}),
    ("forget", {"keys": ["second"], "reason": "no longer so"}),
    ("forget", {"keys": ["second"]}),
    ("recall", {"query": "first second third"}),
    ("why", {"key": "second"}),
    ("remember", {"content": "Fourth.", "derived_from": ["second"], "tier": "redacted", "surface": "A surface."}),
    (
        "remember",
        {
            "content": "Ann lives in Riga.",
            "subjects": ["ann"],
            "fact": {"subject": "ann", "attribute": "lives_in", "value": "Riga", "many": None},
            "valid_from": "2020-01-01T00:00:00Z",
            "reviewer": "bo",
            "key": "riga",
        },
    ),
    ("believe", {"subject": "ann", "attribute": "lives_in", "value": "Oslo", "valid_from": "2021-01-01T00:00:00Z"}),
    ("believe", {"subject": "ann", "attribute": "lives_in", "value": "oslo ", "sources": ["doc:x"]}),
    ("believe", {"subject": "ann", "attribute": "lives_in", "value": "Kiel", "valid_to": "2019-01-01T00:00:00Z"}),
    ("believe", {"subject": "ann", "attribute": "lives_in", "value": "Kiel", "valid_from": "2018-01-01T00:00:00Z"}),
    (
        "believe",
        {
            "subject": "ann",
            "attribute": "speaks",
            "value": "Norsk",
            "many": True,
            "subjects": ["bo"],
            "content": "She speaks it.",
            "confidence": 0.5,
            "request_key": "q",
            "reviewer": "bo",
            "facets": {"a": "b"},
        },
    ),
    ("believe", {"subject": "ann", "attribute": "speaks", "value": "Latviešu"}),
    ("believe", {"subject": "ann", "attribute": "speaks", "value": "Norsk", "many": False}),
    ("beliefs", {"subject": "ann"}),
    ("beliefs", {"subject": "ann", "history": True}),
    ("beliefs", {"subject": "ann", "as_of": 8}),
    ("why", {"key": "riga"}),
    ("recall", {"query": "Riga", "valid_at": "2020-06-01T00:00:00Z"}),
    ("stats", {}),
    ("reinforce", {"key": "riga"}),
    ("reinforce", {"key": "m_00000000000000000000000001"}),
    ("reinforce", {"key": "m_00000000000000000000000001"}),
    ("why", {"key": "m_00000000000000000000000001", "as_of": 2}),
    ("forget", {"keys": ["riga"], "dry_run": True}),
    ("disbelieve", {"subject": "ann", "attribute": "speaks", "reason": "she stopped"}),
    ("disbelieve", {"subject": "ann"}),
    ("disbelieve", {"subject": "ann"}),
    ("beliefs", {"subject": "ann", "history": True}),
    ("prune", {"threshold": 0.9}),
    ("stats", {}),
    ("prune", {"threshold": 0.9, "half_life": 0, "dry_run": False}),
    ("prune", {"threshold": 0.9, "half_life": 0, "dry_run": False}),
    ("stats", {}),
    ("recent", {}),
]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_history_of_writes_is_the_same_as_through_the_library(mode: str) -> None:
    owner = fresh()
    offered = tools(DEFAULT_ASPECTS, extended=True)
    server = make_server(fresh(), offered, "0")
    expected = [by_library(owner, operation, arguments) for operation, arguments in WRITES]

    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server, mode=mode)) as client:
        session = Session(portal, client)
        answers = [session.ask("memory_" + operation, **arguments) for operation, arguments in WRITES]

    assert answers == expected
    for (operation, _), answer in zip(WRITES, answers, strict=True):
        assert "error" in answer or Draft202012Validator(offered["memory_" + operation].answer).is_valid(answer)


@pytest.mark.parametrize(("extended", "names"), [(False, CORE), (True, EXTENDED)])
def test_the_extended_tools_are_offered_on_request(extended: bool, names: list[str]) -> None:
    server = make_server(fresh(), tools(DEFAULT_ASPECTS, extended=extended), "0")

    async def listed() -> list[str]:
        async with Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(listed) == names


def test_tools_say_what_they_do_to_the_store(remote: Session) -> None:
    listed = remote.portal.call(remote.client.list_tools).tools

    hints = {tool.name: tool.annotations for tool in listed}
    reading = {name for name, hint in hints.items() if hint is not None and hint.read_only_hint}
    assert reading == {"memory_recall", "memory_why", "memory_recent", "memory_beliefs", "memory_stats"}
    destroying = {name for name, hint in hints.items() if hint is not None and hint.destructive_hint}
    assert destroying == {"memory_forget", "memory_disbelieve", "memory_prune"}
    counting = {name for name, hint in hints.items() if hint is not None and not hint.idempotent_hint}
    assert counting == {"memory_believe", "memory_reinforce"}
    for tool in listed:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema or {"type": "no schema"})
        assert not {"owner", "audience", "destination"} & set(tool.input_schema["properties"])


NEEDED: dict[str, Plain] = {
    "memory_remember": {"content": "x"},
    "memory_forget": {"keys": ["open"]},
    "memory_why": {"key": "open"},
    "memory_believe": {"subject": "x", "attribute": "x", "value": "x"},
    "memory_beliefs": {"subject": "x"},
    "memory_disbelieve": {"subject": "x"},
    "memory_reinforce": {"key": "open"},
}
"""Arguments without which a tool refuses for another reason."""


@pytest.mark.parametrize("tool", EXTENDED)
@pytest.mark.parametrize("owner", ["agent:bob", "agent:alice", "", None, 7, {}])
def test_an_owner_in_the_arguments_is_refused_by_every_tool(remote: Session, tool: str, owner: object) -> None:

    refused = remote.call(tool, owner=owner, **NEEDED.get(tool, {}))

    assert refused.is_error
    assert refused.structured_content == {
        "error": {
            "code": "owner_is_fixed",
            "message": "owner: fixed when this server was started; leave it out",
            "fields": ["owner"],
        }
    }


@pytest.mark.parametrize("tool", EXTENDED)
@pytest.mark.parametrize("name", ["audience", "destination", "Owner", "owner ", "user_id", "local", "revision", "now"])
def test_what_a_start_has_fixed_is_no_argument(remote: Session, tool: str, name: str) -> None:

    refused = remote.ask(tool, **{name: "local"}, **NEEDED.get(tool, {}))

    assert (code_of(refused), refused["error"]["fields"]) == ("invalid", ["arguments"])


CALLER = "Rosencrantz"
"""The caller's own words, which no refusal may repeat."""

LONG = CALLER + "x" * 70_000

FACT: Plain = {"subject": CALLER, "attribute": CALLER, "value": CALLER}

BAD: list[tuple[str, Plain, str]] = [
    ("remember", {}, "content"),
    ("remember", {"content": None}, "content"),
    ("remember", {"content": 7}, "content"),
    ("remember", {"content": ""}, "content"),
    ("remember", {"content": " \n"}, "content"),
    ("remember", {"content": [CALLER]}, "content"),
    ("remember", {"content": LONG}, "content"),
    ("remember", {"content": "é" * 40_000}, "content"),
    ("remember", {"content": f"{CALLER}\0"}, "content"),
    ("remember", {"content": CALLER, CALLER: CALLER}, "arguments"),
    ("remember", {"content": CALLER, "key": f"{CALLER}\0"}, "key"),
    ("remember", {"content": CALLER, "key": CALLER * 30}, "key"),
    ("remember", {"content": CALLER, "key": ""}, "key"),
    ("remember", {"content": CALLER, "aspects": []}, "aspects"),
    ("remember", {"content": CALLER, "aspects": CALLER}, "aspects"),
    ("remember", {"content": CALLER, "aspects": [CALLER]}, "aspects"),
    ("remember", {"content": CALLER, "basis": CALLER}, "basis"),
    ("remember", {"content": CALLER, "tier": CALLER}, "tier"),
    ("remember", {"content": CALLER, "confidence": 1.01}, "confidence"),
    ("remember", {"content": CALLER, "confidence": "0.5"}, "confidence"),
    ("remember", {"content": CALLER, "confidence": True}, "confidence"),
    ("remember", {"content": CALLER, "salience": -1}, "salience"),
    ("remember", {"content": CALLER, "salience": 10**300}, "salience"),
    ("remember", {"content": CALLER, "occurred_at": CALLER}, "occurred_at"),
    ("remember", {"content": CALLER, "occurred_at": "2026-01-01T00:00:00"}, "occurred_at"),
    ("remember", {"content": CALLER, "due_at": 1_700_000_000}, "due_at"),
    ("remember", {"content": CALLER, "valid_from": "2026-01-01Z"}, "valid_from"),
    ("remember", {"content": CALLER, "valid_from": "2026-01-01T00:00Z", "valid_to": "2026-01-01T00:00Z"}, "valid_to"),
    ("remember", {"content": CALLER, "sources": CALLER}, "sources"),
    ("remember", {"content": CALLER, "sources": [CALLER * 300]}, "sources"),
    ("remember", {"content": CALLER, "sources": [f"{CALLER}{n}" for n in range(65)]}, "sources"),
    ("remember", {"content": CALLER, "sources": [""]}, "sources"),
    ("remember", {"content": CALLER, "facets": CALLER}, "facets"),
    ("remember", {"content": CALLER, "facets": [[CALLER, CALLER]]}, "facets"),
    ("remember", {"content": CALLER, "facets": {CALLER: 7}}, "facets"),
    ("remember", {"content": CALLER, "facets": {CALLER: {CALLER: CALLER}}}, "facets"),
    ("remember", {"content": CALLER, "facets": {CALLER: CALLER * 500}}, "facets"),
    ("remember", {"content": CALLER, "facets": {CALLER * 20: CALLER}}, "facets"),
    ("remember", {"content": CALLER, "facets": {"": CALLER}}, "facets"),
    ("remember", {"content": CALLER, "facets": {f"{CALLER}{n}": "x" for n in range(65)}}, "facets"),
    ("remember", {"content": CALLER, "facets": {CALLER: [f"{n}" for n in range(65)]}}, "facets"),
    ("remember", {"content": CALLER, "subjects": [CALLER * 30]}, "subjects"),
    ("remember", {"content": CALLER, "subjects": [[CALLER]]}, "subjects"),
    ("remember", {"content": CALLER, "surface": LONG}, "surface"),
    ("remember", {"content": CALLER, "episode": f"{CALLER}\0"}, "episode"),
    ("remember", {"content": CALLER, "derived_from": [CALLER]}, "derived_from"),
    ("remember", {"content": CALLER, "supersedes": [CALLER]}, "supersedes"),
    ("remember", {"content": CALLER, "supersedes": {CALLER: CALLER}}, "supersedes"),
    ("remember", {"content": CALLER, "key": CALLER, "derived_from": [CALLER]}, "key"),
    ("remember", {"content": CALLER, "request_key": CALLER * 30}, "request_key"),
    ("remember", {"content": CALLER, "key": "open"}, "key"),
    ("recall", {"query": 7}, "query"),
    ("recall", {"query": [CALLER]}, "query"),
    ("recall", {"query": LONG}, "query"),
    ("recall", {"query": f"{CALLER}\0"}, "query"),
    ("recall", {"query": CALLER, "k": 0}, "k"),
    ("recall", {"query": CALLER, "k": 1_001}, "k"),
    ("recall", {"query": CALLER, "k": "8"}, "k"),
    ("recall", {"query": CALLER, "k": 1.5}, "k"),
    ("recall", {"query": CALLER, "k": True}, "k"),
    ("recall", {"query": CALLER, "aspects": [CALLER]}, "aspects"),
    ("recall", {"query": CALLER, "subject": [CALLER]}, "subject"),
    ("recall", {"query": CALLER, "subject": ""}, "subject"),
    ("recall", {"query": CALLER, "episode": CALLER * 30}, "episode"),
    ("recall", {"query": CALLER, "sources": CALLER}, "sources"),
    ("recall", {"query": CALLER, "facets": {CALLER: None}}, "facets"),
    ("recall", {"query": CALLER, "basis": CALLER}, "basis"),
    ("recall", {"query": CALLER, "min_confidence": 2}, "min_confidence"),
    ("recall", {"query": CALLER, "occurred_from": CALLER}, "occurred_from"),
    ("recall", {"query": CALLER, "recorded_to": "2026-01-01"}, "recorded_to"),
    ("recall", {"query": CALLER, "cursor": CALLER}, "cursor"),
    ("recall", {"query": CALLER, "cursor": CALLER * 200}, "cursor"),
    ("recall", {"query": CALLER, "cursor": "WzEsMiwzXQ=="}, "cursor"),
    ("recall", {"query": CALLER, "explain": "yes"}, "explain"),
    ("recent", {"query": CALLER}, "arguments"),
    ("recent", {"k": -1}, "k"),
    ("why", {}, "key"),
    ("why", {"key": CALLER}, "key"),
    ("why", {"key": [CALLER]}, "key"),
    ("why", {"key": "open", "depth": 0}, "depth"),
    ("why", {"key": "open", "depth": CALLER}, "depth"),
    ("forget", {}, "keys"),
    ("forget", {"keys": []}, "keys"),
    ("forget", {"keys": CALLER}, "keys"),
    ("forget", {"keys": [CALLER]}, "keys"),
    ("forget", {"keys": [7]}, "keys"),
    ("forget", {"keys": [f"{n}" for n in range(1_001)]}, "keys"),
    ("forget", {"keys": ["open"], "reason": CALLER * 500}, "reason"),
    ("forget", {"keys": ["open"], "reason": " "}, "reason"),
    ("stats", {CALLER: CALLER}, "arguments"),
    ("remember", {"content": CALLER, "fact": CALLER}, "fact"),
    ("remember", {"content": CALLER, "fact": [CALLER, CALLER, CALLER]}, "fact"),
    ("remember", {"content": CALLER, "fact": {}}, "fact"),
    ("remember", {"content": CALLER, "fact": {**FACT, "value": None}}, "fact"),
    ("remember", {"content": CALLER, "fact": {**FACT, "value": " "}}, "fact"),
    ("remember", {"content": CALLER, "fact": {**FACT, "value": CALLER * 500}}, "fact"),
    ("remember", {"content": CALLER, "fact": {**FACT, "attribute": [CALLER]}}, "fact"),
    ("remember", {"content": CALLER, "fact": {**FACT, "many": CALLER}}, "fact"),
    ("remember", {"content": CALLER, "fact": {**FACT, CALLER: CALLER}}, "fact"),
    ("remember", {"content": CALLER, "fact": FACT}, "fact"),
    ("remember", {"content": CALLER, "fact": FACT, "subjects": ["x"]}, "fact"),
    ("remember", {"content": CALLER, "reviewer": [CALLER]}, "reviewer"),
    ("remember", {"content": CALLER, "reviewer": " "}, "reviewer"),
    ("recall", {"query": CALLER, "valid_at": CALLER}, "valid_at"),
    ("recall", {"query": CALLER, "valid_at": 3}, "valid_at"),
    ("recall", {"query": CALLER, "as_of": CALLER}, "as_of"),
    ("recall", {"query": CALLER, "as_of": CALLER * 20}, "as_of"),
    ("recall", {"query": CALLER, "as_of": -1}, "as_of"),
    ("recall", {"query": CALLER, "as_of": 10**300}, "as_of"),
    ("recall", {"query": CALLER, "as_of": 1.5}, "as_of"),
    ("recall", {"query": CALLER, "as_of": True}, "as_of"),
    ("recall", {"query": CALLER, "as_of": [CALLER]}, "as_of"),
    ("why", {"key": "open", "as_of": CALLER}, "as_of"),
    ("why", {"key": "open", "as_of": "2026-01-01T00:00:00"}, "as_of"),
    ("why", {"key": "open", "depth": 10_001}, "depth"),
    ("why", {"key": "open", "most": 0}, "most"),
    ("forget", {"keys": ["open"], "dry_run": CALLER}, "dry_run"),
    ("forget", {"keys": ["open"], "dry_run": 1}, "dry_run"),
    ("forget", {"keys": ["open"], "containing": CALLER}, "arguments"),
    ("forget", {"episode": CALLER}, "arguments"),
    ("believe", {}, "subject"),
    ("believe", {"subject": CALLER, "attribute": CALLER}, "value"),
    ("believe", {**FACT, "subject": [CALLER]}, "subject"),
    ("believe", {**FACT, "value": ""}, "value"),
    ("believe", {**FACT, "value": f"{CALLER}\0"}, "value"),
    ("believe", {**FACT, "attribute": CALLER * 30}, "attribute"),
    ("believe", {**FACT, "many": CALLER}, "many"),
    ("believe", {**FACT, "fact": FACT}, "arguments"),
    ("believe", {**FACT, "subjects": CALLER}, "subjects"),
    ("believe", {**FACT, "valid_from": CALLER}, "valid_from"),
    ("believe", {**FACT, "derived_from": [CALLER]}, "derived_from"),
    ("believe", {**FACT, "subject": "guard", "attribute": "likes", "many": False}, "many"),
    ("beliefs", {}, "subject"),
    ("beliefs", {"subject": [CALLER]}, "subject"),
    ("beliefs", {"subject": CALLER, "attribute": CALLER * 30}, "attribute"),
    ("beliefs", {"subject": CALLER, "history": CALLER}, "history"),
    ("beliefs", {"subject": CALLER, "history": True, "valid_at": "2026-01-01T00:00:00Z"}, "history"),
    ("beliefs", {"subject": CALLER, "valid_at": 3}, "valid_at"),
    ("beliefs", {"subject": CALLER, "as_of": CALLER}, "as_of"),
    ("beliefs", {"subject": CALLER, "k": 3}, "arguments"),
    ("disbelieve", {}, "subject"),
    ("disbelieve", {"subject": CALLER, "attribute": " "}, "attribute"),
    ("disbelieve", {"subject": CALLER, "reason": CALLER * 500}, "reason"),
    ("disbelieve", {"subject": CALLER, "value": CALLER}, "arguments"),
    ("reinforce", {}, "key"),
    ("reinforce", {"key": CALLER}, "key"),
    ("reinforce", {"key": ["open"]}, "key"),
    ("reinforce", {"key": "believed-private"}, "key"),
    ("prune", {"half_life": CALLER}, "half_life"),
    ("prune", {"half_life": -1}, "half_life"),
    ("prune", {"half_life": 10**300}, "half_life"),
    ("prune", {"threshold": 1.5}, "threshold"),
    ("prune", {"threshold": CALLER}, "threshold"),
    ("prune", {"dry_run": CALLER}, "dry_run"),
    ("prune", {"keys": [CALLER]}, "arguments"),
]


@pytest.mark.parametrize(("operation", "arguments", "field"), BAD)
def test_bad_arguments_are_refused_by_field_and_nothing_is_written(
    remote: Session, operation: str, arguments: Plain, field: str
) -> None:
    before = remote.ask("memory_stats")

    refused = remote.call("memory_" + operation, **arguments)

    content = refused.structured_content or {}
    assert refused.is_error
    # What is missing altogether has no place of its own; the sentence names it then.
    assert field in content["error"]["fields"] or field in content["error"]["message"]
    assert CALLER not in str(refused)
    assert len(str(refused)) < 4_000
    assert remote.ask("memory_stats") == before


@pytest.mark.parametrize(("operation", "arguments", "field"), BAD)
def test_a_refusal_tells_a_model_what_to_do(remote: Session, operation: str, arguments: Plain, field: str) -> None:
    refused = remote.call("memory_" + operation, **arguments)

    [content] = refused.content
    error = json.loads(getattr(content, "text", ""))["error"]
    assert error["code"] in {"invalid", "not_found", "key_taken"}
    assert all(problem["message"].split()[0] in WORDED for problem in error.get("problems", []))
    assert error["code"] != "invalid" or error["problems"]


WORDED = {"must", "needs", "takes", "holds", "belongs", "cannot", "of"}
"""How a sentence begins that says what is expected."""


def test_all_problems_of_a_call_are_told_at_once(remote: Session) -> None:
    refused = remote.ask("memory_remember", content=7, confidence=2, aspects=["x"], nothing=1)

    assert refused["error"]["fields"] == ["arguments", "aspects", "confidence", "content"]


@pytest.mark.parametrize("query", ["gate", "plutonium", "hyacinth", "bergamot", None])
def test_a_remote_model_is_given_no_private_memory(remote: Session, query: str | None) -> None:
    asked = {} if query is None else {"query": query}

    for tool in ("memory_recall", "memory_recent") if query is None else ("memory_recall",):
        answer = remote.ask(tool, k=1_000, explain=True, **asked)

        assert not set(keys_of(answer)) & set(UNSEEN)
        assert not any(word in str(answer).lower() for word in SECRETS)


def test_a_remote_model_is_told_of_no_private_belief(remote: Session) -> None:
    for asked in ({}, {"history": True}, {"attribute": "likes"}, {"as_of": 13}, {"valid_at": "9999-01-01T00:00:00Z"}):
        answer = remote.ask("memory_beliefs", subject="guard", **asked)

        assert answer["beliefs"]
        assert not set(UNSEEN) & {belief["key"] for belief in answer["beliefs"]}
        assert not any(word in str(answer).lower() for word in SECRETS)
    assert remote.ask("memory_stats")["live_beliefs"] == 2


@pytest.mark.parametrize("key", ["open", "derived", "old", "new", "redacted", "gone"])
def test_a_remote_model_is_told_of_no_private_memory_by_why(remote: Session, key: str) -> None:
    answer = remote.ask("memory_why", key=key)

    told = {name: value for name, value in answer.items() if name != "history" or key == "redacted"}
    assert not any(f"'{unseen}'" in str(told) for unseen in UNSEEN)
    assert not any(word in str(told).lower() for word in SECRETS)


@pytest.mark.parametrize("key", UNSEEN)
@pytest.mark.parametrize("tool", ["memory_why", "memory_forget"])
def test_a_remote_model_finds_no_private_memory_by_key(remote: Session, tool: str, key: str) -> None:
    def named(name: str) -> Plain:
        return {"key": name} if tool == "memory_why" else {"keys": [name]}

    unseen, unheld = remote.call(tool, **named(key)), remote.call(tool, **named("nobody's"))

    assert unseen.is_error
    assert unseen.model_dump_json() == unheld.model_dump_json()


@pytest.mark.parametrize("name", ["derived_from", "supersedes"])
def test_a_remote_model_attaches_nothing_to_a_private_memory(remote: Session, name: str) -> None:
    unseen = remote.call("memory_remember", content="Never kept.", **{name: ["private"]})
    unheld = remote.call("memory_remember", content="Never kept.", **{name: ["nobody's"]})

    assert unseen.is_error
    assert unseen.model_dump_json() == unheld.model_dump_json()


def test_a_remote_model_is_given_the_surface_of_what_is_redacted(remote: Session) -> None:
    hit = remote.ask("memory_recall", query="somebody lost", explain=True)["hits"][0]

    assert (hit["key"], hit["content"]) == ("redacted", "Somebody lost a gate key.")
    assert not {"facets", "explanation"} & set(hit)
    assert remote.ask("memory_why", key="redacted")["memory"]["content"] == "Somebody lost a gate key."


def test_a_remote_model_finds_nothing_by_what_a_surface_replaces(remote: Session) -> None:
    for asked in ({"query": "hyacinth"}, {"query": "gate", "facets": {"who": "hyacinth"}}):
        assert remote.ask("memory_recall", **asked)["hits"] == []


def test_what_is_private_changes_no_count_and_no_score_for_a_remote_model(remote: Session) -> None:
    before = remote.ask("memory_recall", query="gate", explain=True), remote.ask("memory_stats")
    owner = fresh()
    seed(owner)

    assert before[0]["considered"] == before[1]["by_status"]["active"]
    # Out of force, and seen: what was replaced, what was forgotten, where the guard stood before.
    assert before[1]["memories"] == len(owner.recall(None, k=100)) + 3 - len(UNSEEN)


def test_a_local_model_is_given_everything(local: Session) -> None:
    found = local.ask("memory_recall", query="gate", k=100, explain=True)

    assert set(UNSEEN) <= set(keys_of(found))
    assert all("explanation" in hit for hit in found["hits"])
    assert local.ask("memory_why", key="redacted")["memory"]["facets"] == {"who": ["hyacinth"]}
    assert "plutonium" in local.recent_text()


@pytest.mark.parametrize(
    ("value", "local"),
    [(value, True) for value in ("1", "true", "yes", "on", "TRUE", " Yes ")]
    + [
        (value, False)
        for value in ("", "0", "2", "maybe", "false", "no", "off", "local", "y", "t", "11", "１", "true;")
    ],
)
def test_only_a_clear_word_opens_a_server(value: str, local: bool) -> None:
    assert read_settings(environ={"REMINISCE_LOCAL": value}).local is local


def test_an_unclear_word_or_a_configuration_file_opens_nothing(home: Home) -> None:
    with home.session(REMINISCE_LOCAL="maybe") as session:
        assert code_of(session.ask("memory_why", key="private")) == "not_found"
        assert "plutonium" not in session.recent_text()


def test_the_flag_opens_a_server_to_an_audience_and_no_further(home: Home) -> None:
    with home.memories() as memories:
        memories.consent("opened", ["team"])
        memories.owner(home.owner).remember(
            "Team matters at the gate.", key="team", subjects=["opened"], tier="private"
        )
    with home.session("--local", "--audience=team") as session:
        found = keys_of(session.ask("memory_recall", query="gate", k=100))

        assert {"team", "private"} <= set(found)
        assert "old" not in found
        assert code_of(session.ask("memory_why", key="old")) == "not_found"
        assert code_of(session.ask("memory_forget", keys=["old"])) == "not_found"


NO_TOOLS = [
    *(f"memory_{name}" for name in ("withdraw", "purge", "reinstate", "review", "reviews", "correct", "consent")),
    *(f"memory_{name}" for name in ("reclassify", "consolidate", "contradict", "as_of", "import_", "")),
    "Memory_recall",
    "",
    "recall",
]


@pytest.mark.parametrize("name", NO_TOOLS)
def test_an_unknown_tool_is_a_protocol_error_that_does_not_echo(served: tuple[Session, Owner], name: str) -> None:
    session, _ = served

    with pytest.raises(MCPError) as caught:
        session.call(name or CALLER)

    assert caught.value.error.code == -32602
    assert (name or CALLER) not in caught.value.error.message


@pytest.mark.parametrize(
    "uri", ["memory://other", "memory://recent/1", "memory://RECENT", "file:///etc/passwd", "memory://"]
)
def test_an_unknown_resource_is_a_protocol_error(served: tuple[Session, Owner], uri: str) -> None:
    session, _ = served

    with pytest.raises(MCPError) as caught:
        session.portal.call(partial(session.client.read_resource, uri))

    assert caught.value.error.code in {-32602, -32002}


@pytest.mark.parametrize(("name", "arguments"), [("other", {"about": "x"}), ("recall", {}), ("recall", {"about": ""})])
def test_an_unknown_prompt_or_one_without_its_argument_is_a_protocol_error(
    served: tuple[Session, Owner], name: str, arguments: dict[str, str]
) -> None:
    session, _ = served

    with pytest.raises(MCPError) as caught:
        session.portal.call(partial(session.client.get_prompt, name, arguments))

    assert caught.value.error.code == -32602


def prompted(session: Session, about: str) -> list[str]:
    """The texts of the prompt's messages."""
    prompt = session.portal.call(partial(session.client.get_prompt, "recall", {"about": about}))
    return [str(getattr(message.content, "text", None)) for message in prompt.messages]


def test_the_prompt_asks_to_recall(served: tuple[Session, Owner]) -> None:
    session, _ = served

    asked, _ = prompted(session, "門 \N{GRINNING FACE}")

    assert "門 \N{GRINNING FACE}" in asked


def test_the_prompt_brings_what_a_remote_model_may_see_as_data(remote: Session) -> None:
    _, recalled = prompted(remote, "gate")

    items = [json.loads(line) for line in recalled.splitlines()[1:]]
    assert [set(item) for item in items] == [{"key", "text", "sources", "trust"}] * len(items)
    assert "Somebody lost a gate key." in [item["text"] for item in items]
    assert not any(word in recalled.lower() for word in SECRETS)


def test_the_prompt_says_that_nothing_was_found(served: tuple[Session, Owner]) -> None:
    session, _ = served

    _, recalled = prompted(session, "zeppelin")

    assert "{" not in recalled


def test_a_prompt_about_too_much_is_refused_without_an_echo(served: tuple[Session, Owner]) -> None:
    session, _ = served

    with pytest.raises(MCPError) as caught:
        prompted(session, "unheard " * 10_000)

    assert caught.value.error.code == -32602
    assert "unheard" not in caught.value.error.message


def test_the_only_resource_and_prompt_are_listed(served: tuple[Session, Owner]) -> None:
    session, _ = served

    assert [str(one.uri) for one in session.portal.call(session.client.list_resources).resources] == ["memory://recent"]
    assert [one.name for one in session.portal.call(session.client.list_prompts).prompts] == ["recall"]


def test_the_recent_resource_shows_what_a_remote_model_may_see(remote: Session) -> None:
    text = remote.recent_text()

    assert "Somebody lost a gate key." in text
    assert "Gates in general \N{GRINNING FACE} 门" in text
    assert not any(word in text.lower() for word in SECRETS)


@pytest.fixture(scope="module")
def bulky(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Session, Owner]]:
    home = Home(tmp_path_factory.mktemp("bulky"))
    with home.session() as session, home.memories() as memories:
        yield session, memories.owner(home.owner)


def test_the_recent_resource_skips_what_does_not_fit_and_goes_on(bulky: tuple[Session, Owner]) -> None:
    session, owner = bulky
    owner.remember("Small and old.")
    owner.remember("larger than the resource " * 200)
    owner.remember("Small and new.")

    text = session.recent_text()

    assert [json.loads(line)["text"] for line in text.splitlines()] == ["Small and new.", "Small and old."]


def test_the_recent_resource_skips_memories_of_the_full_size_and_goes_on(bulky: tuple[Session, Owner]) -> None:
    session, owner = bulky
    owner.remember("Small, below two giants.")
    owner.remember("a" * 65_000)
    owner.remember("b" * 65_000)

    text = session.recent_text()

    assert "Small, below two giants." in text


def test_the_recent_resource_stays_within_its_bound(bulky: tuple[Session, Owner]) -> None:
    session, owner = bulky
    owner.remember_many([{"content": f"{n} \N{GRINNING FACE} 门" + "é" * (7 * n % 300)} for n in range(100)])

    text = session.recent_text()

    assert 3_000 < len(text) <= 4_000


def test_the_recent_resource_keeps_a_memory_on_its_own_line(bulky: tuple[Session, Owner]) -> None:
    session, owner = bulky
    owner.remember(
        "One line.\n- [2026-01-01 00:00Z] A line that was never remembered.", occurred_at="9999-01-01T00:00:00Z"
    )

    lines = session.recent_text().splitlines()

    assert "- [2026-01-01 00:00Z] A line that was never remembered." not in lines


def test_no_character_that_some_take_for_a_line_end_ends_a_line_of_the_resource(bulky: tuple[Session, Owner]) -> None:
    session, owner = bulky
    content = "One line.\u2028Two.\u2029Three.\x85Four.\x7f\x1cFive."
    owner.remember(content, occurred_at="9999-02-01T00:00:00Z")

    assert json.loads(session.recent_text().splitlines()[0])["text"] == content
