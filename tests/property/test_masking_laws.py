"""What is masked is gone, however it is written, and nothing else is."""

import unicodedata
from itertools import pairwise

from attrs import frozen
from hypothesis import assume, given
from hypothesis import strategies as st

from reminisce.domain.masking import MARK, Masks, folded_term

letters = st.sampled_from("aAbBäÄﬁßΣςi\u0130I\u0301\u0345é\u200b\u00ad ｆＦ\n-1猫가ᄀ\u1160ั")
texts = st.one_of(st.text(letters, max_size=40), st.text(max_size=40))
terms = st.lists(
    st.one_of(st.text(letters, min_size=1, max_size=4), st.text(min_size=1, max_size=4)).filter(
        lambda term: bool(folded_term(term)) and MARK not in term
    ),
    max_size=4,
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A text, and terms of which most stand in it somehow."""
    given = draw(terms)
    written = st.sampled_from(given).flatmap(
        lambda term: st.sampled_from((term, term.upper(), unicodedata.normalize("NFKD", term), "\u00ad".join(term)))
    )
    parts = draw(st.lists(st.one_of(texts, written) if given else texts, max_size=6))
    return "".join(parts), given


@frozen
class Part:
    """A part of a text."""

    start: int
    end: int


@given(case=cases())
def test_no_term_is_left_however_the_text_is_normalised(case: tuple[str, list[str]]) -> None:
    text, terms = case

    masked = Masks(terms=tuple(terms)).masked(text) or ""

    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        folded = folded_term(unicodedata.normalize(form, masked))
        assert not any(folded_term(term) in folded for term in terms)


@given(case=cases())
def test_what_is_left_stood_there_in_that_order(case: tuple[str, list[str]]) -> None:
    text, terms = case

    masked = Masks(terms=tuple(terms)).masked(text.replace(MARK, ""))

    place = 0
    for part in (masked or "").split(MARK):
        place = text.replace(MARK, "").index(part, place) + len(part)


@given(text=texts, terms=terms)
def test_what_holds_no_term_gives_nothing(text: str, terms: list[str]) -> None:
    masks = Masks(terms=tuple(terms))

    assume(not any(folded_term(term) in folded_term(text) for term in terms))
    assert masks.masked(text) is None


@given(case=cases())
def test_more_terms_never_show_more(case: tuple[str, list[str]]) -> None:
    text, terms = case
    few, many = Masks(terms=tuple(terms[:1])).masked(text), Masks(terms=tuple(terms)).masked(text)

    # Of a text in which the one finds nothing, nothing leaves at all: that is no more than what the others leave.
    if few is not None:
        assert len((many or "").replace(MARK, "")) <= len(few.replace(MARK, ""))


@given(text=st.text("ab c", min_size=1), cuts=st.lists(st.integers(-3, 12), min_size=2, max_size=6))
def test_what_was_found_is_taken_out_and_no_more(text: str, cuts: list[int]) -> None:
    spans = [Part(*pair) for pair in pairwise(cuts)]
    hidden = {place for span in spans for place in range(max(0, span.start), min(len(text), span.end))}
    left = "".join(one for place, one in enumerate(text) if place not in hidden)

    masked = Masks(find=lambda _: spans, rules="1").masked(text)

    assert masked is None if not hidden or left.isspace() or not left else (masked or "").replace(MARK, "") == left
