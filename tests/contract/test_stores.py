"""Every store of ours through the one suite."""

from tests.support.stores import STORE_CASES

from reminisce.testing import cases
from reminisce.testing.suite import *  # noqa: F403

store_case = cases(*STORE_CASES)
