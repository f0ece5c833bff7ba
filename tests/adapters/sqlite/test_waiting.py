"""Whoever cannot write waits, but not for ever."""

from pathlib import Path

import pytest

from reminisce import StoreUnavailableError
from reminisce.adapters.sqlite import schema, store
from reminisce.testing.contents import contents_of
from reminisce.testing.threads import in_thread
from reminisce.testing.writing import ALICE, next_commit, put, remember
from tests.support.stores import sqlite_in


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (schema, store):
        monkeypatch.setattr(module, "BUSY_MS", 1)


@pytest.mark.parametrize("openings", [1, 2], ids=["thread", "process"])
def test_a_writer_gives_up_on_one_that_holds_the_store(tmp_path: Path, openings: int) -> None:
    stores = [sqlite_in(tmp_path) for _ in range(openings)]
    commit = next_commit(stores[0], ALICE, put(ALICE, "k", 1))

    with stores[0].view(for_writing=[]):
        outcome = in_thread(lambda: stores[-1].commit(commit))

        assert type(outcome) is StoreUnavailableError

    assert contents_of(stores[-1])["owners"] == []
    assert remember(stores[-1], ALICE, "words", key="k") == "k"
    for opened in stores:
        opened.close()
