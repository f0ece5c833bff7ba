"""Withdraw a subject's words, and purge the subject: opening, batches, closing."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import attrs

from reminisce.domain.changes import Advance, Change, Commit, DestroyKey, DropSubject, Fence, FenceKind, PutSubject
from reminisce.domain.memory import Cause, Erased, Memory
from reminisce.domain.planning.erase import erase_words
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.records import Subject, SubjectState, Withdrawal
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.errors import ConflictError

__all__ = ["Batch", "Opening", "plan_batch", "plan_close", "plan_drop", "plan_open", "plan_purging"]


@attrs.frozen
class Opening:
    """The withdrawal that a call works on."""

    epoch: int
    """The subject's epoch that opened it: what it is called. 0: there is no such subject."""

    state: SubjectState


@attrs.frozen
class Batch:
    """What one commit of a withdrawal or purge did, over all owners."""

    erased: int = 0
    """Memories whose words it erased, or whose link to the subject it removed."""

    unchanged: int = 0
    """Memories that needed nothing."""

    links: int = 0
    """Contradictions and associations that went with the words."""

    revisions: tuple[tuple[str, int], ...] = ()
    """Each owner written for, with its revision after the commit."""

    last: tuple[str, str] | None = None
    """Owner and key of the last memory looked at; None: there was none left."""


def _fences(snapshot: Snapshot, ref: str, *more: Fence) -> tuple[int, list[Advance]]:
    """The epoch that the subject will have, and what has to be claimed to get there; *more* are moved on by one."""
    subject, floor = Fence(FenceKind.SUBJECT, ref), Fence(FenceKind.FLOOR)
    standing = snapshot.fences([subject, floor, *more])
    epoch = max(standing[subject], standing[floor]) + 1
    return epoch, [
        Advance(subject, standing[subject], epoch),
        *(Advance(fence, standing[fence], standing[fence] + 1) for fence in more),
    ]


def _commit(commit_id: str, advances: Iterable[Advance], *changes: Change) -> Commit:
    return Commit(id=commit_id, changes=changes, advances=tuple(advances))


def plan_open(snapshot: Snapshot, ref: str, *, reason: str | None, occasion: Occasion) -> Plan[Opening]:
    """
    Begin a withdrawal: from here on nothing is written about the subject, nobody is shown it, and its key is no more.

    One that is under way is gone on with; one that is done is answered. A reference never seen is recorded as withdrawn, so
    that a first mention in flight is refused.
    """
    held = snapshot.subjects([ref]).get(ref)
    if held is not None and held.state is not SubjectState.OPEN:
        return Plan(Opening(held.withdrawals[-1].opening, held.state), None)
    epoch, advances = _fences(snapshot, ref, Fence(FenceKind.CONSENTS), Fence(FenceKind.KEYS))
    state = SubjectState.WITHDRAWN if held is None else SubjectState.WITHDRAWING
    closed = occasion.now if held is None else None
    withdrawal = Withdrawal(epoch, occasion.now, occasion.actor, reason, closed)
    before = () if held is None else held.withdrawals
    subject = Subject(ref, (), state, (*before, withdrawal))
    commit = _commit(occasion.commit_id, advances, PutSubject(subject), DestroyKey(ref))
    return Plan(Opening(epoch, state), commit)


def _stands(snapshot: Snapshot, ref: str, opening: Opening) -> Subject | None:
    """The subject, while it is at *opening*."""
    held = snapshot.subjects([ref]).get(ref)
    if held is None or held.state is not opening.state or held.withdrawals[-1].opening != opening.epoch:
        return None
    return held


def plan_batch(
    snapshot: Snapshot, ref: str, opening: Opening, *, after: tuple[str, str] | None, limit: int, occasion: Occasion
) -> Plan[Batch]:
    """
    Erase the words of the next memories about a subject; or, of one that is being purged, their links to it.

    Args:
        opening: What is worked on. Where another process has finished it, nothing is left to do.
        after: The last memory of the batch before.
        limit: Memories in the commit.
    """
    subject = _stands(snapshot, ref, opening)
    places = snapshot.about(ref, after=after, limit=limit) if subject is not None else ()
    if not places:
        return Plan(Batch(), None)
    purges = opening.state is SubjectState.PURGING
    parts = [
        _of_owner(snapshot, ref, opening, owner, [key for _, key in pairs], purges, occasion)
        for owner, pairs in groupby(places, key=lambda place: place[0])
    ]
    batch = Batch(
        erased=sum(part.answer.erased for part in parts),
        unchanged=sum(part.answer.unchanged for part in parts),
        links=sum(part.answer.links for part in parts),
        revisions=tuple(pair for part in parts for pair in part.answer.revisions),
        last=places[-1],
    )
    commits = [part.commit for part in parts if part.commit is not None]
    if not commits:
        return Plan(batch, None)
    fence = Fence(FenceKind.SUBJECT, ref)
    return Plan(
        batch,
        Commit(
            id=occasion.commit_id,
            changes=tuple(change for commit in commits for change in commit.changes),
            advances=tuple(advance for commit in commits for advance in commit.advances),
            requires=((fence, snapshot.fences([fence])[fence]),),
            entries=tuple(entry for commit in commits for entry in commit.entries),
        ),
    )


def _of_owner(
    snapshot: Snapshot,
    ref: str,
    opening: Opening,
    owner: str,
    keys: Sequence[str],
    purges: bool,
    occasion: Occasion,
) -> Plan[Batch]:
    book = Notebook(snapshot, owner, "purge" if purges else "withdraw", occasion)
    held = snapshot.memories(owner, keys).values()
    links = 0
    if purges:
        going = list(held)
        for memory in going:
            _unlink(book, memory, ref)
    else:
        going = [memory for memory in held if memory.status is not Status.WITHDRAWN]
        links = erase_words(snapshot, book, going, Erased(Cause.WITHDRAWAL, ref, opening.epoch))
    revisions = ((owner, book.reached),) if going else ()
    return book.plan(Batch(len(going), len(held) - len(going), links, revisions))


def _unlink(book: Notebook, memory: Memory, ref: str) -> None:
    by = memory.erased or Erased(Cause.PURGE)
    if by.subject == ref:
        by = Erased(Cause.PURGE)
    others = tuple(name for name in memory.given.subjects if name != ref)
    without = tuple(name for name in memory.subjects if name != ref)
    book.erase(attrs.evolve(memory, given=attrs.evolve(memory.given, subjects=others), subjects=without), by)


def plan_close(snapshot: Snapshot, ref: str, opening: Opening, *, occasion: Occasion) -> Plan[Opening]:
    """End a withdrawal of which every batch is done."""
    subject = _stands(snapshot, ref, opening)
    if subject is None:
        return Plan(attrs.evolve(opening, state=SubjectState.WITHDRAWN), None)
    *before, last = subject.withdrawals
    closed = attrs.evolve(
        subject,
        state=SubjectState.WITHDRAWN,
        withdrawals=(*before, attrs.evolve(last, closed_at=max(occasion.now, last.time))),
    )
    _, advances = _fences(snapshot, ref)
    return Plan(Opening(opening.epoch, closed.state), _commit(occasion.commit_id, advances, PutSubject(closed)))


def plan_purging(snapshot: Snapshot, ref: str, opening: Opening, *, occasion: Occasion) -> Plan[Opening]:
    """
    Begin to purge a subject whose withdrawal is done. One that is being purged, or is gone, is answered.

    Raises:
        ConflictError: It was opened again meanwhile.
    """
    held = snapshot.subjects([ref]).get(ref)
    if held is None:
        return Plan(Opening(0, SubjectState.PURGING), None)
    if held.state is SubjectState.OPEN or held.withdrawals[-1].opening != opening.epoch:
        raise ConflictError
    purging = Opening(opening.epoch, SubjectState.PURGING)
    if held.state is SubjectState.PURGING:
        return Plan(purging, None)
    _, advances = _fences(snapshot, ref)
    marked = attrs.evolve(held, state=SubjectState.PURGING)
    return Plan(purging, _commit(occasion.commit_id, advances, PutSubject(marked)))


def plan_drop(snapshot: Snapshot, ref: str, opening: Opening, *, occasion: Occasion) -> Plan[None]:
    """Remove a subject that no memory is about any more, with all that was recorded of it."""
    if _stands(snapshot, ref, opening) is None:
        return Plan(None, None)
    subject, floor, consents = Fence(FenceKind.SUBJECT, ref), Fence(FenceKind.FLOOR), Fence(FenceKind.CONSENTS)
    standing = snapshot.fences([subject, floor, consents])
    advances = [
        # Claimed, then gone with the subject; the floor keeps a later one of that reference from repeating it.
        Advance(subject, standing[subject], standing[subject] + 1),
        Advance(consents, standing[consents], standing[consents] + 1),
    ]
    if standing[floor] <= standing[subject]:
        advances.append(Advance(floor, standing[floor], standing[subject] + 1))
    return Plan(None, _commit(occasion.commit_id, advances, DestroyKey(ref), DropSubject(ref)))
