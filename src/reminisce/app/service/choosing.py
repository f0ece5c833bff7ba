"""An owner's memories that an operation is for: by their keys, or by filters and what stands in them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from reminisce.app.service.acting import Acting
from reminisce.app.service.recalling import seen_by
from reminisce.domain.asking import FILTERS, read_filters
from reminisce.domain.checks import Checks
from reminisce.domain.egress import holds_text
from reminisce.domain.index.query import Query
from reminisce.domain.index.search import search
from reminisce.domain.planning.reading import forms_seen
from reminisce.domain.values import Status

__all__ = ["Choice", "Choosing", "read_choice"]

CHUNK: Final = 1_000
"""Memories read at a time while their words are looked through."""


@attrs.frozen
class Choice:
    """What a caller chose."""

    names: tuple[str, ...]
    """Keys, where they were given."""

    query: Query | None
    """What to find, where filters were given instead."""

    text: str | None
    """What must stand in what is found."""

    @property
    def found(self) -> bool:
        """Whether the memories are found, not named."""
        return self.query is not None


def read_choice(
    checks: Checks, keys: object, containing: object, filters: Mapping[str, Any], *, takes: Iterable[str]
) -> Choice:
    """
    Clean a caller's choice: keys, or at least one filter.

    Args:
        takes: Names of the operation's other arguments, to be told to whom gives another.
    """
    given = {name: value for name, value in filters.items() if value is not None}
    if not set(given).issubset(FILTERS):
        checks.note("arguments", "unknown_name", "takes only " + ", ".join((*takes, *FILTERS)))
    any_of, windows = read_filters(checks, given)
    text = None if containing is None else checks.text("containing", containing)
    names = () if keys is None else checks.texts("keys", [keys] if isinstance(keys, str) else keys)
    filtered = bool(any_of or windows or text is not None)
    if keys is not None and filtered:
        checks.note("keys", "excludes", "cannot be given together with filters")
    elif not names and not filtered:
        # Filters that are empty lists admit everything: nobody means all by that.
        checks.note("keys", "empty", "must name at least one, or a filter must be given")
    return Choice(names, Query(terms=None, k=1, any_of=any_of, windows=windows) if keys is None else None, text)


class Choosing(Acting):
    """Finds what a caller chose."""

    def _chosen(self, choice: Choice, statuses: frozenset[Status]) -> tuple[str, ...]:
        """Keys of the memories chosen; those found stand so, newest first."""
        if choice.query is None:
            return choice.names
        with self._core.indexes.at(self.name) as (held, index, view):
            count = max(1, sum(part.count for _, part in index.parts))
            asked = attrs.evolve(choice.query, k=count, statuses=statuses, **seen_by(held, view, self._viewer))
            keys = [match.key for match in search(index, asked).matches]
        if choice.text is None:
            return tuple(keys)
        # Words never change, so they are looked through without holding up who else uses the index.
        found, masks = [], self._viewer.masks
        with self._core.store.view() as view:
            for start in range(0, len(keys), CHUNK):
                chunk = keys[start : start + CHUNK]
                memories = view.memories(self.name, chunk)
                forms = forms_seen(view, self._viewer, memories.values())
                found += [
                    key for key in chunk if key in forms and holds_text(memories[key], forms[key], masks, choice.text)
                ]
            return tuple(found)
