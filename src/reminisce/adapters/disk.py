"""The files of this machine."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reminisce.adapters.files import writing
from reminisce.errors import InvalidError

if TYPE_CHECKING:
    from reminisce.ports.files import Files

__all__ = ["LocalFiles"]

_PIECE: Final = 1024 * 1024

_BUFFER: Final = 1024 * 1024
"""Bytes gathered before they are written: lines are short."""


class LocalFiles:
    """Reads and writes the files of this machine."""

    @contextmanager
    def writing(self, path: str, *, over: bool) -> Iterator[Callable[[bytes], object]]:
        if not Path(path).name:
            raise InvalidError.of("path", "unusable", "must name a file")
        with _translated("written"), writing(Path(path), over=over) as file:
            held = bytearray()

            def write(piece: bytes) -> None:
                held.extend(piece)
                if len(held) >= _BUFFER:
                    file.write(held)
                    held.clear()

            yield write
            file.write(held)

    @contextmanager
    def reading(self, path: str) -> Iterator[Iterator[bytes]]:
        with _translated("read"), Path(path).open("rb", buffering=0) as file:
            yield iter(partial(file.read, _PIECE), b"")


@contextmanager
def _translated(what: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise InvalidError.of("path", "taken", "there is something of that name; say that it may be replaced") from None
    except BlockingIOError:
        raise InvalidError.of("path", "busy", "another process is writing it") from None
    except OSError as error:
        why = type(error).__name__ if error.errno is None else os.strerror(error.errno)
        raise InvalidError.of("path", "unusable", f"cannot be {what}: {why}") from error


if TYPE_CHECKING:
    _check: type[Files] = LocalFiles
