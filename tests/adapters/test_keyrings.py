"""The keyring's file: what was written is read, or a clear error."""

import struct
from pathlib import Path
from threading import Barrier, Thread

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from reminisce.adapters.ciphers import SodiumCipher
from reminisce.adapters.keyholders import KeyFiles
from reminisce.adapters.keyrings import KeyringFile, RecoveryKeys
from reminisce.adapters.keyrings.form import from_bytes, to_bytes
from reminisce.domain.keyring import Keyring
from reminisce.errors import (
    ConfigurationError,
    KeyringMissingError,
    RecoveryKeyMissingError,
    SealBrokenError,
    SealCutError,
    SealError,
    SealTooNewError,
    SealUnknownError,
    StoreUnreadableError,
)

CIPHER = SodiumCipher()
FILE = KeyringFile(CIPHER)
STORE = "5" * 32
KEY = bytes(range(32))
HEAD = b"reminisce-keys\x00\x01"

names = st.binary(min_size=16, max_size=16).map(bytes.hex)
keyrings = st.builds(
    lambda store, number, keys, destroyed: Keyring(store=store, number=number, keys=keys, destroyed=destroyed),
    names,
    st.integers(0, 2**63 - 1),
    st.dictionaries(names, st.binary(min_size=32, max_size=32), max_size=5),
    st.frozensets(names, max_size=5),
)
few = st.frozensets(st.sampled_from([digit * 32 for digit in "0123"]))
states_of_one = st.builds(
    lambda held, gone: Keyring(store=STORE, keys={name: name.encode() for name in held}, destroyed=gone), few, few
)
"""Few ids, so that they meet; an id has one key, as ids are drawn at random."""

SAMPLE = Keyring(
    store=STORE, number=7, keys={"a" * 32: b"k" * 32, "b" * 32: b"l" * 32}, destroyed=frozenset({"c" * 32})
)


@given(keyring=keyrings)
def test_what_was_written_is_read(keyring: Keyring) -> None:
    assert from_bytes(to_bytes(keyring, KEY, CIPHER), KEY, CIPHER) == keyring


@given(keyring=keyrings)
def test_equal_keyrings_are_equal_files(keyring: Keyring) -> None:
    turned = Keyring(
        store=keyring.store,
        number=keyring.number,
        keys=dict(sorted(keyring.keys.items(), reverse=True)),
        destroyed=keyring.destroyed,
    )

    assert to_bytes(turned, KEY, CIPHER) == to_bytes(keyring, KEY, CIPHER)


def test_the_file_stays_what_it_was() -> None:
    body = bytes.fromhex(STORE) + struct.pack(">QI", 7, 2)
    body += b"\xaa" * 16 + b"k" * 32 + b"\xbb" * 16 + b"l" * 32 + struct.pack(">I", 1) + b"\xcc" * 16

    assert to_bytes(SAMPLE, KEY, CIPHER) == HEAD + CIPHER.seal(KEY, body, about=HEAD)
    assert (
        to_bytes(SAMPLE, KEY, CIPHER)
        .hex()
        .startswith("72656d696e697363652d6b6579730001a1ad072950631eda25848b78597f5e50350bc32dd3053028")
    )


@given(keyring=keyrings, data=st.data())
def test_a_changed_file_is_an_error_and_never_another_keyring(keyring: Keyring, data: st.DataObject) -> None:
    whole = to_bytes(keyring, KEY, CIPHER)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 60)))
    changed = whole[:start] + data.draw(st.binary(max_size=60)) + whole[end:]
    assume(changed != whole)

    with pytest.raises(SealError):
        from_bytes(changed, KEY, CIPHER)


@given(body=st.binary(max_size=200))
def test_whatever_is_sealed_is_a_keyring_in_its_one_form_or_an_error(body: bytes) -> None:
    """Also by one who has the recovery key."""
    data = HEAD + CIPHER.seal(KEY, body, about=HEAD)

    try:
        keyring = from_bytes(data, KEY, CIPHER)
    except SealBrokenError:
        return
    assert to_bytes(keyring, KEY, CIPHER) == data


@pytest.mark.parametrize(
    "body",
    [
        bytes(16) + struct.pack(">QI", 0, 2) + b"\xbb" * 48 + b"\xaa" * 48 + bytes(4),
        bytes(16) + struct.pack(">QI", 0, 2) + b"\xbb" * 48 * 2 + bytes(4),
        bytes(16) + struct.pack(">QI", 0, 1) + b"\xbb" * 48 + struct.pack(">I", 1) + b"\xbb" * 16,
        bytes(16) + struct.pack(">QI", 0, 0) + bytes(4) + b"more",
        bytes(16) + struct.pack(">QI", 0, 2**32 - 1),
        bytes(16) + struct.pack(">QI", 2**63, 0) + bytes(4),
    ],
    ids=["disorder", "twice", "held and destroyed", "more", "a false count", "a number too large"],
)
def test_another_form_of_a_keyring_is_none(body: bytes) -> None:
    with pytest.raises(SealBrokenError):
        from_bytes(HEAD + CIPHER.seal(KEY, body, about=HEAD), KEY, CIPHER)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", SealUnknownError),
        (b"reminisce-seal\x00\x01" + bytes(100), SealUnknownError),
        (b"reminisce-keys\x00\x02" + bytes(100), SealTooNewError),
        (b"reminisce-keys\x00", SealCutError),
        (HEAD + bytes(100), SealBrokenError),
    ],
    ids=["nothing", "a sealed file", "newer", "cut", "zeros"],
)
def test_what_is_no_keyring_is_told_by_name_and_left_as_it_is(
    tmp_path: Path, data: bytes, error: type[SealError]
) -> None:
    (tmp_path / "keyring").write_bytes(data)

    with pytest.raises(SealError) as read:
        FILE.read(tmp_path / "keyring", KEY)
    with pytest.raises(SealError) as written:
        FILE.write(tmp_path / "keyring", SAMPLE, KEY)

    assert type(read.value) is type(written.value) is error
    assert (tmp_path / "keyring").read_bytes() == data
    assert [path.name for path in tmp_path.iterdir()] == ["keyring"]


def test_another_recovery_key_opens_nothing_and_overwrites_nothing(tmp_path: Path) -> None:
    FILE.write(tmp_path / "keyring", SAMPLE, KEY)

    with pytest.raises(SealBrokenError):
        FILE.read(tmp_path / "keyring", bytes(32))
    with pytest.raises(SealBrokenError):
        FILE.write(tmp_path / "keyring", SAMPLE, bytes(32))

    assert FILE.read(tmp_path / "keyring", KEY) == SAMPLE


def test_a_keyring_that_is_not_there_is_told_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(KeyringMissingError):
        FILE.read(tmp_path / "keyring", KEY)

    assert list(tmp_path.iterdir()) == []


def test_a_keyring_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "keyring").mkdir()

    with pytest.raises(StoreUnreadableError):
        FILE.read(tmp_path / "keyring", KEY)
    with pytest.raises(StoreUnreadableError):
        FILE.write(tmp_path / "keyring", SAMPLE, KEY)


def test_the_keyring_of_another_store_is_left_as_it_is(tmp_path: Path) -> None:
    FILE.write(tmp_path / "keyring", SAMPLE, KEY)

    with pytest.raises(ConfigurationError):
        FILE.write(tmp_path / "keyring", Keyring(store="6" * 32), KEY)

    assert FILE.read(tmp_path / "keyring", KEY) == SAMPLE


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    FILE.write(tmp_path / "safe" / "keyring", SAMPLE, KEY)

    assert (tmp_path / "safe").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "safe" / "keyring").stat().st_mode & 0o777 == 0o600


def test_an_older_keyring_undoes_nothing_that_a_newer_one_says(tmp_path: Path) -> None:
    newer = SAMPLE.destroying(["a" * 32]).holding({"d" * 32: b"m" * 32})
    FILE.write(tmp_path / "keyring", newer, KEY)

    written = FILE.write(tmp_path / "keyring", SAMPLE, KEY)

    assert written == FILE.read(tmp_path / "keyring", KEY) == newer


def test_another_key_of_the_same_id_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    FILE.write(tmp_path / "keyring", SAMPLE, KEY)

    with pytest.raises(SealBrokenError):
        FILE.write(tmp_path / "keyring", Keyring(store=STORE, keys={"a" * 32: b"z" * 32}), KEY)

    assert FILE.read(tmp_path / "keyring", KEY) == SAMPLE


def test_writers_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    ready = Barrier(6)

    def write(number: int) -> None:
        ready.wait()
        mine = Keyring(
            store=STORE, keys={f"{number:032x}": bytes([number]) * 32}, destroyed=frozenset({f"{number:031x}f"})
        )
        FILE.write(tmp_path / "keyring", mine, KEY)

    threads = [Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    found = FILE.read(tmp_path / "keyring", KEY)
    assert (len(found.keys), len(found.destroyed)) == (6, 6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(states=st.lists(states_of_one, max_size=4))
def test_a_destroyed_key_never_comes_back(tmp_path: Path, states: list[Keyring]) -> None:
    path = tmp_path / "keyring"
    path.unlink(missing_ok=True)
    gone: frozenset[str] = frozenset()
    for state in states:
        found = FILE.write(path, state, KEY)
        gone |= state.destroyed
        assert found.destroyed == gone
        assert not gone & set(found.keys)


def test_a_recovery_key_is_made_once_and_kept_beside_the_others(tmp_path: Path) -> None:
    keys = RecoveryKeys(KeyFiles(tmp_path / "keys"))

    made = keys.make(STORE, CIPHER)

    assert keys.make(STORE, CIPHER) == keys.find(STORE) == made
    assert (tmp_path / "keys" / f"{STORE}.recovery").read_text() == made.hex() + "\n"
    assert (tmp_path / "keys" / f"{STORE}.recovery").stat().st_mode & 0o777 == 0o600


def test_a_recovery_key_that_is_given_is_used_and_not_kept(tmp_path: Path) -> None:
    keys = RecoveryKeys(KeyFiles(tmp_path / "keys"), "AB" * 32)

    assert keys.make(STORE, CIPHER) == keys.find(STORE) == b"\xab" * 32
    assert list(tmp_path.iterdir()) == []
    assert "AB" not in repr(keys)


def test_a_recovery_key_that_is_not_there_is_told_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(RecoveryKeyMissingError):
        RecoveryKeys(KeyFiles(tmp_path / "keys")).find(STORE)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("secret", ["", "a passphrase of some length", "0" * 63, "g" * 64])
def test_a_recovery_key_of_another_form_is_refused(tmp_path: Path, secret: str) -> None:
    keys = RecoveryKeys(KeyFiles(tmp_path), secret)

    with pytest.raises(ConfigurationError) as refused:
        keys.find(STORE)

    assert refused.value.fields == ("REMINISCE_RECOVERY_KEY",)
