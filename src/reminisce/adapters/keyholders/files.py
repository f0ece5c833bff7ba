"""Keys in files that only their owner may read."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from reminisce.adapters.files import writing
from reminisce.adapters.keyholders.hexadecimal import key_of
from reminisce.errors import StoreUnavailableError, StoreUnreadableError

if TYPE_CHECKING:
    from reminisce.ports.keyholder import Keyholder

__all__ = ["KeyFiles"]


@attrs.frozen
class KeyFiles:
    """A folder of key files, one a key, each of 64 hexadecimal digits. The folder is made with its first key."""

    directory: Path

    def get(self, name: str, /) -> bytes | None:
        path = self.directory / name
        try:
            text = path.read_text("ascii")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise StoreUnreadableError(f"the key file {path} cannot be read: {type(error).__name__}") from error
        return key_of(text, f"the key file {path}")

    def add(self, name: str, key: bytes, /) -> bytes:
        path = self.directory / name
        with self._made(path), contextlib.suppress(FileExistsError), writing(path, over=False) as file:
            file.write(key.hex().encode("ascii") + b"\n")
        kept = self.get(name)
        if kept is None:
            raise StoreUnavailableError(f"the key file {path} was removed while it was made")
        return kept

    def drop(self, name: str, /) -> None:
        path = self.directory / name
        with self._made(path):
            path.unlink(missing_ok=True)

    def place(self, name: str, /) -> str:
        return str(self.directory / name)

    def complaints(self, name: str, /) -> list[str]:
        path = self.directory / name
        if path.exists() and path.stat().st_mode & 0o077:
            return [f"the key file {path} may be read by others: chmod 600 it"]
        return []

    @contextlib.contextmanager
    def _made(self, path: Path) -> Iterator[None]:
        try:
            yield
        except BlockingIOError:
            raise StoreUnavailableError(f"the key file {path} is being made by another process") from None
        except OSError as error:
            raise StoreUnreadableError(f"the key file {path} cannot be made: {type(error).__name__}") from error


if TYPE_CHECKING:
    _check: type[Keyholder] = KeyFiles
