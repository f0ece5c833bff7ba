"""The texts that hide in a text: without invisible letters, with one layer of coding undone, with broken lines joined."""

import re
import unicodedata
from base64 import b64decode
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

import attrs

from reminisce.domain.guard.rule import Rule

__all__ = ["OTHER", "View", "views"]

OTHER: Final = "\x7f"
"""Stands for a letter that is no ASCII and looks like none: a neighbour, and never part of a token."""

Piece = tuple[str, int, int]
"""Letters, and [start, end) of what they were in the parent. As many letters as that: each is its own."""


@attrs.define
class View:
    """A text in ASCII to look for secrets in, and where its letters come from."""

    text: str
    parent: "View | None" = None
    offsets: list[int] = attrs.field(factory=list)
    """Where each piece begins in `text`."""

    pieces: list[Piece] = attrs.field(factory=list)
    loose: bool = False
    """Letters stand together that did not: only tokens with a mark of their own count."""

    def admits(self, rule: Rule) -> bool:
        """Whether a rule says anything here."""
        return not self.loose or not (rule.named or rule.across)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Of [start, end) here, the bounds in the text that was given."""
        if self.parent is None:
            return start, end
        first, last = self._piece(start), self._piece(end - 1)
        begin, over = self.pieces[first], self.pieces[last]
        at = begin[1] + (start - self.offsets[first] if _even(begin) else 0)
        to = over[1] + end - self.offsets[last] if _even(over) else over[2]
        return self.parent.origin(at, to)

    def _piece(self, at: int) -> int:
        return bisect_right(self.offsets, at) - 1


def _even(piece: Piece) -> bool:
    return len(piece[0]) == piece[2] - piece[1]


def _built(parent: View, pieces: Iterator[Piece], *, loose: bool = False) -> View:
    kept = [piece for piece in pieces if piece[0]]
    offsets, size = [], 0
    for piece in kept:
        offsets.append(size)
        size += len(piece[0])
    return View("".join(piece[0] for piece in kept), parent, offsets, kept, loose)


def _replaced(parent: View, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> View:
    def pieces() -> Iterator[Piece]:
        done = 0
        for match in pattern.finditer(parent.text):
            yield parent.text[done : match.start()], done, match.start()
            yield by(match), match.start(), match.end()
            done = match.end()
        yield parent.text[done:], done, len(parent.text)

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

    uneven: Final = set[str]()
    """Letters that become none, or several."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        found = letter if code < 128 else _folded(letter)
        if len(found) != 1:
            self.uneven.add(letter)
        self[code] = found
        return found


_FOLDING: Final = _Folding()


def _ascii(text: str, parent: View | None) -> View:
    """*text* in ASCII. *parent* is given when *text* is as long as the parent's, letter by letter."""
    if text.isascii():
        return View(text) if parent is None else _built(parent, iter([(text, 0, len(text))]))
    flat = text.translate(_FOLDING)
    root = View(text) if parent is None else parent
    if len(flat) == len(text) and _Folding.uneven.isdisjoint(text):
        return View(flat) if parent is None else _built(root, iter([(flat, 0, len(flat))]))

    def pieces() -> Iterator[Piece]:
        done = 0
        for at, letter in enumerate(text):
            if letter in _Folding.uneven:
                yield text[done:at].translate(_FOLDING), done, at
                yield _FOLDING[ord(letter)], at, at + 1
                done = at + 1
        yield text[done:].translate(_FOLDING), done, len(text)

    return _built(root, pieces())


_LOOKALIKES: Final = str.maketrans(
    "АВЕКМНОРСТХУІЈЅЗаеорсухіјѕһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρυικյոսցԍ",
    "ABEKMHOPCTXYIJS3aeopcyxijshdqwABEZHIKMNOPTYXoavpuiкjnugG".replace("к", "k"),
)
"""Cyrillic, Greek and Armenian letters that look like ASCII ones."""

_MIXED: Final = re.compile(f"[A-Za-z0-9_{re.escape(''.join(map(chr, _LOOKALIKES)))}-]{{12,}}")


def _lookalikes(text: str) -> str | None:
    """*text* with the lookalikes in tokens as what they look like; None when there are none."""

    def plain(match: re.Match[str]) -> str:
        run = match[0]
        foreign = sum(not letter.isascii() for letter in run)
        return run.translate(_LOOKALIKES) if 0 < foreign * 3 <= len(run) - foreign else run

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


_BREAK: Final = re.compile(r"(?<=[A-Za-z0-9_+/.=-]{6})(?:\\?\r?\n[ \t>*#|]{0,12}|[ ]?-[ ]?\n[ ]{0,4})(?=[A-Za-z0-9_+/=-]{2})", re.ASCII)
_ABOUT: Final = 400
"""Letters about a broken line that are looked at again in one piece: more than the longest ordinary token."""

_LONELY: Final = re.compile(r"[0-9]")


def _joined(parent: View) -> View | None:
    """Lines that break within what may be a token, joined; only their surroundings."""
    text = parent.text
    breaks = [
        match
        for match in _BREAK.finditer(text)
        if _LONELY.search(text, max(0, match.start() - 24), match.start()) or _LONELY.search(text, match.end(), match.end() + 24)
    ]
    if not breaks:
        return None

    def pieces() -> Iterator[Piece]:
        done = first = 0
        for at, match in enumerate(breaks):
            if at == 0 or match.start() - breaks[at - 1].end() > 2 * _ABOUT:
                if at:
                    yield text[done : done + _ABOUT], done, min(len(text), done + _ABOUT)
                    yield "\0", done, done
                first = max(first, match.start() - _ABOUT, 0)
                done = max(done, first) if at == 0 else first
            yield text[done : match.start()], done, match.start()
            done = match.end()
        yield text[done : done + _ABOUT], done, min(len(text), done + _ABOUT)

    return _built(parent, pieces(), loose=True)


_RUN: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}", re.ASCII)
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
        else:
            body = run.rstrip("=").replace("-", "+").replace("_", "/")
            plain = b64decode(body + "=" * (-len(body) % 4)).decode()
    except ValueError:
        return None
    return plain.translate(_FOLDING) if _HELD.match(plain) else None


def _decoded(parent: View) -> View | None:
    """Runs of base64 and hexadecimal that hold text, each as its text between what stands about it."""
    text = parent.text
    found: list[tuple[int, int, str]] = []
    for match in _RUN.finditer(text):
        plain = _plain(match[0])
        if plain is not None:
            found.append((*match.span(), plain))
            continue
        for part in _PART.finditer(text, *match.span()):
            inner = _plain(part[0]) if part.span() != match.span() else None
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


def views(text: str) -> Iterator[View]:
    """*text* in ASCII, then whatever else it may be read as."""
    base = _ascii(text, None)
    plain = [base]
    if not text.isascii():
        other = _lookalikes(text)
        if other is not None:
            plain.append(_ascii(other, View(text)))
    if "%" in base.text and _PERCENT.search(base.text):
        plain.append(_replaced(base, _PERCENT, _unpercented))
    if "\\" in base.text and _ESCAPE.search(base.text):
        plain.append(_replaced(base, _ESCAPE, _unescaped))
    for view in plain:
        yield view
        for derived in (_joined(view), _decoded(view)):
            if derived is not None:
                yield derived
