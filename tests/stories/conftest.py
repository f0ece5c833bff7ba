"""Every story begins on the first of January 2026, with nothing known."""

import pytest

from reminisce.adapters.inmemory import InMemoryStore
from reminisce.testing.fakes import FixedClock
from tests.stories.telling import on
from tests.unit.app.worlds import World


@pytest.fixture
def world() -> World:
    return World(InMemoryStore("0" * 32), FixedClock(on("2026-01-01")))
