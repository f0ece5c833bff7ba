"""Keep memories: sameness, inheritance, supersession, subjects."""

import datetime as dt
from collections.abc import Iterable, Sequence

import attrs

from reminisce.domain.changes import AddHistory, PutLink, PutMemory
from reminisce.domain.memory import Memory, sameness
from reminisce.domain.planning.plan import Notebook, Plan
from reminisce.domain.planning.reading import visible_memories
from reminisce.domain.planning.supersession import replaced
from reminisce.domain.records import Link, LinkKind, Member
from reminisce.domain.requests import Request
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status, strictest
from reminisce.domain.visibility import Viewer
from reminisce.errors import KeyTakenError, NotFoundError, ReminisceError, RequestKeyTakenError, StatusError, at_line

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


class _Known:
    """What the store holds already of a batch, read in a few bulk questions, and what the batch has made so far."""

    def __init__(self, snapshot: Snapshot, owner: str, viewer: Viewer, requests: Sequence[Request]) -> None:
        by_request = snapshot.requests(owner, [r.request_key for r in requests if r.request_key is not None])
        holders = snapshot.holders(owner, [r.digest for r in requests if r.key is None])
        keys = {r.key for r in requests if r.key is not None}
        keys.update(by_request.values())
        keys.update(key for held in holders.values() for key in held)
        self.memories: dict[str, Memory] = dict(snapshot.memories(owner, keys))
        self.by_request = dict(by_request)
        self.made: set[str] = set()
        """Keys of memories that the batch itself makes."""
        self._snapshot, self._owner = snapshot, owner
        self.holders = {digest: list(held) for digest, held in holders.items()}
        parents = {key for r in requests for key in (*r.attributes.derived_from, *r.attributes.supersedes)}
        self.visible = visible_memories(snapshot, owner, viewer, parents)

    def add(self, memory: Memory, digest: bytes) -> None:
        self.memories[memory.key] = self.visible[memory.key] = memory
        self.made.add(memory.key)
        self.holders.setdefault(digest, []).append(memory.key)
        if memory.request_key is not None:
            self.by_request[memory.request_key] = memory.key

    def supersede(self, memory: Memory) -> None:
        superseded = attrs.evolve(memory, status=Status.SUPERSEDED)
        if memory.key in self.visible:
            self.visible[memory.key] = superseded
        self.memories[memory.key] = superseded

    def active_before(self, keys: Iterable[str]) -> dict[str, Memory]:
        """The active memories that the batch's own or the store's supersessions put behind one of *keys*, and those."""
        ahead, seen, found = list(keys), set[str](), dict[str, Memory]()
        while ahead:
            key = ahead.pop()
            if key not in seen:
                seen.add(key)
                held = self.memories.get(key) or self.visible[key]
                found[key] = held
                if key in self.made and held.status is not Status.ACTIVE:
                    ahead.extend(held.supersedes)
        # Nothing active stands behind something active, so only what is out of force is looked behind.
        stored = [key for key, held in found.items() if key not in self.made and held.status is not Status.ACTIVE]
        found.update(
            (key, self.memories.get(key, m)) for key, m in replaced(self._snapshot, self._owner, stored).items()
        )
        return {key: memory for key, memory in sorted(found.items()) if memory.status is Status.ACTIVE}

    def same(self, request: Request) -> Memory | None:
        """
        The memory that this request is a repeat of.

        Raises:
            RequestKeyTakenError, KeyTakenError: A name is used for something else.
        """
        if request.request_key is not None and request.request_key in self.by_request:
            memory = self.memories[self.by_request[request.request_key]]
            if sameness(memory.given) != request.digest or request.key not in (None, memory.key):
                raise RequestKeyTakenError
            return memory
        if request.key is not None:
            held = self.memories.get(request.key)
            if held is not None and sameness(held.given) != request.digest:
                raise KeyTakenError
            return held
        held_by = (self.memories[key] for key in self.holders.get(request.digest, ()))
        return next((memory for memory in held_by if memory.status is Status.ACTIVE), None)

    def parents(self, keys: Iterable[str], field: str) -> list[Memory]:
        try:
            parents = [self.visible[key] for key in keys]
        except KeyError:
            raise NotFoundError(field) from None
        for parent in parents:
            if parent.status is Status.WITHDRAWN:
                raise StatusError(field, parent.status, "nothing attaches to words that were erased")
        return parents


def _link(kind: LinkKind, first: Member, second: Member, since: int) -> Link:
    # Binary links are named after their ends: a memory is made once, so the name is used once. The length keeps apart
    # keys that hold colons.
    return Link(f"{kind}:{len(first.key)}:{first.key}:{second.key}", kind, (first, second), since)


def _made(request: Request, name: str, known: _Known, book: Notebook, ordinal: int) -> Memory:
    given = request.attributes
    sources = known.parents(given.derived_from, "derived_from")
    older = known.parents(given.supersedes, "supersedes")
    subjects = {*given.subjects, *(ref for parent in (*sources, *older) for ref in parent.subjects)}
    return Memory(
        owner=book.owner,
        key=request.key or name,
        given=given,
        status=Status.ACTIVE,
        tier=strictest((given.tier, *(parent.tier for parent in (*sources, *older)))),
        subjects=tuple(sorted(subjects)),
        confidence_thousandths=given.confidence,
        salience_thousandths=given.salience,
        recorded_at=book.time,
        revision=book.revision,
        ordinal=ordinal,
        named=request.key is not None,
        request_key=request.request_key,
    )


def _write(memory: Memory, digest: bytes, known: _Known, book: Notebook) -> None:
    book.rely_on(memory.subjects)
    book.change(
        memory.key,
        PutMemory(memory, digest),
        AddHistory(book.owner, memory.key, book.event(Status.ACTIVE)),
    )
    for key in memory.derived_from:
        link = _link(LinkKind.DERIVATION, Member("derived", memory.key), Member("source", key), book.revision)
        book.change(memory.key, PutLink(book.owner, link))
    for key in memory.supersedes:
        link = _link(LinkKind.SUPERSESSION, Member("newer", memory.key), Member("older", key), book.revision)
        book.change(memory.key, PutLink(book.owner, link))
    for key, older in known.active_before(memory.supersedes).items() if memory.supersedes else ():
        book.set_status(key, Status.SUPERSEDED)
        known.supersede(older)


def plan_remember(
    snapshot: Snapshot,
    owner: str,
    requests: Sequence[Request],
    names: Sequence[str],
    *,
    viewer: Viewer,
    now: dt.datetime,
    actor: str,
    operation: str = "remember",
    commit_id: str,
) -> Plan[tuple[Remembered, ...]]:
    """
    Keep each request's memory, or find the one that it repeats. All or nothing.

    Sameness is decided over all that the owner holds, seen by the caller or not: who repeats every attribute of a memory
    learns its key and nothing else, and no face can make two active twins.

    Args:
        names: One fresh key a request, used where the caller gave none.

    Raises:
        KeyTakenError, RequestKeyTakenError, NotFoundError, StatusError: For a batch of several, with the line in the field.
    """
    book = Notebook(snapshot, owner, now=now, operation=operation, actor=actor)
    known = _Known(snapshot, owner, viewer, requests)
    answers: list[tuple[Memory, bool]] = []
    for line, request in enumerate(requests):
        try:
            held = known.same(request)
            memory = held or _made(request, names[line], known, book, line)
        except ReminisceError as error:
            raise (at_line(error, line) if len(requests) > 1 else error) from None
        answers.append((memory, held is None))
        if held is None:
            known.add(memory, request.digest)
            _write(memory, request.digest, known, book)
    revision = book.revision if any(created for _, created in answers) else book.seen
    return book.plan(
        tuple(Remembered(memory.key, created, memory.status, revision) for memory, created in answers), commit_id
    )
