"""What is imported, piece by piece: each kept, found to be there, put right, or reported."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

import attrs

from reminisce.codec.records import BadRecordError
from reminisce.domain.moved import Bad, Imported
from reminisce.domain.planning.mirroring import How, Known
from reminisce.domain.planning.remember import Remembered
from reminisce.domain.requests import Request
from reminisce.errors import (
    GuardFailedError,
    NotFoundError,
    PolicyFailedError,
    ReminisceError,
    StatusError,
    StoreError,
)

__all__ = ["Ended", "Hands", "Piece", "Run"]

CHUNK: Final = 1_000
"""Records kept in one commit: what a failure half way leaves out is at most this, and a commit's cost is shared."""

CHUNK_BYTES: Final = 16 * 1024 * 1024
"""Bytes of text kept in one commit at most, and one record more: far below what a batch may have."""


@attrs.frozen(kw_only=True)
class Piece:
    """One memory to import, or what stands in its way."""

    line: int
    """Where it is in its file, from 1."""

    file: str | None = None
    """In a folder: which."""

    record: Mapping[str, Any] | None = None
    """By the names of `remember`'s arguments."""

    problem: BadRecordError | None = None
    ignored: frozenset[str] = frozenset()
    """Names that were beside it and set nothing."""

    mends: bool = False
    """Whether it corrects what is held under its key and says something else."""

    only_surface: bool = False
    """Whether its text is the surface of a memory, which corrects nothing."""


@attrs.frozen
class Ended:
    """A document has no further sections."""

    document: str
    keys: frozenset[str]
    """Those of all its sections, kept or not."""


class Hands(Protocol):
    """What a run does to the memories."""

    def read(self, record: Mapping[str, Any]) -> Request:
        """Clean one record."""
        ...

    def known(self, requests: list[Request]) -> list[Known]:
        """Tell what is held under their keys."""
        ...

    def keep(self, requests: list[Request]) -> tuple[Remembered, ...]:
        """Keep several, all or none."""
        ...

    def correct(self, key: str, request: Request, changed: tuple[str, ...]) -> Remembered:
        """Put one in the place of another."""
        ...

    def reinstate(self, key: str) -> object:
        """Bring one back."""
        ...

    def retire(self, document: str, present: frozenset[str]) -> int:
        """Take out of recall what a document no longer has. Tells how many."""
        ...

    def revision(self) -> int:
        """The owner's revision."""
        ...


_FATAL: Final = (StoreError, PolicyFailedError, GuardFailedError)
"""Where no piece is at fault: the next one would meet the same."""


@attrs.define
class Run:
    """
    One import. Give it pieces by `take`, and `finish`.

    Args:
        stop: Stop at the first that is bad, keeping what came before.
    """

    hands: Hands
    stop: bool
    created: int = 0
    corrected: int = 0
    reinstated: int = 0
    retired: int = 0
    unchanged: int = 0
    passed_over: int = 0
    bad: list[Bad] = attrs.field(factory=list)
    ignored: set[str] = attrs.field(factory=set)
    waiting: list[tuple[Piece, Request]] = attrs.field(factory=list)

    late: list[tuple[Piece, Request]] = attrs.field(factory=list)
    """Notes that come from one which was not there yet: it may be further on in the folder."""

    size: int = 0
    """Bytes of text that wait."""

    @property
    def stopped(self) -> bool:
        """Whether nothing more is wanted."""
        return self.stop and bool(self.bad)

    def take_all(self, pieces: Iterable[Piece | Ended]) -> None:
        """Take pieces until there are no more, or one was bad and that is to stop it."""
        for piece in pieces:
            if isinstance(piece, Ended):
                self._end(piece)
            else:
                self._take(piece)
            if self.stopped:
                break

    def _take(self, piece: Piece) -> None:
        self.ignored |= piece.ignored
        try:
            if piece.problem is not None:
                raise piece.problem
            assert piece.record is not None  # noqa: S101 (one of the two is there)
            request = self.hands.read(piece.record)
        except BadRecordError as error:
            self.bad.append(Bad(piece.line, error.code, str(error), piece.file))
        except ReminisceError as error:
            self._note(piece, error)
        else:
            self.waiting.append((piece, request))
            self.size += request.size
        if len(self.waiting) == CHUNK or self.size >= CHUNK_BYTES or self.stopped:
            self._flush()

    def _note(self, piece: Piece, error: ReminisceError) -> None:
        self.bad.append(Bad(piece.line, error.code, str(error), piece.file))

    def _end(self, ended: Ended) -> None:
        self._flush()
        # What could not be read to the end may hold what seems to be missing.
        if not self.stopped:
            self.retired += self.hands.retire(ended.document, ended.keys)

    def _flush(self) -> None:
        """Do what waits, in its order; what needs no look at what is there goes together."""
        waiting, self.waiting, self.size = self.waiting, [], 0
        if not waiting:
            return
        was_stopped = len(self.bad)
        new: list[tuple[Piece, Request]] = []
        for (piece, request), known in zip(waiting, self.hands.known([r for _, r in waiting]), strict=True):
            if known.how is How.SAME or (known.how is not How.NEW and piece.only_surface):
                self.unchanged += 1
            elif known.how is How.NEW or not piece.mends:
                new.append((piece, request))
            else:
                self._keep(new)
                new = []
                if self.stop and len(self.bad) > was_stopped:
                    return
                self._mend(piece, request, known)
                if self.stop and len(self.bad) > was_stopped:
                    return
        self._keep(new)

    def _keep(self, new: list[tuple[Piece, Request]]) -> None:
        """Keep several in one commit; when one is refused, by halves, so that only that one is left out."""
        if not new:
            return
        try:
            lines = self.hands.keep([request for _, request in new])
        except _FATAL:
            raise
        except ReminisceError as error:
            if len(new) == 1:
                self._refused(*new[0], error)
                return
            was = len(self.bad)
            self._keep(new[: len(new) // 2])
            if not (self.stop and len(self.bad) > was):
                self._keep(new[len(new) // 2 :])
            return
        self.created += sum(line.created for line in lines)
        self.unchanged += sum(not line.created for line in lines)

    def _refused(self, piece: Piece, request: Request, error: ReminisceError) -> None:
        if isinstance(error, NotFoundError) and piece.mends and not self.stop:
            self.late.append((piece, request))
        else:
            self._note(piece, error)

    def _mend(self, piece: Piece, request: Request, known: Known) -> None:
        try:
            if known.how is How.LEFT:
                raise StatusError("key", known.status, "what was edited is left alone; reinstate it first")
            if known.how is How.GONE:
                self.hands.reinstate(known.key)
                self.reinstated += 1
            if known.changed:
                done = self.hands.correct(known.key, request, known.changed)
                self.corrected += done.created
                self.unchanged += not done.created
        except _FATAL:
            raise
        except ReminisceError as error:
            self._refused(piece, request, error)

    def finish(self) -> Imported:
        """Do what still waits, and tell."""
        self._flush()
        left = 0
        while self.late and len(self.late) != left:
            left = len(self.late)
            self.waiting, self.late = self.late, []
            self._flush()
        for piece, _ in self.late:
            self._note(piece, NotFoundError("derived_from"))
        self.bad.sort(key=lambda bad: (bad.file or "", bad.line))
        return Imported(
            created=self.created,
            corrected=self.corrected,
            reinstated=self.reinstated,
            retired=self.retired,
            unchanged=self.unchanged,
            passed_over=self.passed_over,
            bad=tuple(self.bad),
            ignored=tuple(sorted(self.ignored)),
            revision=self.hands.revision(),
        )
