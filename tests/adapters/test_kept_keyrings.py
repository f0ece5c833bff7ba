"""A lost machine: what a backup gives back with the keyring of today, of yesterday, and without one."""

import os
from pathlib import Path

import pytest

from reminisce import Memories, open_memory
from reminisce.app.wiring import read_keyring
from reminisce.domain.keyring import Keyring

WORDS = "Ruth likes quinces"


@pytest.fixture(autouse=True)
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMINISCE_CONFIG", str(tmp_path / "config"))


def opened(folder: Path) -> Memories:
    return open_memory(folder / "memory.db", keys=folder / "keys")


def keyring_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Keyring:
    [file], [recovery] = (folder / "keys").glob("*.keyring"), (folder / "keys").glob("*.recovery")
    monkeypatch.setenv("REMINISCE_RECOVERY_KEY", recovery.read_text("ascii").strip())
    keyring = read_keyring(file)
    monkeypatch.delenv("REMINISCE_RECOVERY_KEY")
    return keyring


def content_of(memories: Memories) -> str:
    return memories.owner("agent:ann").why("k").memory.content


def test_a_backup_comes_back_on_another_machine_with_the_keyring_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path / "old") as memories:
        memories.owner("agent:ann").remember(WORDS, key="k", subjects=["ruth"])
        memories.backup(tmp_path / "backup")
    keyring = keyring_of(tmp_path / "old", monkeypatch)

    with opened(tmp_path / "new") as whole, opened(tmp_path / "other") as redacted:
        whole.restore(tmp_path / "backup", keyring=keyring)
        redacted.restore(tmp_path / "backup")

        assert (content_of(whole), content_of(redacted)) == (WORDS, "")
    assert WORDS.encode() not in (tmp_path / "backup").read_bytes()
    assert keyring_of(tmp_path / "new", monkeypatch).keys == keyring.keys


def test_a_withdrawal_reaches_an_older_backup_through_the_keyring_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path / "old") as memories:
        memories.owner("agent:ann").remember(WORDS, key="k", subjects=["ruth"])
        memories.backup(tmp_path / "backup")
        memories.withdraw("ruth")
    today = keyring_of(tmp_path / "old", monkeypatch)

    with opened(tmp_path / "new") as restored:
        told = restored.restore(tmp_path / "backup", keyring=today)

        assert (told.withdrawn, content_of(restored)) == (("ruth",), "")
    assert (len(today.keys), len(today.destroyed)) == (0, 1)


@pytest.mark.skipif(not os.geteuid(), reason="nothing is forbidden to root")
def test_a_keyring_that_cannot_be_written_keeps_no_words_from_being_erased(tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        memories.owner("agent:ann").remember(WORDS, key="k", subjects=["ruth"])
        memories.backup(tmp_path / "backup")
        (tmp_path / "keys").chmod(0o500)
        receipt = memories.withdraw("ruth")
        (tmp_path / "keys").chmod(0o700)

        assert (receipt.memories, "keyring" in receipt.waits[0]) == (1, True)
        assert not any("keyring" in waits for waits in memories.withdraw("ruth").waits)


def test_a_keyring_in_the_way_keeps_no_words_from_being_erased(tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        memories.owner("agent:ann").remember(WORDS, key="k", subjects=["ruth"])
        memories.backup(tmp_path / "backup")
        [file] = (tmp_path / "keys").glob("*.keyring")
        kept = file.read_bytes()
        file.write_bytes(b"no keyring")
        receipt = memories.withdraw("ruth")
        file.write_bytes(kept)

        assert (receipt.memories, "keyring" in receipt.waits[0]) == (1, True)
        assert not any("keyring" in waits for waits in memories.withdraw("ruth").waits)
