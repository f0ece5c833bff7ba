"""What the verbs on memories take. A list's option may be repeated."""

from typing import Annotated, Final

import attrs
from cyclopts import Parameter

from reminisce.app.cli.options import Count, Facets, Moment

__all__ = ["ALL", "NOTHING", "Asked", "Awaited", "Belief", "Bundled", "Changed", "Filters", "Given", "Narrowed"]


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class _Told:
    """What is said of a memory in every way of keeping one."""

    aspects: list[str] | None = None
    """episodic (default), semantic, procedural, prospective, autobiographical."""

    basis: str | None = None
    """observed (default), told, inferred, generated, imported."""

    confidence: float | None = None
    """From 0 to 1 (default 1)."""

    salience: float | None = None
    """From 0 to 1 (default 0.5)."""

    occurred_at: str | None = None
    """When it happened, such as 2026-11-30T18:15:00+01:00."""

    due_at: str | None = None
    """When it falls due."""

    valid_from: str | None = None
    """From when it holds."""

    valid_to: str | None = None
    """Until when it holds, that moment excluded."""

    sources: list[str] | None = None
    """What it cites, such as doc:runbook or a URL."""

    facets: Facets = None
    """NAME=VALUE."""

    subjects: list[str] | None = None
    """Whom it is about, by pseudonym."""

    tier: str | None = None
    """open (default), redacted, private."""

    surface: str | None = None
    """What may leave in its place when it is redacted."""

    episode: str | None = None
    """The conversation or task that it belongs to."""

    reviewer: str | None = None
    """Who alone may review it, should it have to wait for that."""

    derived_from: list[str] | None = None
    """Keys of memories that it was made from."""

    request_key: str | None = None
    """A name for this request, so that sending it again keeps nothing twice."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class _Kept(_Told):
    """What is said of a memory that is kept beside others."""

    key: str | None = None
    """A name for it, never free again. Made when left out."""

    supersedes: list[str] | None = None
    """Keys of memories that it replaces."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Given(_Kept):
    """The attributes of a memory."""

    fact: tuple[str, str, str] | None = None
    """What it says of one of its subjects: SUBJECT ATTRIBUTE VALUE, three words."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Belief(_Kept):
    """The attributes of a belief, beside its fact."""

    content: str | None = None
    """The text; made from the fact when left out."""

    many: Annotated[bool | None, Parameter(negative="--no-many")] = None
    """Whether the attribute holds several values at once; fixed at its first use (default: one)."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Changed(_Told):
    """What is another in a memory that is corrected. What is left out stays as it is."""

    content: str | None = None
    """The text."""

    new_key: str | None = None
    """A name for the new memory. Made when left out."""

    aspects: list[str] | None = None
    """episodic, semantic, procedural, prospective, autobiographical."""

    basis: str | None = None
    """observed, told, inferred, generated, imported."""

    confidence: float | None = None
    """From 0 to 1."""

    salience: float | None = None
    """From 0 to 1."""

    tier: str | None = None
    """open, redacted, private."""

    fact: tuple[str, str, str] | None = None
    """What it says of one of its subjects: SUBJECT ATTRIBUTE VALUE, three words."""

    sources: Annotated[list[str] | None, Parameter(negative="--empty-sources")] = None
    """What it cites, or that it cites nothing any more."""

    facets: Annotated[Facets, Parameter(negative="--empty-facets")] = None
    """NAME=VALUE, or that it has none any more."""

    derived_from: Annotated[list[str] | None, Parameter(negative="--empty-derived-from")] = None
    """Keys of memories that it was made from, or that it was made from none."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Narrowed:
    """What memories are meant. A list admits any of its values."""

    aspects: list[str] | None = None
    """Only these aspects."""

    subject: str | None = None
    """Only what is about this subject."""

    episode: str | None = None
    """Only this episode."""

    sources: list[str] | None = None
    """Only what cites these."""

    facets: Facets = None
    """Only with NAME=VALUE."""

    basis: list[str] | None = None
    """Only on these bases."""

    min_confidence: float | None = None
    """Only with this confidence or more, 0 to 1."""

    occurred_from: str | None = None
    """Only what happened then or later, such as 2026-11-30T00:00:00Z."""

    occurred_to: str | None = None
    """Only what happened before."""

    recorded_from: str | None = None
    """Only what was recorded then or later."""

    recorded_to: str | None = None
    """Only what was recorded before."""

    due_from: str | None = None
    """Only what falls due then or later."""

    due_to: str | None = None
    """Only what falls due before."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class _Counted(Narrowed):
    """What memories an answer may hold, and how many."""

    k: Annotated[Count, Parameter(name=("--k", "-k"))] = None
    """How many at most, 1 to 1000 (default 8)."""

    audience: str | None = None
    """Only what this audience may see."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Bundled(_Counted):
    """What a bundle may hold."""

    budget: Count = None
    """Tokens that the texts may take together (default 2000); four bytes count as one."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Awaited(_Counted):
    """What memories an answer may hold, how many, and from where on."""

    cursor: str | None = None
    """What an earlier answer gave for its next page."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Asked(Awaited):
    """What memories an answer may hold, and what it tells."""

    valid_at: str | None = None
    """Only what held then, superseded by now or not."""

    explain: bool | None = None
    """Say what earned each score."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Filters(Asked):
    """What memories an answer may hold, what it tells, and of when."""

    as_of: Moment | None = None
    """As the memories stood at a time, or at a revision."""


NOTHING: Final = Given()
ALL: Final = Filters()
