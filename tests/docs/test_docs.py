"""The documentation says what is so."""

import re
from pathlib import Path

import pytest

from reminisce import errors, open_memory
from reminisce.domain.asking import OPTIONS
from reminisce.domain.requests import NAMES
from reminisce.domain.values import Status

ROOT = Path(__file__).parent.parent.parent
DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_and_named_file_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    linked = [page.parent / target for target in re.findall(r"\]\(([^)#:]+)\)", text)]
    named = [ROOT / name for name in re.findall(r"`((?:bench|docs|tests)/[\w./-]+)`", text)]
    sources = [ROOT / "src/reminisce" / n for n in re.findall(r"`((?:domain|ports|adapters|app)/[\w./-]+\.py)`", text)]

    assert [path for path in (*linked, *named, *sources) if not path.exists()] == []


def test_the_readmes_program_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REMINISCE_CONFIG", str(tmp_path))
    monkeypatch.setenv("REMINISCE_STORE", str(tmp_path / "memory.db"))
    program = re.findall(r"```python\n(.*?)```", text_of("README.md"), re.DOTALL)[0]

    exec(compile(program, "README.md", "exec"), {})  # noqa: S102 (our own words)

    assert "The deploy key rotates" in capsys.readouterr().out


def test_the_packages_own_example_runs() -> None:
    with open_memory(":memory:") as memories:
        alice = memories.owner("agent:alice")
        alice.remember("The deploy key rotates on the first Monday of the month.", sources=["doc:runbook"])

        assert len(alice.recall("when does the key rotate")) == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_argument_of_remember_is_in_the_import_format(name: str) -> None:
    assert f"`{name}`" in text_of("docs/import.md")


@pytest.mark.parametrize("option", [o for o in OPTIONS if o not in ("k", "explain", "cursor")])
def test_every_filter_is_described(option: str) -> None:
    stem = re.sub(r"_to$", "_from", option)

    assert stem in text_of("docs/recall.md")


@pytest.mark.parametrize("status", list(Status))
def test_every_status_is_described(status: Status) -> None:
    assert f"`{status}`" in text_of("docs/statuses.md")


def test_every_store_error_is_described() -> None:
    raised = [
        error.code
        for error in vars(errors).values()
        if isinstance(error, type) and issubclass(error, errors.StoreError) and error is not errors.StoreError
    ]

    assert [code for code in raised if code != "store_closed" and f"`{code}`" not in text_of("docs/store.md")] == []
