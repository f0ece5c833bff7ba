"""The tools as plain data and functions. No MCP library here, so that replacing it is one file."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
from jsonschema import Draft202012Validator, ValidationError

from reminisce.app.mcp import schemas
from reminisce.app.service.asking import DEPTH, MOST
from reminisce.app.service.owner import Owner
from reminisce.domain.provenance import WALK
from reminisce.errors import InvalidError, OwnerIsFixedError, Problem

__all__ = ["Tool", "call", "tools"]


@attrs.frozen(kw_only=True)
class Tool:
    """One tool: what the client is told of it, and what it does."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, Any]
    """JSON schema of the arguments."""
    answer: Mapping[str, Any]
    """JSON schema of the answer."""
    run: Callable[[Owner, dict[str, Any]], object]
    reads_only: bool
    destroys: bool = False
    """Whether it takes something away, be it only out of sight."""


def _core(aspects: tuple[str, ...]) -> list[Tool]:
    return [
        Tool(
            name="memory_remember",
            title="Remember",
            description="Keep one memory. The same attributes again answer the memory that is there already.",
            arguments=schemas.remember_arguments(aspects),
            answer=schemas.REMEMBERED,
            run=lambda owner, given: owner.remember(**given),
            reads_only=False,
        ),
        Tool(
            name="memory_recall",
            title="Recall",
            description=(
                "Find memories by words, best first, or list them newest first when no query is given. Answers come in"
                " pages: a cursor in the answer asks for the next one."
            ),
            arguments=schemas.recall_options(aspects, query=True),
            answer=schemas.RECALLED,
            run=lambda owner, given: owner.recall(given.pop("query", None), **given),
            reads_only=True,
        ),
        Tool(
            name="memory_forget",
            title="Forget",
            description="Take memories out of recall. Their words are kept, and a person can bring them back.",
            arguments=schemas.arguments(
                {
                    "keys": schemas.texts("keys", "The memories' keys") | {"minItems": 1},
                    "reason": schemas.text("reason", "Why, for the memory's history"),
                },
                "keys",
            ),
            answer=schemas.FORGOTTEN,
            run=lambda owner, given: owner.forget(**given),
            reads_only=False,
            destroys=True,
        ),
        Tool(
            name="memory_why",
            title="Why",
            description="Tell where a memory came from: sources, what it was derived from, what replaced it, its history.",
            arguments=schemas.arguments(
                {
                    "key": schemas.text("key", "The memory's key"),
                    "depth": schemas.count(WALK, f"How far to follow derivations (default {DEPTH})"),
                    "most": schemas.count(WALK, f"How many lines a list of the answer may have (default {MOST})"),
                },
                "key",
            ),
            answer=schemas.WHY,
            run=lambda owner, given: owner.why(**given),
            reads_only=True,
        ),
    ]


def _extended(aspects: tuple[str, ...]) -> list[Tool]:
    return [
        Tool(
            name="memory_recent",
            title="Recent",
            description="List the newest memories first. A cursor in the answer asks for the next page.",
            arguments=schemas.recall_options(aspects, query=False),
            answer=schemas.RECALLED,
            run=lambda owner, given: owner.recent(**given),
            reads_only=True,
        ),
        Tool(
            name="memory_stats",
            title="Stats",
            description="Count memories by status, tier and aspect.",
            arguments=schemas.arguments({}),
            answer=schemas.STATS,
            run=lambda owner, given: owner.stats(**given),
            reads_only=True,
        ),
    ]


def tools(aspects: tuple[str, ...], *, extended: bool) -> dict[str, Tool]:
    """
    The tools by name.

    Args:
        aspects: What the store is configured with.
        extended: Whether to offer more than the four core tools.
    """
    offered = _core(aspects) + (_extended(aspects) if extended else [])
    return {tool.name: tool for tool in offered}


_RULES: Final[Mapping[str, Callable[[Any], str]]] = {
    "type": lambda kind: f"must be of type {kind}",
    "enum": lambda words: "must be one of " + ", ".join(words),
    "minimum": lambda least: f"must be at least {least}",
    "maximum": lambda most: f"must be at most {most}",
    "minLength": lambda _: "must not be empty",
    "maxLength": lambda most: f"must be at most {most} characters",
    "minItems": lambda least: f"must hold at least {least}",
    "maxItems": lambda most: f"must hold at most {most}",
    "maxProperties": lambda most: f"must hold at most {most}",
    "required": lambda names: "needs " + ", ".join(names),
}
"""What a broken keyword of a schema tells, from the schema's own value and never from the client's."""


def _problem(tool: Tool, error: ValidationError) -> Problem:
    properties = tool.arguments["properties"]
    place = next(iter(error.absolute_path), None)
    keyword = str(error.validator)
    if place not in properties:
        place = "arguments"
    if keyword == "additionalProperties" and place == "arguments":
        return Problem(place, "unknown_name", "takes only " + ", ".join(properties))
    told = _RULES.get(keyword, lambda _: "does not fit the tool's input schema")(error.validator_value)
    return Problem(str(place), "schema_" + keyword.lower(), told)


def _problems(tool: Tool, given: Mapping[str, Any]) -> list[Problem]:
    broken = Draft202012Validator(tool.arguments).iter_errors(given)
    # Of alternatives a schema can only say that none fits; the library, which refuses them too, says what would.
    found = {_problem(tool, error) for error in broken if error.validator != "anyOf"}
    return sorted(found, key=lambda problem: (problem.field, problem.code))


def call(tool: Tool, owner: Owner, given: Mapping[str, Any]) -> object:
    """
    Run a tool.

    Raises:
        OwnerIsFixedError: The call names an owner.
        InvalidError: The arguments do not fit the schema, or break a rule of the library.
        ReminisceError: Whatever the library refuses.
    """
    if "owner" in given:
        raise OwnerIsFixedError
    # Models send null for what they leave out.
    given = {name: value for name, value in given.items() if value is not None}
    problems = _problems(tool, given)
    if problems:
        raise InvalidError(tuple(problems))
    return tool.run(owner, given)
