"""Short ways to write to a store from a test: by the domain's planners, or a commit of one's own."""

import datetime as dt
import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Final

from reminisce.domain.changes import Advance, Change, Commit, Fence, FenceKind, PutMemory
from reminisce.domain.memory import Memory
from reminisce.domain.planning.consent import plan_consent
from reminisce.domain.planning.forget import plan_forget
from reminisce.domain.planning.plan import Occasion
from reminisce.domain.planning.remember import Remembered, plan_remember
from reminisce.domain.records import LogEntry
from reminisce.domain.requests import read_request
from reminisce.domain.values import Status
from reminisce.domain.visibility import OWNER_ITSELF
from reminisce.ports.store import Store
from reminisce.testing.fakes import NOON

__all__ = [
    "ALICE",
    "BOB",
    "consent",
    "consent_change",
    "forget",
    "fresh_id",
    "next_commit",
    "put",
    "remember",
    "remember_many",
    "write",
]

ALICE: Final = "agent:alice"
BOB: Final = "agent:bob"

_ids = itertools.count(1)


def fresh_id() -> str:
    """An id for a commit or, behind ``m_``, a key that no other call gives."""
    return f"{next(_ids):032x}"


def remember_many(
    store: Store, owner: str, raws: Sequence[dict[str, Any]], *, now: dt.datetime = NOON
) -> tuple[Remembered, ...]:
    """Keep a batch in one commit. *raws* by the names of `remember`'s arguments."""
    with store.view() as view:
        plan = plan_remember(
            view,
            owner,
            [read_request(raw) for raw in raws],
            [f"m_{fresh_id()}" for _ in raws],
            viewer=OWNER_ITSELF,
            occasion=Occasion(now=now, actor="test", commit_id=fresh_id()),
        )
    if plan.commit is not None:
        store.commit(plan.commit)
    return plan.answer


def remember(store: Store, owner: str, content: str, *, now: dt.datetime = NOON, **raw: Any) -> str:
    """Keep one memory and tell its key."""
    return remember_many(store, owner, [{"content": content, **raw}], now=now)[0].key


def forget(store: Store, owner: str, *keys: str, reason: str | None = None) -> None:
    """Take memories out of recall."""
    with store.view() as view:
        occasion = Occasion(now=NOON, actor="test", commit_id=fresh_id())
        plan = plan_forget(view, owner, keys, reason=reason, viewer=OWNER_ITSELF, occasion=occasion)
    if plan.commit is not None:
        store.commit(plan.commit)


def consent_change(store: Store, ref: str, *audiences: str) -> Commit:
    """The commit that a consent would make now, not made yet."""
    with store.view() as view:
        commit = plan_consent(view, ref, audiences, commit_id=fresh_id()).commit
    assert commit is not None
    return commit


def consent(store: Store, ref: str, *audiences: str) -> None:
    """Say who may see what is about a subject."""
    store.commit(consent_change(store, ref, *audiences))


def put(owner: str, key: str, revision: int, *, ordinal: int = 0, **raw: Any) -> PutMemory:
    """A change that adds an active memory, by hand: what no planner would do can be tried with it."""
    request = read_request({"content": f"the words of {key}", "key": key, **raw})
    given = request.attributes
    memory = Memory(
        owner=owner,
        key=key,
        given=given,
        status=Status.ACTIVE,
        tier=given.tier,
        subjects=given.subjects,
        confidence_thousandths=given.confidence,
        salience_thousandths=given.salience,
        recorded_at=NOON,
        revision=revision,
        ordinal=ordinal,
        named=True,
        request_key=request.request_key,
        valid_from=given.valid_from,
        valid_to=given.valid_to,
        many=bool(request.many),
    )
    return PutMemory(memory, request.digest)


def next_commit(
    store: Store,
    owner: str,
    *changes: Change,
    advances: Iterable[Advance] = (),
    requires: Iterable[tuple[Fence, int]] = (),
    time: dt.datetime = NOON,
    keys: tuple[str, ...] = (),
) -> Commit:
    """The owner's next commit of any changes, not made yet."""
    with store.view() as view:
        seen = view.head(owner).revision
    return Commit(
        id=fresh_id(),
        changes=changes,
        advances=(Advance(Fence(FenceKind.OWNER, owner), seen, seen + 1), *advances),
        requires=tuple(requires),
        entries=(LogEntry(owner, seen + 1, time, "test", keys),),
    )


def write(store: Store, owner: str, *changes: Change) -> Commit:
    """Make the owner's next commit of any changes."""
    commit = next_commit(store, owner, *changes)
    store.commit(commit)
    return commit
