"""
Values as canonical JSON: of one value there is one text only.

Names are sorted, nothing is spaced, characters stand for themselves, numbers are whole, and what has its default is left
out. Reading refuses every other way to write the same.
"""

import datetime as dt
import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Generic, NoReturn, TypeVar

import attrs

from reminisce.domain.instants import from_micros, micros

__all__ = [
    "COUNT", "NAME", "NAMES", "NUMBER", "PAIRS", "SHARE", "SWITCH", "TEXT", "TEXTS", "TIME", "Form", "Shape", "listed",
    "maybe", "read", "whole", "word", "written",
]  # fmt: skip

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

Plain = dict[str, Any]

_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False).encode

MOST: Final = 2**63 - 1
"""The largest number that every store keeps."""


def written(plain: Plain) -> bytes:
    """An object as canonical JSON, in UTF-8."""
    return _encode(plain).encode()


def _not_whole(_: str) -> NoReturn:
    raise ValueError("numbers are whole")


_decode: Final = json.JSONDecoder(parse_float=_not_whole, parse_constant=_not_whole).decode


def read(text: bytes) -> Plain:
    """
    The object of a canonical text.

    Raises:
        ValueError: It is no JSON object, or not the canonical one.
    """
    try:
        plain = _decode(text.decode())
    except RecursionError:
        raise ValueError("nested too deeply") from None
    # Written again it is the same, or it was not canonical: spaces, another order, a name twice, another escape.
    if not isinstance(plain, dict) or written(plain) != text:
        raise ValueError("not canonical")
    return plain


@attrs.frozen
class Form(Generic[T]):
    """How values of one sort are written, and how they are read: strictly, with a ValueError for anything else."""

    write: Callable[[T], Any]
    read: Callable[[Any], T]


def _same(value: T) -> T:
    return value


def _text(plain: Any) -> str:
    if type(plain) is not str or "\0" in plain:
        raise ValueError("must be a text without NUL")
    return plain


def _name(plain: Any) -> str:
    if not plain:
        raise ValueError("must not be empty")
    return _text(plain)


def _number(least: int, most: int) -> Callable[[Any], int]:
    def read_number(plain: Any) -> int:
        if type(plain) is not int or not least <= plain <= most:
            raise ValueError("must be a whole number in its range")
        return plain

    return read_number


def _switch(plain: Any) -> bool:
    if plain is not True:
        raise ValueError("must be true, or left out")
    return True


def _time(plain: Any) -> dt.datetime:
    return from_micros(_number(-MOST, MOST)(plain))


def _list(plain: Any) -> list[Any]:
    if type(plain) is not list:
        raise ValueError("must be a list")
    return plain


def _rising(names: tuple[str, ...]) -> tuple[str, ...]:
    if list(names) != sorted(set(names)):
        raise ValueError("must be sorted, without repeats")
    return names


def _pair(plain: Any) -> tuple[str, str]:
    name, value = _list(plain)
    return _text(name), _text(value)


TEXT: Final = Form[str](_same, _text)
NAME: Final = Form[str](_same, _name)
"""A text that is not empty."""

COUNT: Final = Form[int](_same, _number(0, MOST))
NUMBER: Final = Form[int](_same, _number(1, MOST))
SHARE: Final = Form[int](_same, _number(0, 1000))
"""Thousandths."""

SWITCH: Final = Form[bool](_same, _switch)
TIME: Final = Form[dt.datetime](micros, _time)
"""Whole microseconds since 1970, UTC; negative before."""

TEXTS: Final = Form[tuple[str, ...]](list, lambda plain: tuple(map(_text, _list(plain))))
NAMES: Final = Form[tuple[str, ...]](list, lambda plain: _rising(tuple(map(_name, _list(plain)))))
"""Sorted, without repeats."""

PAIRS: Final = Form[tuple[tuple[str, str], ...]](
    lambda pairs: [list(pair) for pair in pairs], lambda plain: tuple(map(_pair, _list(plain)))
)


def word(kind: type[E]) -> Form[E]:
    """A word of an enumeration."""
    known = {one.value: one for one in kind}
    return Form(lambda value: value.value, lambda plain: known[_text(plain)])


def listed(form: Form[T]) -> Form[tuple[T, ...]]:
    """Any number of values of one form."""
    return Form(
        lambda held: [form.write(one) for one in held], lambda plain: tuple(form.read(one) for one in _list(plain))
    )


def maybe(form: Form[T]) -> Form[T | None]:
    """A value whose default is None: left out, so never written."""
    return Form(lambda value: None if value is None else form.write(value), form.read)


class Shape:
    """
    The form of some fields of an attrs class.

    Args:
        kind: The class. What it gives a default is left out where it has it.
        forms: By the fields' names, which are those in the text.
    """

    def __init__(self, kind: type, /, **forms: Form[Any]) -> None:
        defaults = {field.name: field.default for field in attrs.fields(kind)}
        self.names = frozenset(forms)
        self._fields = tuple((name, form.write, form.read, defaults[name]) for name, form in forms.items())

    def write(self, value: object) -> Plain:
        """The fields of *value*."""
        plain = {}
        for name, write, _, default in self._fields:
            held = getattr(value, name)
            if held != default:
                plain[name] = write(held)
        return plain

    def read(self, plain: Mapping[str, Any]) -> dict[str, Any]:
        """
        The fields by their names, those that were left out with their defaults. Other names are not looked at.

        Raises:
            ValueError, KeyError: One is missing, or not of its form.
        """
        found = {}
        for name, _, read_field, default in self._fields:
            if name in plain:
                found[name] = read_field(plain[name])
            elif default is attrs.NOTHING:
                raise KeyError(name)
            else:
                found[name] = default
        return found


def whole(kind: Callable[..., T], shape: Shape) -> Form[T]:
    """A value all of whose fields a shape knows, as an object."""

    def read_whole(plain: Any) -> T:
        if type(plain) is not dict:
            raise ValueError("must be an object")
        value = kind(**shape.read(plain))
        if shape.write(value) != plain:
            raise ValueError("has names of its own, or writes defaults")
        return value

    return Form(shape.write, read_whole)
