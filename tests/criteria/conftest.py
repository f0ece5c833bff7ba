"""What the criteria share: a store of each kind, in a folder of its own."""

import pytest

from reminisce.testing import StoreCase
from tests.support.stores import STORE_CASES


@pytest.fixture(params=STORE_CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> StoreCase:
    """Every adapter in turn."""
    given: StoreCase = request.param
    return given
