"""Masking: what is compared, what is taken out, what is left to tell."""

import pytest

from reminisce.domain.masking import MARK, NO_MASKS, Masks, folded_term, surface_of
from reminisce.domain.memory import Attributes
from reminisce.domain.values import Tier

FALCON = Masks(terms=("Project Falcon", "Falcon"))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("We ship Falcon in May.", f"We ship {MARK} in May."),
        ("Project Falcon ships.", f"{MARK} ships."),
        ("project\n\tFALCON ships", f"{MARK} ships"),
        ("ｆａｌｃｏｎ ships", f"{MARK} ships"),
        ("Fal\u200bcon ships", f"{MARK} ships"),
        ("Fa\u0301lcón\u0301 ships", f"{MARK} ships"),
        ("Falcons and falconers", f"{MARK}s and {MARK}ers"),
        ("falconfalcon ships", f"{MARK} ships"),
    ],
)
def test_a_term_is_found_however_it_is_written(text: str, left: str) -> None:
    assert FALCON.masked(text) == left


@pytest.mark.parametrize("text", ["We ship in May.", "", "fal con", "Falc"])
def test_what_holds_no_term_is_not_masked(text: str) -> None:
    assert FALCON.masked(text) is None


@pytest.mark.parametrize("text", ["Falcon", "Falcon!", " (Falcon), Project Falcon. "])
def test_a_text_of_which_nothing_would_be_left_to_read_does_not_leave(text: str) -> None:
    assert FALCON.masked(text) is None


def test_a_ligature_that_holds_an_end_of_a_term_goes_whole() -> None:
    assert Masks(terms=("fox",)).masked("a ﬁo of fox") == f"a ﬁo of {MARK}"
    assert Masks(terms=("of",)).masked("xoﬀy z") == f"x{MARK}y z"


def test_overlapping_occurrences_all_go() -> None:
    assert Masks(terms=("aba",)).masked("x ababa x") == f"x {MARK} x"


def test_a_finder_that_fails_lets_nothing_leave() -> None:
    def fail(text: str) -> list[slice]:
        raise ValueError(text)

    assert Masks(find=fail, rules="1").masked("anything") is None  # type: ignore[arg-type]


def test_no_masks_leave_nothing() -> None:
    assert NO_MASKS.masked("Falcon") is None
    assert not NO_MASKS


def test_the_identity_says_which_masks_and_none_of_their_terms() -> None:
    same, other = Masks(terms=("ＦＡＬＣＯＮ", "project  falcon")), Masks(terms=("Falcon",))

    assert FALCON.identity == same.identity != other.identity
    assert Masks(find=lambda _: (), rules="1").identity != Masks(find=lambda _: (), rules="2").identity
    assert NO_MASKS.identity == ""
    assert "falcon" not in (FALCON.identity + repr(FALCON)).lower()


@pytest.mark.parametrize("term", ["\u200b", "\u0301", "\u3164", " "])
def test_a_term_of_nothing_to_see_is_no_term(term: str) -> None:
    assert folded_term(term) == ""
    assert not Masks(terms=(term,))


@pytest.mark.parametrize(
    ("tier", "surface", "expected"),
    [
        (Tier.REDACTED, None, f"{MARK} ships"),
        (Tier.REDACTED, "a thing ships", "a thing ships"),
        (Tier.PRIVATE, None, None),
        (Tier.OPEN, None, None),
    ],
)
def test_only_what_is_redacted_and_was_given_no_surface_gets_one(
    tier: Tier, surface: str | None, expected: str | None
) -> None:
    assert surface_of(Attributes(content="Falcon ships", surface=surface), tier, FALCON) == expected
