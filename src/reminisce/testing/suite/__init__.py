"""Every test of the contract, gathered for ``from reminisce.testing.suite import *``."""

from types import ModuleType
from typing import Any, Final

from reminisce.testing.suite import (
    basics,
    beliefs,
    closing,
    commits,
    concurrency,
    dropping,
    durability,
    erasing,
    fences,
    fields,
    fixtures,
    links,
    machine,
    pieces,
    scrubbing,
    streams,
    subjects,
    values,
    views,
)

PARTS: Final[tuple[ModuleType, ...]] = (
    basics,
    values,
    links,
    beliefs,
    commits,
    fences,
    views,
    streams,
    fields,
    pieces,
    subjects,
    erasing,
    dropping,
    scrubbing,
    closing,
    concurrency,
    durability,
    machine,
)


def _gathered() -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(fixtures, name) for name in fixtures.__all__}
    for part in PARTS:
        for name, test in vars(part).items():
            if name.startswith("test_"):
                if name in found:
                    raise ValueError(f"two tests are called {name}: one would hide the other")
                found[name] = test
    return found


globals().update(_gathered())

__all__ = sorted(_gathered())
