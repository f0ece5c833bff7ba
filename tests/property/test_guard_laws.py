"""Laws of the guard: whichever matcher looks first, the findings are the same."""

import random

from hypothesis import given
from hypothesis import strategies as st

from reminisce.adapters.matchers import Re2Matcher
from reminisce.domain.guard.literals import LiteralScan
from reminisce.domain.guard.rule import screens_of
from reminisce.domain.guard.rules import RULES
from reminisce.domain.guard.scan import Scanner
from tests.support.secret_formats import FORMATS, FURTHER
from tests.support.secret_samples import ASIDE, BESIDE, token, told

SCREENS = screens_of(RULES)
PLAIN, FAST = LiteralScan(SCREENS), Re2Matcher(SCREENS)
BOTH = [Scanner(RULES, matcher.present, matcher.runs) for matcher in (PLAIN, FAST)]

FORMS = [(form, name, family) for _, family, name, forms in FORMATS for form in forms] + [
    (form, "=", "") for _, form in FURTHER
]


@st.composite
def secrets(draw: st.DrawFn) -> str:
    """A fake secret in some sentence."""
    form, name, family = draw(st.sampled_from(FORMS))
    shape = "{0}" if name == "=" else draw(st.sampled_from(BESIDE if name else ASIDE))
    return told(shape, token(form, random.Random(draw(st.integers(0, 2**32)))), name or family)


PIECES = st.one_of(
    secrets(),
    st.text(max_size=40),
    st.sampled_from([*SCREENS, *map(str.upper, SCREENS)]),
    st.text("abcXYZ019_-.=:/+%\\ \n\"'", max_size=60),
)
TEXTS = st.lists(PIECES, max_size=8).flatmap(
    lambda pieces: st.sampled_from(["", " ", "\n", "_", "\0"]).map(lambda by: by.join(pieces))
)


@given(TEXTS)
def test_both_matchers_lead_to_the_same_findings(text: str) -> None:
    plainly, fast = (scanner.find(text) for scanner in BOTH)

    assert plainly == fast


@given(TEXTS)
def test_a_finding_lies_within_the_text(text: str) -> None:
    assert all(0 <= match.start < match.end <= len(text) for match in BOTH[0].find(text))


@given(st.text("".join(sorted({letter for literal in SCREENS for letter in literal})), max_size=80))
def test_the_plain_matcher_names_every_literal_that_stands_there(text: str) -> None:
    assert set(PLAIN.present(text)) == {literal for literal in SCREENS if literal in text}
    assert set(FAST.present(text)) <= set(PLAIN.present(text))


@given(secrets(), st.text(max_size=30), st.text(max_size=30))
def test_a_field_is_looked_at_as_if_it_were_alone(secret: str, before: str, after: str) -> None:
    alone = {match.rule for match in BOTH[0].find(secret)}
    together = {
        match.rule for match in BOTH[0].find("\0".join((before.replace("\0", ""), secret, after.replace("\0", ""))))
    }

    assert alone <= together
