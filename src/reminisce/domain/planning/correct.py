"""Correct a memory: another stands in its place, with the changed attributes only."""

from collections.abc import Iterable
from typing import Final

import attrs

from reminisce.domain.beliefs import stated_end
from reminisce.domain.checks import Checks
from reminisce.domain.memory import Memory, sameness
from reminisce.domain.planning.keeping import Keeper
from reminisce.domain.planning.plan import Notebook, Occasion, Plan
from reminisce.domain.planning.reading import forms_seen, named_memories
from reminisce.domain.planning.remember import Remembered
from reminisce.domain.policy import Rules
from reminisce.domain.records import LinkKind, Member
from reminisce.domain.requests import Request, check_fact, check_validity
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Form, Viewer
from reminisce.errors import NotFoundError, StatusError

__all__ = ["CORRECTIONS", "CORRECT_BY_IMPORT", "carry", "plan_correct"]

CORRECT: Final = "correct"

CORRECT_BY_IMPORT: Final = "correct by import"
"""Of a note or a section that was edited: what stands then is what a file says, so that a file may change it back."""

CORRECTIONS: Final = frozenset({CORRECT, CORRECT_BY_IMPORT})
"""The operation's names in histories: what was made by it never let hold what it supersedes."""

_CARRIED = (LinkKind.CONTRADICTION, LinkKind.ASSOCIATION)
"""Links that the corrected memory takes part in as the old one did."""

_PARTS = ("side", "member", "claim")
"""The roles in which it does."""


def carry(snapshot: Snapshot, book: Notebook, old: Memory, new: Memory) -> None:
    """Have the new memory take part in what the old one takes part in."""
    touched: set[str] = set()
    links = snapshot.links(book.owner, [old.key], kinds=_CARRIED).get(old.key, ())
    held = snapshot.memories(book.owner, {key for link in links for _, key in link.members})
    # What is out of force is told of the old memory, and does not multiply with every correction.
    in_force = {key for key, memory in held.items() if memory.status is Status.ACTIVE}
    for link in links:
        if link.until is None:
            # A derivation stays what it was: nothing was derived from the new memory yet.
            members = tuple(
                Member(role, new.key if key == old.key and role in _PARTS else key) for role, key in link.members
            )
            if members == link.members or not in_force.issuperset(key for _, key in link.members):
                continue
            book.link(attrs.evolve(link, name=book.name(link.kind), members=members, since=book.revision), new.key)
            touched.update(key for _, key in members)
    for member in book.desk.memories(book.owner, sorted(touched)).values():
        book.rely_on(member.subjects)


def plan_correct(
    snapshot: Snapshot,
    owner: str,
    key: str,
    request: Request,
    changed: Iterable[str],
    name: str,
    *,
    viewer: Viewer,
    occasion: Occasion,
    rules: Rules = Rules(),  # noqa: B008 (frozen)
    operation: str = CORRECT,
) -> Plan[Remembered]:
    """
    Put a memory with other attributes in the place of *key*. Correcting it in the same way again answers the same.

    Args:
        request: Its attributes that *changed* names are taken, the others are those of the memory.
        changed: Names of `Attributes`.
        operation: One of `CORRECTIONS`.

    Raises:
        NotFoundError: It is not there, or may not be seen whole.
        StatusError: It is not active.
        InvalidError: Its attribute holds another number of values, or its validity would be none.
        KeyTakenError, RequestKeyTakenError, PolicyRefusedError
        Unruled: The policy has to be asked first.
    """
    book = Notebook(snapshot, owner, operation, occasion)
    old = named_memories(snapshot, owner, viewer, [key], "key")[key]
    if forms_seen(snapshot, viewer, [old])[key] is not Form.WHOLE:
        # Whoever sees a surface cannot say what stays as it is behind it.
        raise NotFoundError("key")
    changes = {field: getattr(request.attributes, field) for field in changed}
    if "fact" in changes and "content" not in changes and old.fact is not None and old.content == old.fact.told:
        # Words that were made from the fact are made anew.
        changes["content"] = changes["fact"].told
    if attrs.evolve(old.given, **changes) == old.given:
        return book.plan(Remembered(key, False, old.status, book.seen))
    given = attrs.evolve(old.given, **{**changes, "supersedes": (key,)})
    checks = Checks()
    check_validity(checks, given.valid_from, given.valid_to)
    check_fact(checks, given.fact, given.subjects)
    checks.finish()
    whole = attrs.evolve(request, attributes=given, digest=sameness(given))
    keeper = Keeper(snapshot, book, viewer, rules, [whole])
    same = keeper.same(whole)
    if same is not None:
        return book.plan(Remembered(same.key, False, same.status, book.seen))
    if old.status is not Status.ACTIVE:
        raise StatusError("key", old.status, "only what is active can be corrected")
    if "derived_from" not in changes:
        keeper.trust(old.derived_from)
    draft = keeper.draft(whole, name, since=old.valid_from)
    # It holds when what it corrects held: a slip of the pen is no event in anybody's life.
    since = draft.valid_from if "valid_from" in changes else old.valid_from
    until = given.valid_to if "valid_to" in changes else stated_end(snapshot.history(owner, [key]).get(key, ()))
    check_validity(checks, since, until)
    checks.finish()
    draft = attrs.evolve(
        draft,
        valid_from=since or draft.valid_from,
        valid_to=until,
        further_sources=tuple(source for source in old.further_sources if source not in given.sources),
        uses=old.uses,
        consolidated_uses=old.consolidated_uses,
        # What was said once does not get fresher by a corrected letter.
        consolidated_at=None if "salience" in changes else old.consolidated_at or old.recorded_at,
        salience_thousandths=draft.salience_thousandths if "salience" in changes else old.salience_thousandths,
        confidence_thousandths=draft.confidence_thousandths if "confidence" in changes else old.confidence_thousandths,
    )
    memory, effects = keeper.keep(draft, whole.digest, corrects=True)
    if effects is not None:
        carry(snapshot, book, old, memory)
    keeper.finish()
    return book.plan(Remembered(memory.key, True, memory.status, book.reached))
