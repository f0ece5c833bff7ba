"""The file of the reference MCP memory server: entities with observations, and relations between them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from reminisce.codec.names import key_of
from reminisce.codec.records import BadRecordError

__all__ = ["looks_like_it", "memories_of", "more_than_it"]

_NAMES: Final = {
    "entity": ("name", "entityType", "observations"),
    "relation": ("from", "to", "relationType"),
}


def looks_like_it(record: Mapping[str, Any]) -> bool:
    """Whether a record is a line of such a file rather than one of ours."""
    return record.get("type") in _NAMES and "content" not in record


def more_than_it(record: Mapping[str, Any]) -> set[str]:
    """Names in a line that mean nothing to us."""
    return set(record) - {"type", *_NAMES.get(str(record.get("type")), ())}


def memories_of(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """
    The memories that a line comes to, by the names of `remember`'s arguments.

    Each observation is one, with whom it is of before it, and so is each relation. An entity of which nothing is observed is
    one, too. Nobody is made a subject: a name is no pseudonym, and nothing here says which entity is a person.

    Raises:
        BadRecordError: It is no such line.
    """
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in _NAMES:
        raise BadRecordError("must have the type entity or relation")
    texts = {name: record.get(name) for name in _NAMES[kind] if name != "observations"}
    if not all(isinstance(text, str) and text.strip() for text in texts.values()):
        raise BadRecordError("must have a text for each of " + ", ".join(texts))
    if kind == "relation":
        parts = [str(text) for text in texts.values()]
        one, other, relation = parts
        facets = {"from": one, "to": other, "relation": relation}
        yield _memory(f"{one} {relation} {other}", key_of("relation", *parts), facets)
        return
    observations = record.get("observations")
    if not isinstance(observations, list) or not all(isinstance(told, str) for told in observations):
        raise BadRecordError("must have a list of texts as observations")
    name, sort = str(texts["name"]), str(texts["entityType"])
    facets = {"entity": name, "entity_type": sort}
    for told in dict.fromkeys(observations):
        yield _memory(f"{name}: {told}", key_of("observation", name, told), facets)
    if not observations:
        yield _memory(f"{name}: {sort}", key_of("entity", name), facets)


def _memory(content: str, key: str, facets: dict[str, str]) -> dict[str, Any]:
    return {"content": content, "key": key, "basis": "imported", "facets": facets}
