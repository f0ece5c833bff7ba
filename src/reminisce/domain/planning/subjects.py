"""Whether anything may be written about a subject."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from reminisce.domain.records import Subject, SubjectState
from reminisce.errors import SubjectWithdrawnError

__all__ = ["check_open", "last_opening"]


class People(Protocol):
    """Tells subjects: a `Snapshot`."""

    def subjects(self, refs: Iterable[str], /) -> Mapping[str, Subject]: ...


def check_open(people: People, refs: Iterable[str]) -> None:
    """
    Make sure that all of these are open. One never seen is.

    Raises:
        SubjectWithdrawnError: Of one the words were withdrawn, or are being.
    """
    refs = list(refs)
    if refs and any(subject.state is not SubjectState.OPEN for subject in people.subjects(refs).values()):
        raise SubjectWithdrawnError


def last_opening(people: People, ref: str) -> int:
    """What the subject's last withdrawal is called; 0 when there was none."""
    subject = people.subjects([ref]).get(ref)
    return subject.withdrawals[-1].opening if subject is not None and subject.withdrawals else 0
