"""What erasures answer."""

import attrs

__all__ = ["Receipt", "Scrubbed"]


@attrs.frozen
class Receipt:
    """What an erasure did, and what it left."""

    subject: str | None
    """Of a withdrawal or purge: whose words."""

    state: str | None
    """What became of the subject: ``withdrawn`` or ``purged``."""

    memories: int
    """Memories whose words this call erased."""

    unchanged: int
    """Memories whose words were gone before."""

    links: int
    """Contradictions and associations that went with the words."""

    notes: int
    """Notes of working memory in this process that went."""

    revisions: tuple[tuple[str, int], ...]
    """Each owner that was written for, with its revision after the call. Sorted."""

    kept: tuple[str, ...]
    """What stays of each memory, on purpose."""

    derived: tuple[str, ...] = ()
    """Of an erasure by name: memories derived from these that keep their words. Sorted."""

    waits: tuple[str, ...] = ()
    """What is still to be done before nothing is left in any byte, a sentence each."""


@attrs.frozen
class Scrubbed:
    """What a scrub left to be done."""

    waits: tuple[str, ...]
    """A sentence each; empty: nothing of any erased word is left in the store's files."""
