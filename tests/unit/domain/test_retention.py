"""Forgetting in whole numbers: what exact arithmetic says, rounded once, half to even."""

import datetime as dt
import decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reminisce.domain.retention import age_at, retention, salience_after_uses
from reminisce.errors import InvalidError

MICRO = dt.timedelta(microseconds=1)
DAY, MONTH, CENTURY = dt.timedelta(days=1), dt.timedelta(days=30), dt.timedelta(days=36_525)
NONE = dt.timedelta(0)
EXACT = decimal.Context(prec=120, rounding=decimal.ROUND_HALF_EVEN)

saliences = st.integers(0, 1000)
half_lives = st.one_of(
    st.sampled_from((MICRO, DAY, MONTH, CENTURY)), st.timedeltas(min_value=MICRO, max_value=10 * CENTURY)
)


@st.composite
def spans(draw: st.DrawFn) -> tuple[dt.timedelta, dt.timedelta]:
    """An age and a half-life: mostly a few half-lives, often within a microsecond of a whole number of them."""
    half_life = draw(half_lives)
    whole = draw(st.integers(0, 12)) * half_life
    return draw(
        st.one_of(
            st.timedeltas(min_value=NONE, max_value=12 * half_life),
            st.sampled_from((whole, whole + MICRO, max(NONE, whole - MICRO))),
            st.timedeltas(min_value=NONE, max_value=CENTURY),
        )
    ), half_life


def left(age: dt.timedelta, half_life: dt.timedelta, salience: int) -> int:
    """salience x 0.5^(age / half_life) with 120 digits."""
    halves = EXACT.divide(decimal.Decimal(age // MICRO), decimal.Decimal(half_life // MICRO))
    kept = EXACT.multiply(decimal.Decimal(salience), EXACT.power(decimal.Decimal("0.5"), halves))
    return int(kept.quantize(decimal.Decimal(1), rounding=decimal.ROUND_HALF_EVEN))


@given(spans(), saliences)
def test_what_is_left_is_what_exact_arithmetic_says(span: tuple[dt.timedelta, dt.timedelta], salience: int) -> None:
    assert retention(*span, salience) == left(*span, salience)


@pytest.mark.parametrize(
    ("age", "salience", "expected"),
    [
        (NONE, 1000, 1000),
        (MONTH, 1000, 500),
        (2 * MONTH, 1000, 250),
        (10 * MONTH, 1000, 1),
        (11 * MONTH, 1000, 0),
        (MONTH / 2, 1000, 707),
        (DAY, 1000, 977),
        (MONTH, 0, 0),
        (100 * MONTH, 1000, 0),
    ],
)
def test_a_month_halves_it(age: dt.timedelta, salience: int, expected: int) -> None:
    assert retention(age, MONTH, salience) == expected


@pytest.mark.parametrize(
    ("halves", "salience", "expected"),
    [(1, 1, 0), (1, 3, 2), (1, 5, 2), (1, 999, 500), (2, 2, 0), (2, 6, 2), (3, 4, 0)],
)
def test_a_tie_goes_to_the_even_one(halves: int, salience: int, expected: int) -> None:
    assert Fraction(salience, 2**halves).denominator == 2
    assert retention(halves * MONTH, MONTH, salience) == expected


@pytest.mark.parametrize(("beside", "expected"), [(-MICRO, 1), (NONE, 0), (MICRO, 0)])
def test_a_microsecond_beside_a_tie_decides_it(beside: dt.timedelta, expected: int) -> None:
    assert retention(MONTH + beside, MONTH, 1) == expected


@given(st.lists(st.timedeltas(min_value=-CENTURY, max_value=CENTURY), min_size=2, max_size=5), half_lives, saliences)
def test_what_is_older_keeps_no_more(ages: list[dt.timedelta], half_life: dt.timedelta, salience: int) -> None:
    kept = [retention(age, half_life, salience) for age in sorted(ages)]

    assert kept == sorted(kept, reverse=True)
    assert all(0 <= one <= salience for one in kept)


@given(spans(), saliences, saliences)
def test_what_was_more_stays_no_less(span: tuple[dt.timedelta, dt.timedelta], one: int, other: int) -> None:
    assert retention(*span, min(one, other)) <= retention(*span, max(one, other))


@given(st.timedeltas(), saliences)
def test_no_half_life_is_no_decay(age: dt.timedelta, salience: int) -> None:
    assert retention(age, NONE, salience) == salience


@given(st.timedeltas(max_value=NONE), half_lives, saliences)
def test_what_is_not_older_yet_loses_nothing(age: dt.timedelta, half_life: dt.timedelta, salience: int) -> None:
    assert retention(age, half_life, salience) == salience


@example(dt.timedelta.max, dt.timedelta.max, 1000)
@example(dt.timedelta.max, MICRO, 1000)
@example(MICRO, dt.timedelta.max, 1000)
@given(st.timedeltas(min_value=NONE), st.timedeltas(min_value=NONE), saliences)
def test_any_length_of_time_is_answered(age: dt.timedelta, half_life: dt.timedelta, salience: int) -> None:
    assert 0 <= retention(age, half_life, salience) <= salience


@pytest.mark.parametrize("salience", [-1, 1001, True, 0.5, "500", None])
def test_what_is_no_salience_is_refused(salience: object) -> None:
    with pytest.raises(InvalidError) as refused:
        retention(DAY, MONTH, salience)  # type: ignore[arg-type]

    assert refused.value.fields == ("salience",)


def test_a_negative_half_life_is_refused() -> None:
    with pytest.raises(InvalidError) as refused:
        retention(DAY, -MICRO, 500)

    assert refused.value.fields == ("half_life",)


@given(half_lives, st.integers(1, 1000), st.integers(1, 1000))
def test_the_age_at_which_so_much_is_left_is_what_exact_arithmetic_says(
    half_life: dt.timedelta, one: int, other: int
) -> None:
    salience, kept = max(one, other), min(one, other)
    halves = EXACT.divide(
        EXACT.ln(EXACT.divide(decimal.Decimal(salience), decimal.Decimal(kept))), EXACT.ln(decimal.Decimal(2))
    )
    exact = EXACT.multiply(decimal.Decimal(half_life // MICRO), halves)

    age = age_at(half_life, salience, kept)

    # Rounded down to the microsecond; a whole number of half-lives is hit only up to the last digit.
    assert -1 <= decimal.Decimal(age // MICRO) - exact <= decimal.Decimal("1e-30")


@given(st.timedeltas(min_value=DAY, max_value=CENTURY), st.integers(1, 1000), st.integers(1, 1000))
def test_so_much_is_left_at_the_age_at_which_it_should_be(half_life: dt.timedelta, one: int, other: int) -> None:
    salience, kept = max(one, other), min(one, other)

    assert retention(age_at(half_life, salience, kept), half_life, salience) == kept


@given(saliences, st.integers(0, 10_000))
def test_each_use_closes_a_tenth_of_what_is_missing(salience: int, uses: int) -> None:
    # Python rounds fractions half to even. Far more uses than leave anything: those need no power of their own.
    assert salience_after_uses(salience, uses) == round(1000 - (1000 - salience) * Fraction(9, 10) ** min(uses, 500))


@pytest.mark.parametrize(
    ("salience", "uses", "expected"),
    [
        (500, 0, 500),
        (500, 1, 550),
        (500, 10, 826),
        (0, 1, 100),
        (1000, 5, 1000),
        (995, 1, 996),
        (985, 1, 986),
        (0, 200, 1000),
    ],
)
def test_uses_raise_it(salience: int, uses: int, expected: int) -> None:
    assert salience_after_uses(salience, uses) == expected


@given(saliences, saliences, st.integers(0, 300), st.integers(0, 300))
def test_more_uses_of_what_was_more_leave_no_less(one: int, other: int, few: int, more: int) -> None:
    low, high = sorted((one, other))
    seldom, often = sorted((few, more))

    assert low <= salience_after_uses(low, seldom) <= salience_after_uses(high, often) <= 1000
