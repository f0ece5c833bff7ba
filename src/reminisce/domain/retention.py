"""
How much of a memory's salience time leaves: the forgetting curve in whole numbers.

Source: exponential forgetting with a half-life, the form that fits Ebbinghaus's savings (1885) well enough to schedule by,
as in half-life regression (Settles & Meeder 2016).
"""

import datetime as dt
from collections.abc import Callable
from functools import cache
from math import isqrt
from typing import Final

from reminisce.errors import InvalidError

__all__ = ["Decay", "age_at", "retention", "salience_after_uses"]

Decay = Callable[[dt.timedelta, dt.timedelta, int], int]
"""Age, half-life and salience in thousandths to the salience in thousandths that is left: see `retention`."""

BITS: Final = 64
"""
Fractional bits: with all roots multiplied the error stays below 2^-57, so that every rounding is exact for half-lives up
to a thousand years.
"""

FOLDED: Final = 10
"""A use closes this part of what is missing to full salience: ten uses close two thirds. Our choice."""

MOST_USES: Final = 200
"""Uses that count in one consolidation: 0.9^200 leaves nothing of a thousandth."""


def _roots() -> tuple[int, ...]:
    """2^-(1/2), 2^-(1/4), …, times 2^64: each the square root of the one before."""
    roots, value = [], 1 << (BITS - 1)
    for _ in range(BITS):
        value = isqrt(value << BITS)
        roots.append(value)
    return tuple(roots)


_ROOTS: Final = _roots()


def _powers() -> tuple[tuple[int, ...], ...]:
    """For each byte of a fraction, 2^-(what each value of it is worth), times 2^64."""
    tables = []
    for start in range(0, BITS, 8):
        table = [1 << BITS]
        for value in range(1, 256):
            low = value & -value
            root = _ROOTS[start + 8 - low.bit_length()]
            table.append(table[value ^ low] * root >> BITS)
        tables.append(tuple(table))
    return tuple(tables)


_POWERS: Final = _powers()


def _half_even(numerator: int, bits: int) -> int:
    """*numerator* / 2^bits, rounded half to even."""
    whole, rest = numerator >> bits, numerator & ((1 << bits) - 1)
    half = 1 << bits >> 1
    return whole + (rest > half or (rest == half and whole & 1 == 1))


def retention(age: dt.timedelta, half_life: dt.timedelta, salience: int) -> int:
    """
    What is left of *salience* after *age*: salience x 0.5^(age / half_life), in whole numbers, half to even.

    Args:
        age: A negative one counts as none.
        half_life: 0 means no decay.
        salience: Thousandths, 0 to 1,000.

    Returns:
        Thousandths, 0 to *salience*.

    Raises:
        InvalidError: The half-life is negative, or the salience no whole number of thousandths.
    """
    if half_life < dt.timedelta(0):
        raise InvalidError.of("half_life", "out_of_range", "must not be negative")
    if type(salience) is not int or not 0 <= salience <= 1000:
        raise InvalidError.of("salience", "out_of_range", "must be whole thousandths, 0 to 1000")
    if not half_life or age <= dt.timedelta(0):
        return salience
    halves, rest = divmod(age, half_life)
    if halves > BITS:
        return 0
    # The rest of a half-life in binary, rounded down: bit n of it is 2^-n of a half-life.
    fraction = (rest // dt.timedelta(microseconds=1) << BITS) // (half_life // dt.timedelta(microseconds=1))
    left = 1 << BITS
    for place, powers in enumerate(_POWERS):
        left = left * powers[fraction >> (BITS - 8 - 8 * place) & 255] >> BITS
    return _half_even(salience * left, BITS + halves)


@cache
def _log2(numerator: int, denominator: int) -> int:
    """The binary logarithm of a fraction of at least 1, rounded down, times 2^64: by squaring, as in the ranking."""
    whole = (numerator // denominator).bit_length() - 1
    mantissa = (numerator << 2 * BITS) // (denominator << whole)
    result = whole
    for _ in range(BITS):
        mantissa = mantissa * mantissa >> 2 * BITS
        result <<= 1
        if mantissa >= 2 << 2 * BITS:
            mantissa >>= 1
            result |= 1
    return result


def age_at(half_life: dt.timedelta, salience: int, left: int) -> dt.timedelta:
    """
    The age at which exactly *left* of *salience* is left: half_life x log2(salience / left), rounded down.

    Args:
        salience: Thousandths.
        left: Thousandths, above 0 and at most *salience*.
    """
    micros = half_life // dt.timedelta(microseconds=1)
    return dt.timedelta(microseconds=micros * _log2(salience, left) >> BITS)


def salience_after_uses(salience: int, uses: int) -> int:
    """Salience in thousandths after so many *uses*: each closes a tenth of what is missing to 1,000. Half to even."""
    uses = min(uses, MOST_USES)
    missing: int = (1000 - salience) * (FOLDED - 1) ** uses
    whole: int = FOLDED**uses
    down, rest = divmod(missing, whole)
    up = 2 * rest > whole or (2 * rest == whole and down & 1 == 1)
    return 1000 - down - up
