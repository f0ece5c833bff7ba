"""Keeps the keyring of a store up with its subjects' keys."""

from reminisce.app.service.core import Core
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.keyring import Keyring

__all__ = ["keep_keyring"]


def keep_keyring(core: Core) -> None:
    """
    Write down which keys there are and which are gone. Nothing while no subject ever had one.

    Raises:
        StoreError, ConfigurationError: It cannot be written.
    """
    if core.keyrings is None:
        return
    number = Fence(FenceKind.KEYS)
    with core.store.view() as view:
        living, destroyed = view.keyring()
        keyring = Keyring(
            store=view.incarnation(),
            number=view.fences([number])[number],
            keys={key.id: key.key for key in living},
            destroyed=frozenset(destroyed),
        )
    if keyring.keys or keyring.destroyed:
        core.keyrings().keep(keyring)
