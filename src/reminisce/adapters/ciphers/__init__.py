"""Ciphers: libsodium's."""

from reminisce.adapters.ciphers.sodium import SodiumCipher

__all__ = ["SodiumCipher"]
