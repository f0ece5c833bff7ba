"""The demonstration shows what is promised, fails when a promise does, and leaves nothing behind."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from reminisce.app.cli import main
from reminisce.app.demo import play
from reminisce.app.service.owner import Owner
from reminisce.domain.planning.forget import Forgotten


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every folder that a user has, the one for temporary files too."""
    names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR")
    for name in names:
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(tempfile, "tempdir", None)
    for name in ("REMINISCE_STORE", "REMINISCE_OWNER", "REMINISCE_CONFIG", "REMINISCE_KEY"):
        monkeypatch.delenv(name, raising=False)
    return [tmp_path / name for name in names]


def broken() -> list[str]:
    return [check.guarantee for scene in play().scenes for check in scene.checks if not check.held]


def test_every_guarantee_holds() -> None:
    assert broken() == []


def test_it_is_shown_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["demo"])

    shown = capsys.readouterr().out
    assert code == 0
    assert "earned by" in shown
    assert "✗" not in shown


def test_it_is_told_to_machines(capsys: pytest.CaptureFixture[str]) -> None:
    main(["demo", "--json"])

    plain = json.loads(capsys.readouterr().out)
    assert plain["held"] is True
    assert all(check["held"] for scene in plain["scenes"] for check in scene["checks"])


def test_it_leaves_nothing_behind(folders: list[Path]) -> None:
    play()

    assert [path for folder in folders for path in folder.iterdir()] == []


def test_it_needs_no_settings_that_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMINISCE_STORE", "/proc/nowhere/memory.db")
    monkeypatch.setenv("REMINISCE_KEY", "short")

    assert main(["demo"]) == 0


def test_it_fails_when_what_was_forgotten_is_recalled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Owner, "forget", lambda *_, **__: Forgotten(("van",), (), (), 1))

    assert main(["demo"]) == 1
    assert "✗ it is recalled no more" in capsys.readouterr().out


def test_it_fails_when_a_repeat_gets_a_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    remember_many = Owner.remember_many

    def twins(self: Owner, memories: Any) -> Any:
        return remember_many(self, [{**memory, "key": None, "salience": self.revision() / 10} for memory in memories])

    monkeypatch.setattr(Owner, "remember_many", twins)
    monkeypatch.setattr(Owner, "remember", lambda *_, **__: None)
    monkeypatch.setattr("reminisce.app.demo._why", lambda _: iter(()))
    monkeypatch.setattr("reminisce.app.demo._forget", lambda *_: iter(()))

    assert "the second time nothing got a twin" in broken()


def test_it_fails_when_words_are_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reminisce.app.demo.READABLE", ("",))

    assert main(["demo"]) == 1
