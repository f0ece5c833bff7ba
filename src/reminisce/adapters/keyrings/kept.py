"""Keyrings as files beside the keys of their stores, each sealed under its store's recovery key."""

from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from reminisce.adapters.keyrings.file import KeyringFile
from reminisce.adapters.keyrings.recovery import RecoveryKeys
from reminisce.domain.keyring import Keyring

if TYPE_CHECKING:
    from reminisce.ports.keyrings import Keyrings

__all__ = ["KeptKeyrings"]


@attrs.frozen
class KeptKeyrings:
    """
    A folder of keyrings, ``STORE.keyring``. A recovery key is made with the first keyring of a store.

    Args:
        recovery: Where recovery keys are.
    """

    folder: Path
    recovery: RecoveryKeys
    file: KeyringFile

    def keep(self, keyring: Keyring, /) -> None:
        key = self.recovery.make(keyring.store, self.file.cipher)
        self.file.write(self.folder / f"{keyring.store}.keyring", keyring, key)


if TYPE_CHECKING:
    _check: type[Keyrings] = KeptKeyrings
