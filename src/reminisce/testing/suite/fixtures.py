"""What the tests stand on: the case, and a fresh store of it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from reminisce.ports.store import Store
from reminisce.testing.cases import StoreCase
from reminisce.testing.promises import KNOWN, promises_of

__all__ = ["case", "durable", "opening", "store"]


@pytest.fixture
def case(request: pytest.FixtureRequest, store_case: StoreCase) -> StoreCase:
    """The case, once a test: a test of something that the case says it lacks must fail."""
    unknown = set(store_case.lacks) - KNOWN
    if unknown:
        raise ValueError(f"no test checks {', '.join(sorted(unknown))}: a gap must name a promise")
    for name in promises_of(request.function):
        if name in store_case.lacks:
            request.applymarker(pytest.mark.xfail(reason=store_case.lacks[name], strict=True))
    return store_case


@pytest.fixture
def opening(case: StoreCase, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the test's store, again and again if asked; what the test left open is closed after it."""
    with ExitStack() as opened:

        def once_more() -> Store:
            return opened.enter_context(closing(case.open(tmp_path)))

        yield once_more


@pytest.fixture
def store(opening: Callable[[], Store]) -> Store:
    """A fresh store."""
    return opening()


@pytest.fixture
def durable(case: StoreCase, opening: Callable[[], Store]) -> Callable[[], Store]:
    """`opening`, where the case keeps anything beyond closing."""
    if not case.durable:
        pytest.skip(f"{case.name} keeps nothing beyond closing, and says so")
    return opening
