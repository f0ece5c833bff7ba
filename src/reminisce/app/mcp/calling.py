"""A tool, and one call of it: its arguments held against the schema, then the library's answer. No MCP library here."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
from jsonschema import Draft202012Validator, ValidationError

from reminisce.app.service.owner import Owner
from reminisce.errors import InvalidError, OwnerIsFixedError, Problem

__all__ = ["RULES", "Tool", "call"]


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
    reads_only: bool = False
    destroys: bool = False
    """Whether it is there to take something away, be it only out of sight."""
    idempotent: bool = True
    """Whether a repeat changes nothing: it answers what the first call did, or says that it was done."""


RULES: Final[Mapping[str, Callable[[Any], str]]] = {
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


def _problem(error: ValidationError) -> Problem:
    place = str(next(iter(error.absolute_path), "arguments"))
    keyword = str(error.validator)
    if keyword == "additionalProperties":
        part: Any = error.schema  # to its type a schema may also be true or false; those refuse nothing by this keyword
        return Problem(place, "unknown_name", "takes only " + ", ".join(part["properties"]))
    return Problem(place, "schema_" + keyword.lower(), RULES[keyword](error.validator_value))


def _problems(tool: Tool, given: Mapping[str, Any]) -> list[Problem]:
    broken = Draft202012Validator(tool.arguments).iter_errors(given)
    # Of alternatives a schema can only say that none fits; the library, which refuses them too, says what would.
    found = {_problem(error) for error in broken if error.validator != "anyOf"}
    return sorted(found, key=lambda problem: (problem.field, problem.code))


def _said(given: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """What is given, without null: models send it for what they leave out."""
    parts = schema["properties"]
    return {
        name: _said(value, parts[name]) if isinstance(value, Mapping) and "properties" in parts.get(name, {}) else value
        for name, value in given.items()
        if value is not None
    }


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
    said = _said(given, tool.arguments)
    problems = _problems(tool, said)
    if problems:
        raise InvalidError(tuple(problems))
    return tool.run(owner, said)
