"""What of a request is stored, string by string."""

from collections.abc import Iterator
from typing import Final

from reminisce.domain.memory import Attributes
from reminisce.domain.requests import Request

__all__ = ["ADMISSIBLE", "Said", "said_in", "words_of"]

Said = tuple[str, str]
"""The argument that a string came in, and the string as it will be stored."""

ADMISSIBLE: Final = frozenset({"content", "surface", "facets", "sources", "fact"})
"""What goes no further than its memory's tier allows. Names go further: into histories, filters, the list of subjects."""


def words_of(given: Attributes) -> Iterator[Said]:
    """Every string of a memory."""
    yield "content", given.content
    if given.surface is not None:
        yield "surface", given.surface
    if given.episode is not None:
        yield "episode", given.episode
    if given.reviewer is not None:
        yield "reviewer", given.reviewer
    if given.fact is not None:
        yield "fact", f"{given.fact.attribute}={given.fact.value}"
        yield "fact", given.fact.subject
    for name, value in given.facets:
        yield "facets", f"{name}={value}"
    for field in _LISTS:
        for text in getattr(given, field):
            yield field, text


_LISTS: Final = ("sources", "subjects", "derived_from", "supersedes")
"""Aspects are among the configured ones, and no caller's."""


def said_in(request: Request) -> Iterator[Said]:
    """Every string of a request that is stored when it is kept."""
    if request.key is not None:
        yield "key", request.key
    if request.request_key is not None:
        yield "request_key", request.request_key
    yield from words_of(request.attributes)
