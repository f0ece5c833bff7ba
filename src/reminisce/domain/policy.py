"""What a host's policy may say of a memory that is to be kept."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

import attrs

from reminisce.domain.memory import Memory
from reminisce.domain.values import Tier

__all__ = ["CODE", "Allow", "Draft", "Hold", "Refuse", "Rules", "Unruled", "Verdict"]


CODE: Final = re.compile(r"[a-z0-9_]{1,64}")
"""What a policy may answer as its code: a word, so that no host's text reaches a caller by this way."""


@attrs.frozen
class Allow:
    """Keep it."""


@attrs.frozen
class Hold:
    """Keep it out of every recall until somebody has reviewed it."""

    reason: str
    """Kept in the memory's history; at most 4 KiB."""


@attrs.frozen
class Refuse:
    """Do not keep it."""

    code: str
    """What the caller is told: 1 to 64 small letters, digits and underscores."""


Verdict = Allow | Hold | Refuse


class Draft(NamedTuple):
    """What a verdict was given on. With another tier or other subjects in force it is another question."""

    key: str
    tier: Tier
    subjects: tuple[str, ...]

    @classmethod
    def of(cls, memory: Memory) -> "Draft":
        """What is asked about *memory*."""
        return cls(memory.key, memory.tier, memory.subjects)


@attrs.frozen
class Rules:
    """What the host decides about new memories."""

    review_aspects: frozenset[str] = frozenset()
    """A memory with one of these waits for review."""

    verdicts: Mapping[Draft, Verdict] | None = None
    """What the policy has said so far in this request; None where there is no policy."""


class Unruled(Exception):  # noqa: N818 (no error: the planner's way to say what it needs to know first)
    """
    The policy has to be asked about these first; then the request is planned again.

    A planner can ask nobody: slow work comes before the view that it plans in.
    """

    def __init__(self, drafts: tuple[Memory, ...]) -> None:
        super().__init__()
        self.drafts = drafts
