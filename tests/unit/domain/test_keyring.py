"""The keyring as a value: what is destroyed stays so, in whatever order it is learnt."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reminisce.domain.keyring import Keyring

STORE = "5" * 32
NAMES = [letter * 32 for letter in "abcdef"]
KEYS = {name: bytes([number]) * 32 for number, name in enumerate(NAMES)}

keyrings = st.builds(
    lambda number, held, destroyed: Keyring(
        store=STORE, number=number, keys={name: KEYS[name] for name in held}, destroyed=destroyed
    ),
    st.integers(0, 5),
    st.frozensets(st.sampled_from(NAMES)),
    st.frozensets(st.sampled_from(NAMES)),
)
"""An id has the same key wherever it is held, as ids are drawn at random."""


def known(keyring: Keyring) -> tuple[Any, ...]:
    return keyring.number, dict(keyring.keys), keyring.destroyed


@given(keyring=keyrings)
def test_no_key_is_held_that_is_destroyed(keyring: Keyring) -> None:
    assert not set(keyring.keys) & keyring.destroyed


@given(one=keyrings, other=keyrings)
def test_merging_knows_what_either_does_and_destroyed_wins(one: Keyring, other: Keyring) -> None:
    merged = one.merged(other)

    assert merged.destroyed == one.destroyed | other.destroyed
    assert set(merged.keys) == (set(one.keys) | set(other.keys)) - merged.destroyed
    assert all(key == KEYS[name] for name, key in merged.keys.items())


@given(one=keyrings, other=keyrings)
def test_merging_is_the_same_from_either_side(one: Keyring, other: Keyring) -> None:
    assert known(one.merged(other)) == known(other.merged(one))


@given(one=keyrings, other=keyrings, third=keyrings)
def test_merging_in_any_order_knows_the_same(one: Keyring, other: Keyring, third: Keyring) -> None:
    assert known(one.merged(other).merged(third))[1:] == known(one.merged(other.merged(third)))[1:]


@given(one=keyrings, other=keyrings)
def test_merging_again_changes_nothing(one: Keyring, other: Keyring) -> None:
    merged = one.merged(other)

    assert known(merged.merged(other)) == known(merged.merged(one)) == known(merged)


@given(one=keyrings, other=keyrings)
def test_a_number_stands_for_one_content(one: Keyring, other: Keyring) -> None:
    merged = one.merged(other)

    assert merged.number >= max(one.number, other.number)
    for before in (one, other):
        assert merged.number > before.number or known(merged) == known(before)


@given(keyring=keyrings, names=st.frozensets(st.sampled_from(NAMES)))
def test_what_is_destroyed_is_never_held_again(keyring: Keyring, names: frozenset[str]) -> None:
    destroyed = keyring.destroying(names)

    assert names <= destroyed.destroyed
    assert not names & set(destroyed.holding(KEYS).keys)
    assert destroyed.number == keyring.number + (not names <= keyring.destroyed)


@given(keyring=keyrings)
def test_holding_what_is_held_changes_nothing(keyring: Keyring) -> None:
    assert keyring.holding(keyring.keys) is keyring


def test_another_key_of_the_same_id_is_refused() -> None:
    held = Keyring(store=STORE).holding({NAMES[0]: bytes(32)})

    with pytest.raises(ValueError, match="two keys"):
        held.holding({NAMES[0]: b"1" * 32})
    with pytest.raises(ValueError, match="two keys"):
        held.merged(Keyring(store=STORE, keys={NAMES[0]: b"1" * 32}))


@pytest.mark.parametrize(
    "wrong",
    [
        {"store": "A" * 32},
        {"store": "a" * 31},
        {"number": -1},
        {"number": 2**63},
        {"keys": {"short": bytes(32)}},
        {"keys": {NAMES[0]: bytes(31)}},
        {"destroyed": {"a" * 32 + "\n"}},
    ],
    ids=str,
)
def test_what_is_no_keyring_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Keyring(**{"store": STORE, **wrong})


def test_a_keyring_shows_no_key() -> None:
    shown = repr(Keyring(store=STORE, keys=KEYS))

    assert not any(repr(key)[2:-1] in shown or key.hex() in shown for key in KEYS.values())


def test_a_keyring_does_not_change_with_what_it_was_made_of() -> None:
    given_keys = dict(KEYS)
    keyring = Keyring(store=STORE, keys=given_keys)

    given_keys.clear()

    assert keyring.keys == KEYS
