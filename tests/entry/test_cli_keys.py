"""Keys on the command line: made, changed, asked for; none is ever an argument."""

import os
import pty
import re
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reminisce import (
    ConfigurationError,
    KeyMissingError,
    StoreDamagedError,
    StoreUnavailableError,
    open_memory,
    rekey,
)
from reminisce.app.config import read_settings
from tests.entry.command import DONE, REFUSED, UNAVAILABLE, USAGE, Run

pytestmark = pytest.mark.usefixtures("home")

OLD, NEW = "first passphrase of all", "another passphrase then"
GIVEN = "0f" * 32

PATIENCE_S = 30.0
"""How long a command on a terminal may be silent. It takes a second."""

ON_A_TERMINAL = """
import os, sys
os.setsid()
os.close(os.open(sys.argv[1], os.O_RDWR))
from reminisce.app.cli import main
sys.exit(main(sys.argv[2:]))
"""
"""The first terminal that the leader of a session opens is its own."""


def answered(terminal: int, answers: Sequence[str]) -> str:
    """Type an answer at each question. What was on the screen."""
    screen, left = "", list(answers)
    while left:
        assert select.select([terminal], [], [], PATIENCE_S)[0], screen
        screen += os.read(terminal, 1_000).decode()
        if screen.rstrip(" ").endswith(":"):
            os.write(terminal, left.pop(0).encode() + b"\n")
            screen += "\n"
    return screen


def typed(words: list[str], *answers: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """Run the command on a terminal of its own, typing an answer at each question. Its code, stdout and the screen."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", ON_A_TERMINAL, os.ttyname(theirs), *words]
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        try:
            screen = answered(ours, answers)
            out, _ = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    if select.select([ours], [], [], 0)[0]:
        screen += os.read(ours, 10_000).decode()
    os.close(ours)
    os.close(theirs)
    return process.returncode, out.decode(), screen


def without_a_terminal(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "reminisce", *words]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, start_new_session=True, stdin=subprocess.DEVNULL
    )


def test_keygen_prints_another_key_each_time(run: Run, home: Path) -> None:
    first, second = run("keygen"), run("keygen", "--json")

    assert re.fullmatch(r"[0-9a-f]{64}\n", first.out)
    assert re.fullmatch(r"[0-9a-f]{64}", second.plain["key"])
    assert first.out.strip() != second.plain["key"]
    assert list(home.iterdir()) == []


def test_keygen_writes_a_file_for_its_owner_alone(run: Run, tmp_path: Path) -> None:
    ran = run("keygen", "--to", str(tmp_path / "safe" / "key"), "--json")

    written = (tmp_path / "safe" / "key").read_text()
    assert re.fullmatch(r"[0-9a-f]{64}\n", written)
    assert ran.plain == {"key": None, "file": str(tmp_path / "safe" / "key")}
    assert (tmp_path / "safe" / "key").stat().st_mode & 0o777 == 0o600


def test_keygen_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("precious")

    ran = run("keygen", "--to", str(tmp_path / "key"), "--json")

    assert ran.refusal == (REFUSED, "invalid", ["to"])
    assert ran.problems == {("to", "exists")}
    assert (tmp_path / "key").read_text() == "precious"


@pytest.mark.parametrize(("place", "code"), [("", "empty"), ("file/deeper", "unwritable"), ("a\0b", "unwritable")])
def test_keygen_refuses_a_place_where_no_file_can_be(run: Run, tmp_path: Path, place: str, code: str) -> None:
    (tmp_path / "file").write_text("no folder")

    ran = run("keygen", "--to", f"{tmp_path}/{place}" if place else "", "--json")

    assert ran.problems == {("to", code)}


def test_rekey_changes_the_key_and_keeps_the_memories(run: Run, tmp_path: Path) -> None:
    run("remember", "The roof was mended.")
    before = [path.read_text() for path in (tmp_path / "config" / "keys").iterdir()]

    ran = run("rekey", "--json")

    after = [path.read_text() for path in (tmp_path / "config" / "keys").iterdir()]
    assert ran.code == DONE
    assert len(after) == len(before) == 1
    assert after != before
    assert Path(ran.plain["key"]).exists()
    assert run("recall", "roof", "--json").plain["hits"][0]["content"] == "The roof was mended."
    assert run("doctor", "--deep").code == DONE


def test_rekey_takes_the_next_key_from_the_environment(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("remember", "The roof was mended.")
    monkeypatch.setenv("REMINISCE_NEW_KEY", GIVEN)

    ran = run("rekey", "--json")

    assert (ran.code, ran.plain["key"]) == (DONE, "REMINISCE_NEW_KEY")
    assert run("stats", "--json").refusal == (REFUSED, "key_missing", [])
    monkeypatch.setenv("REMINISCE_KEY", GIVEN)
    assert run("stats", "--json").plain["memories"] == 1
    assert list((tmp_path / "config" / "keys").iterdir()) == []


@pytest.mark.parametrize("name", ["REMINISCE_KEY", "REMINISCE_NEW_KEY"])
def test_a_short_secret_is_refused_by_the_name_it_was_given_under(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    run("remember", "The roof was mended.")
    monkeypatch.setenv(name, "short")

    ran = run("rekey", "--json")

    assert ran.refusal == (REFUSED, "configuration", [name])
    assert "short" not in ran.out.replace("shorter", "")


def test_empty_secrets_count_as_unset(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REMINISCE_KEY", "REMINISCE_NEW_KEY", "REMINISCE_RECOVERY_KEY"):
        monkeypatch.setenv(name, "")

    assert run("remember", "The roof was mended.").code == DONE
    assert run("rekey").code == DONE
    assert run("stats", "--json").plain["memories"] == 1
    assert read_settings().recovery is None


def test_rekey_of_a_store_that_is_open_may_be_tried_again(run: Run, tmp_path: Path) -> None:
    with open_memory() as memories:
        memories.owner("agent:default").remember("The roof was mended.")

        ran = run("rekey", "--json")

        assert ran.refusal == (UNAVAILABLE, "store_unavailable", [])
    assert run("stats", "--json").plain["memories"] == 1


def test_rekey_where_no_store_is_makes_none(run: Run, tmp_path: Path) -> None:
    assert run("rekey", "--json").refusal == (REFUSED, "store_missing", [])
    assert not (tmp_path / "memory.db").exists()


def test_a_store_in_the_process_has_no_key(run: Run) -> None:
    assert run("rekey", "--store", ":memory:", "--json").refusal == (REFUSED, "configuration", ["store"])


def test_a_passphrase_is_asked_for_unseen_and_twice_where_it_makes_a_store() -> None:
    made = typed(["--passphrase", "init", "--json"], OLD, OLD)
    opened = typed(["remember", "-", "--passphrase"], OLD, stdin=b"The roof was mended.")
    wrong = typed(["stats", "--passphrase", "--json"], NEW)

    assert made[0] == opened[0] == DONE
    assert '"keys": "passphrase"' in made[1]
    assert (wrong[0], '"code": "store_damaged"' in wrong[1]) == (REFUSED, True)
    for _, out, screen in (made, opened, wrong):
        assert "assphrase" in screen
        assert OLD not in out + screen
        assert NEW not in out + screen


def test_a_slip_in_a_passphrase_makes_no_store(tmp_path: Path) -> None:
    code, out, _ = typed(["init", "--passphrase", "--json"], OLD, NEW)

    assert (code, '"differs"' in out) == (REFUSED, True)
    assert not (tmp_path / "memory.db").exists()


def test_no_passphrase_is_no_passphrase(tmp_path: Path) -> None:
    code, out, _ = typed(["init", "--passphrase", "--json"], "")

    assert (code, '"empty"' in out) == (REFUSED, True)


def test_a_passphrase_can_be_set_changed_and_taken_away(run: Run) -> None:
    run("remember", "The roof was mended.")

    changes = [
        typed(["rekey", "--new-passphrase"], OLD, OLD),
        typed(["rekey", "--passphrase", "--new-passphrase"], OLD, NEW, NEW),
        typed(["rekey", "--passphrase"], NEW),
    ]

    assert [code for code, _, _ in changes] == [DONE] * 3
    assert run("stats", "--json").plain["memories"] == 1


@pytest.mark.parametrize("words", [["stats", "--passphrase"], ["--passphrase", "stats"], ["rekey", "--new-passphrase"]])
def test_where_there_is_no_terminal_to_ask_on_that_is_told(run: Run, words: list[str]) -> None:
    run("remember", "The roof was mended.")

    plain, json = without_a_terminal(*words), without_a_terminal(*words, "--json")

    assert plain.returncode == json.returncode == USAGE
    assert "terminal" in plain.stderr
    assert '"code": "usage"' in json.stdout


@pytest.mark.parametrize("option", ["--passphrase", "--new-passphrase"])
def test_no_secret_can_be_an_argument(run: Run, option: str) -> None:
    ran = run("rekey", f"{option}={OLD}", "--json")

    assert ran.code == USAGE
    assert OLD not in ran.out + ran.err


def test_an_unknown_place_for_keys_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text('key_from = "a note on the fridge"')

    assert run("init", "--json").refusal == (REFUSED, "configuration", ["key_from"])


def test_the_librarys_secret_may_be_text_or_a_question(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask() -> str:
        asked.append("once")
        return OLD

    with closing(open_memory(tmp_path / "m.db", secret=ask)) as memories:
        memories.owner("agent:default").remember("The roof was mended.")
        assert OLD not in repr(vars(memories))

    with open_memory(tmp_path / "m.db", secret=OLD) as memories:
        assert memories.owner("agent:default").stats().memories == 1
    assert asked == ["once"]
    with pytest.raises(StoreDamagedError):
        open_memory(tmp_path / "m.db", secret=NEW)
    with pytest.raises(KeyMissingError):
        open_memory(tmp_path / "m.db")


@pytest.mark.parametrize(
    "secret",
    ["", "short", lambda: b"a passphrase in bytes", lambda: None],
    ids=["empty", "short", "bytes", "nothing"],
)
def test_a_secret_of_the_library_that_will_not_do_is_refused(tmp_path: Path, secret: Any) -> None:
    with pytest.raises(ConfigurationError) as refused:
        open_memory(tmp_path / "m.db", secret=secret)

    assert refused.value.fields == ("secret",)
    assert not (tmp_path / "m.db").exists()


def test_the_library_rekeys(tmp_path: Path) -> None:
    with open_memory(tmp_path / "m.db", keys=tmp_path / "keys") as memories:
        memories.owner("agent:default").remember("The roof was mended.")
        with pytest.raises(StoreUnavailableError):
            rekey(tmp_path / "m.db", keys=tmp_path / "keys")

    kept = rekey(tmp_path / "m.db", keys=tmp_path / "keys")
    given = rekey(tmp_path / "m.db", keys=tmp_path / "keys", new_secret=lambda: OLD)

    assert Path(kept.key).parent == tmp_path / "keys"
    assert given.key == "new_secret"
    with open_memory(tmp_path / "m.db", keys=tmp_path / "keys", secret=OLD) as memories:
        assert memories.owner("agent:default").stats().memories == 1
