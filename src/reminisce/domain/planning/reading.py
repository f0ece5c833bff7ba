"""Memories as a caller may name them: what it may not see is not there."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from reminisce.domain.memory import Memory
from reminisce.domain.planning.desk import Ground
from reminisce.domain.records import LinkKind, Outline, Subject
from reminisce.domain.values import Tier
from reminisce.domain.visibility import OWNER_ITSELF, Form, Viewer, form_of
from reminisce.errors import NotFoundError

__all__ = ["Shown", "forms_seen", "linked", "named_memories", "origins_seen", "visible_memories", "visible_outlines"]


class Shown(Ground, Protocol):
    """A `Ground` that also tells who may see what."""

    def outlines(self, owner: str, keys: Iterable[str], /) -> Mapping[str, Outline]: ...

    def subjects(self, refs: Iterable[str], /) -> Mapping[str, Subject]: ...


def forms_seen(shown: Shown, viewer: Viewer, memories: Iterable[Memory | Outline]) -> dict[str, Form]:
    """The form in which *viewer* sees each memory; those that it may not see are absent, as if they did not exist."""
    if viewer == OWNER_ITSELF:
        return {memory.key: Form.WHOLE for memory in memories}
    memories = list(memories)
    refs = {ref for memory in memories for ref in memory.subjects} if viewer.audience is not None else set()
    subjects = shown.subjects(refs)
    forms = {memory.key: form_of(memory, viewer, subjects) for memory in memories}
    return {key: form for key, form in forms.items() if form is not None}


def visible_memories(shown: Shown, owner: str, viewer: Viewer, keys: Iterable[str]) -> dict[str, Memory]:
    """The owner's memories of those keys that *viewer* may see; the rest is absent, as if it did not exist."""
    found = shown.memories(owner, keys)
    seen = forms_seen(shown, viewer, found.values())
    return {key: memory for key, memory in found.items() if key in seen}


def visible_outlines(shown: Shown, owner: str, viewer: Viewer, keys: Iterable[str]) -> dict[str, Outline]:
    """`visible_memories`, what a walk reads of each."""
    found = shown.outlines(owner, keys)
    if viewer == OWNER_ITSELF:
        return dict(found)
    known: dict[str, Memory | Outline] = dict(found)
    if viewer.masks:
        # Whether masking leaves anything of these, only their words tell.
        unsaid = [key for key, outline in found.items() if outline.tier is Tier.REDACTED and outline.surface is None]
        known.update(shown.memories(owner, unsaid))
    seen = forms_seen(shown, viewer, known.values())
    return {key: outline for key, outline in found.items() if key in seen}


def linked(ground: Ground, owner: str, keys: Iterable[str], kind: LinkKind, mine: str) -> dict[str, list[str]]:
    """For each key the keys at the other end of its links of *kind* in force in which it plays *mine*, sorted."""
    return {
        key: [tie.other for tie in ties if tie.until is None]
        for key, ties in ground.ties(owner, keys, kind, mine).items()
    }


def origins_seen(shown: Shown, owner: str, viewer: Viewer, memories: Iterable[Memory]) -> frozenset[str] | None:
    """Of the keys that *memories* name as what they come from, those that *viewer* may see; None for an owner: all."""
    if viewer == OWNER_ITSELF:
        return None
    keys = {key for memory in memories for key in (*memory.derived_from, *memory.supersedes)}
    return frozenset(visible_memories(shown, owner, viewer, keys))


def named_memories(shown: Shown, owner: str, viewer: Viewer, keys: Iterable[str], field: str) -> Mapping[str, Memory]:
    """
    All of the memories named by a caller.

    Raises:
        NotFoundError: One is not there, or may not be seen. The error names *field*, never the key.
    """
    wanted = dict.fromkeys(keys)
    found = visible_memories(shown, owner, viewer, wanted)
    if len(found) < len(wanted):
        raise NotFoundError(field)
    return {key: found[key] for key in wanted}
