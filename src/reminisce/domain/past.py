"""A snapshot as it stood at an earlier revision of one owner."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence

import attrs

from reminisce.domain.memory import Memory
from reminisce.domain.records import Event, Head, Link, LinkKind, Outline, Standing, Subject, Tie
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status

__all__ = ["OF_TODAY", "Past", "as_it_stood", "now_of"]

OF_TODAY = ("confidence", "salience", "uses", "sources of reinforcements", "tier", "subjects", "consents")
"""What an answer about the past tells as it is now: no store keeps its history."""


def as_it_stood(memory: Memory, history: Sequence[Event], revision: int) -> Memory | None:
    """A memory with the status and validity that it had at *revision*; None when it was not there yet."""
    then = [event for event in history if event.revision <= revision]
    if memory.revision > revision or not then:
        return None
    if memory.status is Status.WITHDRAWN:
        # Words that were erased later are in no past.
        return memory
    last = then[-1]
    return attrs.evolve(memory, status=last.status, valid_from=last.valid_from, valid_to=last.valid_to)


def now_of(head: Head, clock: dt.datetime) -> dt.datetime:
    """What is now for an owner: the clock's time, or its last commit's where that is later, since times never go back."""
    return clock if head.time is None else max(clock, head.time)


class Past:
    """
    Status, validity and links of the owner's memories as they were at *revision*; the rest is today's, see `OF_TODAY`.

    Args:
        revision: Not above the owner's own.
    """

    def __init__(self, snapshot: Snapshot, owner: str, revision: int, time: dt.datetime | None) -> None:
        self._snapshot = snapshot
        self._owner = owner
        self._revision = revision
        self._time = time

    def head(self, owner: str, /) -> Head:  # noqa: ARG002 (one owner's past)
        """As `Snapshot.head`."""
        return Head(self._revision, self._time)

    def memories(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Memory]:
        """As `Snapshot.memories`."""
        held = self._snapshot.memories(owner, keys)
        history = self._snapshot.history(owner, held)
        then = {key: as_it_stood(memory, history.get(key, ()), self._revision) for key, memory in held.items()}
        return {key: memory for key, memory in then.items() if memory is not None}

    def outlines(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Outline]:
        """As `Snapshot.outlines`."""
        return {key: Outline.of(memory) for key, memory in self.memories(owner, keys).items()}

    def history(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Sequence[Event]]:
        """As `Snapshot.history`."""
        history = self._snapshot.history(owner, keys)
        then = {key: [e for e in events if e.revision <= self._revision] for key, events in history.items()}
        return {key: events for key, events in then.items() if events}

    def links(
        self, owner: str, keys: Iterable[str], /, *, kinds: Collection[LinkKind] = tuple(LinkKind)
    ) -> Mapping[str, Sequence[Link]]:
        """As `Snapshot.links`; what was ended later is in force."""
        links = self._snapshot.links(owner, keys, kinds=kinds)
        then = {key: [self._link(link) for link in held if link.since <= self._revision] for key, held in links.items()}
        return {key: held for key, held in then.items() if held}

    def _link(self, link: Link) -> Link:
        if link.until is None or link.until <= self._revision:
            return link
        return attrs.evolve(link, until=None, resolution=None)

    def ties(self, owner: str, keys: Iterable[str], kind: LinkKind, role: str, /) -> Mapping[str, Sequence[Tie]]:
        """As `Snapshot.ties`."""
        ties = self._snapshot.ties(owner, keys, kind, role)
        then = {
            key: [
                tie._replace(until=None) if tie.until is not None and tie.until > self._revision else tie
                for tie in held
                if tie.since <= self._revision
            ]
            for key, held in ties.items()
        }
        return {key: held for key, held in then.items() if held}

    def facts(
        self,
        owner: str,
        subject: str,
        /,
        *,
        attribute: str | None = None,
        value: str | None = None,
        since: dt.datetime | None = None,  # noqa: ARG002
    ) -> Sequence[Standing]:
        """As `Snapshot.facts`, but for *since*: what stood so is known only from the history of all."""
        lines = self._snapshot.facts(owner, subject, attribute=attribute, value=value)
        then = self.memories(owner, [line.key for line in lines])
        return [_standing(line, then[line.key]) for line in lines if line.key in then]

    def valued(self, owner: str, attributes: Iterable[str], /) -> Mapping[str, bool]:
        """As `Snapshot.valued`, today's: it is fixed at the first use."""
        return self._snapshot.valued(owner, attributes)

    def citing(self, owner: str, sources: Iterable[str], /) -> Mapping[str, Sequence[str]]:
        """As `Snapshot.citing`."""
        citing = self._snapshot.citing(owner, sources)
        then = self.memories(owner, {key for keys in citing.values() for key in keys})
        cited = {source: [key for key in keys if key in then] for source, keys in citing.items()}
        return {source: keys for source, keys in cited.items() if keys}

    def subjects(self, refs: Iterable[str], /) -> Mapping[str, Subject]:
        """As `Snapshot.subjects`, today's."""
        return self._snapshot.subjects(refs)


def _standing(line: Standing, memory: Memory) -> Standing:
    return line._replace(status=memory.status, valid_from=memory.valid_from, valid_to=memory.valid_to)
