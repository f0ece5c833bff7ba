"""The verb `guard`: files and records, tables and JSON."""

import json
import random
from pathlib import Path

from tests.entry.command import DONE, REFUSED, USAGE, Run
from tests.support.secret_samples import token

SECRET = token("ghp_{36:a}", random.Random(8))


def test_a_clean_file_is_done(run: Run, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "clean.txt"
    file.write_text("nothing\nhere\n")

    assert run("guard", str(file)).code == DONE
    assert list(home.iterdir()) == []


def test_a_secret_is_told_by_file_line_and_rule(run: Run, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(f"first\nsee {SECRET}\n{SECRET}\n")

    ran = run("guard", str(file), "--json")

    assert ran.code == REFUSED
    assert [(spot["line"], spot["rule"]) for spot in ran.plain["findings"]] == [(2, "github-pat"), (3, "github-pat")]
    assert SECRET not in ran.out + run("guard", str(file)).out


def test_a_secret_beyond_the_first_piece_keeps_its_line(run: Run, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text("word word\n" * 250_000 + SECRET + "\nend\n")

    ran = run("guard", str(file), "--json")

    assert [(spot["line"], spot["rule"]) for spot in ran.plain["findings"]] == [(250_001, "github-pat")]


def test_records_are_answered_line_by_line(run: Run, home: Path) -> None:
    lines = [{"text": "fine"}, {"text": f"x {SECRET}"}, {"text": ""}]

    ran = run("guard", "-", "--jsonl", "--json", stdin="".join(json.dumps(line) + "\n" for line in lines).encode())

    assert ran.code == REFUSED
    assert [json.loads(line) for line in ran.out.splitlines()] == [
        {"rules": []},
        {"rules": ["github-pat"]},
        {"rules": []},
    ]


def test_a_line_that_is_no_record_is_refused(run: Run, home: Path) -> None:
    ran = run("guard", "-", "--jsonl", stdin=b"not json\n")

    assert ran.code == REFUSED
    assert "line 1" in ran.err


def test_a_missing_file_is_refused_and_none_is_misuse(run: Run, home: Path, tmp_path: Path) -> None:
    assert run("guard", str(tmp_path / "none")).code == REFUSED
    assert run("guard").code == USAGE
