"""Who may see what is about a subject."""

from collections.abc import Sequence

import attrs

from reminisce.domain.changes import Advance, Commit, Fence, FenceKind, PutSubject
from reminisce.domain.planning.plan import Plan
from reminisce.domain.planning.subjects import last_opening
from reminisce.domain.records import Subject, SubjectState
from reminisce.domain.snapshot import Snapshot
from reminisce.errors import SubjectWithdrawnError

__all__ = ["Consented", "plan_consent"]


@attrs.frozen
class Consented:
    """A subject's consent after the call."""

    subject: str
    audiences: tuple[str, ...]
    """Sorted. Empty: the owners alone."""

    changed: bool


def plan_consent(
    snapshot: Snapshot, ref: str, audiences: Sequence[str], *, commit_id: str, opening: int | None = None
) -> Plan[Consented]:
    """
    Set the audiences that may see a subject's memories, in every owner. A new reference is made; a withdrawn one is opened.

    Args:
        opening: The subject's last withdrawal when this was asked for; None: as it stands now. A consent that was asked for
            before a withdrawal does not undo it.

    Raises:
        SubjectWithdrawnError: A withdrawal or purge is under way, or came between.
    """
    wanted = tuple(sorted(set(audiences)))
    held = snapshot.subjects([ref]).get(ref) or Subject(ref)
    known = last_opening(snapshot, ref)
    if held.state in (SubjectState.WITHDRAWING, SubjectState.PURGING) or opening not in (None, known):
        raise SubjectWithdrawnError("subject")
    after = attrs.evolve(held, audiences=wanted, state=SubjectState.OPEN)
    subject, consents, floor = Fence(FenceKind.SUBJECT, ref), Fence(FenceKind.CONSENTS), Fence(FenceKind.FLOOR)
    standing = snapshot.fences([subject, consents, floor])
    if after == held and standing[subject]:
        return Plan(Consented(ref, wanted, False), None)
    commit = Commit(
        id=commit_id,
        changes=(PutSubject(after),),
        advances=(
            Advance(subject, standing[subject], max(standing[subject], standing[floor]) + 1),
            Advance(consents, standing[consents], standing[consents] + 1),
        ),
    )
    return Plan(Consented(ref, wanted, True), commit)
