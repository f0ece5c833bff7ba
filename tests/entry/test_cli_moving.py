"""Import and export as verbs: what is printed, what is left behind, and with which code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.faces import Home

KILLED = """
import os, signal, sys
from reminisce import open_memory

def kill(done):
    if done == 3:
        os.kill(os.getpid(), signal.SIGKILL)

with open_memory(sys.argv[1], keys=sys.argv[2]) as memories:
    memories.owner("agent:alice").export(sys.argv[3], format=sys.argv[4], replace=True, progress=kill)
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def filled(home: Home) -> Home:
    with home.memories() as memories:
        memories.owner(home.owner).remember_many(
            [{"content": f"Number {number} \N{GRINNING FACE} 渡し船.", "key": f"k{number}"} for number in range(5)]
        )
    return home


def test_records_go_to_standard_output_and_nothing_else_does(filled: Home) -> None:
    ran = filled.cli("export", "-", LC_ALL="C", PYTHONIOENCODING="cp1252")

    records = [json.loads(line) for line in ran.stdout.decode().splitlines()]
    assert (ran.code, ran.stderr) == (0, b"")
    assert [record["key"] for record in records] == [f"k{number}" for number in range(5)]


def test_what_one_store_prints_another_reads(filled: Home, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")

    ran = other.cli("import", "-", "--json", stdin=filled.cli("export", "-").stdout)

    assert (ran.code, ran.answer["created"]) == (0, 5)


@pytest.mark.parametrize(
    ("words", "name"), [((), "out"), (("--as", "markdown"), "notes"), (("--format=markdown",), "n")]
)
def test_an_export_tells_what_it_wrote(filled: Home, words: tuple[str, ...], name: str) -> None:
    ran = filled.cli_here("export", str(filled.folder / name), "--json", *words)

    assert (ran.code, ran.answer) == (0, {"memories": 5, "revision": 1})
    assert (filled.folder / name).exists()


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("export", "."), "into"),
        (("export", "x", "--as", "html"), "format"),
        (("export", "-", "--as", "markdown"), "format"),
        (("export", "x", "--statuses", "lost"), "statuses"),
        (("import", "nowhere"), "source"),
        (("import", ".", "--from", "html"), "format"),
        (("import", "-", "--from", "documents"), "format"),
    ],
)
def test_bad_words_are_refused_by_name(filled: Home, words: tuple[str, ...], field: str) -> None:
    ran = filled.cli_here(*words, "--json")

    assert (ran.code, ran.answer["error"]["fields"]) == (1, [field])


def test_reading_out_makes_no_store(home: Home) -> None:
    ran = home.cli_here("export", str(home.folder / "out.jsonl"), "--json")

    assert (ran.code, ran.answer["error"]["code"]) == (1, "store_missing")
    assert not home.store.exists()
    assert not (home.folder / "out.jsonl").exists()


def test_an_edited_folder_is_reported_to_people_and_machines(filled: Home) -> None:
    notes = filled.folder / "notes"
    filled.cli_here("export", str(notes), "--as", "markdown")
    (notes / "k1.md").write_text((notes / "k1.md").read_text("utf-8").replace("Number 1", "Number one"), "utf-8")
    (notes / "k2.md").write_bytes(b"\xff")

    people = filled.cli_here("import", str(notes), "--from", "markdown")
    machines = filled.cli_here("import", str(notes), "--json")

    told = people.stdout.decode().split()
    assert people.code == machines.code == 1
    assert {"corrected", "k2.md"} <= set(told)
    assert machines.answer["bad"] == [{"line": 1, "code": "not_utf8", "problem": "must be UTF-8", "file": "k2.md"}]
    assert (machines.answer["corrected"], machines.answer["unchanged"]) == (0, 4)


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
@pytest.mark.parametrize("there", [False, True])
def test_an_export_that_is_killed_leaves_the_old_one_or_none(filled: Home, form: str, there: bool) -> None:
    out = filled.folder / "exports" / "out"
    if there:
        filled.cli_here("export", str(out), "--as", form)
    before = {path: path.read_bytes() for path in out.parent.rglob("[!.]*") if path.is_file()}

    ran = subprocess.run(
        [sys.executable, "-c", KILLED, str(filled.store), str(filled.keys), str(out), form],
        env=filled.environment(),
        check=False,
    )

    assert ran.returncode < 0
    visible = [path for path in out.parent.rglob("*") if not any(part.startswith(".") for part in path.parts[-2:])]
    assert {path: path.read_bytes() for path in visible if path.is_file()} == before
    assert filled.cli_here("export", str(out), "--as", form, "--replace").code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told(filled: Home) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            filled.command("export", "-"), stdout=full, stderr=subprocess.PIPE, env=filled.environment(), check=False
        )

    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
    assert b"written" in ran.stderr


def test_a_reader_that_leaves_ends_the_export(filled: Home) -> None:
    with filled.memories() as memories:
        memories.owner(filled.owner).remember_many({"content": f"{number} " + "x" * 500} for number in range(1000))
    with subprocess.Popen(
        filled.command("export", "-"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=filled.environment()
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        told = process.stderr.read()

    assert (process.returncode, told) == (141, b"")
