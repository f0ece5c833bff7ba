"""What is told of backups, restores and copies."""

import attrs

__all__ = ["BackedUp", "Copied", "Restored"]


@attrs.frozen(kw_only=True)
class BackedUp:
    """What a backup holds."""

    path: str
    digest: str
    """64 hexadecimal digits, which the last line tells: equal states of a store give equal ones."""

    owners: int
    commits: int
    memories: int
    links: int
    subjects: int
    sealed: int
    """Memories whose words are sealed under subjects' keys: to bring them back takes the keyring."""

    keyring: int
    """The number of the keyring that opens it, or of a later one."""

    notices: tuple[str, ...] = ()
    """What to know of this file, a sentence each."""


@attrs.frozen(kw_only=True)
class Restored:
    """What a restore brought back."""

    owners: int
    commits: int
    memories: int
    links: int
    """Those of the backup; what of them is gone is counted below."""

    subjects: int

    redacted: int
    """Memories of which only the redacted form could be brought back."""

    dropped: int
    """Contradictions and associations of such memories, which went with their words."""

    withdrawn: tuple[str, ...]
    """Subjects whose keys are destroyed: they were withdrawn since, and are withdrawn in the store now. Sorted."""

    missing: tuple[str, ...]
    """Subjects whose keys the keyring lacks, though nobody destroyed them. Sorted."""


@attrs.frozen(kw_only=True)
class Copied:
    """What a copy brought over."""

    digest: str
    """Of the canonical records of both stores, 64 hexadecimal digits."""

    owners: int
    commits: int
    memories: int
    links: int
    subjects: int
