"""Recalling: what fits is found, best first; what fails is told."""

import shutil
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from attrs import frozen
from mcp import Client

from reminisce import (
    InvalidError,
    Memories,
    Owner,
    Recalled,
    ReminisceError,
    StoreError,
    StoreUnavailableError,
    open_memory,
)
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.adapters.identifiers import RandomIdentifiers
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.mcp.server import make_server
from reminisce.app.mcp.tools import tools
from reminisce.testing import FixedClock
from tests.support.faces import Face, Home, Session, code_of, keys_of
from tests.support.failing import FailingStore

LARGE = 64 * 1024


def found(owner: Owner, query: str, **options: Any) -> list[str]:
    return [hit.memory.key for hit in owner.recall(query, **options)]


def test_rec_order_puts_what_matches_first_and_leaves_out_what_does_not(face: Face) -> None:
    coffee = face.do("remember", content="Alice drinks two cups of coffee before work.")["key"]
    face.do("remember", content="The shelf holds nine books about gardens.")

    answer = face.do("recall", query="coffee")

    assert keys_of(answer) == [coffee]
    assert answer["hits"][0]["score"] > 0


def test_rec_order_scores_more_of_the_query_higher(face: Face) -> None:
    one = face.do("remember", content="Espresso machines need water.")["key"]
    both = face.do("remember", content="The espresso grinder was cleaned on Sunday.")["key"]

    answer = face.do("recall", query="espresso grinder")

    assert keys_of(answer) == [both, one]
    assert answer["hits"][0]["score"] > answer["hits"][1]["score"] > 0


def test_rec_order_scores_are_what_their_explanation_adds_up_to(face: Face) -> None:
    for text in ("Tea with lemon, and more tea.", "Tea at five.", "Lemon trees like sun.", "Sun and tea and trees."):
        face.do("remember", content=text, episode="garden")

    hits = face.do("recall", query="tea lemon sun", explain=True)["hits"]

    assert len(hits) == 4
    for hit in hits:
        earned = hit["explanation"]
        points = sum(term["points"] for term in earned["terms"])
        assert hit["score"] == points + earned["coverage"] + earned["neighbours"] + earned["episode"]


def test_rec_order_of_equals_is_by_key_whatever_came_first() -> None:
    orders = [["b", "a", "c"], ["c", "b", "a"], ["a", "c", "b"]]
    answers = []
    for order in orders:
        with open_memory(":memory:") as memories:
            owner = memories.owner("agent:alice")
            for key in order:
                owner.remember("cocoa with milk", key=key)
            answers.append(found(owner, "cocoa"))

    assert answers == [["a", "b", "c"]] * 3


def test_rec_order_of_a_query_that_matches_nothing_is_empty(face: Face) -> None:
    face.do("remember", content="Something about saffron.")

    answer = face.do("recall", query="zeppelin")

    assert answer["hits"] == []


@pytest.mark.parametrize("query", ["", " ", "\n\t", "!?…", "—", "\u200b"])
def test_rec_order_of_a_blank_query_is_empty(face: Face, query: str) -> None:
    face.do("remember", content="Something about cardamom.")

    answer = face.do("recall", query=query)

    assert answer["hits"] == []


def test_rec_words_apart_are_found(face: Face) -> None:
    key = face.do("remember", content="Alice likes pizza")["key"]

    assert key in keys_of(face.do("recall", query="alice pizza"))


@pytest.mark.parametrize(
    "query",
    [
        "pizza alice",
        "ALICE PIZZA",
        "does alice like pizzas?",
        "alice's pizza",
        "alice, pizza",
        "pizza—alice",
        "alice sushi",
    ],
)
def test_rec_words_apart_in_any_order_and_form_are_found(query: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        key = owner.remember("Alice likes pizza").key
        owner.remember("Bob likes trains")

        assert key in found(owner, query)


@pytest.mark.parametrize("query", ["alice pizza", "alice restaurant", "monday pizza"])
def test_rec_words_apart_in_content_facets_and_sources_are_found_together(query: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        key = owner.remember("Alice ate pizza.", facets={"place": "restaurant"}, sources=["diary monday"]).key

        assert found(owner, query) == [key]


MINORITY = {
    "subject": {"subject": "rare"},
    "facet": {"facets": {"colour": "rare"}},
    "aspect": {"aspects": ["procedural"]},
    "source": {"sources": ["doc:rare"]},
    "episode": {"episode": "rare"},
    "basis": {"basis": "told"},
    "confidence": {"min_confidence": 0.9},
    "occurred before": {"occurred_to": "2020-01-02T00:00:00Z"},
    "occurred within": {"occurred_from": "2019-12-31T00:00:00Z", "occurred_to": "2020-01-02T00:00:00Z"},
    "due": {"due_from": "2030-01-01T00:00:00Z"},
    "several at once": {"subject": "rare", "facets": {"colour": ["rare", "other"]}, "aspects": ["procedural"]},
}
"""Filters that admit the rare memories and no others."""


@pytest.fixture(scope="module")
def crowd() -> Iterator[Owner]:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        common = [
            {
                "content": f"market market {number}",
                "subjects": ["common"],
                "facets": {"colour": "common"},
                "sources": ["doc:common"],
                "confidence": 0.5,
                "occurred_at": "2025-01-01T00:00:00Z",
                "due_at": "2026-01-01T00:00:00Z",
            }
            for number in range(1_100)
        ]
        rare = [
            {
                "content": f"{number} " + "much else was said that day " * 8 + "about the market",
                "key": f"rare-{number}",
                "subjects": ["rare", "common"],
                "facets": {"colour": "rare"},
                "sources": ["doc:rare"],
                "aspects": ["procedural"],
                "episode": "rare",
                "basis": "told",
                "confidence": 0.9,
                "occurred_at": "2020-01-01T00:00:00Z",
                "due_at": "2030-01-01T00:00:00Z",
            }
            for number in range(7)
        ]
        owner.remember_many([*common, *rare])
        yield owner


def test_rec_minority_ranks_below_the_top_thousand_without_a_filter(crowd: Owner) -> None:
    best = found(crowd, "market", k=1_000)

    assert len(best) == 1_000
    assert not any(key.startswith("rare") for key in best)


@pytest.mark.parametrize("options", MINORITY.values(), ids=MINORITY)
def test_rec_minority_is_found_by_a_filter(crowd: Owner, options: dict[str, Any]) -> None:
    answer = crowd.recall("market", k=5, **options)

    assert len(answer) == 5
    assert all(hit.memory.key.startswith("rare") for hit in answer)
    assert answer.considered == 7


@pytest.mark.parametrize("options", MINORITY.values(), ids=MINORITY)
def test_rec_minority_is_listed_by_a_filter_without_a_query(crowd: Owner, options: dict[str, Any]) -> None:
    answer = crowd.recent(k=5, **options)

    assert len(answer) == 5
    assert all(hit.memory.key.startswith("rare") for hit in answer)


@pytest.mark.parametrize("options", MINORITY.values(), ids=MINORITY)
def test_rec_minority_scores_are_the_same_with_and_without_a_filter(crowd: Owner, options: dict[str, Any]) -> None:
    pages = [crowd.recall("market", k=1_000)]
    pages.append(crowd.recall("market", k=1_000, cursor=pages[0].cursor))
    whole = {hit.memory.key: hit.score for page in pages for hit in page}

    assert {hit.memory.key: hit.score for hit in crowd.recall("market", k=7, **options)} == {
        key: score for key, score in whole.items() if key.startswith("rare")
    }


def test_rec_minority_of_an_audience_is_found(crowd: Owner) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        memories.consent("shared", ["team"])
        owner.remember_many(
            [{"content": f"market market {number}", "subjects": ["closed"]} for number in range(1_100)]
            + [{"content": f"{n} much else and the market", "subjects": ["shared"]} for n in range(5)]
        )

        answer = owner.recall("market", k=5, audience="team")

    assert [hit.memory.subjects for hit in answer] == [("shared",)] * 5


def test_rec_minority_is_paged_through_whole(crowd: Owner) -> None:
    seen: list[str] = []
    page: Recalled | None = None
    while page is None or page.cursor is not None:
        page = crowd.recall("market", k=2, subject="rare", cursor=None if page is None else page.cursor)
        seen += [hit.memory.key for hit in page]

    assert sorted(seen) == [f"rare-{number}" for number in range(7)]


@frozen
class Failing:
    store: FailingStore
    memories: Memories

    @property
    def owner(self) -> Owner:
        return self.memories.owner("agent:alice")


@pytest.fixture
def failing() -> Iterator[Failing]:
    store = FailingStore(InMemoryStore("0" * 32))
    memories = Memories(store, analyser=DefaultAnalyser(), clock=FixedClock(), identifiers=RandomIdentifiers())
    with memories:
        owner = memories.owner("agent:alice")
        owner.remember_many([{"content": f"lantern {number}"} for number in range(20)])
        assert len(owner.recall("lantern")) == 8
        yield Failing(store, memories)


@pytest.mark.parametrize("method", ["memories", "head", "view", "incarnation"])
@pytest.mark.parametrize("error", [StoreError("broken"), StoreUnavailableError("busy")], ids=["broken", "busy"])
def test_rec_backend_error_is_raised_by_the_library(failing: Failing, method: str, error: StoreError) -> None:
    failing.store.method, failing.store.error = method, error

    with pytest.raises(type(error)):
        failing.owner.recall("lantern")


@pytest.mark.parametrize("method", ["memories", "records", "pieces"])
def test_rec_backend_error_while_the_index_is_read_is_raised_and_the_next_recall_is_whole(
    failing: Failing, method: str
) -> None:
    other = Memories(
        failing.store, analyser=DefaultAnalyser(), clock=FixedClock(), identifiers=RandomIdentifiers()
    ).owner("agent:alice")
    failing.store.method = method
    with pytest.raises(StoreError):
        other.recall("lantern")

    failing.store.method = ""

    assert other.recall("lantern", k=30).considered == 20
    assert len(other.recall("lantern", k=30)) == 20


@pytest.mark.parametrize("tool", ["memory_recall", "memory_recent", "memory_why", "memory_forget", "memory_stats"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_rec_backend_error_is_an_error_of_every_tool(failing: Failing, tool: str, mode: str) -> None:
    server = make_server(failing.owner, tools(failing.memories.aspects, extended=True), "0")
    [key] = found(failing.owner, "lantern", k=1)
    arguments: dict[str, Any] = {"memory_recall": {"query": "lantern"}, "memory_why": {"key": key}}.get(tool, {})
    arguments |= {"keys": [key]} if tool == "memory_forget" else {}
    failing.store.method = "view"

    async def ask() -> tuple[bool, Any]:
        async with Client(server, mode=mode) as client:
            answer = await client.call_tool(tool, arguments)
            return bool(answer.is_error), answer.structured_content

    failed, content = anyio.run(ask)

    assert failed
    assert code_of(content) == "store"


@pytest.mark.parametrize("error", [RuntimeError("words of a memory"), MemoryError(), KeyError("words of a memory")])
def test_rec_backend_error_nobody_foresaw_is_an_internal_error_that_names_nothing(
    failing: Failing, error: Exception
) -> None:
    server = make_server(failing.owner, tools(failing.memories.aspects, extended=True), "0")
    failing.store.method, failing.store.error = "memories", error

    async def ask() -> Any:
        async with Client(server) as client:
            return await client.call_tool("memory_recall", {"query": "lantern"})

    answer = anyio.run(ask)

    assert answer.is_error
    assert code_of(answer.structured_content) == "internal"
    assert "words" not in str(answer)


PAGE = 4096


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A store of 300 memories whose index is saved, so that a recall reads few of its pages."""
    home = Home(tmp_path_factory.mktemp("kept"))
    with home.memories() as memories:
        memories.owner(home.owner).remember_many(
            [{"content": f"lantern {number} " + "light " * 300, "key": f"key-{number}"} for number in range(300)]
        )
    return home


def with_flipped(kept: Home, home: Home, page: int) -> None:
    if not home.keys.exists():
        shutil.copytree(kept.keys, home.keys)
    data = bytearray(kept.store.read_bytes())
    data[page * PAGE + PAGE // 2] ^= 1
    home.store.write_bytes(data)


def recalled(home: Home) -> Recalled | None:
    """The answer to one cold recall; None where the store said that it cannot be read."""
    try:
        with home.memories(create=False) as memories:
            return memories.owner(home.owner).recall("lantern", k=20)
    except StoreError:
        return None


def test_rec_backend_error_of_any_flipped_page_is_told_or_changes_nothing(kept: Home, home: Home) -> None:
    whole = recalled(kept)
    pages = range(0, kept.store.stat().st_size // PAGE, 3)
    answers = []
    for page in pages:
        with_flipped(kept, home, page)
        answers.append(recalled(home))

    assert {answer is None for answer in answers} == {True, False}
    assert all(answer is None or answer == whole for answer in answers)


@pytest.fixture(scope="module")
def half_blind(kept: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A store that opens, and fails when the words of a memory are fetched."""
    home = Home(tmp_path_factory.mktemp("blind"))
    for page in range(kept.store.stat().st_size // PAGE):
        with_flipped(kept, home, page)
        if recalled(home) is None and opens(home):
            return home
    pytest.fail("no page was found whose damage is met by a recall only")


def opens(home: Home) -> bool:
    try:
        with home.memories(create=False) as memories:
            # Its index is read and its rows are not: nothing matches.
            return memories.owner(home.owner).recall("nothing").hits == ()
    except ReminisceError:
        return False


def test_rec_backend_error_of_a_flipped_page_is_raised_by_the_library(half_blind: Home) -> None:
    with half_blind.memories(create=False) as memories, pytest.raises(StoreError):
        memories.owner(half_blind.owner).recall("lantern", k=20)


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_rec_backend_error_of_a_flipped_page_is_exit_1_of_the_command(half_blind: Home, json: list[str]) -> None:
    ran = half_blind.cli("recall", "lantern", "-k", "20", *json)

    assert ran.code == 1
    assert (code_of(ran.answer) == "store_damaged") if json else (ran.stdout == b"" and ran.stderr != b"")


def test_rec_backend_error_of_a_flipped_page_is_an_error_of_the_tool_and_the_server_goes_on(half_blind: Home) -> None:
    with half_blind.session("--extended") as session:
        failed = session.call("memory_recall", query="lantern", k=20)

        assert failed.is_error
        assert code_of(failed.structured_content or {}) == "store_damaged"
        assert session.ask("memory_recall", query="nothing")["hits"] == []


WORDS = [f"word{number}" for number in range(9_000)]

WITHIN = {
    "distinct words": " ".join(WORDS)[:LARGE],
    "one word": ("lantern " * 10_000)[:LARGE],
    "one character": "a" * LARGE,
    "one letter words": ("a " * LARGE)[:LARGE],
    "emoji": "\N{GRINNING FACE}" * (LARGE // 4),
    "many emoji": "".join(chr(0x1F300 + n % 700) for n in range(LARGE // 4)),
    "one ideograph": "灯" * (LARGE // 3),
    "many ideographs": "".join(chr(0x4E00 + n) for n in range(LARGE // 3)),
    "syllables": "".join(chr(0xAC00 + n % 11_000) for n in range(LARGE // 3)),
    "marks": "e" + "\u0301" * (LARGE // 2 - 1),
    "punctuation": ("-._:/" * LARGE)[:LARGE],
    "an identifier": ("snake_case." * LARGE)[:LARGE],
    "quotes": ("a'" * LARGE)[:LARGE],
    "digits": ("1," * LARGE)[:LARGE],
    "spaces": " " * LARGE,
    "zero width": "\u200b" * (LARGE // 3),
    "stop words": ("the of and " * LARGE)[:LARGE],
}

BEYOND = {
    "58,000 words": " ".join(f"word{number}" for number in range(58_000)),
    "a million characters": "a" * 1_000_000,
    "a byte too many": "a" * (LARGE + 1),
    "an emoji too many": "\N{GRINNING FACE}" * (LARGE // 4 + 1),
    "an ideograph too many": "灯" * (LARGE // 3 + 1),
}


@pytest.fixture(scope="module")
def lanterns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Owner, Session]]:
    home = Home(tmp_path_factory.mktemp("lanterns"))
    with home.memories() as memories, home.session() as session:
        owner = memories.owner(home.owner)
        owner.remember("The lantern hangs by the door.", key="lantern")
        owner.remember_many([{"content": " ".join(WORDS[n : n + 100])} for n in range(0, len(WORDS), 100)])
        yield owner, session


@pytest.mark.parametrize("query", WITHIN.values(), ids=WITHIN)
def test_rec_long_query_within_the_limit_is_answered(lanterns: tuple[Owner, Session], query: str) -> None:
    owner, _ = lanterns

    answer = owner.recall(query)

    assert len(answer) <= 8
    assert found(owner, "lantern") == ["lantern"]


@pytest.mark.parametrize("query", BEYOND.values(), ids=BEYOND)
def test_rec_long_query_beyond_the_limit_is_refused_and_the_next_call_works(
    lanterns: tuple[Owner, Session], query: str
) -> None:
    owner, _ = lanterns

    with pytest.raises(InvalidError) as caught:
        owner.recall(query)

    assert [(problem.field, problem.code) for problem in caught.value.problems] == [("query", "too_large")]
    assert found(owner, "lantern") == ["lantern"]


@pytest.mark.parametrize("name", ["distinct words", "many emoji", "many ideographs", "marks", "one character"])
def test_rec_long_query_within_the_limit_is_answered_over_mcp(lanterns: tuple[Owner, Session], name: str) -> None:
    _, session = lanterns

    answer = session.ask("memory_recall", query=WITHIN[name])

    assert len(answer["hits"]) <= 8
    assert keys_of(session.ask("memory_recall", query="lantern")) == ["lantern"]


@pytest.mark.parametrize("query", BEYOND.values(), ids=BEYOND)
def test_rec_long_query_beyond_the_limit_is_refused_over_mcp_and_the_next_call_works(
    lanterns: tuple[Owner, Session], query: str
) -> None:
    _, session = lanterns

    refused = session.ask("memory_recall", query=query)

    assert (code_of(refused), refused["error"]["fields"]) == ("invalid", ["query"])
    assert len(str(refused)) < 1_000
    assert keys_of(session.ask("memory_recall", query="lantern")) == ["lantern"]


def test_rec_long_query_beyond_the_limit_is_refused_by_the_command(home: Home) -> None:
    home.cli_here("remember", "The lantern hangs by the door.")

    refused = home.cli("recall", "a " * 58_000, "--json")

    assert (refused.code, code_of(refused.answer)) == (1, "invalid")
    assert home.cli_here("recall", "lantern", "--json").answer["considered"] == 1


@pytest.mark.parametrize("content", WITHIN.values(), ids=WITHIN)
def test_rec_long_query_finds_the_memory_that_is_the_same_text(content: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        if content.isspace():
            with pytest.raises(InvalidError):
                owner.remember(content)
            return
        key = owner.remember(content).key

        hits = found(owner, content)

    assert hits in ([key], [])
    assert hits or not DefaultAnalyser().terms(content)


def test_rec_long_query_does_not_hold_up_others_of_the_same_session(lanterns: tuple[Owner, Session]) -> None:
    _, session = lanterns
    calls = [{"query": WITHIN["many ideographs"]}, {"query": BEYOND["58,000 words"]}, {"query": "lantern"}] * 3

    answers = session.at_once("memory_recall", calls)

    assert [keys_of(answer) for answer in answers[2::3]] == [["lantern"]] * 3
