"""Readiness 9. Egress: no private word reaches a remote bundle, nor any other output of a face whose text leaves."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reminisce import Store
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.testing import StoreCase
from tests.support.outputs import (
    FULL,
    REMOTES,
    WORD,
    Known,
    Planted,
    Remote,
    forms_of,
    lives,
    logged,
    outputs,
    telling,
    told_over_mcp,
)

STEPS = 12
"""What becomes of the first memories of a random life, in steps. A campaign raises it, and Hypothesis' examples."""

names = [f"{remote.audience or 'owner'}{' masked' if remote.masks else ''}" for remote in REMOTES]


@pytest.fixture
def store(case: StoreCase, tmp_path: Path) -> Iterator[Store]:
    with closing(case.open(tmp_path)) as store:
        yield store


def private_words(life: Planted) -> set[str]:
    """What is in private memories and in no other, whoever asks."""
    told = {"private": set[str](), "other": set[str]()}
    for record in life.records():
        kind = "private" if record.memory.tier == "private" else "other"
        told[kind] |= set(WORD.findall(repr(record)))
    return told["private"] - told["other"]


def leaving(life: Planted, remote: Remote) -> set[str]:
    """Every planted word in any output of a face, its logs and its server."""
    known = Known(tuple(record.memory.key for record in life.records()), life.owner.revision())
    far = life.world.memories(face=remote.face())
    with logged() as lines:
        sent = anyio.run(told_over_mcp, far, known)
        # What is walked last closes the store.
        told = list(outputs(far, known))
    return set(WORD.findall("\n".join([*lines, *(text for _, text in (*sent, *told))])))


@pytest.mark.parametrize("remote", REMOTES, ids=names)
def test_no_word_that_may_not_leave_does_on_any_store(store: Store, remote: Remote) -> None:
    life = Planted(store).live(FULL)
    secret, allowed = private_words(life), telling(life, remote)
    forms = list(forms_of(life, remote).values())

    found = leaving(life, remote)

    assert (len(secret) >= 20, forms.count("hidden") >= 5, forms.count("whole") >= 3) == (True, True, True)
    assert found & secret == set()
    assert found - allowed == set()
    # The canaries live: what may leave does.
    assert len(found) >= len(allowed) // 2 > 0


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(life=lives(STEPS), remote=st.sampled_from(REMOTES))
def test_no_private_word_reaches_a_remote_bundle_whatever_was_kept(
    life: list[tuple[str, object]], remote: Remote
) -> None:
    world = Planted(InMemoryStore("0" * 32)).live(life)
    far = world.world.owner(face=remote.face())
    asked = [None, "tea", *sorted(private_words(world))]

    bundles = [far.bundle(query, k=1_000, budget=budget) for query in asked for budget in (6, 10_000)]

    words = set(WORD.findall(repr(bundles)))
    assert words & private_words(world) == set()
    assert words <= telling(world, remote)


def test_the_owner_itself_is_told_at_home(store: Store) -> None:
    life = Planted(store).live(FULL)

    told = repr(life.owner.bundle(None, k=1_000, budget=10_000))

    assert set(WORD.findall(told)) & private_words(life)
    assert re.search(WORD, told)
