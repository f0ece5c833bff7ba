"""Keep memories: each made, or found to be there already."""

from collections.abc import Sequence

import attrs

from reminisce.domain.planning.keeping import Keeper
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.policy import Rules
from reminisce.domain.requests import Request
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Viewer
from reminisce.errors import ReminisceError, at_line

__all__ = ["Remembered", "plan_remember"]


@attrs.frozen
class Remembered:
    """The answer for one memory."""

    key: str
    created: bool
    """False: it was there already, and nothing was written."""

    status: Status
    revision: int
    """The owner's revision after the call."""


def plan_remember(
    snapshot: Snapshot,
    owner: str,
    requests: Sequence[Request],
    names: Sequence[str],
    *,
    viewer: Viewer,
    occasion: Occasion,
    rules: Rules = Rules(),  # noqa: B008 (frozen)
    operation: str = "remember",
) -> Plan[tuple[Remembered, ...]]:
    """
    Keep each request's memory, or find the one that it repeats. All or nothing.

    Sameness is decided over all that the owner holds, seen by the caller or not: who repeats every attribute of a memory
    learns its key and nothing else, and no face can make two active twins.

    Args:
        names: One fresh key a request, used where the caller gave none.

    Raises:
        InvalidError, KeyTakenError, RequestKeyTakenError, NotFoundError, StatusError, PolicyRefusedError: For a batch of
            several, with the line in the field.
        Unruled: The policy has to be asked first.
    """
    book = Notebook(snapshot, owner, operation, occasion)
    keeper = Keeper(snapshot, book, viewer, rules, requests)
    answers = []
    for line, request in enumerate(requests):
        try:
            memory, created = keeper.same(request), False
            if memory is None:
                memory, _ = keeper.keep(keeper.draft(request, names[line], line), request.digest)
                created = True
        except ReminisceError as error:
            raise (at_line(error, line) if len(requests) > 1 else error) from None
        answers.append((memory, created))
    keeper.finish()
    # Of a belief that a later line ended, what it is after the whole batch.
    held = [(book.desk.changed(memory.key) or memory, created) for memory, created in answers]
    return book.plan(tuple(Remembered(memory.key, created, memory.status, book.reached) for memory, created in held))
