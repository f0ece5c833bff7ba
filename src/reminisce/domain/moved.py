"""What imports and exports answer."""

import attrs

__all__ = ["Bad", "Exported", "Imported"]


@attrs.frozen
class Bad:
    """What could not be imported, and why."""

    line: int
    """Counted from 1, as editors do."""

    code: str
    problem: str
    file: str | None = None
    """Of a folder: which of its files, with ``/`` between the names."""


@attrs.frozen(kw_only=True)
class Imported:
    """What an import did."""

    created: int
    corrected: int
    """Memories that another one now stands in the place of, since the file says something else."""

    reinstated: int
    """Sections of documents that are back."""

    retired: int
    """Sections that their document no longer has."""

    unchanged: int
    """Those whose memory was there already."""

    passed_over: int
    """Files that are no texts by their names."""

    bad: tuple[Bad, ...]
    ignored: tuple[str, ...]
    """Names in the records that an import never sets, sorted."""

    revision: int


@attrs.frozen
class Exported:
    """What an export wrote."""

    memories: int
    revision: int
    """The owner's revision that was written."""
