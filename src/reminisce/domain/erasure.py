"""What erasing leaves of a memory, and what else of it goes: the one list of what is kept."""

from typing import Final

import attrs

from reminisce.domain.memory import Attributes, Erased, Memory
from reminisce.domain.records import LinkKind
from reminisce.domain.values import Status

__all__ = ["KEPT", "KEPT_AS_GIVEN", "LEFT", "WORDED", "without_words"]

KEPT: Final = frozenset(
    {
        "owner", "key", "status", "tier", "subjects", "confidence_thousandths", "salience_thousandths", "recorded_at",
        "revision", "ordinal", "valid_from", "valid_to", "uses", "consolidated_uses", "consolidated_at", "erased",
    }
)  # fmt: skip
"""Of a `Memory`: what stays when its words are erased, beside `KEPT_AS_GIVEN`. Source: the contract's section 7."""

KEPT_AS_GIVEN: Final = frozenset(
    {
        "aspects", "basis", "confidence", "salience", "occurred_at", "due_at", "valid_from", "valid_to", "subjects", "tier",
        "reviewer", "derived_from", "supersedes",
    }
)  # fmt: skip
"""Of its `Attributes`. Links to what it comes from stay, since `why` needs them; what it cites does not."""

LEFT: Final = (
    "key and owner", "aspects", "basis", "confidence and salience", "counts", "times", "tier",
    "status and its history without reasons", "reviewer and actors", "links to subjects, derivations and supersessions",
)  # fmt: skip
"""The same for people, in receipts."""

WORDED: Final = (LinkKind.CONTRADICTION, LinkKind.ASSOCIATION)
"""Links that go with the words of any member: they say something about it, and nothing else needs them."""

_BARE: Final = Attributes(content="")


def without_words(memory: Memory, by: Erased) -> Memory:
    """
    What is left of *memory*: everything not on the list is as if it had never been said.

    Args:
        by: What erases it. A withdrawal that finds it erased already changes nothing, so the first one stays named.
    """
    given = attrs.evolve(_BARE, **{name: getattr(memory.given, name) for name in KEPT_AS_GIVEN})
    kept = {name: getattr(memory, name) for name in KEPT}
    return Memory(**{**kept, "given": given, "status": Status.WITHDRAWN, "erased": by})
