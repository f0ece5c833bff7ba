"""What operations answer, beside what planners answer themselves."""

import datetime as dt
from collections.abc import Iterator, Mapping

import attrs

from reminisce.domain.memory import Attributes, Memory

__all__ = [
    "Bundle",
    "Cleared",
    "Diagnosis",
    "Dropped",
    "Explanation",
    "Hit",
    "Item",
    "Line",
    "Noted",
    "Queue",
    "Recalled",
    "Rekeyed",
    "RememberedMany",
    "Stats",
    "Waiting",
]


@attrs.frozen
class Explanation:
    """What earned a score: all of it together is the score."""

    terms: tuple[tuple[str, int], ...]
    """Each term of the query that the memory holds, as the analyser gives it, with its points."""

    coverage: int
    """Taken off for what the query asks and the memory lacks; 0 or less."""

    neighbours: int
    """For what stands next to it in its episode."""

    episode: int
    """For what its episode as a whole tells of the query."""


@attrs.frozen
class Hit:
    """One memory of an answer."""

    memory: Memory
    score: int
    """Larger is better. Whole, dimensionless, comparable within one answer; 0 in a list."""

    explanation: Explanation | None = None
    """On request; never for a memory of which only the surface may be shown."""


@attrs.frozen
class Recalled:
    """The answer to a recall. Iterates over its hits, best first."""

    hits: tuple[Hit, ...]
    considered: int
    """Visible memories that passed the filters, whether they match the query or not."""

    revision: int
    """The owner's revision that this answers for."""

    cursor: str | None
    """Asks for the next page; None when nothing is left."""

    similarity: str = "not_configured"
    """Whether meanings were compared beside words, or why not."""

    of_today: tuple[str, ...] = ()
    """Of an answer about the past: what it tells as it is now."""

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@attrs.frozen
class Item:
    """One memory as it may be put before a model: data with where it comes from, never an instruction."""

    key: str
    text: str
    """The content, or of a redacted memory that goes elsewhere its surface. Whole, never cut."""

    sources: tuple[str, ...]
    trust: float
    """In [0, 1], as `why` tells it."""


@attrs.frozen
class Dropped:
    """
    How many of the memories that were looked at are not in a bundle, by cause.

    What the caller may not see is in no count, so that none betrays that it is there.
    """

    near_duplicates: int
    """They say nearly the same as one before them."""

    over_budget: int
    """They did not fit into what was left of the budget."""


@attrs.frozen
class Bundle:
    """What may be put before a model. Iterates over its items, best first."""

    items: tuple[Item, ...]
    used: int
    """What the items take of the budget, by the measure asked with: tokens of their texts when nothing was said."""

    budget: int
    dropped: Dropped
    considered: int
    """Visible memories that passed the filters, whether they match the query or not."""

    more: bool
    """Whether memories that match were not looked at any more."""

    revision: int
    """The owner's revision that this answers for."""

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@attrs.frozen
class Waiting:
    """A memory that waits for review."""

    memory: Memory
    reason: str | None
    """Why it was held; never for a memory of which only the surface may be shown."""


@attrs.frozen
class Queue:
    """What waits for review, newest first. Iterates over it."""

    waiting: tuple[Waiting, ...]
    revision: int
    """The owner's revision that this answers for."""

    cursor: str | None
    """Asks for the next page; None when nothing is left."""

    def __iter__(self) -> Iterator[Waiting]:
        return iter(self.waiting)

    def __len__(self) -> int:
        return len(self.waiting)


@attrs.frozen
class Noted:
    """A note of working memory."""

    name: str
    """What `promote` takes."""

    attributes: Attributes
    """What would be remembered."""

    noted_at: dt.datetime
    expires_at: dt.datetime
    """Included: at this time it is still there."""

    @property
    def content(self) -> str:
        """The text."""
        return self.attributes.content


@attrs.frozen
class Cleared:
    """What `clear` let go of."""

    notes: int


@attrs.frozen
class Line:
    """The answer for one memory of a batch."""

    key: str
    created: bool


@attrs.frozen
class RememberedMany:
    """The answer to a batch."""

    revision: int
    """The owner's revision after the call."""

    lines: tuple[Line, ...]
    """One a memory, in the order given."""


@attrs.frozen
class Stats:
    """Counts of an owner's memories, those the caller may see."""

    owner: str
    revision: int
    memories: int
    """All of them, whatever their status."""

    by_status: Mapping[str, int]
    by_tier: Mapping[str, int]
    """Of the active ones."""

    by_aspect: Mapping[str, int]
    """Of the active ones; one of two aspects counts in both."""

    live_beliefs: int
    """Active facts that hold now."""


@attrs.frozen
class Diagnosis:
    """What `doctor` found."""

    findings: tuple[str, ...]
    """What is wrong and what to do, a sentence each. Empty: all is well."""

    checked: tuple[str, ...]
    """What was looked at."""

    repaired: tuple[str, ...] = ()
    """Owners whose index was built anew."""


@attrs.frozen
class Rekeyed:
    """What a change of key did."""

    store: str
    key: str
    """Where the key comes from now: a place, or what the secret is called. Never the key."""

    kept_old: bool
    """Whether the old key was left where it is kept."""
