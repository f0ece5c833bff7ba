"""What tables are made of: texts made safe, times, lists, rows."""

import datetime as dt
from collections.abc import Iterable, Iterator
from functools import singledispatch
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from reminisce.app.cli.screen import visible

__all__ = ["grid", "known", "listed", "of_today", "pages", "render", "rows", "said", "short", "span", "text", "when"]

SHOWN: Final = 600
"""Characters of a memory in a list: a screen should hold several. `why` shows all of them."""


def text(words: str, style: str = "") -> Text:
    """Words as they are, with a sign for what could act on the terminal."""
    return Text(visible(words), style, overflow="fold")


def said(before: str, key: str, after: str) -> Text:
    """A line about one memory."""
    return Text.assemble(f"{before} ", (visible(key), "bold"), (visible(after), "dim"))


def when(time: dt.datetime) -> str:
    """A time, to the minute."""
    return time.isoformat(" ", "minutes").replace("+00:00", "Z")


def span(since: dt.datetime | None, until: dt.datetime | None) -> str:
    """A validity; blank where nothing is said of it."""
    ends = [("from", since), ("until", until)]
    return " ".join(f"{word} {when(time)}" for word, time in ends if time is not None)


def rows(pairs: Iterable[tuple[str, object]]) -> Table:
    """Names and values, those that have one."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for name, value in pairs:
        if value not in (None, "", ()):
            table.add_row(name, value if isinstance(value, Text | Table) else text(str(value)))
    return table


def grid(*columns: str) -> Table:
    """A table with a header."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def known(pairs: Iterable[tuple[str, object]]) -> Iterator[RenderableType]:
    """`rows`, or nothing where none has a value."""
    table = rows(pairs)
    if table.row_count:
        yield table


def listed(words: Iterable[str]) -> str:
    """Words with commas between."""
    return ", ".join(words)


def short(words: str) -> str:
    """As much of a text as a list shows."""
    return words if len(words) <= SHOWN else f"{words[:SHOWN]} … ({len(words) - SHOWN} more characters)"


def of_today(names: tuple[str, ...]) -> Iterator[RenderableType]:
    """Of an answer about the past: what it tells as it is now."""
    if names:
        yield text(f"of the past, but as they are today: {listed(names)}", "dim")


def pages(cursor: str | None) -> Iterator[RenderableType]:
    """How to ask for the next page, where there is one."""
    if cursor is not None:
        yield text(f"more with --cursor={cursor}", "dim")


@singledispatch
def render(answer: object) -> Iterator[RenderableType]:
    """An answer in pieces, from the top."""
    raise NotImplementedError(type(answer).__name__)
