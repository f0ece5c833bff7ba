"""A part of an index: columns and postings of some documents. A growing part absorbs writes; a frozen one is read only."""

from array import array
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol

from reminisce.domain.index.documents import NO_END, NO_TIME, STATUSES, Document, SeenAs, Spell
from reminisce.domain.values import Status

__all__ = ["COLUMNS", "NOT_YET", "FrozenTerms", "GrowingPart", "GrowingTerms", "Keys", "Part"]

COLUMNS: Final = (
    ("number", "q"),
    ("happened", "q"),
    ("recorded", "q"),
    ("due", "q"),
    ("since", "q"),
    ("valid_from", "q"),
    ("valid_to", "q"),
    ("length", "I"),
    ("seen_as", "I"),
    ("episode", "I"),
    ("confidence", "H"),
    ("status", "B"),
)
"""Name and array type of each column, one value a document. `since`, validity and `status` are those of its last spell."""

if array("I").itemsize != 4:  # pragma: no cover
    raise ImportError("reminisce needs a platform whose unsigned int has 32 bits")


class TermTable(Protocol):
    """Terms and their postings. A posting is (document << 8 | occurrences), ascending by document."""

    def postings(self, term: str) -> Sequence[int]:
        """The postings of *term*; empty when it does not occur."""
        ...

    def items(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Every term with its postings; frozen tables give them in order."""
        ...

    def bytes(self) -> int:
        """Memory taken, roughly."""
        ...


class GrowingTerms:
    """Postings that grow at the end."""

    def __init__(self) -> None:
        self._held: dict[str, array[int]] = {}
        self._count = 0

    def add(self, place: int, terms: dict[str, int]) -> None:
        """Add one document's terms; *place* is above all before it."""
        held = self._held
        self._count += len(terms)
        mark = place << 8
        for term, times in terms.items():
            postings = held.get(term)
            if postings is None:
                held[term] = array("I", (mark | times,))
            else:
                postings.append(mark | times)

    def postings(self, term: str) -> Sequence[int]:
        return self._held.get(term, ())

    def items(self) -> Iterator[tuple[str, Sequence[int]]]:
        return iter(self._held.items())

    def bytes(self) -> int:
        # An array of one is 84 bytes and its term about 60; seen with sys.getsizeof on CPython 3.11.
        return 4 * self._count + 150 * len(self._held)


class FrozenTerms:
    """Sorted terms in one run of bytes, their postings in one array: nothing to parse, looked up by bisection."""

    def __init__(self, words: bytes, ends: Sequence[int], starts: Sequence[int], held: Sequence[int]) -> None:
        self.words = words
        self.ends = ends
        """Where each term's bytes end in `words`."""
        self.starts = starts
        """Where each term's postings start in `held`, and at last where the last ones end."""
        self.held = held

    def _word(self, place: int) -> bytes:
        return self.words[self.ends[place - 1] if place else 0 : self.ends[place]]

    def postings(self, term: str) -> Sequence[int]:
        sought = term.encode()
        place = bisect_left(range(len(self.ends)), sought, key=self._word)
        if place == len(self.ends) or self._word(place) != sought:
            return ()
        return self.held[self.starts[place] : self.starts[place + 1]]

    def items(self) -> Iterator[tuple[str, Sequence[int]]]:
        for place in range(len(self.ends)):
            yield self._word(place).decode(), self.held[self.starts[place] : self.starts[place + 1]]

    def bytes(self) -> int:
        return len(self.words) + 4 * (len(self.ends) + len(self.starts) + len(self.held))


class Keys(Sequence[str]):
    """Keys in one run of bytes."""

    def __init__(self, words: bytes, ends: Sequence[int]) -> None:
        self.words = words
        self.ends = ends

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, place: int) -> str:  # type: ignore[override]
        return self.words[self.ends[place - 1] if place else 0 : self.ends[place]].decode()


class Undoing(NamedTuple):
    """Every change of status that documents of several spells went through."""

    since: "array[int]"
    """Revisions, ascending."""

    places: "array[int]"
    """The documents, of the latest change first."""

    before: bytes
    """What each stood as before its change, in the order of `places`; `NOT_YET` before its memory was made."""


NOT_YET: Final = 255
"""Stands for a status where there was no memory yet: no place in `STATUSES`."""


class Part:
    """Columns and postings of some documents, numbered from 0 within the part."""

    def __init__(self, columns: dict[str, "array[int]"], keys: list[str] | Keys, terms: TermTable) -> None:
        self.columns = columns
        self.keys = keys
        self.terms = terms
        self.seen_as: list[SeenAs] = []
        self.episodes: list[str] = [""]
        self.earlier: dict[int, tuple[Spell, ...]] = {}
        """Spells before the last one, of the few documents that have several."""
        self.gone: set[int] = set()
        """Numbers of documents in older parts that this part ends without taking their place."""
        self.dead = bytearray(len(keys))
        """1 for a document that a later part, or a later place in this one, speaks for."""
        self.alive = bytearray(len(keys))
        """1 for a document that is active now and not dead."""
        self.living = 0
        self.length = 0
        """Number and sum of lengths of the alive."""
        self.version = 0
        """Grows with every change, so that what was computed from the part can be kept as long as it holds."""
        self._undoing: Undoing | None = None
        self._bounded: tuple[int, array[int]] | None = None
        self.kept: dict[Hashable, tuple[int, Any]] = {}
        """What was computed from the part, each with the version that it holds for."""

    @property
    def count(self) -> int:
        """Documents, dead ones too."""
        return len(self.keys)

    def wake(self) -> None:
        """Compute what is alive, after the columns were filled at once."""
        active = STATUSES.index(Status.ACTIVE)
        self.alive = bytearray(status == active for status in self.columns["status"])
        self.living = sum(self.alive)
        self.length = sum(size for size, alive in zip(self.columns["length"], self.alive, strict=True) if alive)

    def kill(self, place: int) -> None:
        """Mark a document as spoken for elsewhere."""
        self.version += 1
        self.dead[place] = 1
        if self.alive[place]:
            self.alive[place] = 0
            self.living -= 1
            self.length -= self.columns["length"][place]

    def spell(self, place: int, revision: int | None = None) -> Spell | None:
        """How the document's memory stood at the owner's *revision*, or stands now; None before it was made."""
        columns = self.columns
        if revision is None or columns["since"][place] <= revision:
            return Spell(
                columns["since"][place],
                columns["status"][place],
                columns["valid_from"][place],
                columns["valid_to"][place],
            )
        past = (spell for spell in reversed(self.earlier.get(place, ())) if spell.since <= revision)
        return next(past, None)

    def bounded(self) -> Sequence[int]:
        """Places of the documents that do not hold always."""
        if self._bounded is None or self._bounded[0] != len(self.keys):
            pairs = zip(self.columns["valid_from"], self.columns["valid_to"], strict=True)
            found = array("I", [place for place, ends in enumerate(pairs) if ends != (NO_TIME, NO_END)])
            self._bounded = len(self.keys), found
        return self._bounded[1]

    def undoing(self) -> Undoing:
        """What leads back from how the documents stand to how they stood. Of a frozen part only: its spells never change."""
        if self._undoing is None:
            changes = []
            for place, spells in self.earlier.items():
                before = NOT_YET
                for spell in (*spells, self.spell(place)):
                    assert spell is not None  # noqa: S101 (it stands somehow now)
                    changes.append((spell.since, place, before))
                    before = spell.status
            changes.sort(reverse=True)
            self._undoing = Undoing(
                array("q", [since for since, _, _ in reversed(changes)]),
                array("I", [place for _, place, _ in changes]),
                bytes([before for _, _, before in changes]),
            )
        return self._undoing

    def bytes(self) -> int:
        """Memory taken, roughly."""
        width = sum(column.itemsize for column in self.columns.values())
        return self.count * (width + 2) + self.terms.bytes() + 36 * self.count


class GrowingPart(Part):
    """The young part of an index: every write is appended here."""

    def __init__(self) -> None:
        self.growing = GrowingTerms()
        self.names: list[str] = []
        super().__init__({name: array(kind) for name, kind in COLUMNS}, self.names, self.growing)
        self._seen_as: dict[SeenAs, int] = {}
        self._episodes: dict[str, int] = {"": 0}
        self.places: dict[int, int] = {}
        """Document number to its latest place."""

    def add(self, document: Document) -> None:
        """Append a document. An earlier version of it must have been killed."""
        place = len(self.names)
        seen_as = self._seen_as.get(document.seen_as)
        if seen_as is None:
            seen_as = self._seen_as[document.seen_as] = len(self.seen_as)
            self.seen_as.append(document.seen_as)
        episode = self._episodes.get(document.episode)
        if episode is None:
            episode = self._episodes[document.episode] = len(self.episodes)
            self.episodes.append(document.episode)
        last = document.spells[-1]
        if len(document.spells) > 1:
            self.earlier[place] = document.spells[:-1]
        row = (
            document.number, document.happened, document.recorded, document.due, last.since, last.valid_from,
            last.valid_to, document.length, seen_as, episode, document.confidence, last.status,
        )  # fmt: skip
        for column, value in zip(self.columns.values(), row, strict=True):
            column.append(value)
        self.names.append(document.key)
        self.places[document.number] = place
        self.gone.discard(document.number)
        self.growing.add(place, document.terms)  # type: ignore[arg-type]
        alive = STATUSES[last.status] is Status.ACTIVE
        self.dead.append(0)
        self.alive.append(alive)
        self.version += 1
        if alive:
            self.living += 1
            self.length += document.length
