"""One store into another."""

from collections.abc import Iterable, Iterator

from reminisce.app.service.backup_lines import BackupLines
from reminisce.app.service.core import Core
from reminisce.app.service.reading_back import ReadBack
from reminisce.app.service.restoring import Restoring
from reminisce.domain.backups import Copied
from reminisce.domain.snapshot import Snapshot
from reminisce.errors import InvalidError, StoreDamagedError
from reminisce.ports.store import Store

__all__ = ["copied"]


def copied(source: Store, core: Core, target: Store) -> Copied:
    """
    Bring all of one store into another.

    Args:
        core: The target's.
        target: Not yet the whole one: this is what half restores it.
    """
    with source.view() as view:
        with target.view() as there:
            if there.incarnation() == view.incarnation():
                raise InvalidError.of("target", "same", "must be another store")
        passes: list[BackupLines] = []

        def lines() -> Iterator[bytes]:
            passes.append(BackupLines(view, None))
            return (line[:-1] for line in passes[-1])

        def check() -> None:
            refs = frozenset(subject.ref for subject in view.all_subjects())
            with target.view() as now:
                if _digest(now, (frozenset(view.owners()), refs)) != passes[0].body:
                    raise StoreDamagedError("what was copied differs from what it was copied from")

        told = Restoring(core, target, lines, _reader, check=check).restore()
    return Copied(
        digest=passes[0].body,
        owners=told.owners,
        commits=told.commits,
        memories=told.memories,
        links=told.links,
        subjects=told.subjects,
    )


def _reader(gone: Iterable[str]) -> ReadBack:
    return ReadBack(None, None, gone=gone, copied=True)


def _digest(view: Snapshot, only: tuple[frozenset[str], frozenset[str]]) -> str:
    """Of the canonical records of part of a store, with nothing sealed."""
    lines = BackupLines(view, None, only=only)
    for _ in lines:
        pass
    return lines.body
