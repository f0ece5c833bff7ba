"""The command line: erasing words for good. That its answers are the library's, `test_three_faces.py` shows."""

import pytest

from tests.entry.command import DONE, REFUSED, USAGE, Run

pytestmark = pytest.mark.usefixtures("home")


def test_a_withdrawal_tells_people_what_it_did_and_what_waits(run: Run) -> None:
    run("remember", "Ruth likes tulips.", "--key", "k", "--subjects", "ruth")

    ran = run("withdraw", "ruth")
    shown = run("why", "k", "--json").plain

    assert (ran.code, shown["withdrawal"], shown["memory"]["content"]) == (DONE, "complete", "")
    assert "tulips" not in ran.out + ran.err
    assert "scrub" in ran.out + ran.err


def test_with_a_scrub_nothing_waits(run: Run) -> None:
    run("remember", "Ruth likes tulips.", "--subjects", "ruth")

    ran = run("withdraw", "ruth", "--scrub", "--json")

    assert (ran.code, ran.plain["waits"], ran.plain["memories"]) == (DONE, [], 1)


@pytest.mark.parametrize("words", [("erase", "k"), ("purge", "ruth")])
def test_what_nothing_brings_back_wants_to_be_confirmed(run: Run, words: tuple[str, ...]) -> None:
    run("remember", "Ruth likes tulips.", "--key", "k", "--subjects", "ruth")

    refused = run(*words, "--json")
    kept = run("why", "k", "--json").plain["memory"]["content"]
    done = run(*words, "--confirm")

    assert (refused.refusal, kept, done.code) == ((REFUSED, "invalid", ["confirm"]), "Ruth likes tulips.", DONE)


@pytest.mark.parametrize(
    "words", [("withdraw",), ("purge", "--confirm"), ("scrub", "ruth"), ("erase", "--confirm", "--all")]
)
def test_wrong_usage_is_told_as_such(run: Run, words: tuple[str, ...]) -> None:
    assert run(*words).code == USAGE


def test_a_store_that_is_not_there_is_not_made_to_withdraw_from_it(run: Run) -> None:
    assert run("withdraw", "ruth", "--json").plain["error"]["code"] == "store_missing"
