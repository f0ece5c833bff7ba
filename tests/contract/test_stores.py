"""Every store of ours through the one suite."""

from reminisce.testing import cases
from reminisce.testing.suite import *  # noqa: F403
from tests.support.stores import STORE_CASES

store_case = cases(*STORE_CASES)
