"""The one doorway for SQLite's errors."""

from types import TracebackType
from typing import Final

import apsw

from reminisce.errors import (
    ConflictError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreUnreadableError,
)

__all__ = ["translated"]

_TABLE: Final[tuple[tuple[type[apsw.Error], type[StoreError], str], ...]] = (
    (apsw.BusyError, StoreUnavailableError, "another process is writing for longer than we wait"),
    (apsw.LockedError, StoreUnavailableError, "another thread is writing for longer than we wait"),
    (apsw.ConstraintError, ConflictError, "a name that must be free is taken"),
    (apsw.NotADBError, StoreDamagedError, "a page cannot be authenticated; nothing of this call was written"),
    (
        apsw.CorruptError,
        StoreDamagedError,
        "the file's structure does not hold together; nothing of this call was written",
    ),
    (apsw.FullError, StoreFullError, "the write did not happen"),
    (apsw.CantOpenError, StoreUnreadableError, "the file or its folder cannot be opened for reading and writing"),
    (apsw.ReadOnlyError, StoreUnreadableError, "the file or its folder may not be written"),
    (apsw.PermissionsError, StoreUnreadableError, "the file may not be opened"),
)
"""Most specific first. What is not here becomes a plain `StoreError`, never "try again"."""

_SHORT_READ: Final = apsw.SQLITE_IOERR_SHORT_READ


def to_store_error(error: apsw.Error) -> StoreError:
    """Our error for one of SQLite's."""
    for theirs, ours, detail in _TABLE:
        if isinstance(error, theirs):
            return ours(detail)
    if isinstance(error, apsw.IOError) and getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
        return StoreFullError("there is not even room to open it")
    if isinstance(error, apsw.IOError) and getattr(error, "extendedresult", 0) == _SHORT_READ:
        return StoreDamagedError("the file ends before its content does; nothing of this call was written")
    return StoreError(f"SQLite answered {type(error).__name__}")


class _Doorway:
    """A class and no generator: every statement goes through it, and a walk runs twenty thousand."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, apsw.Error):
            raise to_store_error(error) from error


_DOORWAY: Final = _Doorway()


def translated() -> _Doorway:
    """Let no error of SQLite's leave. Encloses iteration too, since rows are read late."""
    return _DOORWAY
