"""JSON schemas of the tools' answers: what `codec.to_plain` makes of the library's."""

from typing import Final

from reminisce.app.mcp.schemas import Schema
from reminisce.domain.beliefs import Outcome
from reminisce.domain.values import Basis, Status, Tier

__all__ = [
    "BELIEFS",
    "BELIEVED",
    "DISBELIEVED",
    "FORGOTTEN",
    "PRUNED",
    "RECALLED",
    "REINFORCED",
    "REMEMBERED",
    "STATS",
    "WHY",
]

_TEXT: Final[Schema] = {"type": "string"}
_MAYBE: Final[Schema] = {"type": ["string", "null"]}
_FLAG: Final[Schema] = {"type": "boolean"}
_WHOLE: Final[Schema] = {"type": "integer"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_SHARE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}
_TEXTS: Final[Schema] = {"type": "array", "items": _TEXT}
_COUNTS: Final[Schema] = {"type": "object", "additionalProperties": _COUNT}
_FACETS: Final[Schema] = {"type": "object", "additionalProperties": _TEXTS}
_STATUS: Final[Schema] = {"enum": list(Status)}
_REVISION: Final[Schema] = _COUNT | {"description": "The owner's number of commits"}
_OF_TODAY: Final[Schema] = _TEXTS | {"description": "Of an answer about the past: what it tells as it is now"}


def _object(properties: dict[str, Schema], *optional: str) -> Schema:
    """An object of exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _list(properties: dict[str, Schema], *optional: str) -> Schema:
    return {"type": "array", "items": _object(properties, *optional)}


_GIVEN: Final[dict[str, Schema]] = {
    "occurred_at": _TEXT,
    "due_at": _TEXT,
    "valid_from": _TEXT,
    "valid_to": _TEXT,
    "sources": _TEXTS,
    "facets": _FACETS,
    "subjects": _TEXTS,
    "surface": _TEXT,
    "episode": _TEXT,
    "fact": _object({"subject": _TEXT, "attribute": _TEXT, "value": _TEXT, "many": _FLAG}, "many"),
    "reviewer": _TEXT,
    "derived_from": _TEXTS,
    "supersedes": _TEXTS,
    "uses": _COUNT,
}
"""What a memory has only where it was said, or came to be."""

_MEMORY: Final[dict[str, Schema]] = {
    "key": _TEXT,
    "content": _TEXT,
    "status": _STATUS,
    "aspects": _TEXTS,
    "basis": {"enum": list(Basis)},
    "confidence": _SHARE,
    "salience": _SHARE,
    "tier": {"enum": list(Tier)},
    "recorded_at": _TEXT,
    **_GIVEN,
}

_EXPLANATION: Final = _object(
    {
        "terms": _list({"term": _TEXT, "points": _WHOLE}),
        "coverage": _WHOLE,
        "neighbours": _WHOLE,
        "episode": _WHOLE,
    }
)

REMEMBERED: Final = _object({"key": _TEXT, "created": _FLAG, "status": _STATUS, "revision": _REVISION})
RECALLED: Final = _object(
    {
        "hits": _list({**_MEMORY, "score": _WHOLE, "explanation": _EXPLANATION}, *_GIVEN, "explanation"),
        "considered": _COUNT,
        "revision": _REVISION,
        "similarity": _TEXT,
        "cursor": _TEXT | {"description": "Ask again with it for the next page"},
        "of_today": _OF_TODAY,
    },
    "cursor",
    "of_today",
)
FORGOTTEN: Final = _object(
    {
        "forgotten": _TEXTS,
        "unchanged": _TEXTS,
        "left_superseded": _TEXTS,
        "revision": _REVISION,
        "dry_run": _FLAG,
    }
)
WHY: Final = _object(
    {
        "memory": _object(_MEMORY, *_GIVEN),
        "sources": _list({"source": _TEXT, "cited_by": _TEXTS}),
        "ancestors": _list({"key": _TEXT, "depth": _COUNT, "status": _STATUS, "derived_from": _TEXTS}),
        "descendants": _COUNT,
        "supersedes": _TEXTS,
        "superseded_by": _TEXTS,
        "contradictions": _list(
            {
                "name": _TEXT,
                "between": _TEXTS,
                "claim": _TEXTS,
                "reason": _MAYBE,
                "since": _COUNT,
                "until": {"type": ["integer", "null"]},
                "resolution": _MAYBE,
            }
        ),
        "associations": _list(
            {
                "name": _TEXT,
                "kind": _TEXT,
                "keys": _TEXTS,
                "facets": _FACETS,
                "since": _COUNT,
                "until": {"type": ["integer", "null"]},
            }
        ),
        "history": _list(
            {
                "revision": _COUNT,
                "time": _TEXT,
                "operation": _TEXT,
                "status": _STATUS,
                "actor": _TEXT,
                "reason": _MAYBE,
                "valid_from": _MAYBE,
                "valid_to": _MAYBE,
            }
        ),
        "withdrawal": _TEXT,
        "trust": _SHARE,
        "complete": _FLAG,
        "revision": _REVISION,
        "of_today": _OF_TODAY,
    },
    "of_today",
)
BELIEVED: Final = _object(
    {
        "key": _TEXT,
        "outcome": {"enum": list(Outcome)},
        "status": _STATUS,
        "valid_from": _MAYBE,
        "valid_to": _MAYBE,
        "superseded": _TEXTS,
        "revision": _REVISION,
    }
)
BELIEFS: Final = _object(
    {
        "subject": _TEXT,
        "beliefs": _list(
            {
                "key": _TEXT,
                "attribute": _TEXT,
                "value": _TEXT,
                "valid_from": _MAYBE,
                "valid_to": _MAYBE,
                "many": _FLAG,
                "status": _STATUS,
                "confidence": _SHARE,
                "uses": _COUNT,
                "recorded_at": _TEXT,
                "content": _TEXT,
            }
        ),
        "revision": _REVISION,
        "complete": _FLAG | {"description": "False: there are more; ask for one attribute"},
        "of_today": _OF_TODAY,
    },
    "of_today",
)
DISBELIEVED: Final = _object({"forgotten": _TEXTS, "left_superseded": _TEXTS, "revision": _REVISION, "complete": _FLAG})
REINFORCED: Final = _object({"key": _TEXT, "uses": _COUNT, "revision": _REVISION})
PRUNED: Final = _object({"pruned": _TEXTS, "dry_run": _FLAG, "revision": _REVISION, "complete": _FLAG})
STATS: Final = _object(
    {
        "owner": _TEXT,
        "revision": _REVISION,
        "memories": _COUNT,
        "by_status": _COUNTS,
        "by_tier": _COUNTS,
        "by_aspect": _COUNTS,
        "live_beliefs": _COUNT,
    }
)
