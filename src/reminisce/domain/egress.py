"""
What text leaves: in which form a memory may be shown, and which of several may be put before a model.

`visibility` says who sees a memory, and in which form; here is what that form holds.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Final, NamedTuple

import attrs

from reminisce.domain.answers import Dropped, Item
from reminisce.domain.likeness import Texts
from reminisce.domain.masking import Masks, surface_of
from reminisce.domain.memory import Attributes, Memory
from reminisce.domain.records import Subject
from reminisce.domain.visibility import Form, Viewer, form_of

__all__ = ["TOKEN_BYTES", "Leaving", "holds_text", "leaving", "shown", "shown_attributes", "tokens"]

TOKEN_BYTES: Final = 4
"""
Bytes of UTF-8 taken for one token. Our choice: what English runs at with common tokenisers. Other scripts may take up to
twice as many tokens as this counts; a host that knows its model's brings a measure of its own.
"""


class Leaving(NamedTuple):
    """What leaves, and what of it did not."""

    items: tuple[Item, ...]
    used: int
    dropped: Dropped
    looked_at: int
    """How many of the ranked memories were looked at, hidden ones too: for the caller's own use, never to be told."""


def tokens(item: Item) -> int:
    """What an item takes of a budget when nothing is said: the bytes of its text by `TOKEN_BYTES`, rounded up."""
    return -(-len(item.text.encode()) // TOKEN_BYTES)


def leaving(
    ranked: Iterable[Memory],
    *,
    viewer: Viewer,
    subjects: Mapping[str, Subject],
    k: int,
    budget: int,
    measure: Callable[[Item], int],
    trust: Callable[[Memory], float],
) -> Leaving:
    """
    What of *ranked* may be put before a model. The one function behind every face that feeds one.

    First tier by destination, and the audience: what may not be seen is not there, and counts nowhere. Then near-duplicates,
    compared on the text that would leave: the first in rank wins, whether it fits or not. Then the budget: what does not fit
    is left out whole, and a later, smaller one may follow.

    Args:
        ranked: Best first.
        subjects: At least those that *ranked* are about.
        k: Items at most, at least 1.
        budget: What all items together may take, by *measure*; at least 0.
        measure: What one item takes; at least 0.
        trust: How far a memory may be trusted; asked only about what is no near-duplicate.
    """
    texts, items = Texts(), list[Item]()
    used = near = over = looked_at = 0
    for memory in ranked:
        looked_at += 1
        form = form_of(memory, viewer, subjects)
        if form is None:
            continue
        seen = shown(memory, form, viewer.masks)
        if not texts.take(seen.content):
            near += 1
            continue
        item = Item(memory.key, seen.content, seen.sources, trust(memory))
        size = measure(item)
        if used + size > budget:
            over += 1
            continue
        items.append(item)
        used += size
        if len(items) == k:
            break
    return Leaving(tuple(items), used, Dropped(near, over), looked_at)


def shown(memory: Memory, form: Form, masks: Masks, seen: Container[str] | None = None) -> Memory:
    """
    *memory* as it may be shown in *form*.

    Args:
        masks: The viewer's.
        seen: Keys that the viewer may see among those it comes from; others are left out. None: all of them.

    A surface replaces the content; facets and fact go with the content they describe. What remains is structure: key,
    times, sources, basis, tier and status.
    """
    given = memory.given
    if seen is not None:
        given = attrs.evolve(
            given,
            derived_from=tuple(key for key in given.derived_from if key in seen),
            supersedes=tuple(key for key in given.supersedes if key in seen),
        )
    given = shown_attributes(given, form, surface_of(given, memory.tier, masks) if form is Form.SURFACE else None)
    return memory if given is memory.given else attrs.evolve(memory, given=given)


def shown_attributes(given: Attributes, form: Form, surface: str | None) -> Attributes:
    """
    What was given of a memory, as it may be shown in *form*.

    Args:
        surface: What stands for it elsewhere.
    """
    if form is Form.WHOLE:
        return given
    return attrs.evolve(given, content=surface or "", surface=surface, facets=(), fact=None)


def holds_text(memory: Memory, form: Form, masks: Masks, text: str) -> bool:
    """Whether *text* stands, letter by letter, in what of *memory* may be shown in *form*."""
    memory = shown(memory, form, masks)
    fact = () if memory.fact is None else attrs.astuple(memory.fact)
    facets = (part for facet in memory.facets for part in facet)
    return any(text in words for words in (memory.content, memory.surface or "", *facets, *fact, *memory.sources))
