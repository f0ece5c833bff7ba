"""What stands of something that was imported before: the same, another text, or nothing any more."""

from collections.abc import Collection, Iterator, Sequence
from enum import Enum, auto
from typing import Final

import attrs

from reminisce.domain.memory import Attributes, Memory
from reminisce.domain.naming import section_key
from reminisce.domain.planning.correct import CORRECT_BY_IMPORT, CORRECTIONS
from reminisce.domain.planning.forget import FORGET_BY_IMPORT
from reminisce.domain.planning.reading import forms_seen, linked
from reminisce.domain.planning.supersession import NEVER_IN_FORCE
from reminisce.domain.records import LinkKind
from reminisce.domain.requests import Request
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Form, Viewer

__all__ = ["How", "Known", "differences", "known", "sections_gone"]


class How(Enum):
    """How what is held under a key stands to what is imported under it."""

    NEW = auto()
    """Nothing that the caller may see whole has that key."""

    SAME = auto()
    """It says the same, or has said it before it was put right elsewhere, or waits for review."""

    CHANGED = auto()
    """It is in force, and says something else."""

    GONE = auto()
    """An import took it out of recall."""

    LEFT = auto()
    """It says something else, and was taken out of force by somebody's decision."""


@attrs.frozen
class Known:
    """What is held under the key of something imported."""

    how: How
    key: str = ""
    """Of what stands for it now: what corrects what has the key, at any distance."""

    changed: tuple[str, ...] = ()
    """Names of `Attributes` by which the two differ."""

    status: Status = Status.ACTIVE


_COMPARED: Final = tuple(field.name for field in attrs.fields(Attributes) if field.name != "supersedes")
"""What took whose place is history: nothing that is there changes it."""


def differences(memory: Memory, request: Request) -> tuple[str, ...]:
    """
    The attributes in which a request says something else than a memory.

    What was given and what came into force later both count as the same: what an export wrote is no change, and neither is a
    file that has not moved while the memory faded, or got stricter. Of the memories that it comes from a record may name
    fewer, since an export leaves out what it does not carry.
    """
    return tuple(_differing(memory, request))


def _differing(memory: Memory, request: Request) -> Iterator[str]:
    said, given = request.attributes, memory.given
    now = {
        "tier": memory.tier,
        "confidence": memory.confidence_thousandths,
        "salience": memory.salience_thousandths,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
    }
    for name in _COMPARED:
        value, first = getattr(said, name), getattr(given, name)
        if name == "derived_from":
            same = set(given.derived_from).issuperset(value)
        elif name == "subjects":
            same = set(given.subjects) <= set(value) <= set(memory.subjects)
        elif name == "sources":
            same = set(given.sources) <= set(value) <= set(memory.sources)
        elif name == "fact":
            same = value == first and request.many in (None, memory.many)
        else:
            same = value in (first, now.get(name, first))
        if not same:
            yield name


@attrs.define
class _Reader:
    snapshot: Snapshot
    owner: str
    viewer: Viewer

    def whole(self, keys: Collection[str]) -> dict[str, Memory]:
        """The memories of those keys that the caller may see whole."""
        held = self.snapshot.memories(self.owner, keys)
        forms = forms_seen(self.snapshot, self.viewer, held.values())
        return {key: memory for key, memory in held.items() if forms.get(key) is Form.WHOLE}

    def operations(self, key: str) -> tuple[str, str]:
        """By what a memory was made, and what happened to it last."""
        history = self.snapshot.history(self.owner, [key])[key]
        return history[0].operation, history[-1].operation

    def corrections(self, key: str) -> list[Memory]:
        """What was made to correct a memory, in the order it was made, whatever became of it."""
        newer = linked(self.snapshot, self.owner, [key], LinkKind.SUPERSESSION, "older").get(key, ())
        made = [memory for memory in self.whole(newer).values() if self.operations(memory.key)[0] in CORRECTIONS]
        return sorted(made, key=lambda memory: (memory.revision, memory.ordinal))

    def line(self, memory: Memory) -> tuple[list[Memory], list[Memory]]:
        """A memory with what corrects it, up to what stands for it now; and the corrections that wait or were rejected."""
        line, waiting = [memory], list[Memory]()
        while True:
            after = self.corrections(line[-1].key)
            waiting += [newer for newer in after if newer.status in NEVER_IN_FORCE]
            after = [newer for newer in after if newer.status not in NEVER_IN_FORCE]
            if line[-1].status is Status.ACTIVE or not after:
                return line, waiting
            # Of two the one in force, else the later: the earlier one was given up for it.
            line.append(max(after, key=lambda newer: (newer.status is Status.ACTIVE, newer.revision, newer.ordinal)))

    def known(self, memory: Memory, request: Request) -> Known:
        if memory.status is Status.ACTIVE and not differences(memory, request):
            return Known(How.SAME, memory.key)
        line, waiting = self.line(memory)
        head = line[-1]
        changed = differences(head, request)
        if "fact" in changed:
            # Else words would be made for it that the file does not have, or a subject missed that is in force already.
            changed = tuple(dict.fromkeys((*changed, "content", "subjects")))
        made, last = self.operations(head.key)
        if head.status is Status.RETIRED and last == FORGET_BY_IMPORT:
            return Known(How.GONE, head.key, changed, head.status)
        said_before = made != CORRECT_BY_IMPORT and any(not differences(older, request) for older in line[:-1])
        if not changed or said_before or any(not differences(other, request) for other in waiting):
            return Known(How.SAME, head.key, (), head.status)
        return Known(How.CHANGED if head.status is Status.ACTIVE else How.LEFT, head.key, changed, head.status)


def known(snapshot: Snapshot, owner: str, viewer: Viewer, requests: Sequence[Request]) -> list[Known]:
    """
    What is held under each request's key.

    Where a memory was corrected, what corrects it stands for it. What was corrected elsewhere since it was imported is not
    changed back by a file that never moved; what a file changed, a file may change back.
    """
    reader = _Reader(snapshot, owner, viewer)
    held = reader.whole({request.key for request in requests if request.key is not None})
    return [
        Known(How.NEW) if request.key not in held else reader.known(held[request.key], request) for request in requests
    ]


def sections_gone(
    snapshot: Snapshot, owner: str, viewer: Viewer, document: str, present: Collection[str]
) -> tuple[str, ...]:
    """
    Keys of what is in force of a document's sections that are no longer in it.

    Args:
        document: Its name, which its sections cite.
        present: The keys of the sections that it has now.
    """
    reader = _Reader(snapshot, owner, viewer)
    citing = snapshot.citing(owner, [document]).get(document, ())
    gone = []
    for memory in reader.whole(citing).values():
        links = [source for source in memory.given.sources if source.startswith(f"{document}#")]
        if memory.named and memory.key not in present and memory.key in map(section_key, links):
            head = reader.line(memory)[0][-1]
            if head.status is Status.ACTIVE:
                gone.append(head.key)
    return tuple(sorted(gone))
