"""The cipher of libsodium: XChaCha20-Poly1305 and Argon2id, with BLAKE2b for keys and nonces."""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

import attrs
from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_ABYTES,
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
    crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    crypto_pwhash_alg,
    crypto_pwhash_ALG_ARGON2ID13,
)
from nacl.exceptions import CryptoError

from reminisce.adapters.ciphers.streaming import Pieces, opened, sealed
from reminisce.errors import InvalidError, SealBrokenError, SealCutError, SealTooNewError, SealUnknownError
from reminisce.ports.cipher import KEY_BYTES

if TYPE_CHECKING:
    from reminisce.ports.cipher import Cipher

__all__ = ["SodiumCipher"]

_NONCE: Final = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
_TAG: Final = crypto_aead_xchacha20poly1305_ietf_ABYTES

_COMBINING: Final = b"reminisce keys 1"
_NONCES: Final = b"reminisce nonce1"
_TEXTS: Final = b"reminisce texts1"
"""What a hash is for, as BLAKE2b's `person` (16 bytes), so that none ever answers for another."""

MAGIC: Final = b"reminisce-seal"
VERSION_BYTES: Final = 2
"""A locked file begins with these 14 bytes and the version, the higher byte first."""

SALT_BYTES: Final = 16
"""Argon2id's."""

PASSPHRASE_LEAST: Final = 12
"""Characters, as for stores: fewer can be guessed, however slow a guess is."""


@attrs.frozen
class _Stretching:
    passes: int
    memory: int
    """Bytes."""


_VERSIONS: Final = {1: _Stretching(passes=3, memory=256 * 1024 * 1024)}
"""
What each version of the file derives its key with. A file that leaves the machine is guessed at leisure, so it is four times
the memory of the store's own key: about 0.6 s, once a file.
"""


class SodiumCipher:
    """Seals with libsodium. Nonces are hashes of key, text and what it is about; so two texts never share one."""

    def fresh_key(self) -> bytes:
        return secrets.token_bytes(KEY_BYTES)

    def combined(self, keys: Collection[bytes], /) -> bytes:
        if not keys:
            raise ValueError("no key to combine")
        parts = sorted(set(keys))
        for part in parts:
            _check(part)
        # All are equally long, so the whole says where each begins.
        return hashlib.blake2b(b"".join(parts), digest_size=KEY_BYTES, person=_COMBINING).digest()

    def seal(self, key: bytes, text: bytes, *, about: bytes) -> bytes:
        nonce = _nonce(key, text, about)
        return nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(text, about, nonce, _derived(key, _TEXTS))

    def open(self, key: bytes, sealed: bytes, *, about: bytes) -> bytes:
        texts = _derived(key, _TEXTS)
        if len(sealed) < _NONCE + _TAG:
            raise SealBrokenError
        nonce = sealed[:_NONCE]
        try:
            text = crypto_aead_xchacha20poly1305_ietf_decrypt(sealed[_NONCE:], about, nonce, texts)
        except CryptoError as error:
            raise SealBrokenError from error
        # Poly1305 alone does not bind a text to one key; the nonce, being a hash of both, does.
        if not hmac.compare_digest(nonce, _nonce(key, text, about)):
            raise SealBrokenError
        return text

    def lock(self, passphrase: str, plain: Iterable[bytes], /) -> Iterator[bytes]:
        words = _words(passphrase)
        if len(passphrase.strip()) < PASSPHRASE_LEAST:
            raise InvalidError.of("passphrase", "too_short", f"needs at least {PASSPHRASE_LEAST} characters")
        version = max(_VERSIONS)
        salt = secrets.token_bytes(SALT_BYTES)
        head = MAGIC + version.to_bytes(VERSION_BYTES) + salt
        return sealed(_stretched(words, salt, _VERSIONS[version]), head, plain)

    def unlock(self, passphrase: str, locked: Iterable[bytes], /) -> Iterator[bytes]:
        pieces = Pieces(locked)
        start = pieces.take(len(MAGIC) + VERSION_BYTES)
        if start[: len(MAGIC)] != MAGIC[: len(start)] or not start:
            raise SealUnknownError
        salt = pieces.take(SALT_BYTES)
        version = int.from_bytes(start[len(MAGIC) :])
        if len(start) == len(MAGIC) + VERSION_BYTES and version not in _VERSIONS:
            raise SealTooNewError(f"its version is {version}, this reminisce reads up to {max(_VERSIONS)}")
        if len(salt) < SALT_BYTES:
            raise SealCutError
        yield from opened(_stretched(_words(passphrase), salt, _VERSIONS[version]), start + salt, pieces)


def _check(key: bytes) -> None:
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes")


def _derived(key: bytes, person: bytes) -> bytes:
    _check(key)
    return hashlib.blake2b(key=key, digest_size=KEY_BYTES, person=person).digest()


def _nonce(key: bytes, text: bytes, about: bytes) -> bytes:
    _check(key)
    told = hashlib.blake2b(key=key, digest_size=_NONCE, person=_NONCES)
    # The length first, so that no byte can pass from the one to the other.
    told.update(len(about).to_bytes(8))
    told.update(about)
    told.update(text)
    return told.digest()


def _words(passphrase: str) -> bytes:
    try:
        # Keyboards of different systems write the same letter in different ways.
        return unicodedata.normalize("NFC", passphrase).encode()
    except UnicodeEncodeError:
        raise InvalidError.of("passphrase", "not_utf8", "cannot be written as UTF-8") from None


def _stretched(words: bytes, salt: bytes, how: _Stretching) -> bytes:
    return bytes(crypto_pwhash_alg(KEY_BYTES, words, salt, how.passes, how.memory, crypto_pwhash_ALG_ARGON2ID13))


if TYPE_CHECKING:
    _cipher: type[Cipher] = SodiumCipher
