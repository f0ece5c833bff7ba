"""What is asked of an index, and what it answers."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import attrs

from reminisce.domain.values import Status
from reminisce.domain.visibility import OWNER_ITSELF, Form, Viewer

__all__ = ["ACTIVE", "Found", "Match", "Query", "Window"]


ACTIVE: Final = frozenset({Status.ACTIVE})
"""What is searched when nothing is said."""


class Window(NamedTuple):
    """A half-open range of a column of times or shares; None leaves an end open."""

    column: str
    least: int | None
    below: int | None


@attrs.frozen(kw_only=True)
class Query:
    """
    One question to an index.

    `terms` of None lists what the filters admit, newest first; of () matches nothing.
    """

    terms: tuple[str, ...] | None
    k: int
    viewer: Viewer = OWNER_ITSELF
    audiences: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Consents of the owner's subjects as they stand now. Read only for a viewer with an audience."""

    consents: int = 0
    """A number that stands for `audiences`: the same number, the same consents."""

    any_of: tuple[tuple[str, ...], ...] = ()
    """Filters by tag: of each group at least one tag."""

    windows: tuple[Window, ...] = ()
    statuses: frozenset[Status] = ACTIVE
    """What is searched: the memories that stand so."""

    valid_at: int | None = None
    """Only what holds at this time, in microseconds since 1970."""

    at: int | None = None
    """The owner's revision that is asked about; None: the one the index stands at."""

    after: tuple[int, str] | None = None
    """The (rank, key) of the last match of the page before."""

    explain: bool = False


class Match(NamedTuple):
    """One memory that answers a query."""

    key: str
    form: Form
    rank: int
    """What orders matches: larger first, then by key. The score; for a list, microseconds since 1970."""

    score: int
    terms: tuple[tuple[str, int], ...] = ()
    """On request: each term of the query that the memory holds, with its points."""

    coverage: int = 0
    """Points for covering the query; never above 0."""

    neighbours: int = 0
    episode: int = 0
    """Points from neighbours and from the episode. Together with all terms and coverage they make the score."""


class Found(NamedTuple):
    """The answer to a query."""

    matches: tuple[Match, ...]
    considered: int
    """Visible memories that passed the filters, whether they match or not."""

    more: bool
    """Whether matches remain behind the last one."""
