"""A store that knows nothing of this package but its ports and its pure state passes the same suite."""

from reminisce.testing import StoreCase, cases
from reminisce.testing.suite import *  # noqa: F403
from tests.support.outside_store import ReplayStore

store_case = cases(StoreCase(name="outside", open=lambda folder: ReplayStore(folder / "commits.db"), durable=True))
