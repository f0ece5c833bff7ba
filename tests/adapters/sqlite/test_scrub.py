"""
After a scrub no byte of the store's folder holds an erased word: not as it lies there, and not in any decrypted page of the
file, be it free, or frame of its log. That the search finds what is there, the tests without a scrub show.
"""

import shutil
from pathlib import Path

import pytest

from reminisce import ReminisceError, open_memory
from reminisce.adapters.sqlite import KeySource, SQLiteStore, store
from reminisce.app.cli import main
from tests.support.pages import found_in
from tests.support.planted import OTHER, OWNERS, PERSON, REF, Planted, opened, plant


@pytest.fixture(scope="module")
def soil(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Planted]:
    folder = tmp_path_factory.mktemp("soil")
    return folder, plant(folder)


@pytest.fixture
def planted(soil: tuple[Path, Planted], tmp_path: Path) -> Planted:
    """The words in the store of the test's own folder."""
    shutil.copytree(soil[0], tmp_path, dirs_exist_ok=True)
    return soil[1]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "READERS_MS", 10)


def of_others(folder: Path) -> bool:
    return bool(found_in(folder, [OTHER]))


def test_the_search_finds_every_word_while_it_is_there_and_only_in_decrypted_pages(
    planted: Planted, tmp_path: Path
) -> None:
    found = planted.places(tmp_path)

    assert set(found) == set(planted.words)
    assert {place.split()[0] for places in found.values() for place in places} == {"page"}


def test_without_a_scrub_words_remain_and_the_receipt_says_so(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        receipt = memories.withdraw(REF)
        found = planted.places(tmp_path)

    assert found
    assert len(receipt.waits) == 1


def test_a_withdrawal_with_a_scrub_leaves_no_word_in_any_byte(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        receipt = memories.withdraw(REF, scrub=True)
        while_open = planted.places(tmp_path)
    closed = planted.places(tmp_path)

    assert (while_open, closed, receipt.waits) == ({}, {}, ())
    assert of_others(tmp_path)


def test_what_is_left_is_whole(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        memories.withdraw(REF, scrub=True)
    with opened(tmp_path) as memories:
        alice = memories.owner(OWNERS[0])
        hits = alice.recall(OTHER, k=1000).hits
        diagnosis = memories.doctor(deep=True)

    assert len(hits) == 301
    assert diagnosis.findings == ()


def test_a_scrub_later_does_the_same(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        memories.withdraw(REF)
    with opened(tmp_path) as memories:
        scrubbed = memories.scrub()
        found = planted.places(tmp_path)

    assert (found, scrubbed.waits) == ({}, ())


def test_a_purge_takes_the_pseudonym_and_the_withdrawals_reason_too(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        memories.withdraw(REF, reason="zxreasoned", scrub=True)
    before = found_in(tmp_path, ["zxreasoned", REF])
    with opened(tmp_path) as memories:
        memories.purge(REF, confirm=True, scrub=True)
        found = planted.places(tmp_path), found_in(tmp_path, ["zxreasoned", REF])

    assert set(before) == {"zxreasoned", REF}
    assert found == ({}, {})


def test_an_erasure_by_name_reaches_its_words_and_no_others(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        receipt = memories.owner(OWNERS[0]).erase("full", confirm=True, scrub=True)
        found = planted.places(tmp_path)
    gone = {"content", "surface", "facet name", "facet value", "fact attribute", "fact value", "source", "episode"}
    gone |= {"request key", "contradict reason", "resolve reason", "russian", "chinese"}

    assert set(planted.words) - set(found) == gone
    assert (receipt.memories, receipt.derived) == (1, ("summary",))


def test_an_erasure_of_all_that_is_found_reaches_every_status(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        for owner in OWNERS:
            memories.owner(owner).erase(subject=REF, confirm=True)
        memories.scrub()
        found = planted.places(tmp_path)

    assert found == {}


@pytest.mark.usefixtures("impatient")
def test_a_reader_of_an_older_state_is_waited_for_and_then_told_of(planted: Planted, tmp_path: Path) -> None:
    reader = SQLiteStore(tmp_path / "memory.db", KeySource(tmp_path / "keys"), create=False)
    with opened(tmp_path) as memories:
        with reader.view() as view:
            view.owners()
            receipt = memories.withdraw(REF, scrub=True)
            meanwhile = planted.places(tmp_path)
            again = memories.scrub()
        after = memories.scrub()
        found = planted.places(tmp_path)
    reader.close()

    assert meanwhile
    assert (len(receipt.waits), len(again.waits)) == (1, 1)
    assert (found, after.waits) == ({}, ())


@pytest.mark.usefixtures("impatient")
def test_the_command_says_by_its_exit_code_whether_anything_waits(
    planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").mkdir()
    shutil.copytree(tmp_path / "keys", tmp_path / "config" / "keys")
    monkeypatch.setenv("REMINISCE_CONFIG", str(tmp_path / "config"))
    words = ["--store", str(tmp_path / "memory.db")]
    reader = SQLiteStore(tmp_path / "memory.db", KeySource(tmp_path / "keys"), create=False)
    with reader.view() as view:
        view.owners()
        codes = [main([*words, "withdraw", REF, "--scrub"]), main([*words, "scrub"])]
    reader.close()
    codes.append(main([*words, "scrub"]))

    assert codes == [3, 3, 0]
    assert planted.places(tmp_path) == {}


def test_another_process_that_saves_its_index_later_brings_no_word_back(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as other, opened(tmp_path) as memories:
        alice = other.owner(OWNERS[0])
        alice.recall(OTHER)
        memories.withdraw(REF, scrub=True)
        alice.remember_many([{"content": f"Later line {n}."} for n in range(1200)])
        memories.scrub()
        while_open = planted.places(tmp_path)
    with opened(tmp_path) as memories:
        memories.scrub()
        pieces = planted.places(tmp_path)

    assert (while_open, pieces) == ({}, {})


def test_what_was_believed_and_is_erased_goes_as_well(tmp_path: Path) -> None:
    with open_memory(tmp_path / "memory.db", keys=tmp_path / "keys") as memories:
        alice = memories.owner(OWNERS[0])
        key = alice.believe(REF, "lives_in", "zxriga", sources=["doc:zxregister"]).key
        alice.disbelieve(REF, "lives_in", erase=True)
        memories.scrub()
        found = found_in(tmp_path, ["zxriga", "zxregister"])

        assert (found, alice.why(key).withdrawal) == ({}, "complete")


def test_what_is_refused_after_a_withdrawal_leaves_no_trace(planted: Planted, tmp_path: Path) -> None:
    with opened(tmp_path) as memories:
        memories.withdraw(REF, scrub=True)
        alice = memories.owner(OWNERS[0])
        for refused, code in (
            (lambda: alice.remember("zxlater said", subjects=PERSON), "subject_withdrawn"),
            (lambda: alice.forget("full", reason="zxlater said"), "status"),
            (lambda: alice.correct("full", content="zxlater said"), "subject_withdrawn"),
            (lambda: alice.contradict("full", "nobody", reason="zxlater said"), "status"),
            (lambda: alice.associate(["full", "nobody"], "zxlater", {"zxlater": "said"}), "status"),
        ):
            with pytest.raises(ReminisceError) as caught:
                refused()
            assert (caught.value.code, "zxlater" in str(caught.value)) == (code, False)

        assert found_in(tmp_path, ["zxlater"]) == {}
