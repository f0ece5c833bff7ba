"""Beliefs: what the owner holds true of a subject, one value of an attribute at a time or many."""

import datetime as dt
from typing import Any

import attrs

from reminisce.domain.beliefs import Outcome, overlapping
from reminisce.domain.memory import Cause, Erased, Memory, folded
from reminisce.domain.planning.effects import BELIEVE, foresee, group
from reminisce.domain.planning.erase import erase_words
from reminisce.domain.planning.forget import left_superseded, retire
from reminisce.domain.planning.keeping import Keeper, come_into_force
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import forms_seen, visible_memories
from reminisce.domain.planning.reinforce import reinforcement
from reminisce.domain.planning.supersession import is_replaced
from reminisce.domain.policy import Rules
from reminisce.domain.requests import Request
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Form, Viewer

__all__ = ["Believed", "Disbelieved", "plan_believe", "plan_disbelieve"]


@attrs.frozen
class Believed:
    """What became of something believed."""

    key: str
    """Of the belief that says so: a new one, or the one that was reinforced."""

    outcome: Outcome
    status: Status
    """``held`` when it waits for review: nothing else has changed then."""

    valid_from: dt.datetime | None
    valid_to: dt.datetime | None
    superseded: tuple[str, ...]
    """Keys of beliefs that it ended, those the caller may see. Sorted."""

    revision: int
    """The owner's revision after the call."""


@attrs.frozen
class Disbelieved:
    """What a disbelieve did."""

    forgotten: tuple[str, ...]
    """Keys of the beliefs that went out of force now, in the order in which they were made."""

    left_superseded: tuple[str, ...]
    """Keys of earlier beliefs that ended where one of these started, and stay so: `reinstate` brings one back. Sorted."""

    revision: int
    complete: bool = True
    """False when the face's bound on an answer left keys out: all of it is done nevertheless."""


def _seen(snapshot: Snapshot, owner: str, viewer: Viewer, keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(visible_memories(snapshot, owner, viewer, keys)))


def _repeated(snapshot: Snapshot, memory: Memory, book: Notebook, viewer: Viewer) -> Believed:
    """The answer for a request that was made before: what became of it then, and where it stands now."""
    first = next(iter(snapshot.history(book.owner, [memory.key]).get(memory.key, ())), None)
    entry = next(iter(snapshot.log(book.owner, since=memory.revision - 1)))
    # A batch touches what has nothing to do with it.
    touched = entry.keys if entry.operation == BELIEVE else ()
    ended = _seen(snapshot, book.owner, viewer, tuple(key for key in touched if key != memory.key))
    outcome = Outcome.SUPERSEDED if ended else Outcome.NEW
    if first is not None and first.status is Status.SUPERSEDED:
        outcome = Outcome.HISTORY
    return Believed(memory.key, outcome, memory.status, memory.valid_from, memory.valid_to, ended, book.seen)


def _reinforced(
    snapshot: Snapshot, book: Notebook, viewer: Viewer, draft: Memory
) -> tuple[Memory, dict[str, Any]] | None:
    """The belief that says the same already, where the caller may see it whole, and what changes of it."""
    fact = draft.fact
    assert fact is not None  # noqa: S101 (a belief has one)
    assert draft.valid_from is not None  # noqa: S101
    found = overlapping(group(book.desk, draft), folded(fact.value), draft.valid_from, draft.valid_to)
    if found is None:
        return None
    line, valid_from, valid_to = found
    held = book.desk.memories(book.owner, [line.key])[line.key]
    if is_replaced(book.desk, book.owner, held.key):
        # Something that is in force says that it is not so: saying it again says it anew.
        return None
    if forms_seen(snapshot, viewer, [held]).get(held.key) is not Form.WHOLE:
        # To a caller that may not see it, it does not exist: telling "the same" would tell what it says.
        return None
    return held, reinforcement(held, draft) | {"valid_from": valid_from, "valid_to": valid_to}


def plan_believe(
    snapshot: Snapshot,
    owner: str,
    request: Request,
    name: str,
    *,
    viewer: Viewer,
    occasion: Occasion,
    rules: Rules = Rules(),  # noqa: B008 (frozen)
) -> Plan[Believed]:
    """
    Believe what the request's fact says, for the time that it says.

    Raises:
        InvalidError: The attribute holds another number of values, or the validity is none.
        KeyTakenError, RequestKeyTakenError, NotFoundError, StatusError, PolicyRefusedError
        Unruled: The policy has to be asked first.
    """
    book = Notebook(snapshot, owner, BELIEVE, occasion)
    keeper = Keeper(snapshot, book, viewer, rules, [request])
    repeated = keeper.named(request)
    if repeated is not None:
        return book.plan(_repeated(snapshot, repeated, book, viewer))
    draft = keeper.draft(request, name)
    same = _reinforced(snapshot, book, viewer, draft)
    # Sources that a reinforcement brings are text like any other: what has to wait for review is kept as its own.
    brings = same is not None and same[1]["further_sources"] != same[0].further_sources
    if same is not None and not (brings and keeper.waits(draft)):
        keeper.finish()
        held, values = same
        effects = foresee(book, attrs.evolve(held, **values), again=True)
        come_into_force(book, held, effects, again=True)
        memory, outcome = effects.memory, Outcome.REINFORCED
        ended = _seen(snapshot, owner, viewer, effects.ended)
    else:
        memory, made = keeper.keep(draft, request.digest)
        keeper.finish()
        ended = () if made is None else _seen(snapshot, owner, viewer, made.ended)
        outcome = Outcome.SUPERSEDED if ended else Outcome.NEW
        if made is not None and made.later:
            outcome = Outcome.HISTORY
    return book.plan(
        Believed(memory.key, outcome, memory.status, memory.valid_from, memory.valid_to, ended, book.reached)
    )


def plan_disbelieve(
    snapshot: Snapshot,
    owner: str,
    subject: str,
    attribute: str | None,
    *,
    viewer: Viewer,
    occasion: Occasion,
    reason: str | None = None,
    erase: bool = False,
) -> Plan[Disbelieved]:
    """
    Forget what is believed of a subject, now and for times to come; of one attribute, or of all. What was, stays told.

    Args:
        erase: Erase the words of what is forgotten, too.
    """
    book = Notebook(snapshot, owner, "disbelieve", occasion)
    lines = [
        line
        for line in snapshot.facts(owner, subject, attribute=attribute)
        if line.status is Status.ACTIVE and (line.valid_to is None or line.valid_to > book.time)
    ]
    held = snapshot.memories(owner, [line.key for line in lines])
    forms = forms_seen(snapshot, viewer, held.values())
    going = [held[line.key] for line in lines if forms.get(line.key) is Form.WHOLE]
    left = left_superseded(snapshot, owner, viewer, going)
    if erase:
        erase_words(snapshot, book, going, Erased(Cause.ERASE))
    else:
        retire(book, going, reason)
    return book.plan(Disbelieved(tuple(memory.key for memory in going), left, book.reached))
