"""What the tests of the service share."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from reminisce import Memories, Owner, open_memory
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.testing import StoreCase
from tests.support.stores import STORE_CASES
from tests.unit.app.worlds import World


@pytest.fixture
def memories() -> Iterator[Memories]:
    with open_memory(":memory:") as memories:
        yield memories


@pytest.fixture
def alice(memories: Memories) -> Owner:
    return memories.owner("agent:alice")


@pytest.fixture(params=STORE_CASES, ids=lambda case: case.name)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """Over every store, since the same rules hold on each."""
    case: StoreCase = request.param
    with closing(case.open(tmp_path)) as store:
        yield World(store)


@pytest.fixture
def quick() -> World:
    """Over the store in the process alone, for what no store has a part in."""
    return World(InMemoryStore("0" * 32))


@pytest.fixture
def ann(world: World) -> Owner:
    """The owner itself, on its own machine."""
    return world.owner()
