"""All that a snapshot answers, as one value that can be compared."""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any, Final

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.memory import Memory, folded, sameness
from reminisce.domain.records import LinkKind, LogEntry
from reminisce.domain.snapshot import Snapshot
from reminisce.ports.store import Store

__all__ = ["contents", "contents_of"]

MANY: Final = 1_000_000
"""More memories about one subject than any test makes."""

_MICRO: Final = dt.timedelta(microseconds=1)

_OF_OWNERS: Final = (FenceKind.OWNER, FenceKind.ERASURE, FenceKind.PIECES, FenceKind.CONSOLIDATION)


def _plain(answer: Any) -> dict[Any, Any]:
    # Stores may answer a list where another answers a tuple; the promise is the order.
    return {name: list(held) if isinstance(held, list | tuple) else held for name, held in answer.items()}


def _links(snapshot: Snapshot, owner: str, keys: Sequence[str]) -> dict[str, Any]:
    links = snapshot.links(owner, keys)
    roles = {(link.kind, member.role) for held in links.values() for link in held for member in link.members}
    return {
        "links": _plain(links),
        "links by kind": {kind: _plain(snapshot.links(owner, keys, kinds=[kind])) for kind in LinkKind},
        "ties": {(kind, role): _plain(snapshot.ties(owner, keys, kind, role)) for kind, role in sorted(roles)},
    }


def _facts(snapshot: Snapshot, owner: str, memories: Sequence[Memory]) -> dict[str, Any]:
    """Of the facts that *memories* tell of, or told of once."""
    facts = [memory.fact for memory in memories if memory.fact is not None]
    subjects = {ref for memory in memories for ref in memory.subjects}.union(fact.subject for fact in facts)
    attributes = {(fact.subject, fact.attribute) for fact in facts}
    values = {(fact.subject, fact.attribute, folded(fact.value)) for fact in facts}
    asked: list[tuple[str | None, ...]] = [*((ref, None, None) for ref in subjects)]
    asked += [*((ref, attribute, None) for ref, attribute in attributes), *values]
    return {
        "facts": {
            (ref, attribute, value): list(snapshot.facts(owner, str(ref), attribute=attribute, value=value))
            for ref, attribute, value in asked
        },
        "facts since": {
            (ref, time): list(snapshot.facts(owner, ref, since=time))
            for ref in subjects
            for time in {memory.valid_to for memory in memories if memory.valid_to is not None}
        },
        "valued": dict(snapshot.valued(owner, {fact.attribute for fact in facts})),
    }


def _times(snapshot: Snapshot, owner: str, log: Sequence[LogEntry]) -> dict[dt.datetime, int]:
    made = {entry.time for entry in log}
    return {time: snapshot.revision_at(owner, time) for time in made.union(time - _MICRO for time in made)}


def _of_owner(snapshot: Snapshot, owner: str, told: Sequence[Memory]) -> dict[str, Any]:
    records = list(snapshot.records(owner))
    memories = [record.memory for record in records]
    asked = [*memories, *told]
    keys = [memory.key for memory in memories]
    log = list(snapshot.log(owner, since=0))
    middle = memories[len(memories) // 2] if memories else None
    return {
        "head": snapshot.head(owner),
        "records": records,
        "memories": dict(snapshot.memories(owner, keys)),
        "outlines": dict(snapshot.outlines(owner, keys)),
        "in order": list(snapshot.in_order(owner)),
        "holders": _plain(snapshot.holders(owner, {sameness(memory.given) for memory in asked})),
        "requests": dict(snapshot.requests(owner, {m.request_key for m in asked if m.request_key is not None})),
        "history": _plain(snapshot.history(owner, keys)),
        **_links(snapshot, owner, keys),
        **_facts(snapshot, owner, asked),
        "citing": _plain(snapshot.citing(owner, {source for memory in asked for source in memory.sources})),
        "pieces": list(snapshot.pieces(owner)),
        "covered": snapshot.covered(owner),
        "log": log,
        "revision_at": _times(snapshot, owner, log),
        "later records": middle and list(snapshot.records(owner, after=(middle.revision, middle.ordinal))),
    }


def contents(
    snapshot: Snapshot, *, refs: Iterable[str] = (), commits: Iterable[str] = (), told: Iterable[Memory] = ()
) -> dict[str, Any]:
    """
    Everything that can be asked of a snapshot, found from what it holds itself.

    Args:
        refs: Subjects to ask for beside those that memories mention.
        commits: Ids of commits to ask for: a snapshot lists none.
        told: Memories as they were once: what they said is asked for, though it may be erased since.

    Returns:
        Equal for two snapshots that hold the same.
    """
    owners = list(snapshot.owners())
    once = list(told)
    held = {owner: _of_owner(snapshot, owner, [m for m in once if m.owner == owner]) for owner in owners}
    mentioned = sorted({*refs, *(ref for of in held.values() for m in of["memories"].values() for ref in m.subjects)})
    fences = [Fence(kind) for kind in (FenceKind.CONSENTS, FenceKind.FLOOR, FenceKind.KEYS)]
    fences += [Fence(kind, owner) for owner in owners for kind in _OF_OWNERS]
    fences += [Fence(FenceKind.SUBJECT, ref) for ref in mentioned]
    return {
        "incarnation": snapshot.incarnation(),
        "owners": owners,
        "held": held,
        "subjects": dict(snapshot.subjects(mentioned)),
        "subject keys": dict(snapshot.subject_keys(mentioned)),
        "keyring": list(map(list, snapshot.keyring())),
        "about": {ref: list(snapshot.about(ref, limit=MANY)) for ref in mentioned},
        "fences": dict(snapshot.fences(fences)),
        "committed": {name: snapshot.committed(name) for name in commits},
    }


def contents_of(
    store: Store, *, refs: Iterable[str] = (), commits: Iterable[str] = (), told: Iterable[Memory] = ()
) -> dict[str, Any]:
    """The `contents` of a store as it is now."""
    with store.view() as view:
        return contents(view, refs=refs, commits=commits, told=told)
