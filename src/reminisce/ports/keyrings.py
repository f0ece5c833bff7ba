"""The Keyrings port: where the keys of subjects are kept apart from the store, for a day on which the store is lost."""

from typing import Protocol

from reminisce.domain.keyring import Keyring

__all__ = ["Keyrings"]


class Keyrings(Protocol):
    """Keeps the keyring of a store. Any number of processes may use it; none undoes what another has kept."""

    def keep(self, keyring: Keyring, /) -> None:
        """
        Keep *keyring*, durably when this returns, with what is kept already: destroyed by either is destroyed.

        Raises:
            StoreError, ConfigurationError: It cannot be kept. What was kept before is as it was.
        """
        ...
