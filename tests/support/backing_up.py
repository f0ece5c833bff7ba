"""Memories that can be backed up, and what tests of backups share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import define, field

from reminisce import InvalidError, Keyring, Memories, Store
from reminisce.adapters.ciphers import SodiumCipher
from reminisce.app.service.backups import Tools
from reminisce.testing.fakes import CountingIdentifiers, FixedClock, PlainAnalyser

if TYPE_CHECKING:
    from reminisce.ports.files import Files

__all__ = ["Drawer", "keyring_of", "memories"]


@define
class Drawer:
    """Files in the process."""

    files: dict[str, bytes] = field(factory=dict)

    @contextmanager
    def writing(self, path: str, *, over: bool) -> Iterator[Callable[[bytes], object]]:
        if path in self.files and not over:
            raise InvalidError.of("path", "taken", "there already")
        pieces: list[bytes] = []
        yield pieces.append
        self.files[path] = b"".join(pieces)

    @contextmanager
    def reading(self, path: str) -> Iterator[Iterator[bytes]]:
        # In pieces that end nowhere in particular.
        data, size = self.files[path], 61
        yield iter([data[start : start + size] for start in range(0, len(data), size)])


def memories(store: Store, files: "Files", *, first: int = 1) -> Memories:
    """
    The service over a store.

    Args:
        first: Where its made-up names start counting: those of two over one store must not meet.
    """
    return Memories(
        store,
        analyser=PlainAnalyser(),
        clock=FixedClock(),
        identifiers=CountingIdentifiers(first),
        tools=lambda: Tools(SodiumCipher(), files),
    )


def keyring_of(store: Store) -> Keyring:
    """The keyring of a store as it is now."""
    with store.view() as view:
        keys, destroyed = view.keyring()
    return Keyring(store="0" * 32, keys={key.id: key.key for key in keys}, destroyed=frozenset(destroyed))


if TYPE_CHECKING:
    _check: type[Files] = Drawer
