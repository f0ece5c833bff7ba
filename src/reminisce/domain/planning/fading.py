"""Time passing: consolidate and prune."""

import datetime as dt
from itertools import islice
from typing import Final

import attrs

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.instants import micros
from reminisce.domain.memory import Memory
from reminisce.domain.planning.forget import retire
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import forms_seen
from reminisce.domain.retention import Decay, age_at, retention, salience_after_uses
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Viewer
from reminisce.errors import ConfigurationError

__all__ = ["Batch", "Consolidated", "Fading", "Pruned", "fade", "plan_consolidate", "plan_prune"]

FADED: Final = "faded"
"""The reason of what was retired for its little salience."""


@attrs.frozen
class Consolidated:
    """What a consolidation did."""

    until: dt.datetime
    changed: int
    """Memories whose salience is another now, those that the caller may see."""

    retired: tuple[str, ...]
    """Keys of memories that had faded below the threshold, the first 1,000; see `complete`."""

    done: bool
    """False: the interval was consolidated before, and nothing was changed."""

    revision: int
    """The owner's revision after the call."""

    complete: bool = True
    """False when there are more keys than it tells: all of it is done nevertheless."""


@attrs.frozen
class Pruned:
    """What a prune retired, or of a dry run would retire."""

    pruned: tuple[str, ...]
    """Keys, in the order in which they were made."""

    dry_run: bool
    """True: nothing was written."""

    revision: int
    """The owner's revision after the call."""

    complete: bool = True
    """False when the face's bound on an answer left keys out: all of it is done nevertheless."""


@attrs.frozen(kw_only=True)
class Fading:
    """How salience fades."""

    half_life: dt.timedelta
    decay: Decay
    threshold: int = 0
    """Thousandths. What falls strictly below it has faded; 0: nothing does."""


@attrs.frozen
class _Faded:
    """A memory's salience at some time."""

    salience: int
    """Thousandths."""

    since: dt.datetime
    """From when it decays on."""


def fade(memory: Memory, until: dt.datetime, fading: Fading) -> _Faded:
    """
    A memory's salience at *until*: what decay leaves of it, and its uses since folded in.

    What is left is rounded, so it decays on from the moment at which exactly that was left: else every interval would lose
    or win up to half a thousandth, and many short ones would leave something else than one long one does.
    """
    since, before = memory.consolidated_at or memory.recorded_at, memory.salience_thousandths
    left = fading.decay(max(until - since, dt.timedelta(0)), fading.half_life, before)
    if type(left) is not int or not 0 <= left <= before:
        raise ConfigurationError("decay", "must give whole thousandths, from 0 to the salience that it was given")
    uses = memory.uses - memory.consolidated_uses
    if uses or not left or fading.decay is not retention:
        return _Faded(salience_after_uses(left, uses), max(since, until))
    return _Faded(left, since if left == before else since + age_at(fading.half_life, before, left))


@attrs.frozen
class Batch:
    """A part of a consolidation."""

    changed: int
    retired: tuple[str, ...]
    revision: int
    end: tuple[int, int]
    """The place of the last memory looked at, in canonical order."""

    last: bool
    """Whether the interval is consolidated with it."""


def plan_consolidate(
    snapshot: Snapshot,
    owner: str,
    after: tuple[int, int],
    size: int,
    *,
    until: dt.datetime,
    fading: Fading,
    viewer: Viewer,
    occasion: Occasion,
) -> Plan[Batch | None]:
    """
    Bring the salience of some memories to the interval's end; None when it was brought there by another call meanwhile.

    A memory that is there already does not change again, but for uses since, so that a consolidation that was stopped goes
    on where it was.

    Args:
        after: The (revision, ordinal) behind which the batch begins.
        size: How many memories are looked at.

    Raises:
        ConfigurationError: A decay of the host's own answered what is no salience.
    """
    book = Notebook(snapshot, owner, "consolidate", occasion)
    fence = Fence(FenceKind.CONSOLIDATION, owner)
    if snapshot.fences([fence])[fence] >= micros(until):
        return book.plan(None)
    changed: list[Memory] = []
    faded: list[Memory] = []
    chunk = list(islice(snapshot.in_order(owner, after=after), size))
    end = (chunk[-1].revision, chunk[-1].ordinal) if chunk else after
    # What was made after the interval's end is not its business.
    last = len(chunk) < size or chunk[-1].recorded_at > until
    for memory in chunk:
        if memory.status is not Status.ACTIVE or memory.recorded_at > until:
            continue
        faded_to, uses = fade(memory, until, fading), memory.uses
        salience = faded_to.salience
        if (salience, uses) != (memory.salience_thousandths, memory.consolidated_uses):
            changed += [memory] if salience != memory.salience_thousandths else []
            book.weigh(memory, salience_thousandths=salience, consolidated_uses=uses, consolidated_at=faded_to.since)
        if salience < fading.threshold:
            faded.append(memory)
    # Salience is the owner's, whoever has it brought up to date; forgetting is for who may see.
    seen = forms_seen(snapshot, viewer, {memory.key: memory for memory in (*changed, *faded)}.values())
    retired = retire(book, [memory for memory in faded if memory.key in seen], FADED, of_caller=False)
    if last:
        book.advance(fence, micros(until))
    return book.plan(Batch(sum(memory.key in seen for memory in changed), retired, book.reached, end, last))


def plan_prune(
    snapshot: Snapshot,
    owner: str,
    *,
    fading: Fading,
    dry_run: bool,
    viewer: Viewer,
    occasion: Occasion,
) -> Plan[Pruned]:
    """Retire what time has left strictly below the threshold by now, in one commit."""
    book = Notebook(snapshot, owner, "prune", occasion)
    faded = [
        memory
        for memory in snapshot.in_order(owner)
        if memory.status is Status.ACTIVE and fade(memory, book.time, fading).salience < fading.threshold
    ]
    forms = forms_seen(snapshot, viewer, faded)
    going = [memory for memory in faded if memory.key in forms]
    pruned = tuple(memory.key for memory in going) if dry_run else retire(book, going, FADED, of_caller=False)
    return book.plan(Pruned(pruned, dry_run, book.reached))
