"""What callers were told, in plain dicts: it knows nothing of planners, changes and valid time."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import attrs

from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status

__all__ = ["PLACED", "Told"]

PLACED: Final = frozenset({Status.ACTIVE, Status.SUPERSEDED})
"""
Where valid time decides, which of the two a memory is cannot be told without knowing its rules: those are laws of their own.
"""

_NEVER_IN_FORCE: Final = frozenset({Status.HELD, Status.REJECTED})


@attrs.define
class _Line:
    """What is known of one memory from answers alone."""

    content: str
    statuses: frozenset[Status]
    """One of these it is."""

    supersedes: tuple[str, ...]
    belief: bool
    uses: int = 0


class Told:
    """What was answered, by owner and key; and by owner and name, of links."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], _Line] = {}
        self._links: dict[tuple[str, str], bool] = {}
        """Whether each is in force."""

    def __contains__(self, place: tuple[str, str]) -> bool:
        return place in self._lines

    def uses(self, owner: str, key: str) -> int:
        """How often it was reinforced."""
        return self._lines[owner, key].uses

    def made(
        self,
        owner: str,
        key: str,
        content: str,
        *,
        status: Status,
        supersedes: Sequence[str] = (),
        belief: bool,
        uses: int = 0,
    ) -> None:
        """A memory is new. One that is held has changed nothing yet."""
        assert (owner, key) not in self._lines, "a key was used for two memories"
        self._lines[owner, key] = _Line(content, frozenset(), tuple(supersedes), belief, uses)
        self.became(owner, [key], status)
        if status is not Status.HELD:
            self.superseded(owner, supersedes)

    def repeated(self, owner: str, key: str, content: str) -> None:
        """A request was answered with a memory that is there."""
        assert self._lines[owner, key].content == content

    def became(self, owner: str, keys: Iterable[str], status: Status) -> None:
        """Memories are in this status now. Of a belief, valid time decides between two."""
        for key in keys:
            line = self._lines[owner, key]
            line.statuses = PLACED if line.belief and status in PLACED else frozenset({status})

    def erased(self, owner: str, keys: Iterable[str]) -> None:
        """The words of memories are gone. What never was in force is nobody's superseder, or superseded, from then on."""
        for key in keys:
            line = self._lines[owner, key]
            if line.statuses <= _NEVER_IN_FORCE:
                line.supersedes = ()
                for (of, _), other in self._lines.items():
                    if of == owner:
                        other.supersedes = tuple(name for name in other.supersedes if name != key)
            line.content, line.statuses, line.belief = "", frozenset({Status.WITHDRAWN}), False

    def returned(self, owner: str, key: str, status: Status) -> None:
        """A memory came into force again, or back as what it was before."""
        self.became(owner, [key], status)
        line = self._lines[owner, key]
        if status is Status.ACTIVE:
            self.superseded(owner, line.supersedes)
        elif line.belief:
            # Back as history: whether it had ended by itself, or was superseded, cannot be told.
            self.superseded(owner, line.supersedes, perhaps=True)

    def superseded(self, owner: str, keys: Collection[str], *, perhaps: bool = False) -> None:
        """Out of force goes everything behind *keys*, and they themselves, through what is out of force already."""
        ahead, seen = list(keys), set[str]()
        while ahead:
            key = ahead.pop()
            if key not in seen:
                seen.add(key)
                line = self._lines[owner, key]
                # What waits stands in no place, and what was rejected never did.
                ahead.extend(() if line.statuses <= _NEVER_IN_FORCE else line.supersedes)
                if Status.ACTIVE in line.statuses:
                    line.statuses = PLACED if perhaps or line.belief else frozenset({Status.SUPERSEDED})

    def used(self, owner: str, key: str) -> int:
        """A use was counted. Gives how many."""
        line = self._lines[owner, key]
        line.uses += 1
        return line.uses

    def linked(self, owner: str, name: str, *, created: bool) -> None:
        """A link is in force: new, or found."""
        assert created == ((owner, name) not in self._links) or not created
        assert self._links.get((owner, name), True), "a link that was ended was answered"
        self._links[owner, name] = True

    def unlinked(self, owner: str, names: Iterable[str]) -> None:
        """Links were ended."""
        for name in names:
            assert self._links.get((owner, name), True), "a link was ended twice"
            self._links[owner, name] = False

    def dropped(self, owner: str, names: Iterable[str]) -> None:
        """Links went, as if they had never been."""
        for name in names:
            self._links.pop((owner, name), None)

    def compare(self, snapshot: Snapshot) -> None:
        """Everything told is so, and nothing else is there."""
        for owner in snapshot.owners():
            lines = {key: line for (of, key), line in self._lines.items() if of == owner}
            held = snapshot.memories(owner, lines)
            assert {key: (memory.content, memory.uses) for key, memory in held.items()} == {
                key: (line.content, line.uses) for key, line in lines.items()
            }
            wrong = {key: line.statuses for key, line in lines.items() if held[key].status not in line.statuses}
            assert wrong == {}, "a memory is not what its caller was told"
            assert len(list(snapshot.records(owner))) == len(lines)
            links = {link.name: link.until for found in snapshot.links(owner, lines).values() for link in found}
            told = {name: in_force for (of, name), in_force in self._links.items() if of == owner}
            assert {name: links[name] is None for name in told} == told
