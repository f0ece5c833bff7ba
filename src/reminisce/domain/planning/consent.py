"""Who may see what is about a subject."""

from collections.abc import Sequence

import attrs

from reminisce.domain.changes import Advance, Commit, Fence, FenceKind, PutSubject
from reminisce.domain.planning.plan import Plan
from reminisce.domain.records import Subject
from reminisce.domain.snapshot import Snapshot

__all__ = ["Consented", "plan_consent"]


@attrs.frozen
class Consented:
    """A subject's consent after the call."""

    subject: str
    audiences: tuple[str, ...]
    """Sorted. Empty: the owners alone."""

    changed: bool


def plan_consent(snapshot: Snapshot, ref: str, audiences: Sequence[str], *, commit_id: str) -> Plan[Consented]:
    """Set the audiences that may see a subject's memories, in every owner. A new reference is made."""
    wanted = tuple(sorted(set(audiences)))
    held = snapshot.subjects([ref]).get(ref)
    if held is not None and held.audiences == wanted:
        return Plan(Consented(ref, wanted, False), None)
    subject, consents, floor = Fence(FenceKind.SUBJECT, ref), Fence(FenceKind.CONSENTS), Fence(FenceKind.FLOOR)
    standing = snapshot.fences([subject, consents, floor])
    commit = Commit(
        id=commit_id,
        changes=(PutSubject(Subject(ref, wanted)),),
        advances=(
            Advance(subject, standing[subject], max(standing[subject], standing[floor]) + 1),
            Advance(consents, standing[consents], standing[consents] + 1),
        ),
    )
    return Plan(Consented(ref, wanted, True), commit)
