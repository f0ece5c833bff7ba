"""The index of one owner: parts, oldest first, and which document lives in which."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator

from reminisce.domain.index.documents import Document, Terms, documents, number_of, tag
from reminisce.domain.index.frozen import freeze, to_bytes
from reminisce.domain.index.part import GrowingPart, Part
from reminisce.domain.masking import NO_MASKS, Masks
from reminisce.domain.records import Record
from reminisce.domain.visibility import Form

__all__ = ["Index"]

GROWTH = 4
"""
A part is merged into the next older one unless that is more than this many times larger.

Our choice: a document is then rewritten about log4(n) times, and a search visits about log4(n) parts.
"""


class Index:
    """
    Finds one owner's memories by their terms, at the revision that it was last brought up to.

    It holds no consent and no words beyond terms. Not for several threads at once: callers hold a lock.

    Args:
        masks: Make surfaces of redacted memories that were given none.
    """

    def __init__(self, analyse: Terms, masks: Masks = NO_MASKS) -> None:
        self._analyse = analyse
        self._masks = masks
        self.revision = 0
        self.frozen: list[Part] = []
        self.young = GrowingPart()
        self._episodes: dict[str, list[tuple[int, str, int]]] = {}

    @property
    def parts(self) -> Iterator[tuple[int, Part]]:
        """Each part with the number that its documents start from in this index."""
        base = 0
        for part in (*self.frozen, self.young):
            yield base, part
            base += part.count

    def locate(self, document: int) -> tuple[Part, int]:
        """The part and place of a document of this index."""
        for part in self.frozen:
            if document < part.count:
                return part, document
            document -= part.count
        return self.young, document

    def load(self, part: Part, through: int) -> None:
        """
        Add a frozen part behind those that are there; it speaks for the documents that it shares with them.

        Args:
            through: The revision that it, and all before it, cover.
        """
        numbers = part.columns["number"]
        for older in self.frozen:
            held = older.columns["number"]
            if numbers and held and numbers[0] <= held[-1]:
                for number in numbers[: bisect_left(numbers, held[-1] + 1)]:
                    self._kill_in(older, number)
            for number in part.gone:
                self._kill_in(older, number)
        self.frozen.append(part)
        self.revision = through
        self._episodes.clear()

    def update(self, revision: int, records: Iterable[Record]) -> None:
        """
        Bring the index to *revision*.

        Args:
            records: Every memory that was touched since, as it stands at *revision*.
        """
        for record in records:
            for form in Form:
                self._kill(number_of(record.memory, form))
            for document in documents(record, self._analyse, self._masks):
                self._add(document)
        self.revision = revision

    def _add(self, document: Document) -> None:
        self.young.add(document)
        if document.episode in self._episodes:
            base = sum(part.count for part in self.frozen)
            insort(self._episodes[document.episode], (document.happened, document.key, base + self.young.count - 1))

    def _kill(self, number: int) -> None:
        place = self.young.places.get(number)
        if place is not None:
            self._forget_episode(self.young, place)
            self.young.kill(place)
            if any(_place(part, number) is not None for part in self.frozen):
                self.young.gone.add(number)
            return
        # One part at most holds it alive.
        if any(self._kill_in(part, number) for part in self.frozen):
            self.young.gone.add(number)

    def _kill_in(self, part: Part, number: int) -> bool:
        place = _place(part, number)
        if place is None or part.dead[place]:
            return False
        self._forget_episode(part, place)
        part.kill(place)
        return True

    def _forget_episode(self, part: Part, place: int) -> None:
        self._episodes.pop(part.episodes[part.columns["episode"][place]], None)

    def episode(self, name: str) -> list[tuple[int, str, int]]:
        """(happened, key, document) of all of an episode's documents, active or not, in the episode's order."""
        members = self._episodes.get(name)
        if members is None:
            members = self._episodes[name] = sorted(
                (part.columns["happened"][p >> 8], part.keys[p >> 8], base + (p >> 8))
                for base, part in self.parts
                for p in part.terms.postings(tag("episode", name))
                if not part.dead[p >> 8]
            )
        return members

    def subjects(self) -> set[str]:
        """Every subject that any of its documents is about."""
        return {ref for _, part in self.parts for seen_as in part.seen_as for ref in seen_as.subjects}

    def settle(self, *, whole: bool = False) -> tuple[Part, int]:
        """
        Freeze the young part, merged with the older parts that it has outgrown.

        Args:
            whole: Merge all parts, so that nothing is left of documents that are spoken for elsewhere.

        Returns:
            The frozen part, which is now the last one, and how many of the older parts went into it.
        """
        size, kept = self.young.count, len(self.frozen)
        while kept and (whole or self.frozen[kept - 1].count <= GROWTH * size):
            kept -= 1
            size += self.frozen[kept].count
        merged = len(self.frozen) - kept
        part = freeze([*self.frozen[kept:], self.young])
        self.frozen[kept:] = [part]
        self.young = GrowingPart()
        self._episodes.clear()
        return part, merged

    def agrees_with(self, other: "Index") -> bool:
        """Whether both hold the same documents, terms and columns, however they are parted."""
        mine, theirs = (freeze([part for _, part in index.parts]) for index in (self, other))
        for part in (mine, theirs):
            # What a part ends in older ones is of no account when all are merged.
            part.gone = set()
        return to_bytes(mine, "") == to_bytes(theirs, "")

    def bytes(self) -> int:
        """Memory taken, roughly."""
        return sum(part.bytes() for _, part in self.parts)


def _place(part: Part, number: int) -> int | None:
    """Where a frozen part has the document of that number, dead or not."""
    numbers = part.columns["number"]
    place = bisect_left(numbers, number)
    return place if place < len(numbers) and numbers[place] == number else None
