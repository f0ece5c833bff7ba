"""Scope and injection: names are names and text is text, whatever stands in them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reminisce import InvalidError, Memories, NotFoundError, Status, Tier, open_memory
from tests.support.faces import Face, Home, Plain, code_of, keys_of

OWNERS = [
    "agent:john-doe",
    "agent:john_doe",
    "agent:john%doe",
    "agent:john%",
    "agent:%",
    "agent:_",
    "agent:john\\doe",
    "agent:john\\_doe",
    "agent:john*",
    "agent:*",
    "agent:john?doe",
    "agent:?",
    "agent:john[-_]doe",
    "agent:john.doe",
    "agent:.*",
    "agent:john'doe",
    "agent:john''doe",
    'agent:john"doe',
    "agent:john' OR '1'='1",
    "agent:john; DROP TABLE memory; --",
    "agent:john/doe",
    "agent:../john-doe",
    "agent:john",
    "agent:john-doe2",
    "agent:john-doe:2",
    "agent:john-doe ",
    "agent: john-doe",
    "agent:john-doe:",
    "agent::john-doe",
    "agent:JOHN-DOE",
    "Agent:john-doe",
    "agen:john-doe",
    "agents:john-doe",
    "user:john-doe",
    "agent:john\u2010doe",
    "agent:jоhn-dоe",
    "agent:ｊohn-doe",
    "agent:josé",
    "agent:jose\u0301",
    "agent:straße",
    "agent:strasse",
    "agent:STRASSE",
    "agent:İ",
    "agent:i",
    "agent:I",
    "agent:ı",
    "agent:σ",
    "agent:ς",
    "agent:\N{GRINNING FACE}",
    "agent:" + "x" * 249,
    "agent:" + "x" * 250,
]
"""Each another owner: by wildcards, prefixes, case, spaces and look-alikes."""


@pytest.fixture(scope="module", params=["memory", "file"])
def crowd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memories]:
    """Every owner with one memory of the same words under the same key, and one of its own words."""
    home = Home(tmp_path_factory.mktemp("crowd"))
    with open_memory(":memory:") if request.param == "memory" else home.memories() as memories:
        for number, name in enumerate(OWNERS):
            memories.owner(name).remember("A secret of somebody.", key="secret", subjects=["shared"])
            memories.owner(name).remember(f"Only number {number} knows.", key=f"own-{number}")
        yield memories


@pytest.mark.parametrize(("number", "name"), list(enumerate(OWNERS)), ids=ascii)
def test_sc_wildcard_owner_sees_its_own_only(crowd: Memories, number: int, name: str) -> None:
    owner = crowd.owner(name)

    found = {hit.memory.key: hit.memory.owner for hit in owner.recall("secret knows number", k=1_000)}

    assert found == {"secret": name, f"own-{number}": name}
    assert owner.recent(k=1_000).considered == 2
    assert owner.stats().memories == 2


@pytest.mark.parametrize(("number", "name"), list(enumerate(OWNERS)), ids=ascii)
def test_sc_wildcard_owner_cannot_name_what_another_holds(crowd: Memories, number: int, name: str) -> None:
    owner, foreign = crowd.owner(name), f"own-{(number + 1) % len(OWNERS)}"

    for operation in (owner.why, owner.forget, owner.reinstate):
        with pytest.raises(NotFoundError) as held:
            operation(foreign)
        with pytest.raises(NotFoundError) as free:
            operation("a key that nobody holds")
        assert (str(held.value), held.value.fields) == (str(free.value), free.value.fields)


def test_sc_wildcard_owners_are_all_told_apart(crowd: Memories) -> None:
    assert crowd.owners() == tuple(sorted(OWNERS))


@pytest.mark.parametrize(
    ("mine", "yours"), [("agent:john_doe", "agent:john-doe"), ("agent:%", "agent:a"), ("a:b ", "a:b")]
)
def test_sc_wildcard_owner_of_the_command_sees_its_own_only(home: Home, mine: str, yours: str) -> None:
    own, other = Home(home.folder, owner=mine), Home(home.folder, owner=yours)
    other.cli_here("remember", "not for others", "--key", "theirs")
    own.cli_here("remember", "not for others either", "--key", "own")

    answer = own.cli_here("recall", "others", "--json").answer

    assert keys_of(answer) == ["own"]
    assert code_of(own.cli_here("why", "theirs", "--json").answer) == "not_found"


def test_sc_wildcard_owner_of_a_server_sees_its_own_only(home: Home) -> None:
    with home.memories() as memories:
        memories.owner("agent:alice-b").remember("not for others", key="theirs")
    with Home(home.folder, owner="agent:alice_b").session("--extended") as session:
        session.ask("memory_remember", content="not for others either", key="own")

        assert keys_of(session.ask("memory_recall", query="others")) == ["own"]
        assert code_of(session.ask("memory_why", key="theirs")) == "not_found"
        assert "not for others either" in session.recent_text()
        assert "not for others\n" not in session.recent_text()


@pytest.mark.parametrize(
    "name",
    [
        "",
        ":",
        "agent",
        "agent:",
        ":alice",
        " : ",
        "agent:a\nb",
        "agent:\u202ea",
        "agent:\0",
        "agent:\ud800",
        "a:" + "x" * 255,
    ],
)
def test_sc_wildcard_name_that_is_none_is_refused(name: str) -> None:
    with open_memory(":memory:") as memories, pytest.raises(InvalidError) as caught:
        memories.owner(name)

    assert caught.value.fields == ("owner",)


NAMES = [
    "a-b",
    "a_b",
    "a%b",
    "%",
    "_",
    "*",
    "a*",
    "?",
    "a\\b",
    "a",
    "A-B",
    "a-b ",
    "а-b",
    "a'b",
    'a"b',
    "ａ-b",
    "a-b:c",
    "c:a-b",
]


@pytest.mark.parametrize("kind", ["subject", "episode", "sources", "facets"])
def test_sc_wildcard_in_a_filter_is_a_plain_character(kind: str) -> None:
    given_as = {"subject": "subjects", "episode": "episode", "sources": "sources", "facets": "facets"}[kind]

    def value(name: str, *, asked: bool) -> Any:
        if kind == "facets":
            return {"name": name}
        return name if kind == "episode" or (asked and kind == "subject") else [name]

    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember_many(
            [{"content": "text", "key": f"k{n}", given_as: value(name, asked=False)} for n, name in enumerate(NAMES)]
        )

        answers = [
            [hit.memory.key for hit in owner.recall("text", k=100, **{kind: value(name, asked=True)})] for name in NAMES
        ]

    assert answers == [[f"k{number}"] for number in range(len(NAMES))]


HOSTILE = [
    "x') OR 1=1 --",
    "x' OR 'a'='a",
    '"; DROP TABLE memory; --',
    "%",
    "_",
    "*",
    "facets",
    "rowid",
    "$.colour",
    "colour' --",
    "colour\\",
    "COLOUR",
    "colour ",
    "col",
    "colour\x01red",
    "colour:red",
    "{}",
    "$ne",
    "__proto__",
    "__class__",
    "\N{GRINNING FACE}",
]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_sc_filter_key_of_nobody_matches_nothing(face: Face, name: str) -> None:
    face.do("remember", content="Painted by hand.", facets={"colour": "red"})

    answer = face.do("recall", query="painted", facets={name: "red"})

    assert (answer["hits"], answer["considered"]) == ([], 0)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_sc_filter_key_that_is_a_name_matches_its_memory_only(face: Face, name: str) -> None:
    face.do("remember", content="Carved by hand.", facets={"wood": "oak"})
    key = face.do("remember", content="Carved by hand, too.", facets={name: f"oak {name}"})["key"]

    answer = face.do("recall", query="carved", facets={name: f"oak {name}"})

    assert keys_of(answer) == [key]


@pytest.mark.parametrize("value", HOSTILE, ids=ascii)
def test_sc_filter_key_with_a_hostile_value_matches_nothing(face: Face, value: str) -> None:
    face.do("remember", content="Woven by hand.", facets={"thread": "silk"})

    answer = face.do("recall", query="woven", facets={"thread": value})

    assert (answer["hits"], answer["considered"]) == ([], 0)


@pytest.mark.parametrize("separator", ["\x01", "=", ":", "\x1f", "\n", " ", "\u2028", "/"])
def test_sc_filter_key_and_value_are_not_mixed_up(separator: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember("text", facets={f"a{separator}b": "c"})

        answer = owner.recall("text", facets={"a": f"b{separator}c"})

    assert answer.hits == ()


@pytest.mark.parametrize("query", ["\x01aspect:episodic", "\x01basis:observed", "\x01subject:person-1", "\x01episode:"])
def test_sc_filter_key_in_a_query_is_plain_text(query: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember("Nothing of the kind.", facets={"a": "b"}, subjects=["person-1"])

        assert owner.recall(query).hits == ()


SMUGGLED: Plain = {
    "owner": "agent:bob",
    "user_id": "bob",
    "agent_id": "bob",
    "status": "withdrawn",
    "tier": "open",
    "key": "chosen",
    "subjects": "person-9",
    "audience": "everyone",
    "destination": "local",
    "recorded_at": "1999-01-01T00:00:00Z",
    "confidence": "0.1",
    "basis": "told",
    "surface": "out",
    "__class__": "Memory",
}


def test_sc_smuggle_through_facets_sets_nothing(face: Face) -> None:
    kept = face.do("remember", content="Smuggler's notes.", facets=SMUGGLED, tier="private")

    memory = face.do("why", key=kept["key"])["memory"]

    assert memory["facets"] == {name: [value] for name, value in sorted(SMUGGLED.items())}
    assert (memory["status"], memory["tier"], memory["basis"], memory["confidence"]) == (
        "active",
        "private",
        "observed",
        1,
    )
    assert memory["key"] == kept["key"] != "chosen"
    assert not memory["recorded_at"].startswith("1999")
    assert not {"subjects", "surface"} & set(memory)


@pytest.mark.parametrize(
    "content", ['{"tier": "open", "owner": "agent:bob"}', "---\ntier: open\nowner: agent:bob\n---\nnote"]
)
def test_sc_smuggle_through_content_sets_nothing(face: Face, content: str) -> None:
    kept = face.do("remember", content=content, tier="private")

    memory = face.do("why", key=kept["key"])["memory"]

    assert (memory["content"], memory["tier"]) == (content, "private")


def test_sc_smuggle_through_facets_opens_nothing_to_a_remote_model(home: Home) -> None:
    with home.memories() as memories:
        memories.owner(home.owner).remember("Smuggler's notes.", facets=SMUGGLED, tier="private")
    with home.memories(destination="remote") as memories:
        owner = memories.owner(home.owner)

        assert owner.recall("smuggler notes").hits == ()
        assert owner.recall("smuggler", facets={"destination": "local"}).considered == 0


@pytest.mark.parametrize(
    "name", ["owner", "user_id", "agent_id", "status", "recorded_at", "revision", "Tier", "nothing"]
)
def test_sc_smuggle_as_an_argument_is_refused_by_the_library(name: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        for keep in (
            lambda: owner.remember("x", **{name: "y"}),
            lambda: owner.remember_many([{"content": "x", name: "y"}]),
        ):
            with pytest.raises(InvalidError):
                keep()
        assert owner.revision() == 0


@pytest.mark.parametrize("name", ["user_id", "agent_id", "status", "recorded_at", "audience", "destination", "nothing"])
def test_sc_smuggle_as_an_argument_is_refused_by_the_command_and_the_server(face: Face, name: str) -> None:
    if face.name == "library":
        pytest.skip("has its own test")

    refused = face.do("remember", content="Never kept: smuggled argument.", **{name: "y"})

    assert code_of(refused) in {"invalid", "usage"}
    assert face.do("recall", query="smuggled argument never")["hits"] == []


def record(**attributes: Any) -> bytes:
    return json.dumps(attributes).encode()


def test_sc_smuggle_through_a_record_sets_neither_owner_nor_identity_nor_status() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        report = owner.import_(
            [
                record(
                    content="Imported words.",
                    owner="agent:bob",
                    user_id="bob",
                    agent_id="bob",
                    id="m_chosen",
                    status="withdrawn",
                    recorded_at="1999-01-01T00:00:00Z",
                    revision=77,
                    ordinal=5,
                )
            ]
        )

        [hit] = owner.recall("imported").hits
        assert (report.created, report.bad) == (1, ())
        assert {"owner", "user_id", "agent_id", "status", "recorded_at", "revision"} <= set(report.ignored)
        assert (hit.memory.owner, hit.memory.status, hit.memory.revision) == ("agent:alice", Status.ACTIVE, 1)
        assert hit.memory.recorded_at.year > 1999
        assert hit.memory.key != "m_chosen"
        assert memories.owners() == ("agent:alice",)


@pytest.mark.parametrize("tier", list(Tier))
def test_sc_smuggle_through_a_record_its_own_tier_counts(tier: Tier) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        owner.import_(
            [record(content="Imported words.", tier=str(tier), facets={"tier": "open", "owner": "agent:bob"})]
        )

        [hit] = owner.recall("imported").hits
        assert hit.memory.tier is tier
        assert hit.memory.facets == (("owner", "agent:bob"), ("tier", "open"))


@pytest.mark.parametrize(
    "bad",
    [
        record(content="x", Owner="agent:bob"),
        record(content="x", memory={"tier": "open"}),
        record(content={"owner": "agent:bob"}),
        record(content="x", tier="OPEN"),
        record(content="x", tier=["open"]),
        record(content="x", facets={"a": {"tier": "open"}}),
        b'{"content": "x", "tier": "private", "tier": "open"}',
        b'{"content": "x", "facets": {"a": "b", "a": "c"}}',
        b"[" * 100_000,
        b'["content", "x"]',
        b'"content"',
        b"null",
        b"{",
        b'{"content": "\xff"}',
        b'{"content": "\\ud800"}',
        b'{"content": "a\\u0000b"}',
        b'{"content": "x", "confidence": 1' + b"0" * 5000 + b"}",
        b'{"content": "x", "confidence": NaN}',
        b'{"content": "x", "confidence": Infinity}',
    ],
    ids=lambda data: ascii(data[:60]),
)
def test_sc_smuggle_through_a_record_of_another_form_is_reported_and_the_others_are_kept(bad: bytes) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        report = owner.import_([record(content="before"), bad, record(content="after")])

        assert (report.created, [line.line for line in report.bad]) == (2, [2])
        assert owner.recall("x").hits == ()
        assert memories.owners() == ("agent:alice",)


OPERATORS = [
    "'",
    '"',
    "''",
    '"quoted phrase"',
    "'; DROP TABLE memory; --",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "(((((((((",
    "*",
    "star*",
    "- -",
    "-minus",
    "--",
    "---",
    ":",
    "content:text",
    "owner:bob",
    "/",
    "//",
    "/regex/",
    "\\",
    "\\\\",
    "\\n",
    "a\\'b",
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "a AND b",
    "AND AND",
    "NEAR(a b, 5)",
    "NOT a",
    "a OR 1=1",
    "^start",
    "end$",
    "a~2",
    "a^3",
    "+must",
    "+",
    "?",
    "%",
    "_",
    "$var",
    "${var}",
    "{{template}}",
    "<b>markup</b>",
    "[bold]red[/bold]",
    ":smile:",
    "%s %d %(x)s",
    "{0}",
    "`code`",
    "a=b",
    "#",
    "@",
    "&",
    "|",
    "~",
    "!",
    "the",
    "to be or not to be",
    "и в не на",
    "です",
    "--help",
    "--owner=agent:bob",
    "-h",
    "@file",
]


@pytest.mark.parametrize("text", OPERATORS)
def test_sc_operators_in_content_are_given_back_exactly(face: Face, text: str) -> None:
    kept = face.do("remember", content=text)

    assert face.do("why", key=kept["key"])["memory"]["content"] == text


@pytest.mark.parametrize("text", OPERATORS)
def test_sc_operators_in_a_query_are_plain_text(face: Face, text: str) -> None:
    answer = face.do("recall", query=text)

    assert set(answer) >= {"hits", "considered", "revision"}
    assert "error" not in answer


@pytest.mark.parametrize("text", OPERATORS)
def test_sc_operators_in_a_query_change_nothing_for_the_words_beside_them(text: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        key = owner.remember("The xylophone is out of tune.").key
        owner.remember("Nothing about it here.")

        assert key in [hit.memory.key for hit in owner.recall(f"{text} xylophone {text}")]


@pytest.mark.parametrize("text", [text for text in OPERATORS if any(map(str.isalnum, text))])
def test_sc_operators_find_the_memory_that_holds_them(text: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        key = owner.remember(text).key

        assert [hit.memory.key for hit in owner.recall(text)] == [key]


@given(query=st.text(max_size=80), content=st.text(min_size=1, max_size=80))
def test_sc_operators_of_any_kind_are_text_or_refused_by_name(query: str, content: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember("The xylophone is out of tune.")
        try:
            key = owner.remember(content).key
        except InvalidError as error:
            assert error.fields == ("content",)  # noqa: PT017 (both outcomes are right)
        else:
            assert owner.why(key).memory.content == content
        try:
            answer = owner.recall(query)
        except InvalidError as error:
            assert error.fields == ("query",)  # noqa: PT017 (both outcomes are right)
        else:
            assert len(answer) <= 2
