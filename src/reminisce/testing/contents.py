"""All that a snapshot answers, as one value that can be compared."""

from collections.abc import Iterable
from typing import Any

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.memory import sameness
from reminisce.domain.snapshot import Snapshot
from reminisce.ports.store import Store

__all__ = ["contents", "contents_of"]

MANY = 1_000_000
"""More memories about one subject than any test makes."""


def _plain(answer: Any) -> dict[Any, Any]:
    # Stores may answer a list where another answers a tuple; the promise is the order.
    return {name: list(held) if isinstance(held, list | tuple) else held for name, held in answer.items()}


def _of_owner(snapshot: Snapshot, owner: str) -> dict[str, Any]:
    records = list(snapshot.records(owner))
    memories = [record.memory for record in records]
    keys = [memory.key for memory in memories]
    return {
        "head": snapshot.head(owner),
        "records": records,
        "memories": dict(snapshot.memories(owner, keys)),
        "holders": _plain(snapshot.holders(owner, {sameness(memory.given) for memory in memories})),
        "requests": dict(snapshot.requests(owner, [m.request_key for m in memories if m.request_key is not None])),
        "history": _plain(snapshot.history(owner, keys)),
        "links": _plain(snapshot.links(owner, keys)),
        "citing": _plain(snapshot.citing(owner, {source for memory in memories for source in memory.sources})),
        "pieces": list(snapshot.pieces(owner)),
        "covered": snapshot.covered(owner),
        "log": list(snapshot.log(owner, since=0)),
    }


def contents(snapshot: Snapshot, *, refs: Iterable[str] = (), commits: Iterable[str] = ()) -> dict[str, Any]:
    """
    Everything that can be asked of a snapshot, found from what it holds itself.

    Args:
        refs: Subjects to ask for beside those that memories mention.
        commits: Ids of commits to ask for: a snapshot lists none.

    Returns:
        Equal for two snapshots that hold the same.
    """
    owners = list(snapshot.owners())
    held = {owner: _of_owner(snapshot, owner) for owner in owners}
    mentioned = sorted({*refs, *(ref for of in held.values() for m in of["memories"].values() for ref in m.subjects)})
    fences = [Fence(FenceKind.CONSENTS), Fence(FenceKind.FLOOR)]
    fences += [
        Fence(kind, owner) for owner in owners for kind in (FenceKind.OWNER, FenceKind.ERASURE, FenceKind.PIECES)
    ]
    fences += [Fence(FenceKind.SUBJECT, ref) for ref in mentioned]
    return {
        "incarnation": snapshot.incarnation(),
        "owners": owners,
        "held": held,
        "subjects": dict(snapshot.subjects(mentioned)),
        "about": {ref: list(snapshot.about(ref, limit=MANY)) for ref in mentioned},
        "fences": dict(snapshot.fences(fences)),
        "committed": {name: snapshot.committed(name) for name in commits},
    }


def contents_of(store: Store, *, refs: Iterable[str] = (), commits: Iterable[str] = ()) -> dict[str, Any]:
    """The `contents` of a store as it is now."""
    with store.view() as view:
        return contents(view, refs=refs, commits=commits)
