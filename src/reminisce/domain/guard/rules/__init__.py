"""Every rule, a file for each group of vendors."""

from typing import Final

from reminisce.domain.guard.rule import Rule
from reminisce.domain.guard.rules import ai, cloud, code, commerce, common, comms

__all__ = ["RULES"]

RULES: Final[tuple[Rule, ...]] = (
    *ai.RULES,
    *cloud.RULES,
    *code.RULES,
    *commerce.RULES,
    *comms.RULES,
    *common.RULES,
)
