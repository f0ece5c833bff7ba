"""Answers to plain data: strings, numbers, booleans, lists, objects; nothing else."""

import datetime as dt
import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any

import attrs
import cattrs

from reminisce.domain.memory import Memory
from reminisce.errors import InvalidError, ReminisceError

__all__ = ["to_json", "to_plain"]


def stamp(time: dt.datetime) -> str:
    """ISO 8601 in UTC, to the microsecond where there are any, with a final Z."""
    return time.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")


def _facets(pairs: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    facets: dict[str, list[str]] = {}
    for name, value in pairs:
        facets.setdefault(name, []).append(value)
    return facets


def _memory(memory: Memory) -> dict[str, Any]:
    """A memory by the names of `remember`'s arguments, and what became of it. What was not said is left out."""
    times = {
        name: getattr(memory, name) for name in ("occurred_at", "due_at", "valid_from", "valid_to", "recorded_at")
    }
    plain: dict[str, Any] = {
        "key": memory.key,
        "content": memory.content,
        "status": str(memory.status),
        "aspects": list(memory.aspects),
        "basis": str(memory.basis),
        "confidence": memory.confidence,
        "salience": memory.salience,
        "tier": str(memory.tier),
        **{name: stamp(time) for name, time in times.items() if time is not None},
    }
    parts: dict[str, Any] = {
        "sources": list(memory.sources),
        "facets": _facets(memory.facets),
        "subjects": list(memory.subjects),
        "surface": memory.surface,
        "episode": memory.episode,
        "derived_from": list(memory.derived_from),
        "supersedes": list(memory.supersedes),
    }
    return plain | {name: value for name, value in parts.items() if value}


def _error(error: ReminisceError) -> dict[str, Any]:
    plain: dict[str, Any] = {"code": error.code, "message": str(error), "fields": list(error.fields)}
    if isinstance(error, InvalidError):
        plain["problems"] = [attrs.asdict(problem) for problem in error.problems]
    return {"error": plain}


@cache
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter()
    converter.register_unstructure_hook(dt.datetime, stamp)
    converter.register_unstructure_hook_func(
        lambda kind: isinstance(kind, type) and issubclass(kind, StrEnum), lambda value: str(value)
    )
    converter.register_unstructure_hook(Memory, _memory)
    return converter


def to_plain(answer: object) -> dict[str, Any]:
    """
    An answer or an error as plain data.

    A hit is one object: its score and its memory side by side. Pairs of a term and its points, and of a source and the
    memories that cite it, become objects too. Absent values are left out.
    """
    if isinstance(answer, ReminisceError):
        return _error(answer)
    plain = _converter().unstructure(answer)
    return {name: _tidy(name, value) for name, value in plain.items() if value is not None}


_PAIRS = {"terms": ("term", "points"), "sources": ("source", "cited_by")}


def _tidy(name: str, value: Any) -> Any:
    if isinstance(value, list | tuple):
        if name in _PAIRS and value and isinstance(value[0], list | tuple):
            return [dict(zip(_PAIRS[name], (_tidy("", one) for one in pair), strict=True)) for pair in value]
        return [_tidy("", item) for item in value]
    if isinstance(value, Mapping):
        if "memory" in value and "score" in value:
            value = {"key": value["memory"]["key"], "score": value["score"], **value["memory"], **value}
            del value["memory"]
        return {str(key): _tidy(key, item) for key, item in value.items() if item is not None}
    return value


def to_json(answer: object, *, indent: int | None = None) -> str:
    """`to_plain` as JSON text in which every character stands for itself."""
    return json.dumps(to_plain(answer), ensure_ascii=False, indent=indent)
