"""Fixtures of the command's tests."""

import io
from pathlib import Path

import pytest

from reminisce.app.cli import main
from tests.entry.command import Ran, Run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of our own, in which nothing may appear; store and keys are named apart from it."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home))
    for name in ("OWNER", "KEY", "LOCAL", "DEBUG", "REVIEWER"):
        monkeypatch.delenv(f"REMINISCE_{name}", raising=False)
    monkeypatch.setenv("REMINISCE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("REMINISCE_STORE", str(tmp_path / "memory.db"))
    return home


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in this process."""

    def run(*words: str, stdin: bytes | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), "ascii"))
        code = main(words)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run
