"""Near-duplicates: what counts as said already."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reminisce.domain.likeness import COMPARED, NEAR, SHINGLE, Texts, _near, _plain, _shingles

LONG = (
    "The ferry to the northern islands leaves from the old pier behind the customs house every weekday morning, and the"
    " crew asks travellers with bicycles to be there a little earlier than all the others, so that the loading"
    " of the cars goes well."
)


def kept(*texts: str) -> list[str]:
    taken = Texts()
    return [text for text in texts if taken.take(text)]


@pytest.mark.parametrize(
    "again",
    [
        "The gate is red",
        "the  GATE is red!",
        "“The gate is red.”",
        "Ｔｈｅ gate\nis red.",
    ],
)
def test_case_width_spacing_and_punctuation_alone_say_nothing_new(again: str) -> None:
    assert kept("The gate is red.", again) == ["The gate is red."]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The gate is red.", "The gate is not red."),
        ("Alice likes tea.", "Alicia likes tea."),
        ("Call at 10:15.", "Call at 10:51."),
        ("It is -5 degrees.", "It is 5 degrees."),
        ("Version 1.2 is out", "Version 1.3 is out"),
        ("猫が好き", "犬が好き"),
        ("👍", "👎"),
        ("?", "!"),
        (LONG + " Gate 4.", LONG + " Gate 5."),
        (LONG, LONG + " Since the spring it no longer calls at the smallest of them."),
        ("x" * 3 + LONG * 20, "y" * 3 + LONG * 20),
    ],
)
def test_what_says_something_else_is_kept(text: str, other: str) -> None:
    assert kept(text, other) == [text, other]


def test_a_long_text_with_one_word_for_another_says_nothing_new() -> None:
    assert kept(LONG, LONG.replace("little", "bit")) == [LONG]


def test_the_first_in_order_wins() -> None:
    assert kept("Tea!", "tea", "coffee", "Coffee.", "TEA") == ["Tea!", "coffee"]


def test_a_text_is_compared_with_what_was_kept_only() -> None:
    steps = [LONG, LONG.replace("weekday", "Monday"), LONG.replace("weekday", "Monday").replace("crew", "captain")]

    assert kept(*steps) in ([steps[0]], [steps[0], steps[2]])


words = st.sampled_from(("gate", "red", "tea", "the", "island", "猫", "12", "ferry", "leaves"))
sentences = st.lists(words, max_size=60).map(" ".join)


@st.composite
def crowds(draw: st.DrawFn) -> list[str]:
    """Texts of which many differ in little."""
    found = draw(st.lists(sentences, min_size=1, max_size=3))
    for _ in range(draw(st.integers(0, 6))):
        parts = draw(st.sampled_from(found)).split()
        place = draw(st.integers(0, len(parts)))
        found.append(" ".join([*parts[:place], *draw(st.lists(words, max_size=1)), *parts[place + 1 :]]))
    return found


@given(texts=crowds())
def test_looking_at_few_shingles_finds_what_looking_at_all_does(texts: list[str]) -> None:
    slowly: list[str] = []
    for text in texts:
        alike = (one for one in slowly if one.split().count("12") == text.split().count("12"))
        if not any(_near(_shingles(_plain(text) or text), _shingles(_plain(one) or one)) for one in alike):
            slowly.append(text)

    assert kept(*texts) == slowly


def test_the_measure_is_what_it_says() -> None:
    one, other = frozenset(map(str, range(95))), frozenset(map(str, range(100)))

    assert _near(one, other)
    assert not _near(frozenset(map(str, range(89))), other)
    assert (SHINGLE, NEAR, COMPARED) == (8, 900, 2_000)
