"""Ranks an index's documents for a query: postings in, the best k out."""

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

import attrs

from reminisce.domain.index.index import Index
from reminisce.domain.index.query import Found, Match, Query
from reminisce.domain.index.scope import Scope, admitted, scope
from reminisce.domain.ranking import (
    POOL,
    REACH,
    TERMS,
    UNIT,
    covered,
    episode_share,
    information,
    occurrence,
    support,
)

__all__ = ["search"]

POINTS = 44
"""
Bits of an accumulator that hold points; the bits above say which terms were found.

128 terms of at most 2^22 points, each times at most 2 by BM25's saturation, stay below 2^31.
"""


class _Occurrences(dict[int, int]):
    """`occurrence` by (length << 8 | times), computed once each: few lengths exist in any corpus."""

    def __init__(self, count: int, total: int) -> None:
        super().__init__()
        self._count, self._total = count, total

    def __missing__(self, known: int) -> int:
        value = self[known] = occurrence(known & 255, known >> 8, self._count, self._total)
        return value


@attrs.frozen
class _Term:
    text: str
    worth: int
    postings: tuple[Sequence[int], ...]
    """Visible ones, a sequence for each slice."""


def _terms(query: Query, seen: Scope) -> tuple[list[_Term], int]:
    """The terms to search, rarest first, and the information of all that is asked, found or not."""
    terms, asked = [], 0
    for text in dict.fromkeys(query.terms or ()):
        postings = []
        for part in seen.slices:
            held, mask = part.part.terms.postings(text), part.mask
            postings.append(held if mask is None else [p for p in held if mask[p >> 8]])
        frequency = sum(map(len, postings))
        worth = information(seen.count, frequency)
        asked += worth
        if frequency:
            terms.append(_Term(text, worth, tuple(postings)))
    # A tie goes to the term that sorts first, so that the choice never varies.
    return sorted(terms, key=lambda term: (-term.worth, term.text))[:TERMS], asked


@attrs.define
class _Ranking:
    """Own scores of all matching documents, then final ones of the pool."""

    index: Index
    seen: Scope
    terms: list[_Term]
    asked: int
    own: dict[int, int] = attrs.field(factory=dict)
    points: dict[int, int] = attrs.field(factory=dict)
    neighbours: dict[int, int] = attrs.field(factory=dict)
    episodes: dict[int, int] = attrs.field(factory=dict)
    """Points that pool members got from neighbours, and from their episode."""

    def key(self, document: int) -> str:
        part, place = self.index.locate(document)
        return part.keys[place]

    def score_own(self) -> None:
        known = _Occurrences(self.seen.count, max(1, self.seen.length))
        points: dict[int, int] = {}
        for bit, term in enumerate(self.terms):
            found = 1 << (POINTS + bit)
            for part, postings in zip(self.seen.slices, term.postings, strict=True):
                lengths, base, worth = part.part.columns["length"], part.base, term.worth
                for p in postings:
                    document = p >> 8
                    gain = (worth * known[lengths[document] << 8 | p & 255] // UNIT) + found
                    document += base
                    points[document] = points.get(document, 0) + gain
        self.points = points
        worths: dict[int, int] = {}
        below = (1 << POINTS) - 1
        for document, held in points.items():
            bits = held >> POINTS
            if bits not in worths:
                worths[bits] = sum(self.information_in(bits))
            self.own[document] = covered(held & below, worths[bits], self.asked)

    def information_in(self, bits: int) -> list[int]:
        return [term.worth for place, term in enumerate(self.terms) if bits >> place & 1]

    def best(self, scores: Mapping[int, int], k: int) -> list[int]:
        """The *k* documents of the largest scores, ties by key. Keys are read only where they decide."""
        if len(scores) > k:
            least = heapq.nlargest(k, scores.values())[-1]
            ahead = [document for document, score in scores.items() if score >= least]
        else:
            ahead = list(scores)
        return sorted(ahead, key=lambda document: (-scores[document], self.key(document)))[:k]

    def _around(self, document: int) -> tuple[str, list[int], list[int]]:
        """A document's episode ("" for none), and its nearest visible members before and after it, nearest first."""
        part, place = self.index.locate(document)
        name = part.episodes[part.columns["episode"][place]]
        sides: tuple[list[int], list[int]] = ([], [])
        if name:
            members = self.index.episode(name)
            middle = bisect_left(members, (part.columns["happened"][place], part.keys[place], document))
            for side, step in zip(sides, (-1, 1), strict=True):
                at = middle + step
                while len(side) < REACH and 0 <= at < len(members):
                    if self.seen.admits(members[at][2]):
                        side.append(members[at][2])
                    at += step
        return (name, *sides)

    def support(self) -> dict[int, int]:
        """The final score of every document that has one."""
        giving = set(self.best(self.own, POOL))
        around = {document: self._around(document) for document in giving}
        found: dict[str, int] = {}
        for document, (name, before, after) in list(around.items()):
            if name:
                found[name] = found.get(name, 0) | self.points[document] >> POINTS
            for other in (*before, *after):
                if other not in around:
                    around[other] = self._around(other)
        shares = {name: episode_share(self.information_in(bits)) for name, bits in found.items()}
        final = dict(self.own)
        for document, (name, before, after) in around.items():
            if name:
                self.neighbours[document] = support(
                    [self.own[other] if other in giving else 0 for other in before],
                    [self.own[other] if other in giving else 0 for other in after],
                )
                self.episodes[document] = shares[name]
                final[document] = self.own.get(document, 0) + self.neighbours[document] + shares[name]
        return final

    def match(self, document: int, score: int, explain: bool) -> Match:
        part, place = self.index.locate(document)
        form = part.seen_as[part.columns["seen_as"][place]].form
        key = part.keys[place]
        if not explain:
            return Match(key, form, score, score)
        known = _Occurrences(self.seen.count, max(1, self.seen.length))
        length = part.columns["length"][place]
        terms: list[tuple[str, int]] = []
        for term in self.terms:
            held = part.terms.postings(term.text)
            at = bisect_left(held, place << 8)
            if at < len(held) and held[at] >> 8 == place:
                terms.append((term.text, term.worth * known[length << 8 | held[at] & 255] // UNIT))
        points = sum(gain for _, gain in terms)
        return Match(
            key, form, score, score, tuple(terms), self.own.get(document, 0) - points,
            self.neighbours.get(document, 0), self.episodes.get(document, 0),
        )  # fmt: skip


def _page(ranking: _Ranking, ranks: Mapping[int, int], query: Query) -> tuple[list[int], bool]:
    """The documents of this page, and whether more remain."""
    if query.after is not None:
        rank, key = query.after
        ranks = {d: r for d, r in ranks.items() if r < rank or (r == rank and ranking.key(d) > key)}
    best = ranking.best(ranks, query.k + 1)
    return best[: query.k], len(best) > query.k


def search(index: Index, query: Query) -> Found:
    """
    Answer one query.

    A memory's score depends on the query and on what the viewer sees at that revision, never on filters, page or k. Filters
    come before the cut.

    Cost:
        Follows the postings of the query's terms; a list, a window of time or a past revision reads the columns once.
    """
    seen = scope(index, query)
    admits = [admitted(part, query, index.revision) for part in seen.slices]
    considered = sum(
        part.count if allowed is None else allowed.count(1) for part, allowed in zip(seen.slices, admits, strict=True)
    )
    if query.terms is None:
        return _list(index, seen, admits, query, considered)
    ranking = _Ranking(index, seen, *_terms(query, seen))
    ranking.score_own()
    final = ranking.support()
    if any(allowed is not None for allowed in admits):
        passing = b"".join(allowed or b"" for allowed in admits)
        final = {document: score for document, score in final.items() if passing[document]}
    page, more = _page(ranking, final, query)
    return Found(tuple(ranking.match(d, final[d], query.explain) for d in page), considered, more)


def _list(
    index: Index, seen: Scope, admits: Iterable[bytes | bytearray | None], query: Query, considered: int
) -> Found:
    ranks: dict[int, int] = {}
    for part, allowed in zip(seen.slices, admits, strict=True):
        happened = part.part.columns["happened"]
        places = range(part.part.count) if allowed is None else compress(range(part.part.count), allowed)
        ranks.update((part.base + place, happened[place]) for place in places if part.admits(place))
    ranking = _Ranking(index, seen, [], 0)
    page, more = _page(ranking, ranks, query)
    return Found(tuple(ranking.match(d, ranks[d], explain=False)._replace(score=0) for d in page), considered, more)
