"""The cipher: what is sealed opens whole and unchanged, or not at all."""

import functools
import tracemalloc
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reminisce.adapters.ciphers import SodiumCipher, sodium, streaming
from reminisce.errors import InvalidError, SealBrokenError, SealCutError, SealTooNewError, SealUnknownError

CIPHER = SodiumCipher()
PASSPHRASE = "correct horse battery staple"
HEAD = len(sodium.MAGIC) + sodium.VERSION_BYTES + sodium.SALT_BYTES
CHUNK = streaming.CHUNK

keys = st.binary(min_size=32, max_size=32)
texts = st.binary(max_size=200)
abouts = st.binary(max_size=20)

FIRST, SECOND = bytes(range(32)), bytes(range(32, 64))


def joined(pieces: Iterator[bytes]) -> bytes:
    return b"".join(pieces)


@functools.cache
def locked(text: bytes) -> bytes:
    """Once for all examples: each takes half a second and a quarter of a gigabyte."""
    return joined(CIPHER.lock(PASSPHRASE, [text]))


@pytest.fixture(scope="module", autouse=True)
def _stretch_each_once() -> Iterator[None]:
    """The real function, but asked once for each passphrase and salt."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sodium, "_stretched", functools.cache(sodium._stretched))
        yield


@pytest.mark.parametrize(
    ("given_keys", "expected"),
    [
        ([FIRST], "8061425cad1beacd2ddb98562feb02ae09a400c1eefcd9802c3d52f35ab8ca1a"),
        ([FIRST, SECOND], "3261195b7b0738467f88247ced2ed92f78ef4d21cba48928177fc2786c872d90"),
    ],
)
def test_combined_keys_stay_what_they_were(given_keys: list[bytes], expected: str) -> None:
    assert CIPHER.combined(given_keys).hex() == expected


@pytest.mark.parametrize(
    ("text", "about", "expected"),
    [
        (b"", b"", "1852896ce75424c5294fc11832bb14733518e48552cabe5d86a6eeaf000c5ed8ac7b737b45a7159e"),
        (
            "Слова".encode(),
            b"m_1.content",
            "ada5bf8a2039ee3d694e0d60be77e5616c1efd7b2ba18fe2119e9dd56d5dc952c216656836665cc2d61e0fbe6a760612218c",
        ),
    ],
)
def test_sealed_bytes_stay_what_they_were(text: bytes, about: bytes, expected: str) -> None:
    assert CIPHER.seal(FIRST, text, about=about).hex() == expected
    assert CIPHER.open(FIRST, bytes.fromhex(expected), about=about) == text


def test_a_file_locked_by_the_first_version_still_opens() -> None:
    assert joined(CIPHER.unlock(PASSPHRASE, [bytes.fromhex(LOCKED)])) == b"words of an older day"


@given(key=keys, text=texts, about=abouts)
def test_what_is_sealed_opens(key: bytes, text: bytes, about: bytes) -> None:
    sealed = CIPHER.seal(key, text, about=about)

    assert CIPHER.open(key, sealed, about=about) == text
    assert len(sealed) == len(text) + 40
    assert CIPHER.seal(key, text, about=about) == sealed


@given(key=keys, text=texts, about=abouts, where=st.integers(0), how=st.integers(1, 255))
def test_a_changed_byte_opens_nothing(key: bytes, text: bytes, about: bytes, where: int, how: int) -> None:
    sealed = bytearray(CIPHER.seal(key, text, about=about))
    sealed[where % len(sealed)] ^= how

    with pytest.raises(SealBrokenError):
        CIPHER.open(key, bytes(sealed), about=about)


@given(key=keys, text=texts, about=abouts, left=st.integers(0))
def test_a_part_opens_nothing(key: bytes, text: bytes, about: bytes, left: int) -> None:
    sealed = CIPHER.seal(key, text, about=about)

    with pytest.raises(SealBrokenError):
        CIPHER.open(key, sealed[: left % len(sealed)], about=about)


@given(key=keys, other=keys, text=texts, about=abouts, elsewhere=abouts)
def test_another_key_or_place_opens_nothing(
    key: bytes, other: bytes, text: bytes, about: bytes, elsewhere: bytes
) -> None:
    assume((key, about) != (other, elsewhere))
    sealed = CIPHER.seal(key, text, about=about)

    with pytest.raises(SealBrokenError):
        CIPHER.open(other, sealed, about=elsewhere)


@given(key=keys, one=st.tuples(texts, abouts), two=st.tuples(texts, abouts))
def test_no_two_texts_share_a_nonce(key: bytes, one: tuple[bytes, bytes], two: tuple[bytes, bytes]) -> None:
    assume(one != two)

    nonces = {CIPHER.seal(key, text, about=about)[:24] for text, about in (one, two)}

    assert len(nonces) == 2


def test_a_text_sealed_by_another_nonce_than_its_own_opens_nothing() -> None:
    from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt

    foreign = bytes(24) + encrypt(b"words", b"", bytes(24), sodium._derived(FIRST, sodium._TEXTS))

    with pytest.raises(SealBrokenError):
        CIPHER.open(FIRST, foreign, about=b"")


@given(parts=st.lists(keys, min_size=1, max_size=5, unique=True), data=st.data())
def test_a_combined_key_takes_all_of_its_parts_in_any_order(parts: list[bytes], data: st.DataObject) -> None:
    whole = CIPHER.combined(parts)
    fewer = data.draw(st.lists(st.sampled_from(parts), unique=True, max_size=len(parts) - 1))

    assert CIPHER.combined(data.draw(st.permutations([*parts, parts[0]]))) == whole
    assert whole not in parts
    assert not fewer or CIPHER.combined(fewer) != whole


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_a_key_of_another_length_is_a_mistake(key: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        CIPHER.seal(key, b"", about=b"")
    with pytest.raises(ValueError, match="32 bytes"):
        CIPHER.open(key, bytes(40), about=b"")
    with pytest.raises(ValueError, match="32 bytes"):
        CIPHER.combined([key])


def test_no_keys_make_none() -> None:
    with pytest.raises(ValueError, match="no key"):
        CIPHER.combined([])


def test_fresh_keys_differ() -> None:
    assert len({CIPHER.fresh_key() for _ in range(100)}) == 100


@given(
    sizes=st.lists(st.sampled_from([0, 1, 1000, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK]), max_size=4),
    cut=st.sampled_from([1, 7, 1000, CHUNK, CHUNK + 21, 10 * CHUNK]),
)
def test_a_stream_in_any_pieces_opens(sizes: list[int], cut: int) -> None:
    pieces = [bytes([number + 1]) * size for number, size in enumerate(sizes)]

    sealed = joined(streaming.sealed(FIRST, b"head", pieces))
    again = streaming.Pieces([sealed[start : start + cut] for start in range(0, len(sealed), cut)])

    assert again.take(4) == b"head"
    assert joined(streaming.opened(FIRST, b"head", again)) == b"".join(pieces)


def test_a_locked_file_opens_and_is_never_the_same_twice() -> None:
    words = b"words " * 20_000

    first, second = locked(words), joined(CIPHER.lock(PASSPHRASE, [words]))

    assert joined(CIPHER.unlock(PASSPHRASE, [first])) == joined(CIPHER.unlock(PASSPHRASE, [second])) == words
    assert not {first[at : at + 16] for at in range(16, 600)} & {second[at : at + 16] for at in range(16, 600)}


def test_the_same_passphrase_in_another_spelling_of_unicode_opens() -> None:
    composed = "Пароль й для пробы"
    decomposed = unicodedata.normalize("NFD", composed)

    sealed = joined(CIPHER.lock(composed, [b"words"]))

    assert composed != decomposed
    assert joined(CIPHER.unlock(decomposed, [sealed])) == b"words"


def test_another_passphrase_opens_nothing() -> None:
    with pytest.raises(SealBrokenError):
        joined(CIPHER.unlock("correct horse battery stapler", [locked(b"words")]))


@given(where=st.integers(HEAD), how=st.integers(1, 255))
def test_a_changed_byte_of_a_locked_file_is_refused(where: int, how: int) -> None:
    text = bytes(CHUNK + 100)
    changed = bytearray(locked(text))
    changed[HEAD + where % (len(changed) - HEAD)] ^= how

    with pytest.raises((SealBrokenError, SealCutError)):
        joined(CIPHER.unlock(PASSPHRASE, [bytes(changed)]))


@pytest.mark.parametrize("where", [16, 31])
def test_a_changed_salt_is_refused(where: int) -> None:
    changed = bytearray(locked(b"words"))
    changed[where] ^= 1

    with pytest.raises(SealBrokenError):
        joined(CIPHER.unlock(PASSPHRASE, [bytes(changed)]))


def test_the_head_is_sealed_with_every_chunk() -> None:
    sealed = streaming.Pieces(streaming.sealed(FIRST, b"head", [b"words"]))
    sealed.take(4)

    with pytest.raises(SealBrokenError):
        joined(streaming.opened(FIRST, b"heat", sealed))


@given(left=st.integers(1))
def test_a_locked_file_that_was_cut_is_told_from_a_changed_one(left: int) -> None:
    whole = locked(bytes(CHUNK + 100))

    with pytest.raises(SealCutError):
        joined(CIPHER.unlock(PASSPHRASE, [whole[: 1 + left % (len(whole) - 1)]]))


@pytest.mark.parametrize("chunks", [1, 2])
def test_chunks_that_are_missing_at_the_end_are_noticed(chunks: int) -> None:
    pieces = [bytes(CHUNK)] * 3
    sealed = list(streaming.sealed(FIRST, b"", pieces))

    with pytest.raises(SealCutError):
        joined(streaming.opened(FIRST, b"", streaming.Pieces(sealed[:-chunks])))


def test_chunks_in_another_order_open_nothing() -> None:
    head, one, two, three = streaming.sealed(FIRST, b"", [bytes(CHUNK)] * 3)

    with pytest.raises(SealBrokenError):
        joined(streaming.opened(FIRST, b"", streaming.Pieces([head, two, one, three])))


def test_bytes_after_the_end_are_refused() -> None:
    with pytest.raises(SealBrokenError):
        joined(CIPHER.unlock(PASSPHRASE, [locked(b"words"), b"\0"]))


@given(st.binary(min_size=1, max_size=100))
def test_what_was_never_sealed_is_told(garbage: bytes) -> None:
    assume(not sodium.MAGIC.startswith(garbage[:14]))

    with pytest.raises(SealUnknownError):
        joined(CIPHER.unlock(PASSPHRASE, [garbage]))


def test_nothing_is_nothing_that_was_sealed() -> None:
    with pytest.raises(SealUnknownError):
        joined(CIPHER.unlock(PASSPHRASE, []))


def test_a_newer_version_is_told_before_anything_is_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    derived: list[object] = []
    monkeypatch.setattr(sodium, "_stretched", lambda *given: derived.append(given))
    newer = bytearray(locked(b"words"))
    newer[15] = 2

    with pytest.raises(SealTooNewError):
        joined(CIPHER.unlock(PASSPHRASE, [bytes(newer)]))

    assert derived == []


@pytest.mark.parametrize(
    ("passphrase", "code"), [("short", "too_short"), (" " * 20, "too_short"), ("\ud800" * 12, "not_utf8")]
)
def test_a_passphrase_that_will_not_do_is_refused_at_once(passphrase: str, code: str) -> None:
    with pytest.raises(InvalidError) as caught:
        CIPHER.lock(passphrase, [])

    assert [(problem.field, problem.code) for problem in caught.value.problems] == [("passphrase", code)]


def test_a_large_file_takes_little_memory() -> None:
    size = 64 * 1024 * 1024
    pieces = (bytes(100_000) for _ in range(0, size, 100_000))
    locked_pieces = CIPHER.lock(PASSPHRASE, pieces)
    tracemalloc.start()

    opened = sum(len(piece) for piece in CIPHER.unlock(PASSPHRASE, locked_pieces))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert opened >= size
    assert peak < 4 * 1024 * 1024


LOCKED = (
    "72656d696e697363652d7365616c0001dc331f9ec726efcaa8eec3c44ff00547a17171ce13f8672ecaac7caf3e4897ee1c3c"
    "70053fda108200000026c5d478b2e7649e32d17a341f670eb49666636fd776fb09a9fe35095bc616dabfae202ed745e3"
)
"""``words of an older day`` under `PASSPHRASE`."""
