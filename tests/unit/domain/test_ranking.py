"""The ranking's arithmetic: whole numbers that follow the real ones."""

import math

from hypothesis import given
from hypothesis import strategies as st

from reminisce.domain.ranking import covered, episode_share, information, log2, occurrence, support

counts = st.integers(1, 10**7)


@given(st.integers(1, 2**60), st.integers(1, 2**60))
def test_log2_follows_the_real_logarithm_from_below(a: int, b: int) -> None:
    large, small = max(a, b), min(a, b)

    real = (math.log2(large) - math.log2(small)) * 65536

    assert -1.01 <= log2(large, small) - real <= 0.01


@given(counts, st.data())
def test_a_rarer_term_tells_no_less(count: int, data: st.DataObject) -> None:
    often = data.draw(st.integers(0, count))
    seldom = data.draw(st.integers(0, often))

    assert information(count, seldom) >= information(count, often) >= 1


@given(times=st.integers(1, 254), length=st.integers(1, 20_000), count=counts, average=st.integers(1, 1_000))
def test_more_occurrences_never_count_less_and_longer_texts_never_more(
    times: int, length: int, count: int, average: int
) -> None:
    total = count * average

    once = occurrence(times, length, count, total)

    assert occurrence(times + 1, length, count, total) >= once
    assert occurrence(times, length + 1, count, total) <= once
    assert 0 <= once <= 1024 * 1.9


def test_bm25_is_what_the_papers_say() -> None:
    real = 2 * 1.9 / (2 + 0.9 * (0.6 + 0.4 * 10 / 12.5))

    assert abs(occurrence(2, 10, 4, 50) / 1024 - real) < 0.001


@given(points=st.integers(0, 10**9), found=st.integers(1, 10**6), missing=st.integers(0, 10**6))
def test_coverage_takes_at_most_half(points: int, found: int, missing: int) -> None:
    own = covered(points, found, found + missing)

    assert points // 2 <= own <= points


def test_the_better_side_lends_at_each_distance() -> None:
    assert support([100, 0, 40], [60, 80]) == 50 + 20 + 4


def test_nothing_beside_lends_nothing() -> None:
    assert support([], []) == 0


def test_an_episode_lends_a_share_of_what_it_tells() -> None:
    assert episode_share([100, 50]) == 45
