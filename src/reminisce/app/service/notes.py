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
            self._keep(owner, self._pad(owner, note.noted_at).with_(note))

    def at(self, owner: str, now: dt.datetime) -> Scratchpad:
        """An owner's notes at *now*. What has expired is let go."""
        with self._lock:
            pad = self._pad(owner, now)
            self._keep(owner, pad)
            return pad

    def drop(self, owner: str, name: str) -> bool:
        """Let go of a note; whether it was there."""
        with self._lock:
            before = self._pads.get(owner, Scratchpad(capacity=self._capacity))
            self._keep(owner, before.without(name))
            return len(self._pads.get(owner, Scratchpad()).notes) < len(before.notes)

    def drop_about(self, ref: str) -> int:
        """Let go of every owner's notes about a subject; how many there were."""
        with self._lock:
            reached = [
                (owner, note.name)
                for owner, pad in self._pads.items()
                for note in pad.notes
                if ref in dict(note.epochs)
            ]
            for owner, name in reached:
                self._keep(owner, self._pads[owner].without(name))
            return len(reached)

    def _keep(self, owner: str, pad: Scratchpad) -> None:
        # An owner that has no notes takes no room.
        self._pads.pop(owner, None)
        if pad.notes:
            self._pads[owner] = pad
