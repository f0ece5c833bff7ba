"""The suite fails a store that breaks a promise, and fails it by that promise."""

from collections.abc import Callable, Iterator
from inspect import signature
from itertools import product
from typing import Any

import pytest

from reminisce import ReminisceError
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.testing import suite
from reminisce.testing.promises import promises_of
from tests.support.liars import LIARS


def _calls(test: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    """The arguments of each of a test's parametrised calls, without the store."""
    choices = []
    for mark in getattr(test, "pytestmark", ()):
        names, values = mark.args
        names = [names] if isinstance(names, str) else names
        choices.append([dict(zip(names, value if len(names) > 1 else [value], strict=True)) for value in values])
    for chosen in product(*choices):
        yield {name: value for part in chosen for name, value in part.items()}


def _broken(make: Callable[[str], InMemoryStore], promise: str) -> list[str]:
    broken = []
    for part in suite.PARTS:
        for name, test in vars(part).items():
            if (
                not name.startswith("test_")
                or promise not in promises_of(test)
                or "store" not in signature(test).parameters
            ):
                continue
            for arguments in _calls(test):
                try:
                    test(make("0" * 32), **arguments)
                except (AssertionError, LookupError, ReminisceError, pytest.fail.Exception):
                    broken.append(name)
    return broken


@pytest.mark.parametrize(("make", "promise"), LIARS.values(), ids=LIARS)
def test_a_store_that_breaks_a_promise_fails_its_tests(make: Callable[[str], InMemoryStore], promise: str) -> None:
    assert _broken(make, promise) != []
    assert _broken(InMemoryStore, promise) == []
