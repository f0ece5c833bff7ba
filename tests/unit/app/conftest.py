"""What the tests of the service share."""

from collections.abc import Iterator

import pytest

from reminisce import Memories, Owner, open_memory


@pytest.fixture
def memories() -> Iterator[Memories]:
    with open_memory(":memory:") as memories:
        yield memories


@pytest.fixture
def alice(memories: Memories) -> Owner:
    return memories.owner("agent:alice")
