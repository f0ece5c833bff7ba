"""
The contract suite for stores, for people who write their own.

A test module of three statements runs all of it::

    from reminisce.testing import StoreCase, cases
    from reminisce.testing.suite import *

    store_case = cases(StoreCase(name="mine", open=lambda folder: MyStore(folder / "memory.db"), durable=True))

Forgetting ``store_case`` is an error in every test, and `cases` refuses to be given none. What a store knowingly lacks is
named in its case, with a reason; those tests must then fail. The suite needs pytest and Hypothesis; how many programs its
state machine tries is the Hypothesis profile's affair. The stand-ins here (`FixedClock`, `CountingIdentifiers`,
`PlainAnalyser`) are for your other tests.
"""

import pytest

# Before the suite is imported, so that its assertions tell what they saw wherever it is installed.
pytest.register_assert_rewrite("reminisce.testing.suite", "reminisce.testing.model")

from reminisce.testing.cases import StoreCase, cases  # noqa: E402
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock, PlainAnalyser  # noqa: E402

__all__ = ["NOON", "CountingIdentifiers", "FixedClock", "PlainAnalyser", "StoreCase", "cases"]
