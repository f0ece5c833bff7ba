"""Makes the new memories of one commit: what each repeats, inherits, waits for and brings about."""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from reminisce.domain.changes import SETTABLE
from reminisce.domain.memory import Memory, sameness
from reminisce.domain.planning.effects import Effects, foresee, link_of_two, raise_descendants
from reminisce.domain.planning.plan import Notebook
from reminisce.domain.planning.reading import visible_memories
from reminisce.domain.policy import Draft, Hold, Refuse, Rules, Unruled
from reminisce.domain.records import LinkKind, Member
from reminisce.domain.requests import Request
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status, strictest
from reminisce.domain.visibility import Viewer
from reminisce.errors import (
    InvalidError,
    KeyTakenError,
    NotFoundError,
    PolicyRefusedError,
    RequestKeyTakenError,
    StatusError,
)

__all__ = ["Keeper", "attachable", "come_into_force", "twin", "twin_of"]

BY_ASPECT: Final = "review_aspects"
"""The reason of a memory that is held for its aspect."""


def attachable(memories: Iterable[Memory], field: str) -> list[Memory]:
    """
    Memories that something may be attached to.

    Raises:
        StatusError: The words of one were erased.
    """
    memories = list(memories)
    for memory in memories:
        if memory.status is Status.WITHDRAWN:
            raise StatusError(field, memory.status, "nothing attaches to words that were erased")
    return memories


def twin(candidates: Iterable[Memory], *, unnamed: bool = False) -> Memory | None:
    """The active one among memories of the same attributes; *unnamed*: those that the host named do not count."""
    active = (memory for memory in candidates if memory.status is Status.ACTIVE)
    return next((memory for memory in active if not (unnamed and memory.named)), None)


def twin_of(snapshot: Snapshot, memory: Memory, *, unnamed: bool = False) -> Memory | None:
    """The active memory that *memory* repeats, as `twin`. One that the host named repeats nothing."""
    if memory.named:
        return None
    digest = sameness(memory.given)
    holders = snapshot.holders(memory.owner, [digest]).get(digest, ())
    held = snapshot.memories(memory.owner, holders)
    return twin((held[key] for key in holders if key != memory.key), unnamed=unnamed)


class Keeper:
    """
    Args:
        requests: All that will be kept, so that what they name is read at once.
    """

    def __init__(
        self, snapshot: Snapshot, book: Notebook, viewer: Viewer, rules: Rules, requests: Sequence[Request]
    ) -> None:
        self.book = book
        self._rules = rules
        self._snapshot = snapshot
        by_request = snapshot.requests(book.owner, [r.request_key for r in requests if r.request_key is not None])
        holders = snapshot.holders(book.owner, [r.digest for r in requests if r.key is None])
        keys = {r.key for r in requests if r.key is not None}
        keys.update(by_request.values())
        keys.update(key for held in holders.values() for key in held)
        self._known: dict[str, Memory] = dict(snapshot.memories(book.owner, keys))
        self._by_request = dict(by_request)
        self._holders = {digest: list(held) for digest, held in holders.items()}
        parents = {key for r in requests for key in (*r.attributes.derived_from, *r.attributes.supersedes)}
        self._seen = set(visible_memories(snapshot, book.owner, viewer, parents))
        self._unruled: list[Memory] = []

    def named(self, request: Request) -> Memory | None:
        """
        The memory that has this request's key or was made under its request key, whether the caller may see it or not.

        Raises:
            RequestKeyTakenError, KeyTakenError: A name is used for something else.
            SubjectWithdrawnError: Nothing may be written about a subject of the request, or of the memory found.
            StatusError: The words of the memory of that key were erased.
        """
        self.book.check_open(request.attributes.subjects)
        if request.request_key is not None and request.request_key in self._by_request:
            memory = self._now(self._by_request[request.request_key])
            if sameness(memory.given) != request.digest or request.key not in (None, memory.key):
                raise RequestKeyTakenError
            return self._answerable(memory)
        held = None if request.key is None else self._known.get(request.key)
        if held is None:
            return None
        held = self._answerable(self._now(held.key))
        if sameness(held.given) != request.digest:
            raise KeyTakenError
        return held

    def _answerable(self, memory: Memory) -> Memory:
        if memory.status is Status.WITHDRAWN:
            raise StatusError("key", memory.status, "its words were erased, and its key is never free again")
        self.book.check_open(memory.subjects)
        return memory

    def same(self, request: Request) -> Memory | None:
        """
        The memory that this request is a repeat of: one so named, or without a name an active one of the same attributes.

        Raises:
            RequestKeyTakenError, KeyTakenError: A name is used for something else.
        """
        held = self.named(request)
        if held is not None or request.key is not None:
            return held
        found = twin(self._now(key) for key in self._holders.get(request.digest, ()))
        return None if found is None else self._answerable(found)

    def _now(self, key: str) -> Memory:
        return self.book.desk.changed(key) or self._known[key]

    def _parents(self, keys: Iterable[str], field: str) -> list[Memory]:
        keys = tuple(keys)
        if not keys:
            return []
        if not self._seen.issuperset(keys):
            raise NotFoundError(field)
        held = self.book.desk.memories(self.book.owner, keys)
        return attachable([held[key] for key in keys], field)

    def _many(self, request: Request) -> bool:
        fact = request.attributes.fact
        if fact is None:
            return False
        fixed = self.book.desk.valued(self.book.owner, [fact.attribute]).get(fact.attribute)
        if fixed is not None and request.many not in (None, fixed):
            kind = "many values" if fixed else "one value"
            raise InvalidError.of("many", "fixed", f"of this attribute is fixed: its first use gave it {kind}")
        return bool(request.many) if fixed is None else fixed

    def _valid_from(self, request: Request, since: dt.datetime | None) -> dt.datetime | None:
        given = request.attributes
        if given.fact is None or given.valid_from is not None:
            return given.valid_from
        since = since or self.book.time
        if given.valid_to is not None and given.valid_to <= since:
            raise InvalidError.of("valid_to", "out_of_range", "must come after valid_from, which is now when left out")
        return since

    def trust(self, keys: Iterable[str]) -> None:
        """Take it that the caller may name these: it did not, what it corrects does."""
        self._seen.update(keys)

    def draft(self, request: Request, name: str, ordinal: int = 0, *, since: dt.datetime | None = None) -> Memory:
        """
        The memory as it would be kept if nothing stood in its way.

        Args:
            since: From when a belief holds that does not say so itself; None: from now.

        Raises:
            NotFoundError, StatusError: What it comes from is not there, or was erased.
            InvalidError: Its attribute holds another number of values.
        """
        given = request.attributes
        parents = [
            *self._parents(given.derived_from, "derived_from"),
            *self._parents(given.supersedes, "supersedes"),
        ]
        subjects = tuple(sorted({*given.subjects, *(ref for parent in parents for ref in parent.subjects)}))
        self.book.check_open(subjects)
        return Memory(
            owner=self.book.owner,
            key=request.key or name,
            given=given,
            status=Status.ACTIVE,
            tier=strictest((given.tier, *(parent.tier for parent in parents))),
            subjects=subjects,
            confidence_thousandths=given.confidence,
            salience_thousandths=given.salience,
            recorded_at=self.book.time,
            revision=self.book.revision,
            ordinal=ordinal,
            named=request.key is not None,
            request_key=request.request_key,
            valid_from=self._valid_from(request, since),
            valid_to=given.valid_to,
            many=self._many(request),
        )

    def _held_for(self, memory: Memory) -> str | None:
        """Why a memory has to wait for review; None when it need not."""
        verdicts = self._rules.verdicts
        verdict = None if verdicts is None else verdicts.get(Draft.of(memory))
        if verdicts is not None and verdict is None:
            self._unruled.append(memory)
        if isinstance(verdict, Refuse):
            raise PolicyRefusedError(verdict.code)
        if isinstance(verdict, Hold):
            return verdict.reason
        return BY_ASPECT if self._rules.review_aspects.intersection(memory.aspects) else None

    def waits(self, draft: Memory) -> bool:
        """
        Whether a memory would have to wait for review.

        Raises:
            PolicyRefusedError
        """
        return self._held_for(draft) is not None

    def _agreed(self, refs: Sequence[str]) -> tuple[str, ...]:
        """The audiences to which all of these subjects consent now."""
        held = self._snapshot.subjects(refs)
        audiences = [set(held[ref].audiences) if ref in held else set[str]() for ref in refs]
        return tuple(sorted(set.intersection(*audiences))) if audiences else ()

    def keep(self, draft: Memory, digest: bytes, *, corrects: bool = False) -> tuple[Memory, Effects | None]:
        """
        Write a memory down, with what follows from it; or have it wait for review, with nothing following yet.

        Raises:
            PolicyRefusedError
        """
        book = self.book
        foreseen = foresee(book, draft, corrects=corrects)
        reason = self._held_for(foreseen.memory)
        effects = foreseen if reason is None else None
        memory = foreseen.memory
        if effects is None:
            memory = attrs.evolve(draft, status=Status.HELD, agreed=self._agreed(draft.subjects))
        book.make(memory, digest, reason)
        for kind, mine, other, keys in (
            (LinkKind.DERIVATION, "derived", "source", memory.derived_from),
            (LinkKind.SUPERSESSION, "newer", "older", memory.supersedes),
        ):
            for key in keys:
                book.link(link_of_two(kind, Member(mine, memory.key), Member(other, key), book.revision))
        if effects is not None:
            effects.apply(book)
        self._note(memory, digest)
        return memory, effects

    def _note(self, memory: Memory, digest: bytes) -> None:
        self._known[memory.key] = memory
        self._seen.add(memory.key)
        self._holders.setdefault(digest, []).append(memory.key)
        if memory.request_key is not None:
            self._by_request[memory.request_key] = memory.key

    def finish(self) -> None:
        """
        End the planning of new memories.

        Raises:
            Unruled: The policy has not been asked about one of them.
        """
        if self._unruled:
            raise Unruled(tuple(self._unruled))


def come_into_force(
    book: Notebook, memory: Memory, effects: Effects, reason: str | None = None, *, again: bool = False
) -> None:
    """
    Write down that a memory that is there already is in force from now on, with what follows from it.

    Args:
        again: It was there in force, and is said again.
    """
    after = effects.memory
    values = {name: getattr(after, name) for name in sorted(SETTABLE) if getattr(after, name) != getattr(memory, name)}
    book.rely_on(after.subjects)
    if again:
        book.repeat(memory, **values)
    else:
        book.become(memory, reason, **values)
    effects.apply(book)
    if (after.tier, after.subjects) != (memory.tier, memory.subjects):
        raise_descendants(book, memory.key, after.tier, after.subjects)
