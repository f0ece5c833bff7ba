"""Cursors: opaque, bounded, and never an opening."""

import base64
import json
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reminisce.domain.cursor import MOST, Cursor, Ground, read_cursor, written
from reminisce.errors import CursorExpiredError, InvalidError

GROUND = Ground("0" * 32, "agent:alice", 0, 0, "f" * 16)


@given(st.integers(0, 10**6), st.integers(-(2**63), 2**63), st.text(max_size=64))
def test_a_cursor_comes_back_as_it_was(revision: int, rank: int, key: str) -> None:
    cursor = Cursor(revision, rank, key)

    assert read_cursor(written(cursor, GROUND), GROUND, revision) == cursor


def test_the_longest_cursor_is_within_its_bound() -> None:
    text = written(Cursor(2**63, -(2**63), '"' * 256), GROUND)

    assert len(text) <= MOST


@given(st.one_of(st.text(max_size=200), st.binary(max_size=100).map(lambda b: base64.urlsafe_b64encode(b).decode())))
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidError):
        read_cursor(text, GROUND, 10)


@pytest.mark.parametrize(
    "parts", [[1, True, 0, "k", "f" * 16, "x"], [1, 1, "0", "k", "f" * 16, "x"], [2, 1, 0, "k", "", ""], {}]
)
def test_a_forged_shape_is_refused(parts: object) -> None:
    with pytest.raises(InvalidError):
        read_cursor(base64.urlsafe_b64encode(json.dumps(parts).encode()).decode(), GROUND, 10)


@pytest.mark.parametrize(
    "changed", [{"incarnation": "1" * 32}, {"owner": "agent:bob"}, {"erasure": 1}, {"consents": 1}]
)
def test_a_cursor_expires_when_its_ground_moves(changed: dict[str, Any]) -> None:
    text = written(Cursor(1, 0, "k"), GROUND)

    with pytest.raises(CursorExpiredError):
        read_cursor(text, attrs.evolve(GROUND, **changed), 10)


def test_a_revision_that_is_not_yet_is_expired() -> None:
    with pytest.raises(CursorExpiredError):
        read_cursor(written(Cursor(11, 0, "k"), GROUND), GROUND, 10)


def test_a_cursor_that_was_changed_is_expired() -> None:
    parts = json.loads(base64.urlsafe_b64decode(written(Cursor(5, 7, "k"), GROUND)))
    parts[1] = 1

    with pytest.raises(CursorExpiredError):
        read_cursor(base64.urlsafe_b64encode(json.dumps(parts).encode()).decode(), GROUND, 10)
