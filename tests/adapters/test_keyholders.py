"""Where keys are kept: files, and the system's keyring behind a backend of our own."""

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import keyring
import keyring.backend
import keyring.errors
import pytest

from reminisce.adapters.keyholders import KeyFiles, SystemKeyring
from reminisce.adapters.keyholders.system import SERVICE
from reminisce.adapters.sqlite import KeySource, SQLiteStore, rekey
from reminisce.errors import (
    ConfigurationError,
    KeyMissingError,
    ReminisceError,
    StoreUnavailableError,
    StoreUnreadableError,
)
from reminisce.ports.keyholder import Keyholder

NAME = "0f" * 16 + ".key"
KEY, OTHER = b"k" * 32, b"o" * 32


class Backend(keyring.backend.KeyringBackend):
    """A keyring in the process, which fails as it is told to."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.held: dict[tuple[str, str], str] = {}
        self.failing: Exception | None = None
        self.forgetful = False

    def _answer(self) -> None:
        if self.failing is not None:
            raise self.failing

    def get_password(self, service: str, username: str) -> str | None:
        self._answer()
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._answer()
        if not self.forgetful:
            self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._answer()
        del self.held[service, username]


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Backend:
    backend = Backend()
    monkeypatch.setattr("keyring.core._keyring_backend", backend)
    return backend


@pytest.fixture(params=["files", "system"])
def holder(request: pytest.FixtureRequest, backend: Backend, tmp_path: Path) -> Keyholder:
    return KeyFiles(tmp_path / "keys") if request.param == "files" else SystemKeyring()


def test_a_key_that_is_kept_is_found(holder: Keyholder) -> None:
    assert holder.get(NAME) is None

    assert holder.add(NAME, KEY) == KEY

    assert holder.get(NAME) == KEY
    assert holder.complaints(NAME) == []


def test_a_key_that_is_there_stays(holder: Keyholder) -> None:
    holder.add(NAME, KEY)

    assert holder.add(NAME, OTHER) == KEY
    assert holder.get(NAME) == KEY


def test_a_key_that_is_dropped_is_gone(holder: Keyholder) -> None:
    holder.add(NAME, KEY)
    holder.add("ab.key", OTHER)

    holder.drop(NAME)
    holder.drop(NAME)

    assert holder.get(NAME) is None
    assert holder.get("ab.key") == OTHER


def test_dropping_from_a_place_that_was_never_used_makes_none(tmp_path: Path) -> None:
    KeyFiles(tmp_path / "keys").drop(NAME)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "ab", "zz" * 32, "ab" * 33, "й" * 64])
def test_what_is_no_key_is_told_and_left_as_it_is(tmp_path: Path, backend: Backend, text: str) -> None:
    (tmp_path / NAME).write_text(text, "utf-8")
    backend.held[SERVICE, NAME] = text

    for holder in (KeyFiles(tmp_path), SystemKeyring()):
        with pytest.raises(StoreUnreadableError):
            holder.get(NAME)
        with pytest.raises(StoreUnreadableError):
            holder.add(NAME, KEY)

    assert (tmp_path / NAME).read_text("utf-8") == backend.held[SERVICE, NAME] == text


def test_a_key_file_that_others_may_read_is_complained_of(tmp_path: Path) -> None:
    holder = KeyFiles(tmp_path)
    holder.add(NAME, KEY)
    (tmp_path / NAME).chmod(0o640)

    assert len(holder.complaints(NAME)) == 1


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (keyring.errors.NoKeyringError(), ConfigurationError),
        (keyring.errors.KeyringLocked(), StoreUnavailableError),
        (keyring.errors.InitError(), StoreUnreadableError),
        (keyring.errors.PasswordSetError(), StoreUnreadableError),
        (OSError("the bus is gone"), StoreUnreadableError),
    ],
    ids=lambda given: type(given).__name__ if isinstance(given, Exception) else "",
)
def test_a_keyring_that_does_not_answer_is_told_by_name(
    backend: Backend, failure: Exception, error: type[ReminisceError]
) -> None:
    backend.failing = failure
    holder = SystemKeyring()

    calls: list[Callable[[], object]] = [
        lambda: holder.get(NAME),
        lambda: holder.add(NAME, KEY),
        lambda: holder.drop(NAME),
    ]
    for call in calls:
        with pytest.raises(ReminisceError) as refused:
            call()
        assert type(refused.value) is error


def test_a_keyring_that_keeps_nothing_is_found_out_at_once(backend: Backend) -> None:
    backend.forgetful = True

    with pytest.raises(StoreUnreadableError):
        SystemKeyring().add(NAME, KEY)


@pytest.mark.parametrize("missing", ["keyring", "keyring.errors"])
def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    with pytest.raises(ConfigurationError) as refused:
        SystemKeyring()

    assert refused.value.fields == ("key_from",)
    assert "reminisce-memory[keyring]" in str(refused.value)


def test_a_store_whose_key_is_in_the_systems_keyring_opens(backend: Backend, tmp_path: Path) -> None:
    keys = KeySource(tmp_path / "keys", system=SystemKeyring())
    SQLiteStore(tmp_path / "memory.db", keys).close()

    SQLiteStore(tmp_path / "memory.db", keys, create=False).close()

    salt = (tmp_path / "memory.db").read_bytes()[:16]
    assert list(backend.held) == [(SERVICE, f"{salt.hex()}.key")]
    assert not (tmp_path / "keys").exists()


def test_rekeying_moves_a_key_from_a_file_to_the_systems_keyring(backend: Backend, tmp_path: Path) -> None:
    files, system = KeySource(tmp_path / "keys"), KeySource(tmp_path / "keys", system=SystemKeyring())
    SQLiteStore(tmp_path / "memory.db", files).close()
    SQLiteStore(tmp_path / "memory.db", system, create=False).close()

    rekey(tmp_path / "memory.db", system, system)

    SQLiteStore(tmp_path / "memory.db", system, create=False).close()
    assert list((tmp_path / "keys").iterdir()) == []
    with pytest.raises(KeyMissingError):
        SQLiteStore(tmp_path / "memory.db", files, create=False)


def test_rekeying_within_the_systems_keyring_leaves_one_key(backend: Backend, tmp_path: Path) -> None:
    system = KeySource(tmp_path / "keys", system=SystemKeyring())
    SQLiteStore(tmp_path / "memory.db", system).close()
    before = set(backend.held)

    rekey(tmp_path / "memory.db", system, system)

    assert len(backend.held) == 1
    assert not before & set(backend.held)


def test_a_stale_key_beside_a_secret_is_complained_of(tmp_path: Path) -> None:
    given: Any = KeySource(tmp_path / "keys", "ab" * 32)
    with closing(SQLiteStore(tmp_path / "memory.db", given)) as store:
        assert store.check() == []
        salt = (tmp_path / "memory.db").read_bytes()[:16]
        KeyFiles(tmp_path / "keys").add(f"{salt.hex()}.key", KEY)

        assert len(store.check()) == 1
