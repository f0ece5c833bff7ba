"""The keyring's file: small, sealed, written whole at each change."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs

from reminisce.adapters.files import writing
from reminisce.adapters.keyrings.form import from_bytes, to_bytes
from reminisce.domain.keyring import Keyring
from reminisce.errors import (
    ConfigurationError,
    KeyringMissingError,
    SealBrokenError,
    StoreUnavailableError,
    StoreUnreadableError,
)
from reminisce.ports.cipher import Cipher

__all__ = ["KeyringFile"]

_WAIT_S: Final = 20.0
"""How long a writer waits for another process, as long as for the store itself. Writing takes milliseconds."""


@attrs.frozen
class KeyringFile:
    """Reads and writes keyrings with a cipher. Any number of processes may: none undoes what another has written."""

    cipher: Cipher

    def read(self, path: Path, recovery_key: bytes) -> Keyring:
        """
        The keyring at *path*.

        Raises:
            KeyringMissingError: Nothing is there.
            SealUnknownError, SealTooNewError, SealCutError, SealBrokenError: It is there and cannot be opened.
            StoreUnreadableError: It cannot be read.
        """
        found = self._found(path, recovery_key)
        if found is None:
            raise KeyringMissingError(f"expected it in {path}")
        return found

    def write(self, path: Path, keyring: Keyring, recovery_key: bytes) -> Keyring:
        """
        Keep *keyring* at *path*, whole and durable when this returns, merged with what is there already.

        Returns:
            What is there now.

        Raises:
            ConfigurationError: The keyring of another store is there.
            SealUnknownError, SealTooNewError, SealCutError, SealBrokenError: Something is there that cannot be opened under
                this key. It was left as it is.
            StoreUnavailableError: Another process is writing it for longer than we wait.
            StoreUnreadableError: It cannot be written.
        """
        with _translated(path), writing(path, over=True, wait_s=_WAIT_S) as file:
            there = self._found(path, recovery_key)
            if there is not None and there.store != keyring.store:
                raise ConfigurationError("keyring", f"{path} is the keyring of another store; it was left as it is")
            try:
                kept = keyring if there is None else keyring.merged(there)
            except ValueError as error:
                raise SealBrokenError(f"{path} holds another key of the same id; it was left as it is") from error
            file.write(to_bytes(kept, recovery_key, self.cipher))
        return kept

    def _found(self, path: Path, recovery_key: bytes) -> Keyring | None:
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnreadableError(f"the keyring {path} cannot be read: {type(error).__name__}") from error
        return from_bytes(data, recovery_key, self.cipher)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except BlockingIOError:
        raise StoreUnavailableError(f"the keyring {path} is being written by another process") from None
    except OSError as error:
        raise StoreUnreadableError(f"the keyring {path} cannot be written: {type(error).__name__}") from error
