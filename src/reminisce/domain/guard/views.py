"""The texts that hide in a text: without invisible letters, with one layer of coding undone."""

import re
import unicodedata
from base64 import b64decode
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import attrs

__all__ = ["OTHER", "View", "views"]

OTHER: Final = "?"
"""Stands for a letter that is no ASCII and looks like none: a neighbour, and never part of a token. As Python writes it."""

Piece = tuple[str, int, int]
"""Letters, and [start, end) of what they were in the parent. As many letters as that: each is its own."""

Runs = Callable[[str], Iterable[tuple[int, int]]]
"""Bounds of the runs in a text of at least 24 letters of base64, of either alphabet, with their padding."""


@attrs.define
class View:
    """A text in ASCII to look for secrets in, and where its letters come from: piece by piece, in numbers."""

    text: str
    parent: "View | None" = None
    offsets: list[int] = attrs.field(factory=list)
    """Where each piece begins in `text`; after the last, where it ends."""

    starts: list[int] = attrs.field(factory=list)
    ends: list[int] = attrs.field(factory=list)
    """Of each piece, the bounds in the parent."""

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Of [start, end) here, the bounds in the text that was given."""
        if self.parent is None:
            return start, end
        first, last = bisect_right(self.offsets, start) - 1, bisect_right(self.offsets, end - 1) - 1
        at = self.starts[first] + (start - self.offsets[first] if self._even(first) else 0)
        to = self.starts[last] + end - self.offsets[last] if self._even(last) else self.ends[last]
        return self.parent.origin(at, to)

    def _even(self, piece: int) -> bool:
        return self.offsets[piece + 1] - self.offsets[piece] == self.ends[piece] - self.starts[piece]


def _built(parent: View, pieces: Iterator[Piece]) -> View:
    # Numbers, no tuples: millions of those would keep the collector busy.
    texts, offsets, starts, ends, size = list[str](), [0], list[int](), list[int](), 0
    for letters, start, end in pieces:
        if letters:
            texts.append(letters)
            size += len(letters)
            offsets.append(size)
            starts.append(start)
            ends.append(end)
    return View("".join(texts), parent, offsets, starts, ends)


_AROUND: Final = 600
"""Letters about a coded one that are read with it: a name, the words between, and nearly every token."""


def _replaced(parent: View, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> View | None:
    """What stands about the matches of *pattern*, each replaced; parted by NUL where letters were left out."""
    text = parent.text
    matches = list(pattern.finditer(text))
    if not matches:
        return None

    def pieces() -> Iterator[Piece]:
        done = max(0, matches[0].start() - _AROUND)
        for match in matches:
            start, end = match.span()
            if start - done > 2 * _AROUND:
                yield text[done : done + _AROUND], done, done + _AROUND
                yield "\0", done + _AROUND, done + _AROUND
                done = start - _AROUND
            yield text[done:start], done, start
            yield by(match), start, end
            done = end
        last = min(len(text), done + _AROUND)
        yield text[done:last], done, last

    return _built(parent, pieces())


_QUOTES: Final = dict.fromkeys("“”„‟«»「」『』《》〈〉〝〞", '"') | dict.fromkeys("‘’‚‛", "'")
_DASHES: Final = dict.fromkeys("‐‑‒–—―−﹘", "-")
_SIGNS: Final = {"→": ">", "⇒": ">", "\u2028": "\n", "\u2029": "\n", "\x85": "\n", "、": ",", "【": "[", "】": "]"}
_WRITTEN: Final = _QUOTES | _DASHES | _SIGNS
"""Signs that people write where a program has ASCII."""


def _folded(letter: str) -> str:
    """A letter in ASCII: itself where compatibility says so, nothing where nobody sees it, else `OTHER`."""
    if letter in _WRITTEN:
        return _WRITTEN[letter]
    if unicodedata.category(letter) in ("Cf", "Mn", "Me") or letter in "\u115f\u1160\u3164\uffa0":
        return ""
    plain = unicodedata.normalize("NFKC", letter)
    return plain if plain.isascii() and "\0" not in plain else OTHER


class _Folding(dict[int, str]):
    """What `str.translate` asks for each letter, found out once."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        self[code] = found = letter if code < 128 else _folded(letter)
        return found


_FOLDING: Final = _Folding()


def _ascii(text: str, parent: View | None) -> View:
    """*text* in ASCII. *parent* is given when *text* is as long as the parent's, letter by letter."""
    if text.isascii():
        return View(text) if parent is None else _built(parent, iter([(text, 0, len(text))]))
    root = View(text) if parent is None else parent
    foreign = set(_FOREIGN.findall(text))
    if all(len(_FOLDING[ord(letter)]) == 1 for letter in foreign):
        flat = _flat(text, foreign)
        return View(flat) if parent is None else _built(root, iter([(flat, 0, len(flat))]))
    uneven = re.compile("[" + "".join(re.escape(letter) for letter in foreign if len(_FOLDING[ord(letter)]) != 1) + "]")

    def pieces() -> Iterator[Piece]:
        done = 0
        for match in uneven.finditer(text):
            at = match.start()
            yield _flat(text[done:at], foreign), done, at
            yield _FOLDING[ord(match[0])], at, at + 1
            done = at + 1
        yield _flat(text[done:], foreign), done, len(text)

    return _built(root, pieces())


_FOREIGN: Final = re.compile("[^\0-\x7f]")

FEW: Final = 16
"""Different letters up to which replacing one after the other is faster than looking each letter up."""


def _flat(text: str, foreign: set[str]) -> str:
    """*text* in ASCII, letter for letter; each of *foreign* that it holds becomes one."""
    written = [letter for letter in foreign if _FOLDING[ord(letter)] not in (OTHER, "")]
    if len(written) > FEW:
        return text.translate(_FOLDING)
    for letter in written:
        text = text.replace(letter, _FOLDING[ord(letter)])
    return text.encode("ascii", "replace").decode()


_LOOKALIKES: Final = str.maketrans(
    "АВЕКМНОРСТХУІЈЅЗаеорсухіјѕһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρυικյոսցԍ",
    "ABEKMHOPCTXYIJS3aeopcyxijshdqwABEZHIKMNOPTYXoavpuiкjnugG".replace("к", "k"),
)
"""Cyrillic, Greek and Armenian letters that look like ASCII ones."""

_ALIKE: Final = frozenset(map(chr, _LOOKALIKES))
_MIXED: Final = re.compile(f"[A-Za-z0-9_{re.escape(''.join(map(chr, _LOOKALIKES)))}-]{{12,}}")


def _lookalikes(text: str) -> str | None:
    """*text* with the lookalikes in tokens as what they look like; None when there are none."""

    def plain(match: re.Match[str]) -> str:
        run = match[0]
        foreign = sum(not letter.isascii() for letter in run)
        return run.translate(_LOOKALIKES) if 0 < foreign * 3 <= len(run) - foreign else run

    if _ALIKE.isdisjoint(_FOREIGN.findall(text)):
        return None
    changed = _MIXED.sub(plain, text)
    return None if changed == text else changed


_PERCENT: Final = re.compile("%([0-9A-Fa-f]{2})")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([nrt\"'/\\]))")
_CONTROLS: Final = {"n": "\n", "r": "\r", "t": "\t"}


def _unpercented(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if 0 < code < 128 else OTHER


def _unescaped(match: re.Match[str]) -> str:
    written = match[1] or match[2]
    if written is None:
        return _CONTROLS.get(match[3], match[3])
    code = int(written, 16)
    return "" if not code else _FOLDING[code]


_PART: Final = re.compile(r"[A-Za-z0-9+]{24,}", re.ASCII)
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}){12,}\Z", re.ASCII)
_HELD: Final = re.compile(r"[^\x00-\x08\x0e-\x1f\x7f]+\Z")
_CONTEXT: Final = 48
"""Letters before a coded run that may name it."""


def _plain(run: str) -> str | None:
    """What a run says in base64 or hexadecimal, when that is text."""
    try:
        if _HEX.match(run):
            plain = bytes.fromhex(run).decode()
        elif run.islower() or run.isupper():
            # A path or a name: 18 bytes of text in base64 without letters of either case would be a marvel.
            return None
        else:
            body = run.rstrip("=").replace("-", "+").replace("_", "/")
            plain = b64decode(body + "=" * (-len(body) % 4)).decode()
    except ValueError:
        return None
    return plain.translate(_FOLDING) if _HELD.match(plain) else None


def _decoded(parent: View, runs: Runs) -> View | None:
    """Runs of base64 and hexadecimal that hold text, each as its text between what stands about it."""
    text = parent.text
    found: list[tuple[int, int, str]] = []
    for start, end in runs(text):
        plain = _plain(text[start:end])
        if plain is not None:
            found.append((start, end, plain))
            continue
        for part in _PART.finditer(text, start, end):
            inner = _plain(part[0]) if part.span() != (start, end) else None
            if inner is not None:
                found.append((*part.span(), inner))
    if not found:
        return None

    def pieces() -> Iterator[Piece]:
        for start, end, plain in found:
            before, after = max(0, start - _CONTEXT, text.rfind("\0", 0, start) + 1), min(len(text), end + 8)
            yield text[before:start], before, start
            yield plain if len(plain) != end - start else plain + " ", start, end
            yield text[end:after], end, after
            yield "\0", end, end

    return _built(parent, pieces())


def views(text: str, runs: Runs) -> Iterator[View]:
    """*text* in ASCII, then whatever else it may be read as."""
    base = _ascii(text, None)
    plain = [base]
    if not text.isascii():
        other = _lookalikes(text)
        if other is not None:
            plain.append(_ascii(other, View(text)))
    for sign, pattern, by in (("%", _PERCENT, _unpercented), ("\\", _ESCAPE, _unescaped)):
        coded = _replaced(base, pattern, by) if sign in base.text else None
        if coded is not None:
            plain.append(coded)
    for view in plain:
        yield view
        decoded = _decoded(view, runs)
        if decoded is not None:
            yield decoded
