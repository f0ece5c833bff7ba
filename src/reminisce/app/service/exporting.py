"""Memories on their way out: what the viewer may see, in canonical order, a chunk at a time."""

from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any, Final

import attrs

from reminisce.codec.names import file_name
from reminisce.codec.notes import to_note
from reminisce.codec.records import record_of
from reminisce.domain.egress import shown
from reminisce.domain.planning.reading import forms_seen, visible_outlines
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.values import Status
from reminisce.domain.visibility import Viewer

__all__ = ["Counting", "notes_of", "records_of"]

CHUNK: Final = 1_000
"""Memories read, and held, at a time."""


@attrs.define
class Counting:
    """How many memories went out, told as they go."""

    progress: Callable[[int], object] | None
    memories: int = 0

    def counted(self, records: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for record in records:
            yield record
            self.memories += 1
            if self.progress is not None:
                self.progress(self.memories)


def records_of(view: Snapshot, owner: str, viewer: Viewer, statuses: Collection[Status]) -> Iterator[dict[str, Any]]:
    """
    The owner's memories of those statuses as records, each in the form that *viewer* sees.

    Of what a memory comes from, a record names what is in the same export: the rest could not be found where it is read.
    """
    memories = view.in_order(owner)
    while chunk := list(islice(memories, CHUNK)):
        forms = forms_seen(view, viewer, chunk)
        going = [memory for memory in chunk if memory.key in forms and memory.status in statuses]
        origins = {key for memory in going for key in (*memory.derived_from, *memory.supersedes)}
        outlines = visible_outlines(view, owner, viewer, origins)
        carried = {key for key, outline in outlines.items() if outline.status in statuses}
        for memory in going:
            yield record_of(shown(memory, forms[memory.key], viewer.masks, carried), forms[memory.key])


def notes_of(records: Iterator[dict[str, Any]]) -> Iterator[tuple[str, bytes]]:
    """Records as notes: the name of each file, and what is in it."""
    for record in records:
        yield file_name(record["key"]), to_note(record).encode()
