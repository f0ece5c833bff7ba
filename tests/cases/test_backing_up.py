"""Cases of backups: op-roundtrip, wr-kill, del-bytes."""

import subprocess
import sys
from pathlib import Path

import pytest

from reminisce import Memories, StoreHalfRestoredError, open_memory
from tests.support.restoring import killed_until_done

MEMORIES = 600


def opened(folder: Path) -> Memories:
    return open_memory(folder / "memory.db", keys=folder / "keys")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    path = tmp_path / "first"
    with opened(tmp_path / "origin") as memories:
        alice = memories.owner("agent:alice")
        for start in range(0, MEMORIES, 100):
            batch = [{"content": f"line {start + n}", "facets": {"n": str(n)}} for n in range(100)]
            keys = [line.key for line in alice.remember_many(batch).lines]
            alice.associate(keys[:3], "together")
            alice.forget(keys[5], reason="why not")
        memories.backup(path)
    return path


def test_wr_kill_a_restore_that_is_killed_leaves_nothing_or_goes_on(tmp_path: Path, backup: Path) -> None:
    killed = killed_until_done(tmp_path / "there", backup, kills=12, seed=7)

    assert killed
    with opened(tmp_path / "there") as memories:
        memories.backup(tmp_path / "second")
        assert memories.doctor(deep=True).findings == ()
    assert (tmp_path / "second").read_bytes() == backup.read_bytes()


def test_wr_kill_a_store_that_was_left_half_restored_says_so_in_every_process(tmp_path: Path, backup: Path) -> None:
    folder = tmp_path / "there"
    program = (
        "import os, sys; from pathlib import Path; from reminisce import open_memory;"
        "from reminisce.app.service import bringing, restoring;"
        "bringing.LINES = 100;"
        "folder = Path(sys.argv[1]); memories = open_memory(folder / 'memory.db', keys=folder / 'keys');"
        "restoring.Restoring._close = lambda _: os._exit(9);"
        "memories.restore(sys.argv[2])"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(folder), str(backup)], check=False)

    assert ran.returncode == 9
    with opened(folder) as memories:
        with pytest.raises(StoreHalfRestoredError):
            memories.owner("agent:alice").recent()
        assert memories.restore(backup).memories == MEMORIES
        assert len(memories.owner("agent:alice").recent(k=1000)) == MEMORIES - MEMORIES // 100


def test_op_roundtrip_every_field_and_a_recall_are_what_they_were(tmp_path: Path, backup: Path) -> None:
    with opened(tmp_path / "origin") as before, opened(tmp_path / "there") as after:
        after.restore(backup)
        mine, theirs = before.owner("agent:alice"), after.owner("agent:alice")
        was, now = mine.recent(k=1000), theirs.recent(k=1000)

        assert now.hits == was.hits
        assert [theirs.why(hit.memory.key) for hit in was.hits[:20]] == [
            mine.why(hit.memory.key) for hit in was.hits[:20]
        ]
        assert theirs.recall("line 17", explain=True).hits == mine.recall("line 17", explain=True).hits


def test_del_bytes_what_was_withdrawn_is_in_no_backup_made_afterwards(tmp_path: Path) -> None:
    with opened(tmp_path / "origin") as memories:
        memories.owner("agent:alice").remember("saffron", subjects=["pat"], facets={"with": "cardamom"})
        memories.withdraw("pat", scrub=True)
        memories.backup(tmp_path / "first")
        memories.seal(tmp_path / "second", "correct horse battery", with_keys=True)

    for name in ("first", "second"):
        data = (tmp_path / name).read_bytes()
        assert b"saffron" not in data
        assert b"cardamom" not in data
