"""The schemas of the tools: each limit is the library's, each keyword has a sentence, each answer is described whole."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reminisce import InvalidError, Memories, Owner
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.mcp.calling import RULES, Tool, call
from reminisce.app.mcp.tools import tools
from reminisce.app.service.fading import HALF_LIFE
from reminisce.domain.asking import OPTIONS
from reminisce.domain.limits import BYTES, ITEMS, K
from reminisce.domain.provenance import WALK
from reminisce.domain.requests import NAMES
from reminisce.domain.values import DEFAULT_ASPECTS
from reminisce.testing import CountingIdentifiers, FixedClock

TOOLS = tools(DEFAULT_ASPECTS, extended=True)

Plain = dict[str, Any]


@pytest.fixture
def owner() -> Owner:
    memories = Memories(
        InMemoryStore("0" * 32),
        analyser=DefaultAnalyser(),
        clock=FixedClock(),
        identifiers=CountingIdentifiers(),
    )
    return memories.owner("agent:alice")


@pytest.fixture(params=TOOLS)
def tool(request: pytest.FixtureRequest) -> Tool:
    return TOOLS[request.param]


def parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """*schema* and every schema in it."""
    yield schema
    inner = [
        *schema.get("properties", {}).values(),
        *schema.get("anyOf", ()),
        *(schema[name] for name in ("items", "additionalProperties") if isinstance(schema.get(name), dict)),
    ]
    for one in inner:
        yield from parts(one)


TOLD_OTHERWISE = {"additionalProperties", "anyOf"}
"""The one is told with the names that are taken; the other is left to the library."""

SILENT = {"properties", "items", "description"}
"""Keywords that nothing breaks by itself."""


def test_every_keyword_of_a_schema_has_a_sentence(tool: Tool) -> None:
    keywords = {keyword for part in parts(tool.arguments) for keyword in part}

    assert keywords <= {*RULES, *TOLD_OTHERWISE, *SILENT}


def test_no_sentence_is_for_a_keyword_that_is_not_used() -> None:
    used = {keyword for tool in TOOLS.values() for part in parts(tool.arguments) for keyword in part}

    assert set(RULES) <= used


def test_schemas_are_closed(tool: Tool) -> None:
    for schema in (tool.arguments, tool.answer):
        Draft202012Validator.check_schema(schema)
        for part in parts(schema):
            if part.get("type") == "object":
                assert part["additionalProperties"] is False or "properties" not in part


def test_every_text_and_list_has_a_limit(tool: Tool) -> None:
    for part in parts(tool.arguments):
        if part.get("type") == "string":
            assert "maxLength" in part or "enum" in part
        if part.get("type") == "array":
            assert "maxItems" in part


def test_every_argument_is_described_in_a_line(tool: Tool) -> None:
    for argument in tool.arguments["properties"].values():
        assert 0 < len(argument["description"]) <= 120
    assert 0 < len(tool.description) <= 240


def limits(name: str) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = TOOLS[f"memory_{name}"].arguments["properties"]
    return properties


def test_limits_are_those_of_the_library() -> None:
    remember, why, believe = limits("remember"), limits("why"), limits("believe")

    assert remember["content"]["maxLength"] == BYTES["content"]
    assert remember["reviewer"]["maxLength"] == BYTES["reviewer"]
    fact = remember["fact"]["properties"]
    for field in ("subject", "attribute", "value"):
        assert fact[field]["maxLength"] == believe[field]["maxLength"] == BYTES[field]
    assert remember["subjects"]["maxItems"] == ITEMS["subjects"]
    assert limits("forget")["keys"]["maxItems"] == ITEMS["keys"]
    assert limits("recall")["k"]["maximum"] == K
    assert why["depth"]["maximum"] == why["most"]["maximum"] == WALK == 10_000


FIXED = {"audience"}
"""What a server's start has fixed."""


def test_arguments_have_the_names_of_the_library() -> None:
    def named(method: str) -> set[str]:
        return {
            name
            for name, parameter in inspect.signature(getattr(Owner, method)).parameters.items()
            if name != "self" and parameter.kind is not parameter.VAR_KEYWORD
        }

    assert set(limits("remember")) == set(NAMES)
    assert set(limits("recall")) == {"query", *OPTIONS} - FIXED
    assert set(limits("recent")) == set(OPTIONS) - FIXED
    assert set(limits("believe")) == named("believe") | set(NAMES) - {"fact"}
    # By filters only people forget.
    assert set(limits("forget")) == named("forget") - {"containing"}
    for method in ("why", "beliefs", "disbelieve", "reinforce", "prune", "stats"):
        # Only people erase.
        assert set(limits(method)) == named(method) - {"erase"}, method


def test_a_prune_says_the_defaults_of_the_library() -> None:
    defaults = {name: one.default for name, one in inspect.signature(Owner.prune).parameters.items()}

    assert defaults["half_life"] == HALF_LIFE
    assert f"default {HALF_LIFE.days} days" in limits("prune")["half_life"]["description"]
    assert f"default {defaults['threshold']}" in limits("prune")["threshold"]["description"]


def test_the_longest_half_life_of_the_schema_is_one_for_the_library(owner: Owner) -> None:
    longest = limits("prune")["half_life"]["maximum"]

    assert call(TOOLS["memory_prune"], owner, {"half_life": longest})
    with pytest.raises(InvalidError):
        owner.prune(half_life=longest + 86_400)


def test_a_prune_writes_only_when_told_to(owner: Owner) -> None:
    owner.remember("Faint.", key="faint", salience=0.01)

    for given in ({}, {"dry_run": None}, {"dry_run": True}):
        answer: Any = call(TOOLS["memory_prune"], owner, given)
        assert (answer.pruned, answer.dry_run, owner.revision()) == (("faint",), True, 1)
    answer = call(TOOLS["memory_prune"], owner, {"dry_run": False})

    assert (answer.pruned, answer.dry_run, owner.revision()) == (("faint",), False, 2)


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ({"subject": "x"}, "needs subject, attribute, value"),
        ({"subject": "x", "attribute": "x", "value": None}, "needs subject, attribute, value"),
        ({"subject": "x", "attribute": "x", "value": "x", "kind": "x"}, "takes only subject, attribute, value, many"),
        ({"subject": "x", "attribute": "x", "value": "x" * 5_000}, "must be at most 4096 characters"),
        ({"subject": "x", "attribute": "x", "value": "x", "many": 1}, "must be of type boolean"),
        ("x", "must be of type object"),
    ],
)
def test_a_fact_that_does_not_fit_is_told_by_its_parts(owner: Owner, fact: object, said: str) -> None:
    with pytest.raises(InvalidError) as caught:
        call(TOOLS["memory_remember"], owner, {"content": "x", "fact": fact})

    assert [(problem.field, problem.message) for problem in caught.value.problems] == [("fact", said)]
    assert owner.revision() == 0


def test_null_is_what_is_left_out_also_in_a_fact(owner: Owner) -> None:
    fact = {"subject": "ann", "attribute": "lives_in", "value": "Riga", "many": None}

    call(TOOLS["memory_remember"], owner, {"content": "x", "fact": fact, "subjects": ["ann"], "tier": None})

    assert [belief.value for belief in owner.beliefs("ann")] == ["Riga"]
    assert fact["many"] is None


MOMENTS: list[tuple[object, str | None]] = [
    (0, None),
    (2**62, None),
    ("2026-01-01T00:00:00Z", None),
    ("", "not_a_time"),
    ("soon", "not_a_time"),
    ("2026-01-01", "naive_time"),
    (-1, "out_of_range"),
    (2**62 + 1, "out_of_range"),
    (1.5, "wrong_type"),
    (1.0, "wrong_type"),
    (True, "wrong_type"),
    ({}, "wrong_type"),
    ("x" * 65, "not_a_time"),
]


@pytest.mark.parametrize(("moment", "code"), MOMENTS)
@pytest.mark.parametrize("name", ["recall", "recent", "beliefs"])
def test_a_moment_is_a_time_or_a_revision(owner: Owner, name: str, moment: object, code: str | None) -> None:
    given = {"as_of": moment, **({"subject": "ann"} if name == "beliefs" else {})}
    try:
        call(TOOLS[f"memory_{name}"], owner, given)
    except InvalidError as error:
        found = [(problem.field, problem.code) for problem in error.problems]
        assert found == [("as_of", code)]
    else:
        assert code is None


def test_another_set_of_aspects_is_offered_as_it_is() -> None:
    offered = tools(("dream",), extended=True)

    for name in ("memory_remember", "memory_recall", "memory_believe"):
        assert offered[name].arguments["properties"]["aspects"]["items"] == {"enum": ["dream"]}
