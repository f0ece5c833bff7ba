"""What a rule is, and the small words that rules are written with."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Final

import attrs

__all__ = [
    "UUID",
    "Check",
    "Rule",
    "alnum",
    "digits",
    "hexa",
    "lowhex",
    "marked",
    "named",
    "of",
    "screens_of",
    "upper",
    "wordy",
]

Check = Callable[[str, int, int], bool]
"""Asked last, of the text and the token's bounds in it: whether this is a secret after all."""

FLOOR: Final = 2.0
"""Bits a letter below which nothing of 12 letters or more is random: a digit alone has 3.3, one letter repeated 0."""


@attrs.frozen(kw_only=True)
class Rule:
    """
    One shape of a secret, as data.

    A pattern is written in what Python's ``re`` (with ASCII) and RE2 have in common: no look-around, bounded counts
    only. It is tried where one of the literals stands, so that its cost is bounded by their number.
    """

    id: str
    """gitleaks' name for the same rule where it has one, else ours."""

    family: str
    """Whose secret it is."""

    literals: tuple[str, ...]
    """In small letters. A text with none of them has no match."""

    pattern: str
    """Of the token; with a group named ``t``, that is the token. With `named`, begins after the name."""

    then: str = ""
    """What follows a literal at once in every match, in small letters: a hint that spares looking closely. May be empty."""

    lead: int = 0
    """How many letters before its literal the pattern may begin."""

    named: bool = False
    """The literals are names beside which the token must stand; the pattern is of the token alone."""

    across: bool = False
    """The literal is a word that must stand in the same text, anywhere."""

    before: bool = True
    """No ASCII letter or digit may stand right before the token."""

    after: bool = True
    """No ASCII letter or digit may stand right after the token."""

    entropy: float = FLOOR
    """More than so many bits a letter the token must have (`shapes.bits`). Not asked of tokens under 12 letters."""

    check: Check | None = None
    source: str = "gitleaks"
    """Who published the format: gitleaks' table, or the vendor's documentation."""

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern for Python's own engine, with what may follow the token."""
        if not self.after or "(?P<t>" in self.pattern:
            return re.compile(self.pattern, re.ASCII)
        return re.compile(f"(?P<t>{self.pattern})(?:$|[^A-Za-z0-9])", re.ASCII)

    def __attrs_post_init__(self) -> None:
        assert self.literals  # noqa: S101 (a rule without would be tried nowhere)
        assert all(literal == literal.lower() and literal.isascii() for literal in self.literals)  # noqa: S101


def screens_of(rules: Iterable[Rule]) -> dict[str, str]:
    """Each literal once, sorted, with a pattern that stands, in small letters, wherever one of its rules matches."""
    sharing: dict[str, list[Rule]] = {}
    for rule in rules:
        for literal in rule.literals:
            sharing.setdefault(literal, []).append(rule)
    screens = {}
    for literal, several in sorted(sharing.items()):
        begins = all(rule.before and not (rule.lead or rule.named or rule.across) for rule in several)
        thens = sorted({rule.then for rule in several})
        then = "" if "" in thens else f"(?:{'|'.join(thens)})"
        screens[literal] = ("(?:^|[^a-z0-9])" if begins else "") + re.escape(literal) + then
    return screens


def of(letters: str, least: int, most: int | None = None) -> str:
    """*least* to *most* of some letters, written as inside brackets."""
    return f"[{letters}]{{{least}}}" if most is None else f"[{letters}]{{{least},{most}}}"


alnum = partial(of, "A-Za-z0-9")
"""ASCII letters and digits."""

wordy = partial(of, "A-Za-z0-9_-")
"""ASCII letters, digits, underscore and hyphen."""

upper = partial(of, "A-Z0-9")
"""ASCII capitals and digits."""

lowhex = partial(of, "a-f0-9")
"""Hexadecimal digits in small letters."""

hexa = partial(of, "A-Fa-f0-9")
"""Hexadecimal digits in either case."""

digits = partial(of, "0-9")
"""Decimal digits."""

UUID: Final = "[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}"


def marked(
    id: str,  # noqa: A002 (what the field is called)
    family: str,
    pattern: str,
    *literals: str,
    ends: str = "",
    entropy: float = FLOOR,
    lead: int = 0,
    then: str = "",
    across: bool = False,
    check: Check | None = None,
    source: str = "gitleaks",
) -> Rule:
    """
    A rule of a token that carries a mark of its own.

    Args:
        ends: ``B``: no letter or digit may stand before it; ``b``: none after it.
        then: What follows the literal at once in every match, in small letters.
    """
    return Rule(
        id=id,
        family=family,
        literals=literals,
        pattern=pattern,
        lead=lead,
        then=then,
        across=across,
        before="B" in ends,
        after="b" in ends,
        entropy=entropy,
        check=check,
        source=source,
    )


def named(
    id: str,  # noqa: A002
    family: str,
    names: str,
    pattern: str,
    *,
    entropy: float = FLOOR,
    check: Check | None = None,
    source: str = "gitleaks",
) -> Rule:
    """
    A rule of a token that only a name beside it tells from any other string.

    Args:
        names: In small letters, parted by blanks.
    """
    return Rule(
        id=id,
        family=family,
        literals=tuple(names.split()),
        pattern=pattern,
        named=True,
        before=False,
        entropy=entropy,
        check=check,
        source=source,
    )
