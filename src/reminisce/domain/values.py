"""The small words of the domain: tiers, bases, statuses, destinations, thousandths."""

import decimal
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

__all__ = ["DEFAULT_ASPECTS", "Basis", "Destination", "Status", "Tier", "decimal_of", "strictest", "thousandths"]


class Tier(StrEnum):
    """How far a memory's text may travel. Strictness grows downwards."""

    OPEN = "open"
    REDACTED = "redacted"
    PRIVATE = "private"


_STRICTNESS: Final = {tier: place for place, tier in enumerate(Tier)}


def strictest(tiers: Iterable[Tier]) -> Tier:
    """The strictest of *tiers*; ``open`` when there are none."""
    return max(tiers, key=_STRICTNESS.__getitem__, default=Tier.OPEN)


class Basis(StrEnum):
    """On what a memory stands."""

    OBSERVED = "observed"
    TOLD = "told"
    INFERRED = "inferred"
    GENERATED = "generated"
    IMPORTED = "imported"


class Status(StrEnum):
    """Where a memory is in its life. Recall and recent show `ACTIVE` ones only."""

    ACTIVE = "active"
    HELD = "held"
    REJECTED = "rejected"
    RETIRED = "retired"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


class Destination(StrEnum):
    """Where text is going. Fixed when a face starts, never a caller's argument."""

    LOCAL = "local"
    REMOTE = "remote"


DEFAULT_ASPECTS: Final = ("episodic", "semantic", "procedural", "prospective", "autobiographical")


_ARITHMETIC: Final = decimal.Context(prec=64, rounding=decimal.ROUND_HALF_EVEN, traps=[])
"""Our own, since a host may have set another for its own sums. No share that matters has 64 digits."""


def thousandths(value: float | decimal.Decimal) -> int | None:
    """
    A share in [0, 1] as whole thousandths, half to even; None when it is outside or no number.

    Floats are read by their shortest decimal form, so that 0.0005 is half a thousandth on every platform.
    """
    if isinstance(value, decimal.Decimal) and not value.is_finite():
        return None
    # Before anything is made a text of: a whole number may have more digits than Python will write.
    if not 0 <= value <= 1:
        return None
    exact = decimal.Decimal(str(value)).scaleb(3, context=_ARITHMETIC)
    return int(exact.quantize(decimal.Decimal(1), context=_ARITHMETIC))


def decimal_of(value: int) -> float:
    """Whole thousandths as the decimal that people write: 850 as 0.85."""
    return value / 1000
