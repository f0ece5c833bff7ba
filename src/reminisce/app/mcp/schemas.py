"""JSON schemas of the tools' arguments, made from the domain's table of limits. No MCP library here."""

import datetime as dt
from typing import Any

from reminisce.domain.cursor import MOST
from reminisce.domain.limits import BYTES, ITEMS, K
from reminisce.domain.values import Basis, Tier

__all__ = [
    "Schema",
    "arguments",
    "believe_arguments",
    "count",
    "flag",
    "moment",
    "recall_options",
    "remember_arguments",
    "seconds",
    "share",
    "text",
    "texts",
    "time",
]

Schema = dict[str, Any]


def text(limit: str, description: str) -> Schema:
    """A text. ``maxLength`` counts characters and is an upper bound; the library counts bytes."""
    return {"type": "string", "minLength": 1, "maxLength": BYTES[limit], "description": description}


def texts(limit: str, description: str) -> Schema:
    """A list of texts."""
    return {
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": BYTES[limit]},
        "maxItems": ITEMS[limit],
        "description": description,
    }


def words(allowed: tuple[str, ...], description: str) -> Schema:
    """One of a few words."""
    return {"type": "string", "enum": list(allowed), "description": description}


def share(description: str) -> Schema:
    """A number from 0 to 1."""
    return {"type": "number", "minimum": 0, "maximum": 1, "description": description}


def time(description: str) -> Schema:
    """A time as ISO 8601 text with an offset."""
    return {"type": "string", "maxLength": 64, "description": f"{description}; ISO 8601 with an offset or Z"}


def moment(description: str) -> Schema:
    """A time, or a revision."""
    ways = [{"type": "string", "maxLength": 64}, {"type": "integer", "minimum": 0}]
    return {"anyOf": ways, "description": f"{description}; ISO 8601 with an offset or Z, or a revision"}


def seconds(description: str) -> Schema:
    """A length of time."""
    # Whole days, as the longest time that Python has is no double.
    most = dt.timedelta.max.days * 86_400
    return {"type": "number", "minimum": 0, "maximum": most, "description": f"{description}, in seconds"}


def flag(description: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": description}


def count(most: int, description: str) -> Schema:
    """A whole number from 1."""
    return {"type": "integer", "minimum": 1, "maximum": most, "description": description}


def facets(description: str) -> Schema:
    """Names, each with a value or several."""
    value = {"type": "string", "minLength": 1, "maxLength": BYTES["facet value"]}
    return {
        "type": "object",
        "additionalProperties": {"anyOf": [value, {"type": "array", "items": value, "maxItems": ITEMS["facets"]}]},
        "maxProperties": ITEMS["facets"],
        "description": description,
    }


def arguments(properties: dict[str, Schema], *required: str) -> Schema:
    """An object of exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _aspects(allowed: tuple[str, ...]) -> Schema:
    return {"type": "array", "items": {"enum": list(allowed)}, "maxItems": ITEMS["aspects"]}


_MANY = flag("Whether the attribute has several values at once. Fixed at its first use; left out: as it is, else false")


def _attributes(allowed_aspects: tuple[str, ...]) -> dict[str, Schema]:
    """What can be said of any memory beside its content and fact."""
    return {
        "key": text("key", "A name of your own for it; never free again. Usually left out"),
        "aspects": _aspects(allowed_aspects) | {"minItems": 1, "description": "What sort of memory it is"},
        "basis": words(tuple(Basis), "On what it stands"),
        "confidence": share("How sure it is (default 1)"),
        "salience": share("How much it matters (default 0.5)"),
        "occurred_at": time("When it happened"),
        "due_at": time("When it falls due"),
        "valid_from": time("From when it holds, included"),
        "valid_to": time("Until when it holds, not included"),
        "sources": texts("sources", "What it cites, such as doc:runbook or a URL"),
        "facets": facets("Names with a value or several, searchable"),
        "subjects": texts("subjects", "Pseudonyms of whom it is about"),
        "tier": words(tuple(Tier), "How far its text may travel: private never reaches a remote model again"),
        "surface": text("surface", "What may be shown in its place when the tier is redacted"),
        "episode": text("episode", "The conversation or task it belongs to"),
        "reviewer": text("reviewer", "Who alone may review it, should it have to wait for that"),
        "derived_from": texts("derived_from", "Keys of memories it was concluded from"),
        "supersedes": texts("supersedes", "Keys of memories it replaces"),
        "request_key": text("request_key", "A name for this request, so that repeating it keeps nothing twice"),
    }


def remember_arguments(allowed_aspects: tuple[str, ...]) -> Schema:
    """`remember`'s arguments."""
    fact = arguments(
        {
            "subject": text("subject", "One of its subjects"),
            "attribute": text("attribute", "Such as lives_in"),
            "value": text("value", "What the attribute is"),
            "many": _MANY,
        },
        "subject",
        "attribute",
        "value",
    )
    return arguments(
        {
            "content": text("content", "What to remember, as one self-contained statement"),
            **_attributes(allowed_aspects),
            "fact": fact | {"description": "What it says of one of its subjects, to be found as a belief"},
        },
        "content",
    )


def believe_arguments(allowed_aspects: tuple[str, ...]) -> Schema:
    """`believe`'s arguments."""
    return arguments(
        {
            "subject": text("subject", "A pseudonym of whom or what it is about"),
            "attribute": text("attribute", "What of it, such as lives_in; use the same word every time"),
            "value": text("value", "What the attribute is"),
            "many": _MANY,
            **_attributes(allowed_aspects),
            "content": text("content", "It in words, as one statement. Made from the rest when left out"),
            "valid_from": time("From when it holds, included (default now)"),
            "subjects": texts("subjects", "Pseudonyms of whom else it is about"),
        },
        "subject",
        "attribute",
        "value",
    )


def recall_options(allowed_aspects: tuple[str, ...], *, query: bool) -> Schema:
    """`recall`'s options, but for the audience, which a server's start has fixed."""
    options = {
        "k": count(K, "How many at most (default 8)"),
        "aspects": _aspects(allowed_aspects) | {"description": "Only these sorts of memory"},
        "subject": text("subject", "Only what is about this pseudonym"),
        "episode": text("episode", "Only from this conversation or task"),
        "sources": texts("sources", "Only what cites one of these"),
        "facets": facets("Only what has, of each name, one of the values"),
        "basis": {
            "anyOf": [
                {"type": "string", "enum": list(Basis)},
                {"type": "array", "items": {"enum": list(Basis)}, "maxItems": len(Basis)},
            ],
            "description": "Only what stands on this",
        },
        "min_confidence": share("Only what is at least so sure"),
        "occurred_from": time("Only what happened then or later"),
        "occurred_to": time("Only what happened before"),
        "recorded_from": time("Only what was recorded then or later"),
        "recorded_to": time("Only what was recorded before"),
        "due_from": time("Only what falls due then or later"),
        "due_to": time("Only what falls due before"),
        "valid_at": time("Only what held at that time, superseded by now or not"),
        "as_of": moment("The memories as they stood then"),
        "cursor": {"type": "string", "maxLength": MOST, "description": "From an earlier answer: the next page"},
        "explain": flag("Say what earned each score"),
    }
    if not query:
        return arguments(options)
    asked = {
        "type": "string",
        "maxLength": BYTES["query"],
        "description": "What to look for, in plain words. Left out: everything the filters admit, newest first",
    }
    return arguments({"query": asked, **options})
