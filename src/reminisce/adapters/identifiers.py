"""Names from the system's source of randomness."""

import secrets
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reminisce.ports.identifiers import Identifiers

__all__ = ["RandomIdentifiers"]

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
"""Base32 of RFC 4648, in lower case."""

_LENGTH: Final = 26
"""130 bits: two random keys of one owner never meet."""


class RandomIdentifiers:
    """Unpredictable names."""

    def key(self) -> str:
        bits = secrets.randbits(5 * _LENGTH)
        return "m_" + "".join([_ALPHABET[bits >> shift & 31] for shift in range(0, 5 * _LENGTH, 5)])

    def commit(self) -> str:
        return secrets.token_hex(16)


if TYPE_CHECKING:
    _check: type[Identifiers] = RandomIdentifiers
