"""Frozen parts: merged from others, written to bytes, read back without parsing what a query will not touch."""

import json
import sys
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Final

from reminisce.domain.index.documents import SeenAs, Spell
from reminisce.domain.index.part import COLUMNS, FrozenTerms, Keys, Part
from reminisce.domain.values import Tier
from reminisce.domain.visibility import Form

__all__ = ["freeze", "from_bytes", "to_bytes"]

FORMAT: Final = 3
"""Of the bytes of a piece. Another one is not read: the index is built anew."""

_HEADER: Final = 4
"""Bytes that hold the length of the JSON header."""


def _numbered(values: Iterable[Any]) -> tuple[list[Any], dict[Any, int]]:
    table: dict[Any, int] = {}
    for value in values:
        table.setdefault(value, len(table))
    return list(table), table


def _joined(words: Sequence[str]) -> tuple[bytes, "array[int]"]:
    encoded = [word.encode() for word in words]
    return b"".join(encoded), array("I", accumulate(map(len, encoded)))


def _postings(parts: Sequence[Part], places: Sequence[Sequence[int]]) -> FrozenTerms:
    gathered: dict[str, list[int]] = {}
    for part, moved in zip(parts, places, strict=True):
        for term, postings in part.terms.items():
            kept = [moved[p >> 8] << 8 | p & 255 for p in postings if moved[p >> 8] >= 0]
            if kept:
                gathered.setdefault(term, []).extend(kept)
    terms = sorted(gathered)
    held = array("I")
    starts = array("I", (0,))
    for term in terms:
        found = gathered[term]
        found.sort()
        held.extend(found)
        starts.append(len(held))
    words, ends = _joined(terms)
    return FrozenTerms(words, ends, starts, held)


def freeze(parts: Sequence[Part]) -> Part:
    """One frozen part with the documents of *parts* that are not dead, by number."""
    order = sorted(
        (part.columns["number"][place], origin, place)
        for origin, part in enumerate(parts)
        for place in range(part.count)
        if not part.dead[place]
    )
    places = [array("q", [-1]) * part.count for part in parts]
    for new, (_, origin, place) in enumerate(order):
        places[origin][place] = new
    columns = {
        name: array(kind, [parts[origin].columns[name][place] for _, origin, place in order]) for name, kind in COLUMNS
    }
    seen, seen_numbers = _numbered(parts[o].seen_as[parts[o].columns["seen_as"][p]] for _, o, p in order)
    columns["seen_as"] = array(
        "I", [seen_numbers[parts[o].seen_as[parts[o].columns["seen_as"][p]]] for _, o, p in order]
    )
    names = ["", *(parts[o].episodes[parts[o].columns["episode"][p]] for _, o, p in order)]
    episodes, numbers = _numbered(names)
    columns["episode"] = array("I", [numbers[name] for name in names[1:]])
    words, ends = _joined([parts[origin].keys[place] for _, origin, place in order])
    frozen = Part(columns, Keys(words, ends), _postings(parts, places))
    frozen.seen_as, frozen.episodes = seen, episodes
    for new, (_, origin, place) in enumerate(order):
        if place in parts[origin].earlier:
            frozen.earlier[new] = parts[origin].earlier[place]
    frozen.gone = {number for part in parts for number in part.gone}.difference(columns["number"])
    frozen.wake()
    return frozen


def _little(values: "array[int]") -> bytes:
    if sys.byteorder == "big":  # pragma: no cover
        values = values[:]
        values.byteswap()
    return values.tobytes()


def to_bytes(part: Part, analyser: str) -> bytes:
    """
    A frozen part as bytes: little-endian arrays behind a JSON header that says where each lies.

    Args:
        analyser: The identity of the analyser that made the terms.
    """
    assert isinstance(part.keys, Keys)  # noqa: S101 (for the type checker: callers freeze first)
    assert isinstance(part.terms, FrozenTerms)  # noqa: S101
    terms = part.terms
    arrays: list[tuple[str, str, bytes]] = [(name, kind, _little(part.columns[name])) for name, kind in COLUMNS]
    arrays += [
        ("keys", "", part.keys.words),
        ("key ends", "I", _little(part.keys.ends)),  # type: ignore[arg-type]
        ("terms", "", terms.words),
        ("term ends", "I", _little(terms.ends)),  # type: ignore[arg-type]
        ("starts", "I", _little(terms.starts)),  # type: ignore[arg-type]
        ("postings", "I", _little(terms.held)),  # type: ignore[arg-type]
    ]
    header = {
        "format": FORMAT,
        "analyser": analyser,
        "seen_as": [[s.form.value, s.tier, s.surface, s.subjects, s.erased] for s in part.seen_as],
        "episodes": part.episodes,
        "earlier": [[place, spells] for place, spells in part.earlier.items()],
        "gone": sorted(part.gone),
        "arrays": [[name, kind, len(data)] for name, kind, data in arrays],
    }
    head = json.dumps(header, separators=(",", ":")).encode()
    return b"".join((len(head).to_bytes(_HEADER, "little"), head, *(data for _, _, data in arrays)))


def from_bytes(data: bytes, analyser: str) -> Part | None:
    """The part that `to_bytes` wrote; None when it has another format or was made by another analyser."""
    start = _HEADER + int.from_bytes(data[:_HEADER], "little")
    try:
        header = json.loads(data[_HEADER:start])
    except ValueError:
        return None
    if header.get("format") != FORMAT or header.get("analyser") != analyser:
        return None
    view, runs, arrays = memoryview(data), {}, {}
    for name, kind, size in header["arrays"]:
        if kind:
            values: array[int] = array(kind)
            values.frombytes(view[start : start + size])
            if sys.byteorder == "big":  # pragma: no cover
                values.byteswap()
            arrays[name] = values
        else:
            runs[name] = bytes(view[start : start + size])
        start += size
    terms = FrozenTerms(runs["terms"], arrays["term ends"], arrays["starts"], arrays["postings"])
    part = Part({name: arrays[name] for name, _ in COLUMNS}, Keys(runs["keys"], arrays["key ends"]), terms)
    part.seen_as = [
        SeenAs(Form(form), Tier(tier), surface, tuple(refs), erased)
        for form, tier, surface, refs, erased in header["seen_as"]
    ]
    part.episodes = header["episodes"]
    part.earlier = {place: tuple(Spell(*spell) for spell in spells) for place, spells in header["earlier"]}
    part.gone = set(header["gone"])
    part.wake()
    return part
