"""What operations answer, beside what planners answer themselves."""

import datetime as dt
from collections.abc import Iterator, Mapping

import attrs

from reminisce.domain.memory import Attributes, Memory

__all__ = [
    "Bad",
    "Cleared",
    "Diagnosis",
    "Explanation",
    "Hit",
    "Imported",
    "Line",
    "Noted",
    "Queue",
    "Recalled",
    "Receipt",
    "Rekeyed",
    "RememberedMany",
    "Scrubbed",
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
class Bad:
    """A line that could not be imported."""

    line: int
    """Counted from 1, as editors do."""

    code: str
    problem: str


@attrs.frozen
class Imported:
    """What an import did."""

    created: int
    unchanged: int
    """Lines whose memory was there already."""

    bad: tuple[Bad, ...]
    ignored: tuple[str, ...]
    """Names in the records that an import never sets, sorted."""

    revision: int


@attrs.frozen
class Receipt:
    """What an erasure did, and what it left."""

    subject: str | None
    """Of a withdrawal or purge: whose words."""

    state: str | None
    """What became of the subject: ``withdrawn`` or ``purged``."""

    memories: int
    """Memories whose words this call erased."""

    unchanged: int
    """Memories whose words were gone before."""

    links: int
    """Contradictions and associations that went with the words."""

    notes: int
    """Notes of working memory in this process that went."""

    revisions: tuple[tuple[str, int], ...]
    """Each owner that was written for, with its revision after the call. Sorted."""

    kept: tuple[str, ...]
    """What stays of each memory, on purpose."""

    derived: tuple[str, ...] = ()
    """Of an erasure by name: memories derived from these that keep their words. Sorted."""

    waits: tuple[str, ...] = ()
    """What is still to be done before nothing is left in any byte, a sentence each."""


@attrs.frozen
class Scrubbed:
    """What a scrub left to be done."""

    waits: tuple[str, ...]
    """A sentence each; empty: nothing of any erased word is left in the store's files."""


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
