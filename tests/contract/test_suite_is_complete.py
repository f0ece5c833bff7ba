"""The guards: no promise without a test, no test without a promise, no case that runs less than another."""

import re
import subprocess
import sys
from collections import Counter
from inspect import getsource
from pathlib import Path

import pytest

from reminisce.adapters.inmemory import InMemoryStore
from reminisce.domain.changes import SETTABLE, FenceKind
from reminisce.testing import StoreCase, cases, suite
from reminisce.testing.promises import promises_of
from reminisce.testing.suite import fences, fields
from tests.contract.requirements import REQUIREMENTS, Requirement

TESTS = {name: test for part in suite.PARTS for name, test in vars(part).items() if name.startswith("test_")}

CASES = {"inmemory", "sqlite", "outside"}


def test_every_requirement_has_a_test_and_every_test_a_requirement() -> None:
    assert {name for test in TESTS.values() for name in promises_of(test)} == set(REQUIREMENTS)
    assert [name for name, test in TESTS.items() if not promises_of(test)] == []


@pytest.mark.parametrize("requirement", REQUIREMENTS.values(), ids=REQUIREMENTS)
def test_a_requirement_is_a_sentence_of_its_source(requirement: Requirement) -> None:
    source = re.sub(r"\s+", " ", getsource(requirement.source))

    assert requirement.sentence in source


def test_every_settable_field_is_tried() -> None:
    assert {name for name, _ in fields.VALUES} == SETTABLE


def test_every_kind_of_fence_is_tried() -> None:
    assert {fence.kind for fence in fences.FENCES} == set(FenceKind)


def test_the_suite_hands_out_every_test() -> None:
    assert set(TESTS) <= set(suite.__all__)


def test_every_case_runs_the_same_number_of_tests(request: pytest.FixtureRequest) -> None:
    if request.config.option.keyword or request.config.option.lf or len(_collected(request)) < len(CASES):
        pytest.skip("says something only when all of this folder is run")

    counts = _collected(request)

    assert set(counts) == CASES
    assert len(set(counts.values())) == 1


def _collected(request: pytest.FixtureRequest) -> Counter[str]:
    calls = (getattr(item, "callspec", None) for item in request.session.items)
    found = (call.params.get("store_case") for call in calls if call is not None)
    return Counter(case.name for case in found if isinstance(case, StoreCase))


def _run(folder: Path, body: str, *only: str) -> subprocess.CompletedProcess[str]:
    module = folder / "test_theirs.py"
    module.write_text(f"from reminisce.testing import StoreCase, cases\nfrom reminisce.testing.suite import *\n{body}")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--tb=line",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        str(module),
        *only,
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


IN_MEMORY = """
from reminisce.adapters.inmemory import InMemoryStore
store_case = cases(StoreCase(name="theirs", open=lambda _: InMemoryStore("0" * 32), durable=False, lacks={lacks}))
"""


def test_the_suite_passes_in_a_project_of_somebody_else(tmp_path: Path) -> None:
    done = _run(tmp_path, IN_MEMORY.replace("{lacks}", "{}"))

    assert done.returncode == 0, done.stdout


def test_a_forgotten_case_is_an_error_in_every_test(tmp_path: Path) -> None:
    done = _run(tmp_path, "")

    assert done.returncode == 1
    assert "fixture 'store_case' not found" in done.stdout
    assert " passed" not in done.stdout.splitlines()[-1]


def test_a_gap_that_was_closed_is_noticed(tmp_path: Path) -> None:
    done = _run(tmp_path, IN_MEMORY.replace("{lacks}", "{'snapshot.covered': 'it cannot count'}"), "-k", "covered")

    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("1 failed")


@pytest.mark.parametrize("given", [(), ("twice", "twice")], ids=["none", "two of one name"])
def test_cases_that_would_hide_something_are_refused(given: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="at least one case"):
        cases(*(StoreCase(name=name, open=lambda _: InMemoryStore("0" * 32), durable=False) for name in given))


def test_a_gap_without_a_reason_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        StoreCase(name="mine", open=lambda _: InMemoryStore("0" * 32), durable=False, lacks={"view.still": ""})
