"""A backup into a store: looked through whole, then written in commits, taken up again where it was interrupted."""

from collections.abc import Callable, Iterable

from reminisce.app.service.bringing import LINES, Batch, Bringing
from reminisce.app.service.core import Core
from reminisce.app.service.reading_back import Person, ReadBack
from reminisce.app.service.whole import MARK
from reminisce.codec.backup import End, Header, OwnerLine
from reminisce.domain.backups import Restored
from reminisce.domain.changes import Commit, Fence, FenceKind
from reminisce.domain.snapshot import Snapshot
from reminisce.errors import ConflictError, OwnersThereError, StoreHalfRestoredError
from reminisce.ports.store import Store

__all__ = ["Restoring"]


class Restoring:
    """
    Writes one backup into a store.

    Args:
        store: Not yet the whole one: this is what half restores it.
        lines: Opens the backup's lines, without their ends, from the first; called once for each pass over them.
        reader: Makes what reads them; called once for each pass, with the ids of keys that the store knows as destroyed.
        extra: Ids of keys to be known as destroyed afterwards, whatever the backup tells.
        check: Looks at all that was written before anybody else may use it; raises what is wrong.
    """

    def __init__(
        self,
        core: Core,
        store: Store,
        lines: Callable[[], Iterable[bytes]],
        reader: Callable[[Iterable[str]], ReadBack],
        *,
        extra: Iterable[str] = (),
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._core = core
        self._store = store
        self._lines = lines
        self._reader = reader
        self._extra = frozenset(extra)
        self._check = check
        self._gone: frozenset[str] = frozenset()
        self._end = End(digest="")
        self._done = 0
        self._mark = 0
        self._clashes = False
        """Whether the store has some of its owners or subjects; also where it has them from this restore."""

    def restore(self) -> Restored:
        """
        Look through all of it, and bring it in.

        Raises:
            BackupError, SealBrokenError: It cannot be brought in. Nothing was written.
            OwnersThereError: The store holds some of its owners or subjects.
            StoreHalfRestoredError: Another backup is only half restored into this store.
            ConflictError: Others wrote at the same time, or restored the same backup.
        """
        with self._store.view() as view:
            there = _there(view)
            self._gone = frozenset(view.keyring()[1])
        header, told = self._survey(*there)
        if not self._taken_up():
            if self._clashes:
                raise OwnersThereError
            self._begin(header, there)
        elif self._done == 1 and self._clashes:
            # Somebody wrote just before it began, and it was stopped before it saw that.
            self._close()
            raise OwnersThereError
        self._write()
        self._check()
        self._close()
        return told

    @property
    def _progress(self) -> Fence:
        """How many lines are there. Its name tells a later restore of the same backup from this one."""
        return Fence(FenceKind.RESTORING, f"{self._end.digest}:{self._mark}")

    def _taken_up(self) -> bool:
        """Whether a restore of this backup is under way in the store, to be gone on with."""
        with self._store.view() as view:
            self._mark = view.fences([MARK])[MARK]
            self._done = view.fences([self._progress])[self._progress]
        if self._mark % 2 and not self._done:
            raise StoreHalfRestoredError
        return bool(self._mark % 2)

    def _begin(self, header: Header, there: tuple[frozenset[str], frozenset[str]]) -> None:
        with self._store.view() as view:
            opening = self._opening(view, header)
        self._store.commit(opening)
        self._alone(there)

    def _survey(self, owners: frozenset[str], refs: frozenset[str]) -> tuple[Header, Restored]:
        """Read it all once, and tell what it will bring."""
        reader, header = self._reader(self._gone), Header()
        for _, value in reader.lines(self._lines()):
            match value:
                case Header():
                    header = value
                case OwnerLine():
                    self._clashes |= value.owner in owners
                case Person():
                    self._clashes |= value.line.subject.ref in refs
                case End():
                    self._end = value
        self._extra -= reader.told
        end = self._end
        return header, Restored(
            owners=end.owners,
            commits=end.commits,
            memories=end.memories,
            links=end.links,
            subjects=end.subjects,
            redacted=reader.redacted,
            dropped=reader.dropped,
            withdrawn=tuple(sorted(reader.withdrawn)),
            missing=tuple(sorted(reader.missing)),
        )

    def _opening(self, view: Snapshot, header: Header) -> Commit:
        """From here on nobody else uses the store. The store's own numbers go on from where the backup's were."""
        told = {FenceKind.FLOOR: header.floor, FenceKind.CONSENTS: header.consents, FenceKind.KEYS: header.keys}
        standing = view.fences([Fence(kind) for kind in told])
        batch = Batch()
        batch.advance(MARK, self._mark, self._mark + 1)
        self._mark, self._done = self._mark + 1, 1
        batch.advance(self._progress, 0, 1)
        for kind, number in told.items():
            seen = standing[Fence(kind)]
            to = max(seen, number)
            if kind is FenceKind.KEYS and (self._extra or (seen and number)):
                # More keys change than the backup's number says, or beside others.
                to += 1
            batch.advance(Fence(kind), seen, to)
        return self._commit(batch)

    def _alone(self, there: tuple[frozenset[str], frozenset[str]]) -> None:
        """Make sure that nobody wrote between the look at the store and the opening."""
        with self._store.view() as view:
            if _there(view) == there:
                return
        self._close()
        raise ConflictError

    def _close(self) -> None:
        batch = Batch()
        batch.advance(MARK, self._mark, self._mark + 1)
        self._store.commit(self._commit(batch))

    def _commit(self, batch: Batch) -> Commit:
        advances = tuple(batch.advances.values())
        requires = () if MARK in batch.advances else ((MARK, self._mark),)
        return Commit(
            id=self._core.identifiers.commit(),
            changes=tuple(batch.changes),
            advances=advances,
            requires=requires,
            entries=tuple(batch.entries),
        )

    def _write(self) -> None:
        bringing = Bringing(self._core, self._store, self._gone)
        for number, value in self._reader(self._gone).lines(self._lines()):
            if number <= self._done:
                bringing.pass_over(value)
                continue
            bringing.take(value)
            if bringing.full:
                self._flush(bringing.finish())
        self._flush(bringing.finish())
        self._destroy()

    def _flush(self, batch: Batch) -> None:
        """Commit what was taken."""
        if batch.lines:
            done = self._done + batch.lines
            batch.advance(self._progress, self._done, done)
            self._store.commit(self._commit(batch))
            self._done = done

    def _destroy(self) -> None:
        """Let the store know which keys are destroyed, though the backup did not."""
        with self._store.view() as view:
            known = set(view.keyring()[1])
        rest = sorted(self._extra - known)
        for start in range(0, len(rest), LINES):
            batch = Batch()
            for name in rest[start : start + LINES]:
                batch.destroy(name)
            self._store.commit(self._commit(batch))


def _there(view: Snapshot) -> tuple[frozenset[str], frozenset[str]]:
    """The owners and subjects that a store has."""
    return frozenset(view.owners()), frozenset(subject.ref for subject in view.all_subjects())
