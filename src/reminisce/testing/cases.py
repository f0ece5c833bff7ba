"""A store that the suite is run over."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from reminisce.ports.store import Store

__all__ = ["StoreCase", "cases"]


@attrs.frozen(kw_only=True)
class StoreCase:
    """One adapter: how to open it, and what it says of itself."""

    name: str
    """Part of every test's id, such as ``sqlite``."""

    open: Callable[[Path], Store]
    """
    Opens a store in a folder that is there and holds nothing else. Durable stores: called again with the same folder, also
    while another store of it is open, it opens the same store.
    """

    durable: bool
    """Whether what was committed is there after closing and opening again."""

    examples: int | None = None
    """Programs that the state machine tries. None: what the Hypothesis profile says. Few where opening is slow."""

    lacks: Mapping[str, str] = attrs.field(factory=dict)
    """
    Known gaps: a promise's id to the reason. Its tests must then fail, so that a gap that was closed is noticed.
    """

    @lacks.validator
    def _reasoned(self, _: object, lacks: Mapping[str, str]) -> None:
        if not all(lacks.values()):
            raise ValueError("every gap needs a reason")


def cases(*given: StoreCase) -> Any:
    """
    The fixture ``store_case`` for a test module, one round of the suite for each case.

    Raises:
        ValueError: There is no case, or two have one name: a suite that runs over nothing would pass.
    """
    names = [case.name for case in given]
    if not given or len(set(names)) < len(names):
        raise ValueError("the suite needs at least one case, each with a name of its own")

    @pytest.fixture(scope="session", params=given, ids=names, name="store_case")
    def store_case(request: pytest.FixtureRequest) -> StoreCase:
        case: StoreCase = request.param
        return case

    return store_case
