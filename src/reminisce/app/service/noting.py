"""An owner's face: working memory."""

import datetime as dt
from collections.abc import Iterable
from typing import Any

import attrs

from reminisce.app.service.acting import Acting
from reminisce.domain.answers import Cleared, Noted
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.checks import Checks
from reminisce.domain.egress import shown_attributes
from reminisce.domain.masking import surface_of
from reminisce.domain.planning.remember import Remembered, plan_remember
from reminisce.domain.planning.subjects import check_open
from reminisce.domain.requests import read_request
from reminisce.domain.visibility import form_seen
from reminisce.domain.working import LIFETIME, Note, is_reached
from reminisce.errors import InvalidError, NotFoundError

__all__ = ["Noting"]


def _noted(note: Note) -> Noted:
    return Noted(note.name, note.request.attributes, note.noted_at, note.expires_at)


class Noting(Acting):
    """Note, promote, clear: a scratchpad of this process that nothing stores."""

    def note(self, content: str, *, lifetime: dt.timedelta | float = LIFETIME, **attributes: Any) -> Noted:
        """
        Write something down for a while. When there is no room the oldest note goes.

        Args:
            lifetime: A timedelta, or seconds (default an hour). At its end the note is still there, after it no more.
            attributes: Those of `remember`, for when it is promoted.

        Raises:
            SubjectWithdrawnError: The words of a subject were withdrawn.
            InvalidError, SecretFoundError, GuardFailedError, StoreError
        """
        checks = Checks()
        length = checks.duration("lifetime", lifetime)
        try:
            request = read_request({"content": content, **attributes}, self._core.face.aspects)
        except InvalidError as error:
            raise InvalidError((*checks.problems, *error.problems)) from None
        checks.finish()
        self._guard_requests(request)
        now = self._core.clock.now()
        try:
            end = now + length
        except OverflowError:
            end = dt.datetime.max.replace(tzinfo=dt.UTC)
        epochs, floor = self._standing(request.attributes.subjects)
        name = f"n_{self._core.identifiers.key().removeprefix('m_')}"
        note = Note(name, self.name, request, epochs, floor, now, end)
        self._core.notes.add(self.name, note)
        return _noted(note)

    def _standing(self, refs: Iterable[str]) -> tuple[tuple[tuple[str, int], ...], int]:
        """The epoch of each subject, all of which must be open, and the store's floor."""
        floor, subjects = Fence(FenceKind.FLOOR), [Fence(FenceKind.SUBJECT, ref) for ref in refs]
        with self._core.store.view() as view:
            check_open(view, [fence.name for fence in subjects])
            standing = view.fences([floor, *subjects])
        return tuple((fence.name, standing[fence]) for fence in subjects), standing[floor]

    def notes(self) -> tuple[Noted, ...]:
        """What is written down, has not expired and may be seen by this caller, newest first."""
        return tuple(noted for _, noted in self._seen())

    def _seen(self) -> list[tuple[Note, Noted]]:
        """The notes that this caller may see, each in the form in which it may."""
        notes = self._core.notes.at(self.name, self._core.clock.now()).notes
        if not notes:
            return []
        with self._core.store.view() as view:
            reached = [note for note in notes if is_reached(note, view)]
            held = view.subjects({ref for note in notes for ref in note.request.attributes.subjects})
        for note in reached:
            self._core.notes.drop(self.name, note.name)
        seen = []
        for note in (note for note in notes if note not in reached):
            given = note.request.attributes
            surface = surface_of(given, given.tier, self._viewer.masks)
            form = form_seen(
                self._viewer,
                given.tier,
                given.subjects,
                lambda ref: held[ref].audiences if ref in held else (),
                lambda: surface is not None,  # noqa: B023 (asked at once)
            )
            if form is not None:
                seen.append((note, attrs.evolve(_noted(note), attributes=shown_attributes(given, form, surface))))
        return seen

    def promote(self, name: str) -> Remembered:
        """
        Remember a note, by the one sameness rule, and let go of it.

        Raises:
            NotFoundError: There is no such note, or it has expired.
            InvalidError, KeyTakenError, RequestKeyTakenError, StatusError, PolicyRefusedError, PolicyFailedError, StoreError
        """
        wanted = self._key(name, "name")
        note = next((note for note, _ in self._seen() if note.name == wanted), None)
        if note is None:
            raise NotFoundError("name")
        self._guard_requests(note.request)
        names = [self._core.identifiers.key()]
        [remembered] = self._write_new(plan_remember, [note.request], names, operation="promote")
        self._core.notes.drop(self.name, wanted)
        return remembered

    def clear(self) -> Cleared:
        """Let go of every note that this caller may see."""
        seen = [noted.name for _, noted in self._seen()]
        return Cleared(sum(self._core.notes.drop(self.name, name) for name in seen))
