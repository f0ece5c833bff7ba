"""A memory: what its caller gave, and what is in force."""

import datetime as dt
import hashlib
import json
import unicodedata
from enum import StrEnum
from typing import Final

import attrs

from reminisce.domain.values import Basis, Status, Tier, decimal_of

__all__ = ["CONFIDENCE", "SALIENCE", "Attributes", "Cause", "Erased", "Fact", "Memory", "folded", "sameness"]

CONFIDENCE: Final = 1_000
"""Default confidence in thousandths: what is told plainly is believed. Source: the contract's section 2."""

SALIENCE: Final = 500
"""Default salience in thousandths: the middle, so that both more and less can be said. Source: section 2."""


def folded(value: str) -> str:
    """The form in which values of facts are compared: NFKC, case folded, runs of white space as one space."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", value).casefold()).split())


@attrs.frozen
class Fact:
    """What makes a memory a belief of its owner: of a subject, an attribute has a value."""

    subject: str
    attribute: str
    value: str
    """As written. Compared `folded`."""

    @property
    def told(self) -> str:
        """It in words, for a belief that was given none."""
        return f"{self.subject} {self.attribute}: {self.value}"


@attrs.frozen(kw_only=True)
class Attributes:
    """
    What a caller gives of one memory, cleaned. Two with equal attributes are the same memory (see `sameness`).

    Lists keep the caller's order, without repeats; aspects, subjects and facets are sorted. Times are UTC. Shares are whole
    thousandths.
    """

    content: str
    aspects: tuple[str, ...] = ("episodic",)
    basis: Basis = Basis.OBSERVED
    confidence: int = CONFIDENCE
    salience: int = SALIENCE
    occurred_at: dt.datetime | None = None
    due_at: dt.datetime | None = None
    valid_from: dt.datetime | None = None
    valid_to: dt.datetime | None = None
    sources: tuple[str, ...] = ()
    facets: tuple[tuple[str, str], ...] = ()
    subjects: tuple[str, ...] = ()
    tier: Tier = Tier.OPEN
    surface: str | None = None
    episode: str | None = None
    fact: Fact | None = None
    reviewer: str | None = None
    derived_from: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()


class Cause(StrEnum):
    """What erased a memory's words."""

    ERASE = "erase"
    """It was named."""

    WITHDRAWAL = "withdrawal"
    """A subject's words were withdrawn."""

    PURGE = "purge"
    """As `WITHDRAWAL`, and the subject is gone since."""

    LOST = "lost"
    """A restore could not unseal them: the key of a subject was not in the keyring."""


@attrs.frozen
class Erased:
    """By what a memory's words were erased, so that nobody is told too early that all of it is done."""

    cause: Cause
    subject: str | None = None
    """Of a withdrawal: whose."""

    opening: int = 0
    """Of a withdrawal: the epoch of the subject that opened it, from 1."""


@attrs.frozen(kw_only=True)
class Memory:
    """
    One memory as an owner holds it.

    `given` is what the caller said and never changes while the words are kept; `tier`, `subjects`, `confidence`,
    `salience`, validity and `sources` are what is in force now.
    """

    owner: str
    key: str
    given: Attributes
    status: Status
    tier: Tier
    subjects: tuple[str, ...]
    """Sorted. Those given and those of what it comes from."""

    confidence_thousandths: int
    salience_thousandths: int
    recorded_at: dt.datetime
    revision: int
    """The owner's revision that made it, from 1."""

    ordinal: int = 0
    """Its place within that revision, from 0. (owner, revision, ordinal) is the canonical order."""

    named: bool = False
    """Whether the caller chose the key. A memory with a name of its own is never taken for a twin's repeat."""

    request_key: str | None = None

    valid_from: dt.datetime | None = None
    """From when it holds, in UTC, included. A belief whose caller did not say holds from when it was recorded."""

    valid_to: dt.datetime | None = None
    """Until when it holds, in UTC, not included: as given, or earlier where something took its place."""

    many: bool = False
    """Whether its fact's attribute holds several values at once: what the owner's first use of the attribute said."""

    further_sources: tuple[str, ...] = ()
    """What reinforcements cited, in the order they came."""

    uses: int = 0
    """How often it was reinforced."""

    consolidated_uses: int = 0
    """How many of the uses are in the salience already."""

    consolidated_at: dt.datetime | None = None
    """From when the salience decays, in UTC; None before the first change by consolidation: since it was recorded."""

    agreed: tuple[str, ...] = ()
    """Of a memory that was held: the audiences that all of its subjects let see it at that time, sorted."""

    erased: Erased | None = None
    """By what its words were erased; None while they are kept."""

    @property
    def content(self) -> str:
        """The text, as given."""
        return self.given.content

    @property
    def aspects(self) -> tuple[str, ...]:
        """One or more, sorted."""
        return self.given.aspects

    @property
    def basis(self) -> Basis:
        """On what it stands."""
        return self.given.basis

    @property
    def confidence(self) -> float:
        """In [0, 1], in force now."""
        return decimal_of(self.confidence_thousandths)

    @property
    def salience(self) -> float:
        """In [0, 1], in force now."""
        return decimal_of(self.salience_thousandths)

    @property
    def occurred_at(self) -> dt.datetime | None:
        """When it happened, in UTC, if the caller said so."""
        return self.given.occurred_at

    @property
    def due_at(self) -> dt.datetime | None:
        """When it falls due, in UTC, if the caller said so."""
        return self.given.due_at

    @property
    def sources(self) -> tuple[str, ...]:
        """What it cites: as given, then what reinforcements added."""
        return (*self.given.sources, *self.further_sources) if self.further_sources else self.given.sources

    @property
    def facets(self) -> tuple[tuple[str, str], ...]:
        """Pairs of name and value, sorted."""
        return self.given.facets

    @property
    def surface(self) -> str | None:
        """What may leave in its place when its tier is ``redacted``."""
        return self.given.surface

    @property
    def episode(self) -> str | None:
        """The episode that it belongs to."""
        return self.given.episode

    @property
    def fact(self) -> Fact | None:
        """What it says of a subject, when it is a belief."""
        return self.given.fact

    @property
    def reviewer(self) -> str | None:
        """Who is to review it, if the caller said so."""
        return self.given.reviewer

    @property
    def derived_from(self) -> tuple[str, ...]:
        """Keys that it was derived from, as given."""
        return self.given.derived_from

    @property
    def supersedes(self) -> tuple[str, ...]:
        """Keys that it superseded, as given."""
        return self.given.supersedes

    @property
    def happened_at(self) -> dt.datetime:
        """`occurred_at`, or when that was not said `recorded_at`: what orders episodes and lists."""
        return self.given.occurred_at or self.recorded_at


_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _stamp(time: dt.datetime | None) -> str | None:
    return None if time is None else time.isoformat()


def sameness(given: Attributes) -> bytes:
    """
    A digest of the attributes as the caller gave them, 20 bytes.

    Order and repeats in lists do not count. 160 bits, so that nobody can make two texts meet on purpose within 2^80 tries.
    """
    parts = [
        given.content,
        given.aspects,
        given.basis,
        given.confidence,
        given.salience,
        _stamp(given.occurred_at),
        _stamp(given.due_at),
        _stamp(given.valid_from),
        _stamp(given.valid_to),
        sorted(given.sources),
        given.facets,
        given.subjects,
        given.tier,
        given.surface,
        given.episode,
        None if given.fact is None else attrs.astuple(given.fact),
        given.reviewer,
        sorted(given.derived_from),
        sorted(given.supersedes),
    ]
    return hashlib.blake2b(_ENCODE(parts).encode(), digest_size=20).digest()
