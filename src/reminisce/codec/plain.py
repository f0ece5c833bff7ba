"""Answers to plain data: strings, numbers, booleans, lists, objects; nothing else."""

import datetime as dt
import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import attrs

from reminisce.domain.answers import Explanation, Hit, Noted, Queue, Recalled
from reminisce.domain.believed import Beliefs
from reminisce.domain.memory import Attributes, Fact, Memory
from reminisce.domain.moved import Bad
from reminisce.domain.provenance import Association, Why
from reminisce.domain.receipts import Receipt
from reminisce.domain.values import decimal_of
from reminisce.errors import InvalidError, ReminisceError, SecretFoundError

if TYPE_CHECKING:
    import cattrs

__all__ = ["said", "stamp", "to_json", "to_plain", "written_bytes"]

_TIMES = ("occurred_at", "due_at", "valid_from", "valid_to")


def stamp(time: dt.datetime) -> str:
    """ISO 8601 in UTC, to the microsecond where there are any, with a final Z."""
    return time.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")


def _facets(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    facets: dict[str, list[str]] = {}
    for name, value in pairs:
        facets.setdefault(name, []).append(value)
    return facets


def _fact(fact: Fact | None, *, many: bool) -> dict[str, Any] | None:
    return None if fact is None else {**attrs.asdict(fact), **({"many": True} if many else {})}


def said(given: Attributes | Memory, *, many: bool = False) -> dict[str, Any]:
    """What can be said of a memory, by the names of `remember`'s arguments. What was not said is left out."""
    times = {name: getattr(given, name) for name in _TIMES}
    rest = {
        "sources": list(given.sources),
        "facets": _facets(given.facets),
        "subjects": list(given.subjects),
        "surface": given.surface,
        "episode": given.episode,
        "fact": _fact(given.fact, many=many),
        "reviewer": given.reviewer,
        "derived_from": list(given.derived_from),
        "supersedes": list(given.supersedes),
    }
    return {
        **{name: stamp(time) for name, time in times.items() if time is not None},
        **{name: value for name, value in rest.items() if value},
    }


def _memory(memory: Memory) -> dict[str, Any]:
    """A memory by the names of `remember`'s arguments, and what became of it."""
    return {
        "key": memory.key,
        "content": memory.content,
        "status": str(memory.status),
        "aspects": list(memory.aspects),
        "basis": str(memory.basis),
        "confidence": memory.confidence,
        "salience": memory.salience,
        "tier": str(memory.tier),
        "recorded_at": stamp(memory.recorded_at),
        **said(memory, many=memory.many),
        **({"uses": memory.uses} if memory.uses else {}),
    }


def _noted(noted: Noted) -> dict[str, Any]:
    given = noted.attributes
    return {
        "name": noted.name,
        "content": given.content,
        "noted_at": stamp(noted.noted_at),
        "expires_at": stamp(noted.expires_at),
        "aspects": list(given.aspects),
        "basis": str(given.basis),
        "confidence": decimal_of(given.confidence),
        "salience": decimal_of(given.salience),
        "tier": str(given.tier),
        **said(given),
    }


def _explanation(explanation: Explanation) -> dict[str, Any]:
    return attrs.asdict(explanation) | {"terms": [{"term": t, "points": p} for t, p in explanation.terms]}


def _hit(hit: Hit) -> dict[str, Any]:
    """A hit is one object: its score and its memory side by side."""
    memory = _memory(hit.memory)
    plain = {"key": memory.pop("key"), "score": hit.score, **memory}
    return plain if hit.explanation is None else plain | {"explanation": _explanation(hit.explanation)}


_UNSAID = ("cursor", "file", "of_today")
"""What an answer leaves out when there is nothing to say: the last page's cursor, what an answer of now tells of now, the
file of a line that came in none."""


def _why(why: dict[str, Any]) -> dict[str, Any]:
    return why | {"sources": [{"source": source, "cited_by": keys} for source, keys in why["sources"]]}


def _receipt(receipt: dict[str, Any]) -> dict[str, Any]:
    return receipt | {"revisions": [{"owner": owner, "revision": number} for owner, number in receipt["revisions"]]}


def _association(association: dict[str, Any]) -> dict[str, Any]:
    return association | {"facets": _facets(association["facets"])}


def _amend(converter: "cattrs.Converter", kind: type, amended: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Let *amended* have the last word on the plain form of a *kind*."""
    plainly = converter.get_unstructure_hook(kind)
    converter.register_unstructure_hook(kind, lambda answer: amended(plainly(answer)))


@cache
def _converter() -> "cattrs.Converter":
    import cattrs  # the service knows records, and runs where there is attrs alone

    converter = cattrs.Converter(omit_if_default=False)
    converter.register_unstructure_hook(dt.datetime, stamp)
    # A word of an enumeration is a text already, but only equal to what it is written as.
    converter.register_unstructure_hook(str, str)
    converter.register_unstructure_hook(Memory, _memory)
    converter.register_unstructure_hook(Hit, _hit)
    converter.register_unstructure_hook(Noted, _noted)
    _amend(converter, Association, _association)
    _amend(converter, Why, _why)
    _amend(converter, Receipt, _receipt)
    for kind in (Bad, Recalled, Queue, Why, Beliefs):
        _amend(converter, kind, lambda plain: {n: v for n, v in plain.items() if v or n not in _UNSAID})
    return converter


def _error(error: ReminisceError) -> dict[str, Any]:
    plain: dict[str, Any] = {"code": error.code, "message": str(error), "fields": list(error.fields)}
    if isinstance(error, InvalidError):
        plain["problems"] = [attrs.asdict(problem) for problem in error.problems]
    if isinstance(error, SecretFoundError):
        plain["findings"] = [attrs.asdict(finding) for finding in error.findings]
    return {"error": plain}


def to_plain(answer: object) -> dict[str, Any]:
    """An answer, or an error under ``error``, as plain data. Times are ISO 8601 text in UTC, shares decimals."""
    if isinstance(answer, ReminisceError):
        return _error(answer)
    plain: dict[str, Any] = _converter().unstructure(answer)
    return plain


def to_json(answer: object, *, indent: int | None = None) -> str:
    """`to_plain` as JSON text in which every character stands for itself."""
    return json.dumps(to_plain(answer), ensure_ascii=False, indent=indent)


def written_bytes(answer: object) -> int:
    """What an answer takes where it is sent twice, as structure and as a text that holds its JSON: bytes of UTF-8."""
    text = to_json(answer)
    return len(text.encode()) + len(json.dumps(text, ensure_ascii=False).encode())
