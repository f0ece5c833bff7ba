"""The recovery key: what a keyring is sealed under. A copy of it belongs where the machine is not."""

import string
from typing import Final

import attrs

from reminisce.errors import ConfigurationError, RecoveryKeyMissingError
from reminisce.ports.cipher import KEY_BYTES, Cipher
from reminisce.ports.keyholder import Keyholder

__all__ = ["RecoveryKeys", "recovery_key"]

_HEX_DIGITS: Final = 2 * KEY_BYTES


@attrs.frozen
class RecoveryKeys:
    """
    Where the recovery keys of stores are: one each, kept beside the stores' own keys, or one given.

    Args:
        holder: Keeps them as ``STORE.recovery``.
        secret: 64 hexadecimal digits, used instead of what is kept.
    """

    holder: Keyholder
    secret: str | None = attrs.field(default=None, repr=False)

    def find(self, store: str) -> bytes:
        """
        The recovery key of a store.

        Args:
            store: Its id, 32 hexadecimal digits.

        Raises:
            RecoveryKeyMissingError: None is kept, and none was given.
            ConfigurationError: The one given is no key.
            StoreUnreadableError, StoreUnavailableError: As the holder finds.
        """
        given = self._given()
        key = self.holder.get(_name(store)) if given is None else given
        if key is None:
            raise RecoveryKeyMissingError(
                f"expected it in {self.holder.place(_name(store))}, or in REMINISCE_RECOVERY_KEY"
            )
        return key

    def make(self, store: str, cipher: Cipher) -> bytes:
        """The recovery key of a store, drawn and kept durably before this returns when there was none."""
        given = self._given()
        return self.holder.add(_name(store), cipher.fresh_key()) if given is None else given

    def _given(self) -> bytes | None:
        return None if self.secret is None else recovery_key(self.secret)


def recovery_key(secret: str) -> bytes:
    """
    The recovery key in a text.

    Raises:
        ConfigurationError: It is none.
    """
    if len(secret) != _HEX_DIGITS or not set(secret) <= set(string.hexdigits):
        # No passphrase: there is no salt to stretch it with that the new machine would know.
        raise ConfigurationError("REMINISCE_RECOVERY_KEY", f"must be {_HEX_DIGITS} hexadecimal digits")
    return bytes.fromhex(secret)


def _name(store: str) -> str:
    return f"{store}.recovery"
