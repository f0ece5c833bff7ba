"""Keys in the keyring of the operating system, by way of the package ``keyring``, which is optional."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from reminisce.adapters.keyholders.hexadecimal import key_of
from reminisce.errors import ConfigurationError, StoreUnavailableError, StoreUnreadableError

if TYPE_CHECKING:
    from reminisce.ports.keyholder import Keyholder

__all__ = ["SERVICE", "SystemKeyring"]

SERVICE: Final = "reminisce"
"""What its entries are filed under; the name of the key is the user's name there."""

_SETTING: Final = "key_from"


class SystemKeyring:
    """
    The keyring of this user's session: Secret Service, KWallet, Keychain, whichever the package finds.

    Raises:
        ConfigurationError: The package is not installed.
    """

    def __init__(self) -> None:
        try:
            import keyring
            import keyring.errors
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "keyring":
                raise
            raise ConfigurationError(
                _SETTING, "keyring needs the extra: pip install 'reminisce-memory[keyring]'"
            ) from error
        self._keyring: Any = keyring
        self._errors: Any = keyring.errors

    def get(self, name: str, /) -> bytes | None:
        with self._asked():
            text = self._keyring.get_password(SERVICE, name)
        return None if text is None else key_of(str(text), self.place(name))

    def add(self, name: str, key: bytes, /) -> bytes:
        kept = self.get(name)
        if kept is not None:
            return kept
        with self._asked():
            self._keyring.set_password(SERVICE, name, key.hex())
        # A backend that keeps nothing must not be found out at the next start.
        kept = self.get(name)
        if kept != key:
            raise StoreUnreadableError(f"{self.place(name)} was not kept")
        return key

    def drop(self, name: str, /) -> None:
        if self.get(name) is not None:
            with self._asked():
                self._keyring.delete_password(SERVICE, name)

    def place(self, name: str, /) -> str:
        return f"the system's keyring, service {SERVICE}, entry {name}"

    def complaints(self, name: str, /) -> list[str]:  # noqa: ARG002 (who may read it is the system's to say)
        return []

    @contextmanager
    def _asked(self) -> Iterator[None]:
        try:
            yield
        except self._errors.NoKeyringError as error:
            raise ConfigurationError(_SETTING, "no keyring of the system is running here") from error
        except self._errors.KeyringLocked as error:
            raise StoreUnavailableError("the system's keyring is locked: unlock it") from error
        except Exception as error:
            # Backends let errors of their own through. What they say may hold what was asked, so only the name is told.
            raise StoreUnreadableError(f"the system's keyring answered {type(error).__name__}") from error


if TYPE_CHECKING:
    _check: type[Keyholder] = SystemKeyring
