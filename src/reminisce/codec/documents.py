"""Markdown documents as sections, each with a name that stays when the others change."""

import re
from collections.abc import Iterator
from typing import Final

import attrs

from reminisce.codec.names import slug
from reminisce.domain.limits import BYTES

__all__ = ["Section", "sections"]

_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
"""Below a line of text it makes that line a heading. One hyphen alone is more often a list."""

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_NO_HEADING: Final = re.compile(r" {0,3}(?:[-*+>|]|[0-9]+[.)])|\t| {4}")
"""How a line begins that no underline makes a heading: of a list, a quotation, a table, code."""


@attrs.frozen
class Section:
    """A heading and the text under it, up to the next heading."""

    anchor: str
    """What follows the sign ``#`` in a link to it; empty for what stands before the first heading."""

    heading: str
    """With the headings above it; empty for what stands before the first."""

    line: int
    """Where it begins in the file, from 1."""

    text: str | None
    """With its heading. None: a paragraph of it is longer than a memory's text may be."""


@attrs.define
class _Open:
    line: int
    path: tuple[str, ...] = ()
    lines: list[str] = attrs.field(factory=list)


def _outline(lines: list[str]) -> Iterator[_Open]:
    """The stretches between headings, empty ones too."""
    current = _Open(1)
    above: list[tuple[int, str]] = []
    fence = ""
    for number, line in enumerate(lines, 1):
        found = _FENCE.fullmatch(line)
        if fence:
            if found and found[1].startswith(fence) and not found[2].strip():
                fence = ""
        elif found and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1]
        else:
            heading = _HEADING.fullmatch(line)
            under = None if heading else _UNDERLINE.fullmatch(line)
            if heading:
                yield current
                level, title = len(heading[1]), (heading[2] or "").strip()
                current = _Open(number)
            elif under and _alone(current.lines):
                level, title = 1 if under[1][0] == "=" else 2, current.lines[-1].strip()
                told = current.lines.pop()
                yield current
                current = _Open(number - 1, lines=[told])
            else:
                current.lines.append(line)
                continue
            above = [*((deep, name) for deep, name in above if deep < level), (level, title)]
            current.path = tuple(name for _, name in above)
        current.lines.append(line)
    yield current


def _alone(lines: list[str]) -> bool:
    """Whether the last line is a paragraph of its own, which an underline would make a heading."""
    if not lines or not lines[-1].strip() or _NO_HEADING.match(lines[-1]) or _HEADING.fullmatch(lines[-1]):
        return False
    return len(lines) == 1 or not lines[-2].strip()


def _parts(text: str) -> list[str] | None:
    """A text in pieces that each fit into a memory, split between paragraphs; None when one paragraph does not."""
    most = BYTES["content"]
    if len(text.encode()) <= most:
        return [text]
    parts: list[str] = []
    size = 0
    for paragraph in re.split(r"\n(?:[ \t]*\n)+", text):
        length = len(paragraph.encode()) + 2
        if length > most:
            return None
        if parts and size + length <= most:
            parts[-1] += "\n\n" + paragraph
            size += length
        else:
            parts.append(paragraph)
            size = length
    return parts


def sections(text: str, *, first_line: int = 1, headings: bool = True) -> Iterator[Section]:
    """
    The sections of a document that have text of their own, in order.

    The second heading of one name has ``-1`` behind its anchor, and so on. A section longer than a memory may be is cut
    between paragraphs; from its second part on the anchor has ``~2`` behind it, and so on.

    Args:
        first_line: The number in the file of the text's first line.
        headings: Whether it has any; a plain text is one section.
    """
    taken: set[str] = set()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for stretch in _outline(lines) if headings else [_Open(1, lines=lines)]:
        anchor = ""
        if stretch.path:
            stem = slug(stretch.path[-1]) or "section"
            anchor = next(name for name in _numbered(stem) if name not in taken)
            taken.add(anchor)
        told = "\n".join(stretch.lines).strip("\n")
        rest = [line for line in stretch.lines[_head(stretch) :] if line.strip()]
        if not rest:
            continue
        heading = " > ".join(name for name in stretch.path if name)
        line = stretch.line + first_line - 1
        parts = _parts(told)
        for number, part in enumerate(parts or [None], 1):
            yield Section(anchor if number == 1 else f"{anchor}~{number}", heading, line, part)


def _head(stretch: _Open) -> int:
    """How many of its lines are its heading."""
    if not stretch.path:
        return 0
    return 1 if _HEADING.fullmatch(stretch.lines[0]) else 2


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    number = 0
    while True:
        number += 1
        yield f"{stem}-{number}"
