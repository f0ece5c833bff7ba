"""Collects what is wrong with a caller's arguments, so that all of it is said at once and none of it is repeated back."""

import datetime as dt
import decimal
from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import islice
from typing import TypeVar

import attrs

from reminisce.domain.limits import BYTES, ITEMS
from reminisce.domain.values import thousandths
from reminisce.errors import InvalidError, Problem

__all__ = ["Checks"]

E = TypeVar("E", bound=StrEnum)


@attrs.define
class Checks:
    """
    Reads arguments one by one. Each method gives the clean value, or its default after noting a problem.

    Nothing it gives may be used before `finish` has returned.
    """

    problems: list[Problem] = attrs.field(factory=list)
    size: int = 0
    """UTF-8 bytes of all texts read so far."""

    def note(self, field: str, code: str, message: str) -> None:
        """Record one problem."""
        self.problems.append(Problem(field, code, message))

    def finish(self) -> None:
        """
        Raise what was found.

        Raises:
            InvalidError: With every problem noted, if any.
        """
        if self.problems:
            raise InvalidError(tuple(self.problems))

    def text(self, field: str, value: object, *, limit: str | None = None, blank: bool = False) -> str:
        """Any Unicode but NUL and lone surrogates, within the cap of *limit* (default: of *field*)."""
        if not isinstance(value, str):
            self.note(field, "wrong_type", "must be text")
            return ""
        try:
            size = len(value.encode())
        except UnicodeEncodeError:
            self.note(field, "lone_surrogate", "holds a lone surrogate, which no UTF-8 can carry")
            return ""
        most = BYTES[limit or field]
        if size > most:
            self.note(field, "too_large", f"must be at most {most} bytes of UTF-8")
        elif "\0" in value:
            self.note(field, "nul", "holds a NUL character")
        elif not blank and (not value or value.isspace()):
            self.note(field, "blank", "must not be blank")
        self.size += size
        return value

    def owner(self, value: object, field: str = "owner") -> str:
        """``kind:id``, split at the first colon, neither side blank."""
        count = len(self.problems)
        text = self.text(field, value)
        if len(self.problems) == count and not text.isprintable():
            self.note(field, "not_printable", "must be printable characters")
        elif len(self.problems) == count:
            kind, colon, name = text.partition(":")
            if not colon or not kind.strip() or not name.strip():
                self.note(
                    field, "not_kind_and_id", "must be a kind and an id with a colon between, such as agent:alice"
                )
        return text

    def items(self, field: str, value: object, most: str | None = None) -> tuple[object, ...]:
        """An iterable of items, at most as many as the table allows *most* (default: *field*). A lone text is refused."""
        limit = ITEMS[most or field]
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            self.note(field, "wrong_type", "must be a list")
            return ()
        # One more than may be: an endless iterable is refused like a long one. A set has no order to keep.
        items = tuple(islice(sorted(value, key=str) if isinstance(value, set | frozenset) else value, limit + 1))
        if len(items) > limit:
            self.note(field, "too_many", f"must be at most {limit}")
            return ()
        return items

    def texts(self, field: str, value: object, *, most: str | None = None) -> tuple[str, ...]:
        """A list of texts, in the order given, repeats dropped."""
        return tuple(dict.fromkeys([self.text(field, item) for item in self.items(field, value, most)]))

    def flag(self, field: str, value: object) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            self.note(field, "wrong_type", "must be true or false")
        return value is True

    def duration(self, field: str, value: object) -> dt.timedelta:
        """A length of time that is not negative: a timedelta, or seconds."""
        if isinstance(value, bool) or not isinstance(value, int | float | dt.timedelta):
            self.note(field, "wrong_type", "must be a length of time, or seconds")
            return dt.timedelta(0)
        try:
            length = value if isinstance(value, dt.timedelta) else dt.timedelta(seconds=value)
        except (OverflowError, ValueError):
            length = None
        if length is None or length < dt.timedelta(0):
            self.note(field, "out_of_range", "must be from 0 to a billion days")
            return dt.timedelta(0)
        return length

    def facets(self, value: object, field: str = "facets") -> tuple[tuple[str, str], ...]:
        """A mapping of name to one value or several, or pairs of name and value; sorted, repeats dropped."""
        pairs: list[tuple[object, object]] = []
        if isinstance(value, Mapping):
            for name, held in value.items():
                several = held if isinstance(held, list | tuple | set | frozenset) else (held,)
                pairs.extend((name, one) for one in several)
        else:
            for item in self.items(field, value):
                if isinstance(item, list | tuple) and len(item) == 2:
                    pairs.append((item[0], item[1]))
                else:
                    self.note(field, "wrong_type", "must be a mapping of name to value, or pairs of both")
        if len(pairs) > ITEMS["facets"]:
            self.note(field, "too_many", f"must be at most {ITEMS['facets']}")
            return ()
        return tuple(
            sorted(
                {(self.text(field, n, limit="facet name"), self.text(field, v, limit="facet value")) for n, v in pairs}
            )
        )

    def choice(self, field: str, value: object, kind: type[E]) -> E:
        """One of the words of *kind*."""
        try:
            return kind(value if isinstance(value, str) else "")
        except ValueError:
            self.note(field, "unknown_word", "must be one of " + ", ".join(kind))
            return next(iter(kind))

    def share(self, field: str, value: object) -> int:
        """A number in [0, 1] as whole thousandths."""
        if isinstance(value, bool) or not isinstance(value, int | float | decimal.Decimal):
            self.note(field, "wrong_type", "must be a number from 0 to 1")
            return 0
        whole = thousandths(value)
        if whole is None:
            self.note(field, "out_of_range", "must be a number from 0 to 1")
            return 0
        return whole

    def count(self, field: str, value: object, least: int, most: int) -> int:
        """A whole number in [*least*, *most*]."""
        if isinstance(value, bool) or not isinstance(value, int):
            self.note(field, "wrong_type", "must be a whole number")
            return least
        if not least <= value <= most:
            self.note(field, "out_of_range", f"must be from {least} to {most}")
            return least
        return value

    def instant(self, field: str, value: object) -> dt.datetime | None:
        """A timezone-aware time, as a datetime or as ISO 8601 text with an offset, in UTC. None on a problem."""
        if isinstance(value, str):
            try:
                # RFC 3339 allows the small letters that Python does not.
                value = dt.datetime.fromisoformat(value.upper())
            except ValueError:
                self.note(field, "not_a_time", "must be a time such as 2026-11-30T18:15:00Z, in years 1 to 9999")
                return None
        if not isinstance(value, dt.datetime):
            self.note(field, "wrong_type", "must be a time with a timezone")
            return None
        if value.utcoffset() is None:
            self.note(field, "naive_time", "must say its timezone or offset")
            return None
        try:
            return value.astimezone(dt.UTC)
        except OverflowError:
            self.note(field, "out_of_range", "must lie in years 1 to 9999 in UTC")
            return None
