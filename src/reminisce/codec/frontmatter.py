"""The block of names and values above a Markdown text: YAML in which every value is the text that is written there."""

import re
from collections.abc import Mapping
from typing import Any, Final

from reminisce.codec.records import BadRecordError

__all__ = ["MOST", "split", "to_block", "value_of"]

FENCE: Final = "---"

MOST: Final = 8 * 1024 * 1024
"""Bytes of a block at most: as much as a line of records, see `records.LINE`."""

_RAW: Final = re.compile(
    r"[^\x20\x21\x23-\x5b\x5d-\x7e\xa0-\u200a\u200c\u200d\u2010-\u2027\u202f-\u205f\u2070-\ud7ff"
    r"\ue000-\ufefe\uff00-\ufff8\ufffc\ufffd\U00010000-\U000dffff\U000e0080-\U0010ffff]"
)
"""
What a quoted text escapes: quotes, controls, what YAML takes for a line end, and what a reader of the file would not see.

A fixed list, so that the bytes do not depend on the Unicode of this Python.
"""

_QUOTED: Final = frozenset("\"'|>")

_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _written(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{_RAW.sub(_escaped, value)}"'
        case Mapping():
            return "{" + ", ".join(f"{_written(name)}: {_written(held)}" for name, held in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_written, value)) + "]"
        case _:
            return str(value)


def to_block(record: Mapping[str, Any]) -> str:
    """Names and values between two fences, one line each. Texts are quoted, whatever they look like."""
    lines = [f"{name}: {_written(value)}" for name, value in record.items()]
    return "\n".join((FENCE, *lines, FENCE)) + "\n"


def split(text: str) -> tuple[str | None, str]:
    """The block above a text, None where there is none, and the text below it."""
    if not text.startswith(FENCE):
        return None, text
    lines = text[:MOST].split("\n")
    if lines[0].rstrip() != FENCE:
        return None, text
    for place, line in enumerate(lines[1:], 1):
        if line.rstrip() == FENCE:
            block = "\n".join(lines[1:place]) + "\n"
            start = len(lines[0]) + 1 + sum(len(held) + 1 for held in lines[1:place])
            return block, text[start + len(line) + 1 :]
    return None, text


def value_of(block: str) -> dict[str, Any] | None:
    """
    What a block says: names to texts, lists and mappings of texts; nothing is taken for a number, a date or a no.

    A name with nothing behind it has None. None for a block that is no mapping: it is text.

    Raises:
        BadRecordError: It is no YAML, names something twice, or refers to itself.
    """
    import yaml  # a face that moves no notes need not load it

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        node = yaml.compose(block, Loader=loader)
    except (yaml.YAMLError, ValueError):
        # ValueError: an escape beyond Unicode.
        raise BadRecordError("its front matter must be YAML", "bad_front_matter") from None
    except RecursionError:
        raise BadRecordError("its front matter is nested too deeply", "bad_front_matter") from None
    if not isinstance(node, yaml.MappingNode):
        return None
    said = _Reading().value(node)
    assert isinstance(said, dict)  # noqa: S101 (a mapping node)
    return said


class _Reading:
    """Reads nodes. One met twice was an alias, with which a short file can say something endless."""

    def __init__(self) -> None:
        self._met: set[int] = set()

    def value(self, node: Any) -> Any:
        import yaml

        if id(node) in self._met:
            raise BadRecordError("its front matter must not use aliases", "bad_front_matter")
        self._met.add(id(node))
        match node:
            case yaml.ScalarNode():
                # The two readers of PyYAML name what has no quotes differently.
                return str(node.value) if node.value or node.style in _QUOTED else None
            case yaml.SequenceNode():
                return [self.value(item) for item in node.value]
            case _:
                return self._mapping(node)

    def _mapping(self, node: Any) -> dict[str, Any]:
        said: dict[str, Any] = {}
        for name, held in node.value:
            written = self.value(name)
            if not isinstance(written, str):
                raise BadRecordError("its front matter must name everything by a text", "bad_front_matter")
            if written in said:
                raise BadRecordError("its front matter names something twice", "bad_front_matter")
            said[written] = self.value(held)
        return said
