"""Backups by the command."""

from pathlib import Path

import pytest

from reminisce.adapters.ciphers import SodiumCipher
from reminisce.adapters.keyrings import KeyringFile
from reminisce.app.config import read_settings
from reminisce.app.wiring import assemble
from tests.entry.command import DONE, REFUSED, Run
from tests.support.backing_up import keyring_of

pytestmark = pytest.mark.usefixtures("home")

RECOVERY = "5a" * 32


@pytest.fixture
def filled(run: Run) -> Run:
    run("remember", "the ferry leaves at nine", "--subjects", "pat", "--key", "ferry")
    run("remember", "harbours are wide", "--key", "wide")
    return run


def counted(run: Run, store: Path) -> dict[str, int]:
    counts: dict[str, int] = run("stats", "--json", "--store", str(store)).plain["by_status"]
    return counts


def test_a_backup_without_its_keyring_gives_the_redacted_form_and_says_so(filled: Run, tmp_path: Path) -> None:
    made = filled("backup", str(tmp_path / "first"), "--json")
    other = tmp_path / "other.db"
    restored = filled("restore", str(tmp_path / "first"), "--store", str(other), "--json")

    assert (made.code, made.plain["memories"], made.plain["sealed"]) == (DONE, 2, 1)
    assert (restored.code, restored.plain["redacted"], restored.plain["missing"]) == (DONE, 1, ["pat"])
    assert counted(filled, other) == {"active": 1, "withdrawn": 1}


def test_a_backup_with_its_keyring_gives_everything(
    filled: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled("backup", str(tmp_path / "first"))
    with assemble(read_settings()) as memories:
        KeyringFile(SodiumCipher()).write(tmp_path / "keys", keyring_of(memories._store), bytes.fromhex(RECOVERY))
    monkeypatch.setenv("REMINISCE_RECOVERY_KEY", RECOVERY)
    other = tmp_path / "other.db"

    restored = filled("restore", str(tmp_path / "first"), "--keyring", str(tmp_path / "keys"), "--store", str(other))
    filled("backup", str(tmp_path / "second"), "--store", str(other))

    assert restored.code == DONE
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_keyring_needs_the_recovery_key(filled: Run, tmp_path: Path) -> None:
    filled("backup", str(tmp_path / "first"))

    ran = filled(
        "restore",
        str(tmp_path / "first"),
        "--keyring",
        str(tmp_path / "keys"),
        "--store",
        str(tmp_path / "o"),
        "--json",
    )

    assert ran.refusal == (REFUSED, "configuration", ["REMINISCE_RECOVERY_KEY"])
    assert not (tmp_path / "o").exists()


def test_what_is_sealed_comes_back_by_its_passphrase(
    filled: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMINISCE_PASSPHRASE", "correct horse battery")
    other = tmp_path / "other.db"

    sealed = filled("seal", str(tmp_path / "sealed"), "--with-keys")
    unsealed = filled("unseal", str(tmp_path / "sealed"), "--store", str(other))

    assert (sealed.code, unsealed.code) == (DONE, DONE)
    assert "withdrawals never reach" in " ".join(sealed.out.split())
    assert counted(filled, other) == {"active": 2}


def test_a_store_is_copied_into_another(filled: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.db"

    copied = filled("copy", str(other), "--json")

    assert (copied.code, copied.plain["memories"]) == (DONE, 2)
    assert counted(filled, other) == {"active": 2}


def test_a_file_in_the_way_is_kept_unless_it_may_be_replaced(filled: Run, tmp_path: Path) -> None:
    (tmp_path / "first").write_text("precious")

    refused = filled("backup", str(tmp_path / "first"), "--json")
    kept = (tmp_path / "first").read_text()
    replaced = filled("backup", str(tmp_path / "first"), "--replace")

    assert refused.problems == {("path", "taken")}
    assert kept == "precious"
    assert replaced.code == DONE


@pytest.mark.parametrize(
    ("data", "code"), [(b"", "backup_unknown"), (b"not a backup\n", "backup_unknown"), (None, "invalid")]
)
def test_what_is_no_backup_is_refused(run: Run, tmp_path: Path, data: bytes | None, code: str) -> None:
    if data is not None:
        (tmp_path / "first").write_bytes(data)

    ran = run("restore", str(tmp_path / "first"), "--store", str(tmp_path / "other.db"), "--json")

    assert ran.refusal[:2] == (REFUSED, code)


def test_a_backup_of_nothing_is_refused_and_makes_no_store(run: Run, tmp_path: Path) -> None:
    ran = run("backup", str(tmp_path / "first"), "--store", str(tmp_path / "none.db"), "--json")

    assert ran.refusal[:2] == (REFUSED, "store_missing")
    assert list(tmp_path.glob("none*")) == []
    assert not (tmp_path / "first").exists()
