"""Names from the system's source of randomness."""

import secrets
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reminisce.ports.identifiers import Identifiers

__all__ = ["RandomIdentifiers"]

_ALPHABET: Final = "234567abcdefghijklmnopqrstuvwxyz"
"""Base32 of RFC 4648 in lower case, in the order in which texts sort."""

_LENGTH: Final = 26

_RANDOM: Final = 85
"""Bits behind the time: two keys of one millisecond meet once in 2^85."""

_TIME: Final = 5 * _LENGTH - _RANDOM
"""Bits of the time in milliseconds since 1970: for a thousand years."""


class RandomIdentifiers:
    """
    Unpredictable names.

    A key begins with the time at which it was drawn, so that memories made together stand together in what a store orders
    by key: withdrawing 50,000 of them then writes a third of the pages. It tells no more than the time of recording does.
    """

    def key(self) -> str:
        now = time.time_ns() // 1_000_000 % (1 << _TIME)
        bits = now << _RANDOM | secrets.randbits(_RANDOM)
        return "m_" + "".join([_ALPHABET[bits >> shift & 31] for shift in range(5 * _LENGTH - 5, -5, -5)])

    def commit(self) -> str:
        return secrets.token_hex(16)


if TYPE_CHECKING:
    _check: type[Identifiers] = RandomIdentifiers
