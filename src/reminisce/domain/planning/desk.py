"""A snapshot with the changes of a commit that is being planned laid over it."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from reminisce.domain.changes import Change, PutLink, PutMemory
from reminisce.domain.memory import Memory
from reminisce.domain.records import LinkKind, Standing, Tie
from reminisce.domain.snapshot import Snapshot

__all__ = ["Desk", "Ground"]


class Ground(Protocol):
    """The part of a `Snapshot` that rules read. A `Desk` and the past answer it too."""

    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]: ...

    def ties(self, owner: str, keys: Iterable[str], kind: LinkKind, role: str, /) -> Mapping[str, Sequence[Tie]]: ...

    def facts(
        self,
        owner: str,
        subject: str,
        /,
        *,
        attribute: str | None = None,
        value: str | None = None,
        since: dt.datetime | None = None,
    ) -> Sequence[Standing]: ...

    def valued(self, owner: str, attributes: Iterable[str], /) -> Mapping[str, bool]: ...


class Desk:
    """
    A snapshot as it will be for one owner once the changes so far are committed.

    So a rule need not know whether what it reads was there before or comes with the same commit: the lines of a batch see
    one another.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._memories: dict[str, Memory] = {}
        self._made: dict[str, dict[str, Standing]] = {}
        """Of this commit's memories with facts, by subject: where each stood when it was made, in canonical order."""
        self._many: dict[str, bool] = {}
        self._facts: dict[tuple[object, ...], Sequence[Standing]] = {}
        """What the snapshot has answered: a batch asks the same again and again."""
        self._ties: dict[tuple[str, LinkKind, str], list[Tie]] = {}

    def take(self, change: Change) -> None:
        """Lay one change over what is there."""
        match change:
            case PutMemory():
                self._memories[change.memory.key] = change.memory
                if change.memory.fact is not None:
                    made = self._made.setdefault(change.memory.fact.subject, {})
                    made[change.memory.key] = Standing.of(change.memory)
                    self._many.setdefault(change.memory.fact.attribute, change.memory.many)
            case PutLink():
                link, far = change.link, change.link.ends()
                for role, key in link.members if far else ():
                    tie = Tie(far[role], link.since, link.until)
                    self._ties.setdefault((key, link.kind, role), []).append(tie)
            case _:
                pass

    def lay(self, memory: Memory) -> None:
        """Lay a memory as the commit changes it over what is there."""
        self._memories[memory.key] = memory

    def changed(self, key: str) -> Memory | None:
        """A memory that the commit makes or changes, as it will be."""
        return self._memories.get(key)

    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]:
        """As `Snapshot.memories`."""
        wanted = dict.fromkeys(keys)
        if not wanted:
            return {}
        here = {key: self._memories[key] for key in wanted if key in self._memories}
        there = [key for key in wanted if key not in here]
        return {**(self._snapshot.memories(owner, there) if there else {}), **here}

    def ties(self, owner: str, keys: Iterable[str], kind: LinkKind, role: str, /) -> Mapping[str, Sequence[Tie]]:
        """As `Snapshot.ties`."""
        wanted = dict.fromkeys(keys)
        held = self._snapshot.ties(owner, wanted, kind, role)
        if not self._ties:
            return held
        found = {key: sorted((*held.get(key, ()), *self._ties.get((key, kind, role), ()))) for key in wanted}
        return {key: ties for key, ties in found.items() if ties}

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
        """As `Snapshot.facts`."""
        asked = subject, attribute, value, since
        if asked not in self._facts:
            self._facts[asked] = self._snapshot.facts(owner, subject, attribute=attribute, value=value, since=since)
        made = [
            line
            for line in self._made.get(subject, {}).values()
            if attribute in (None, line.attribute) and value in (None, line.value)
        ]
        lines = [*self._facts[asked], *made]
        return [Standing.of(self._memories[line.key]) if line.key in self._memories else line for line in lines]

    def valued(self, owner: str, attributes: Iterable[str], /) -> Mapping[str, bool]:
        """As `Snapshot.valued`."""
        found = dict(self._snapshot.valued(owner, attributes))
        for attribute in attributes:
            if attribute in self._many:
                found.setdefault(attribute, self._many[attribute])
        return found
