"""Stores that break one promise each, so that the suite can show that it notices."""

import datetime as dt
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import attrs

from reminisce import Memory, StoreClosedError, View
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.domain.changes import (
    Change,
    Commit,
    DestroyKey,
    DropLink,
    DropSubject,
    EndLink,
    EraseMemory,
    Fence,
    PutMemory,
    PutSubject,
    PutSubjectKey,
    SetFields,
)
from reminisce.domain.memory import Cause, Erased
from reminisce.domain.persistent import Map
from reminisce.domain.records import Link, LinkKind, LogEntry, Record, Standing, Tie
from reminisce.domain.state import State, apply
from reminisce.errors import ConflictError

__all__ = ["LIARS"]

_ids: Final = itertools.count()


class _Altered(InMemoryStore):
    """Changes commits before it does them."""

    def alter(self, commit: Commit) -> Commit:
        raise NotImplementedError

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        super().commit(self.alter(commit), within=within)


class ForgetsIds(_Altered):
    def alter(self, commit: Commit) -> Commit:
        return attrs.evolve(commit, id=f"other-{next(_ids)}", advances=(), requires=())


class IgnoresRequirements(_Altered):
    def alter(self, commit: Commit) -> Commit:
        return attrs.evolve(commit, requires=())


class IgnoresWhereFencesStand(_Altered):
    def alter(self, commit: Commit) -> Commit:
        with self.view() as view:
            standing = view.fences([advance.fence for advance in commit.advances])
        return attrs.evolve(commit, advances=tuple(a._replace(seen=standing[a.fence]) for a in commit.advances))


class LosesFields(_Altered):
    def alter(self, commit: Commit) -> Commit:
        return attrs.evolve(commit, changes=tuple(c for c in commit.changes if not isinstance(c, SetFields)))


class TurnsChangesRound(_Altered):
    def alter(self, commit: Commit) -> Commit:
        puts = tuple(change for change in commit.changes if isinstance(change, PutMemory))
        rest = tuple(change for change in commit.changes if not isinstance(change, PutMemory))
        return attrs.evolve(commit, changes=(*puts, *reversed(rest)))


class EndsLinksForNoReason(_Altered):
    def alter(self, commit: Commit) -> Commit:
        return attrs.evolve(
            commit,
            changes=tuple(attrs.evolve(c, resolution=None) if isinstance(c, EndLink) else c for c in commit.changes),
        )


class EndsLinksAgain(InMemoryStore):
    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        try:
            super().commit(commit, within=within)
        except ConflictError:
            rest = tuple(change for change in commit.changes if not isinstance(change, EndLink))
            if len(rest) == len(commit.changes):
                raise
            super().commit(attrs.evolve(commit, changes=rest), within=within)


class ErasesNothing(_Altered):
    def alter(self, commit: Commit) -> Commit:
        with self.view() as view:
            there = [
                c
                for c in commit.changes
                if isinstance(c, EraseMemory) and view.memories(c.memory.owner, [c.memory.key])
            ]
        return attrs.evolve(commit, changes=tuple(change for change in commit.changes if change not in there))


class ForgetsWhatErased(_Altered):
    def alter(self, commit: Commit) -> Commit:
        changes = tuple(
            EraseMemory(attrs.evolve(c.memory, erased=Erased(Cause.ERASE))) if isinstance(c, EraseMemory) else c
            for c in commit.changes
        )
        return attrs.evolve(commit, changes=changes)


class ForgetsWithdrawals(_Altered):
    def alter(self, commit: Commit) -> Commit:
        changes = tuple(
            PutSubject(attrs.evolve(c.subject, withdrawals=())) if isinstance(c, PutSubject) else c
            for c in commit.changes
        )
        return attrs.evolve(commit, changes=changes)


class MakesKeysAnew(_Altered):
    def alter(self, commit: Commit) -> Commit:
        puts = [DestroyKey(change.key.ref) for change in commit.changes if isinstance(change, PutSubjectKey)]
        return attrs.evolve(commit, changes=(*puts, *commit.changes))


class ForgetsDestroyedKeys(InMemoryStore):
    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        super().commit(commit, within=within)
        if self._state is not None:
            self._state = attrs.evolve(self._state, key_ids=Map())


class _Remembering(InMemoryStore):
    """Keeps what the state was before something was to go."""

    goes: type[Change] = EraseMemory

    def __init__(self, incarnation: str) -> None:
        super().__init__(incarnation)
        self.before: State | None = None

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        before = self._state
        super().commit(commit, within=within)
        if any(isinstance(change, self.goes) for change in commit.changes):
            self.before = self.before or before


class _Old:
    """A state, one of whose answers is that of an older state."""

    def __init__(self, now: State, old: State, answer: str) -> None:
        self._now, self._old, self._answer = now, old, answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._old if name == self._answer else self._now, name)


def _keeps(answer: str, kind: type[Change] = EraseMemory) -> Callable[[str], InMemoryStore]:
    class Keeps(_Remembering):
        goes = kind

        @contextmanager
        def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[Any]:
            with super().view(for_writing=for_writing) as state:
                yield state if self.before is None or for_writing is not None else _Old(state, self.before, answer)

    return Keeps


class LosesAtAScrub(InMemoryStore):
    def scrub(self) -> tuple[str, ...]:
        if self._state is not None:
            self._state = attrs.evolve(self._state, holdings=Map())
        return ()


class NeverFinishesAScrub(InMemoryStore):
    def scrub(self) -> tuple[str, ...]:
        return (*super().scrub(), "try again")


class SaysNothingOfRemnants(InMemoryStore):
    def remnants(self) -> tuple[str, ...]:
        return ("",)


class DoesHalf(InMemoryStore):
    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        before = self._state
        try:
            super().commit(commit, within=within)
        except ConflictError:
            half = attrs.evolve(commit, changes=commit.changes[:1], advances=(), requires=(), entries=())
            with suppress(ConflictError):
                self._state = None if before is None else apply(before, half)
            raise


class KeepsWhatFailed(InMemoryStore):
    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[State]:
        failed: list[BaseException] = []
        with super().view(for_writing=for_writing) as state:
            try:
                yield state
            except BaseException as error:  # noqa: BLE001 (raised again, too late)
                failed.append(error)
        if failed:
            raise failed[0]


class ShowsDrafts(InMemoryStore):
    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[State]:
        if for_writing is None and self._draft is not None:
            yield self._draft
        else:
            with super().view(for_writing=for_writing) as state:
                yield state


class NeverCloses(InMemoryStore):
    def close(self) -> None:
        pass


class ClosesOnceOnly(InMemoryStore):
    def close(self) -> None:
        if self._state is None:
            raise StoreClosedError
        super().close()


class _Seen(State):
    """A state that answers wrongly."""


class SortsByKey(_Seen):
    def records(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Record]:
        yield from sorted(super().records(owner, after=after), key=lambda record: record.memory.key)


class ForgetsWhatIsRetired(_Seen):
    def records(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Record]:
        return (record for record in super().records(owner, after=after) if record.memory.status == "active")


class TellsTheWholeLog(_Seen):
    def log(self, owner: str, /, *, since: int) -> Iterator[LogEntry]:
        return super().log(owner, since=0)


class AnswersNone(_Seen):
    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]:
        wanted = list(keys)
        nothing: dict[str, Any] = dict.fromkeys(wanted)
        return {**nothing, **super().memories(owner, wanted)}


class MixesOwners(_Seen):
    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]:
        wanted = list(keys)
        found: dict[str, Memory] = {}
        for other in super().owners():
            found.update(super().memories(other, wanted))
        return found


class StartsPagesOver(_Seen):
    def about(self, ref: str, /, *, after: tuple[str, str] | None = None, limit: int) -> list[tuple[str, str]]:
        return list(super().about(ref, limit=limit))


class TellsLinksInForceOnly(_Seen):
    def ties(self, owner: str, keys: Iterable[str], kind: LinkKind, role: str, /) -> Mapping[str, Sequence[Tie]]:
        found = super().ties(owner, keys, kind, role)
        return {key: in_force for key, ties in found.items() if (in_force := [t for t in ties if t.until is None])}


class TellsLinksOfEveryKind(_Seen):
    def links(
        self, owner: str, keys: Iterable[str], /, *, kinds: Collection[LinkKind] = tuple(LinkKind)
    ) -> Mapping[str, Sequence[Link]]:
        return super().links(owner, keys)


class TellsActiveFactsOnly(_Seen):
    def facts(
        self,
        owner: str,
        subject: str,
        /,
        *,
        attribute: str | None = None,
        value: str | None = None,
        since: dt.datetime | None = None,
    ) -> Sequence[Standing]:
        told = super().facts(owner, subject, attribute=attribute, value=value, since=since)
        return [line for line in told if line.status == "active"]


class BelievesTheLastUse(_Seen):
    def valued(self, owner: str, attributes: Iterable[str], /) -> Mapping[str, bool]:
        wanted = set(attributes)
        memories = (record.memory for record in super().records(owner))
        return {m.fact.attribute: m.many for m in memories if m.fact is not None and m.fact.attribute in wanted}


class FindsRevisionsBefore(_Seen):
    def revision_at(self, owner: str, time: dt.datetime, /) -> int:
        return sum(entry.time < time for entry in super().log(owner, since=0))


class RepeatsWhereAStreamWasLeft(_Seen):
    def records(self, owner: str, /, *, after: tuple[int, int] = (0, -1)) -> Iterator[Record]:
        return super().records(owner, after=(after[0], after[1] - 1))


def _seen_through(kind: type[State]) -> Callable[[str], InMemoryStore]:
    class Through(InMemoryStore):
        def __init__(self, incarnation: str) -> None:
            super().__init__(incarnation)
            self._state = kind(incarnation)

    return Through


class LiveViews(InMemoryStore):
    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[Any]:
        with super().view(for_writing=for_writing) as state:
            yield _Live(self) if for_writing is None else state


class _Live:
    def __init__(self, store: InMemoryStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store._state, name)


LIARS: Final[dict[str, tuple[Callable[[str], InMemoryStore], str]]] = {
    "forgets ids": (ForgetsIds, "commit.once"),
    "ignores requirements": (IgnoresRequirements, "fences.exclusive"),
    "ignores where fences stand": (IgnoresWhereFencesStand, "fences.exclusive"),
    "loses fields": (LosesFields, "fields.set"),
    "ends links for no reason": (EndsLinksForNoReason, "links.end"),
    "ends links again": (EndsLinksAgain, "links.end"),
    "turns changes round": (TurnsChangesRound, "commit.order"),
    "does half": (DoesHalf, "commit.whole"),
    "keeps what failed": (KeepsWhatFailed, "commit.within"),
    "shows drafts": (ShowsDrafts, "commit.within"),
    "never closes": (NeverCloses, "store.closed"),
    "closes once only": (ClosesOnceOnly, "store.closed"),
    "sorts by key": (_seen_through(SortsByKey), "snapshot.records"),
    "forgets what is retired": (_seen_through(ForgetsWhatIsRetired), "snapshot.records"),
    "tells the whole log": (_seen_through(TellsTheWholeLog), "snapshot.log"),
    "answers none": (_seen_through(AnswersNone), "snapshot.absent"),
    "mixes owners": (_seen_through(MixesOwners), "snapshot.memories"),
    "starts pages over": (_seen_through(StartsPagesOver), "snapshot.about"),
    "tells links in force only": (_seen_through(TellsLinksInForceOnly), "snapshot.ties"),
    "tells links of every kind": (_seen_through(TellsLinksOfEveryKind), "snapshot.links"),
    "tells active facts only": (_seen_through(TellsActiveFactsOnly), "snapshot.facts"),
    "believes the last use": (_seen_through(BelievesTheLastUse), "snapshot.valued"),
    "finds revisions before": (_seen_through(FindsRevisionsBefore), "snapshot.revision-at"),
    "repeats where a stream was left": (_seen_through(RepeatsWhereAStreamWasLeft), "snapshot.after"),
    "erases nothing": (ErasesNothing, "memory.erase"),
    "forgets what erased": (ForgetsWhatErased, "memory.erase"),
    **{
        f"keeps {answer} of what is erased": (_keeps(answer), "memory.erase")
        for answer in (
            "memories",
            "outlines",
            "in_order",
            "records",
            "holders",
            "requests",
            "citing",
            "facts",
            "valued",
            "history",
            "about",
        )
    },
    **{f"keeps {answer} of what is dropped": (_keeps(answer, DropLink), "links.drop") for answer in ("links", "ties")},
    **{
        f"keeps {answer} of who is dropped": (_keeps(answer, DropSubject), "subjects.drop")
        for answer in ("subjects", "fences")
    },
    **{
        f"keeps {answer} of keys destroyed": (_keeps(answer, DestroyKey), "keys.destroy")
        for answer in ("subject_keys", "keyring")
    },
    "forgets withdrawals": (ForgetsWithdrawals, "subjects.put"),
    "makes keys anew": (MakesKeysAnew, "keys.put"),
    "forgets destroyed keys": (ForgetsDestroyedKeys, "keys.destroy"),
    "loses at a scrub": (LosesAtAScrub, "store.scrub"),
    "never finishes a scrub": (NeverFinishesAScrub, "store.scrub"),
    "says nothing of remnants": (SaysNothingOfRemnants, "store.remnants"),
    "live views": (LiveViews, "view.still"),
}
"""By what it does wrong: the store, and the promise it breaks."""
