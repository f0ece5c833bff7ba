"""What is done with whole stores: backups of them, and restores."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Final

import attrs

from reminisce.app.service.core import Core
from reminisce.app.service.keyrings import keep_keyring
from reminisce.domain.backups import BackedUp, Copied, Restored
from reminisce.domain.changes import Advance, Commit, Fence, FenceKind, PutSubjectKey
from reminisce.domain.keyring import Keyring
from reminisce.domain.records import SubjectKey
from reminisce.errors import ConfigurationError, ConflictError, InvalidError
from reminisce.ports.cipher import Cipher
from reminisce.ports.files import Files, PathLike
from reminisce.ports.store import Store, View

# What reads and writes lines is imported where it is used: importing reminisce needs attrs alone, as in a browser.
if TYPE_CHECKING:
    from reminisce.app.service.backup_lines import BackupLines
    from reminisce.app.service.reading_back import ReadBack
    from reminisce.app.service.sealing import Sealer

__all__ = ["Backups", "Tools"]

ROUNDS: Final = 16
"""How often a backup looks for subjects without a key before it gives up because others keep mentioning new ones."""

KEYS: Final = 500
"""Keys that one commit makes."""


ESCAPES: Final = (
    "it holds the keys of subjects: withdrawals never reach this file, so keep it no longer than you must",
)
"""What is told of a sealed file with keys."""


@attrs.frozen
class Tools:
    """What backups take beside a store."""

    cipher: Cipher
    files: Files

    def sealer(self, keys: Mapping[str, bytes]) -> "Sealer":
        """What seals words under keys."""
        from reminisce.app.service.sealing import Sealer

        return Sealer(self.cipher, keys)


class Backups:
    """The part of `Memories` that moves whole stores."""

    _core: Core
    _store: Store
    _tools: Callable[[], Tools] | None

    def backup(self, path: str | PathLike, *, replace: bool = False) -> BackedUp:
        """
        Write all that the store holds to a file, line by line, in canonical order: equal states give equal bytes.

        Words about subjects are sealed under the subjects' keys, so that a withdrawal reaches this file, too. What is not
        about anybody is in the clear, in a file that only its owner may read: `seal` encrypts all of it.

        Args:
            path: The file. It appears when it is whole.
            replace: Whether a file of that name may be replaced.

        Raises:
            InvalidError: The file cannot be written.
            ConflictError: Others kept mentioning new subjects.
            StoreError
        """
        from reminisce.app.service.backup_lines import BackupLines

        tools, name = self._tooled(), _named(path)
        with tools.files.writing(name, over=replace) as write, self._view_with_keys(tools) as view:
            lines = BackupLines(view, tools.sealer)
            for line in lines:
                write(line)
        return _told(name, lines)

    def seal(
        self, path: str | PathLike, passphrase: str, *, with_keys: bool = False, replace: bool = False
    ) -> BackedUp:
        """
        `backup`, all of it encrypted under a passphrase.

        Args:
            path: The file. It appears when it is whole.
            passphrase: At least 12 characters. Nobody can bring back what is sealed under a lost one.
            with_keys: Put the subjects' keys into it, so that it needs no keyring. **No withdrawal reaches it then.**
            replace: Whether a file of that name may be replaced.

        Raises:
            InvalidError: The passphrase is too short, or the file cannot be written.
            ConflictError, StoreError
        """
        from reminisce.app.service.backup_lines import BackupLines

        tools, name = self._tooled(), _named(path)
        # Looked at before anything is made.
        tools.cipher.lock(passphrase, ())
        with tools.files.writing(name, over=replace) as write, self._view_with_keys(tools) as view:
            lines = BackupLines(view, tools.sealer, with_keys=with_keys)
            for piece in tools.cipher.lock(passphrase, lines):
                write(piece)
        return _told(name, lines, ESCAPES if with_keys else ())

    def restore(self, path: str | PathLike, *, keyring: Keyring | None = None) -> Restored:
        """
        Bring a backup into this store, which must hold none of its owners and subjects.

        The whole file is looked through before anything is written. Interrupted, the store refuses every other use until
        `restore` of the same file has been run again and has ended.

        Args:
            path: What `backup` wrote.
            keyring: Opens words about subjects. Without it, and for those whose keys it lacks, the redacted form comes back;
                whoever was withdrawn since, by its word, is withdrawn in this store as well.

        Raises:
            BackupUnknownError, BackupTooNewError, BackupDamagedError, OwnersThereError, SealBrokenError: Nothing happened.
            StoreHalfRestoredError: Another backup is only half restored.
            ConflictError: Others wrote to the store at the same time, or restore the same.
            InvalidError, StoreError
        """
        return self._restored(path, keyring, iter)

    def unseal(self, path: str | PathLike, passphrase: str, *, keyring: Keyring | None = None) -> Restored:
        """
        `restore` what `seal` wrote. Nothing of it is ever in the clear on the disk.

        Raises:
            SealUnknownError, SealTooNewError, SealCutError, SealBrokenError: It cannot be opened. Nothing happened.
            BackupError, StoreHalfRestoredError, ConflictError, InvalidError, StoreError: As `restore`.
        """
        cipher = self._tooled().cipher
        return self._restored(path, keyring, lambda pieces: cipher.unlock(passphrase, pieces))

    def _restored(
        self, path: str | PathLike, keyring: Keyring | None, opened: Callable[[Iterator[bytes]], Iterator[bytes]]
    ) -> Restored:
        from reminisce.app.service.reading_back import ReadBack
        from reminisce.app.service.restoring import Restoring
        from reminisce.codec.backup_order import lines_of

        tools, name = self._tooled(), _named(path)

        def lines() -> Iterator[bytes]:
            with tools.files.reading(name) as pieces:
                yield from lines_of(opened(pieces))

        def reader(gone: Iterable[str]) -> "ReadBack":
            return ReadBack(tools.cipher, keyring, gone=gone)

        extra = () if keyring is None else keyring.destroyed
        restored = Restoring(self._core, self._store, lines, reader, extra=extra).restore()
        keep_keyring(self._core)
        return restored

    def copy(self, target: "Backups") -> Copied:
        """
        Bring all that this store holds into another, which must hold none of its owners and subjects.

        Keys of subjects are not copied: the target makes its own. Interrupted, the target refuses every other use until the
        same copy, of an unchanged source, has been run again and has ended.

        Args:
            target: Another memory, of any kind of store.

        Raises:
            InvalidError: The target is this very store.
            OwnersThereError, StoreHalfRestoredError, ConflictError: As `restore`.
            StoreDamagedError: What was copied differs from what it was copied from.
            StoreError
        """
        from reminisce.app.service.copying import copied

        return copied(self._core.store, target._core, target._store)

    def _tooled(self) -> Tools:
        if self._tools is None:
            raise ConfigurationError("backup", "this memory was put together without a cipher or without files")
        return self._tools()

    @contextmanager
    def _view_with_keys(self, tools: Tools) -> Iterator[View]:
        """A view in which every subject that there may be words about has a key."""
        from reminisce.app.service.backup_lines import keyless

        store = self._core.store
        for _ in range(ROUNDS):
            with store.view() as view:
                if next(keyless(view), None) is None:
                    # Before anything is sealed under them: nobody could ever open it without.
                    keep_keyring(self._core)
                    yield view
                    return
            self._make_keys(tools.cipher)
        raise ConflictError

    def _make_keys(self, cipher: Cipher) -> None:
        """Make the keys of subjects that have none. Where another process is first it did the same."""
        from reminisce.app.service.backup_lines import keyless

        store, identifiers, number = self._core.store, self._core.identifiers, Fence(FenceKind.KEYS)
        while True:
            with store.view() as view:
                lacking = list(islice(keyless(view), KEYS))
                seen = view.fences([number])[number]
            if not lacking:
                return
            keys = [SubjectKey(identifiers.commit(), ref, cipher.fresh_key()) for ref, _ in lacking]
            commit = Commit(
                id=identifiers.commit(),
                changes=tuple(map(PutSubjectKey, keys)),
                advances=(Advance(number, seen, seen + 1),),
                requires=tuple((Fence(FenceKind.SUBJECT, ref), epoch) for ref, epoch in lacking),
            )
            try:
                store.commit(commit)
            except ConflictError:
                return


def _named(path: str | PathLike) -> str:
    name: object = path.__fspath__() if hasattr(path, "__fspath__") else path
    if not isinstance(name, str) or not name or "\0" in name:
        raise InvalidError.of("path", "type", "must be the path of a file")
    return name


def _told(path: str, lines: "BackupLines", notices: tuple[str, ...] = ()) -> BackedUp:
    assert lines.end is not None  # noqa: S101 (all lines were taken)
    counts = attrs.asdict(lines.end)
    del counts["destroyed"]
    return BackedUp(path=path, sealed=lines.sealed, keyring=lines.keyring, notices=notices, **counts)
