"""
Memories and links as structure and words, which stand apart so that the words can be sealed.

The words are what erasing would take away, by the same list.
"""

from collections.abc import Mapping
from typing import Any, Final

from reminisce.codec.canonical import (
    COUNT,
    NAME,
    NAMES,
    NUMBER,
    PAIRS,
    SHARE,
    SWITCH,
    TEXT,
    TEXTS,
    TIME,
    Form,
    Plain,
    Shape,
    maybe,
    whole,
    word,
)
from reminisce.domain.erasure import KEPT, KEPT_AS_GIVEN
from reminisce.domain.memory import Attributes, Cause, Erased, Fact, Memory
from reminisce.domain.records import Event, Link, LinkKind, Member, Record
from reminisce.domain.values import Basis, Status, Tier

__all__ = ["Words", "join_link", "join_memory", "split_link", "split_memory"]

Words = Plain
"""What a seal covers, as a plain object."""


def _three(plain: Any) -> tuple[str, str, str]:
    subject, attribute, value = TEXTS.read(plain)
    return subject, attribute, value


_ERASED: Final = whole(Erased, Shape(Erased, cause=word(Cause), subject=maybe(NAME), opening=COUNT))
_FACT: Final = Form[Fact](lambda fact: [fact.subject, fact.attribute, fact.value], lambda plain: Fact(*_three(plain)))
_MEMBERS: Final = Form[tuple[Member, ...]](
    lambda members: [list(member) for member in members],
    lambda plain: tuple(Member(role, key) for role, key in PAIRS.read(plain)),
)
_MEMORY_FORMS: Final[dict[str, Form[Any]]] = {
    "key": NAME, "status": word(Status), "tier": word(Tier), "subjects": NAMES, "confidence_thousandths": SHARE,
    "salience_thousandths": SHARE, "recorded_at": TIME, "revision": NUMBER, "ordinal": COUNT, "named": SWITCH,
    "request_key": maybe(NAME), "valid_from": maybe(TIME), "valid_to": maybe(TIME), "many": SWITCH, "further_sources": TEXTS,
    "uses": COUNT, "consolidated_uses": COUNT, "consolidated_at": maybe(TIME), "agreed": TEXTS, "erased": maybe(_ERASED),
}  # fmt: skip

_GIVEN_FORMS: Final[dict[str, Form[Any]]] = {
    "content": TEXT, "aspects": TEXTS, "basis": word(Basis), "confidence": SHARE, "salience": SHARE,
    "occurred_at": maybe(TIME), "due_at": maybe(TIME), "valid_from": maybe(TIME), "valid_to": maybe(TIME), "sources": TEXTS,
    "facets": PAIRS, "subjects": NAMES, "tier": word(Tier), "surface": maybe(TEXT), "episode": maybe(TEXT),
    "fact": maybe(_FACT), "reviewer": maybe(TEXT), "derived_from": TEXTS, "supersedes": TEXTS,
}  # fmt: skip


def _part(kind: type, forms: Mapping[str, Form[Any]], names: frozenset[str]) -> Shape:
    return Shape(kind, **{name: form for name, form in forms.items() if name in names})


_KEPT: Final = _part(Memory, _MEMORY_FORMS, KEPT)
_WORDS: Final = _part(Memory, _MEMORY_FORMS, frozenset(_MEMORY_FORMS) - KEPT)
_GIVEN: Final = _part(Attributes, _GIVEN_FORMS, KEPT_AS_GIVEN)
_GIVEN_WORDS: Final = _part(Attributes, _GIVEN_FORMS, frozenset(_GIVEN_FORMS) - KEPT_AS_GIVEN)

_EVENT: Final = Shape(
    Event, revision=NUMBER, time=TIME, operation=TEXT, status=word(Status), actor=TEXT, valid_from=maybe(TIME),
    valid_to=maybe(TIME),
)  # fmt: skip

_LINK: Final = Shape(Link, name=NAME, kind=word(LinkKind), members=_MEMBERS, since=COUNT, until=maybe(COUNT))
_LINK_WORDS: Final = Shape(Link, label=maybe(TEXT), facets=PAIRS, reason=maybe(TEXT), resolution=maybe(TEXT))

_NOTHING_SAID: Final[Words] = {"content": ""}


def split_memory(record: Record) -> tuple[Plain, Words]:
    """A memory and its history as structure, and as words: empty where they are erased."""
    memory, history = record.memory, record.history
    structure = _KEPT.write(memory)
    given = _GIVEN.write(memory.given)
    if given:
        structure["given"] = given
    if history:
        structure["history"] = [_EVENT.write(event) for event in history]
    words = _WORDS.write(memory) | _GIVEN_WORDS.write(memory.given)
    reasons = [[place, event.reason] for place, event in enumerate(history) if event.reason is not None]
    if reasons:
        words["reasons"] = reasons
    return structure, {} if words == _NOTHING_SAID else words


def join_memory(owner: str, structure: Plain, words: Words) -> Record:
    """
    What `split_memory` split.

    Raises:
        ValueError, KeyError, TypeError, OverflowError: It is not of that form.
    """
    said = words or _NOTHING_SAID
    given = Attributes(**_GIVEN.read(structure.get("given", {})), **_GIVEN_WORDS.read(said))
    memory = Memory(owner=owner, given=given, **_KEPT.read(structure), **_WORDS.read(said))
    reasons = {place: TEXT.read(reason) for place, reason in said.get("reasons", ())}
    for place in reasons:
        COUNT.read(place)
    history = tuple(
        Event(**_EVENT.read(event), reason=reasons.get(place))
        for place, event in enumerate(structure.get("history", ()))
    )
    record = Record(memory, history)
    if split_memory(record) != (structure, words):
        raise ValueError("a memory of another form")
    return record


def split_link(link: Link) -> tuple[Plain, Words]:
    """A link as structure and as words."""
    return _LINK.write(link), _LINK_WORDS.write(link)


def join_link(structure: Plain, words: Words) -> Link:
    """
    What `split_link` split.

    Raises:
        ValueError, KeyError, TypeError: It is not of that form.
    """
    link = Link(**_LINK.read(structure), **_LINK_WORDS.read(words))
    if split_link(link) != (structure, words) or not link.members:
        raise ValueError("a link of another form")
    return link
