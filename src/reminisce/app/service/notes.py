"""The working memory of this process: every owner's notes, behind a lock."""

import datetime as dt
import threading

from reminisce.domain.working import CAPACITY, Note, Scratchpad

__all__ = ["Notes"]


class Notes:
    """
    Notes by owner. Nothing of it is ever stored.

    Args:
        capacity: Notes that each owner has at once.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._lock = threading.Lock()
        self._pads: dict[str, Scratchpad] = {}

    def _pad(self, owner: str, now: dt.datetime) -> Scratchpad:
        return self._pads.get(owner, Scratchpad(capacity=self._capacity)).at(now)

    def add(self, owner: str, note: Note) -> None:
        """Write a note down."""
        with self._lock:
            self._pads[owner] = self._pad(owner, note.noted_at).with_(note)

    def at(self, owner: str, now: dt.datetime) -> Scratchpad:
        """An owner's notes at *now*. What has expired is let go."""
        with self._lock:
            pad = self._pads[owner] = self._pad(owner, now)
            return pad

    def drop(self, owner: str, name: str | None = None) -> int:
        """Let go of one note, or of all; how many there were."""
        with self._lock:
            before = self._pads.get(owner, Scratchpad(capacity=self._capacity))
            after = Scratchpad(capacity=self._capacity) if name is None else before.without(name)
            self._pads[owner] = after
            return len(before.notes) - len(after.notes)
