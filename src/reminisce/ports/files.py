"""The Files port: whole files, for what is moved in and out of stores."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

__all__ = ["Files", "PathLike"]


class PathLike(Protocol):
    """What names a file, as `pathlib.Path` does."""

    def __fspath__(self, /) -> str: ...


class Files(Protocol):
    """
    Reads files, and writes files that are whole or not there.

    Raises:
        InvalidError: The file cannot be read or written, with the field ``path``; from any call, and while pieces are
            read or written.
    """

    def writing(self, path: str, *, over: bool) -> AbstractContextManager[Callable[[bytes], object]]:
        """
        Write a file piece by piece. It appears, owner-only and durable, when the block ends, and not at all if that fails.

        Args:
            over: Whether it takes the place of what has that name already. Otherwise such a name is refused.
        """
        ...

    def reading(self, path: str) -> AbstractContextManager[Iterator[bytes]]:
        """The file in pieces of at most a mebibyte, from its beginning."""
        ...
