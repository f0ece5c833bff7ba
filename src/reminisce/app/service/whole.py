"""A store that nobody uses while it is only half restored."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import attrs

from reminisce.domain.changes import Commit, Fence, FenceKind
from reminisce.errors import StoreHalfRestoredError
from reminisce.ports.store import Store, View

__all__ = ["MARK", "WholeStore"]

MARK: Final = Fence(FenceKind.RESTORING)
"""Odd while a restore is under way."""


class WholeStore:
    """
    A store as everything but a restore uses it: while one is under way it is refused, and what was planned before fails.

    Args:
        bare: The store itself.
    """

    def __init__(self, bare: Store) -> None:
        self.bare = bare
        self._standing = 0
        """Where the mark last stood, while it was even."""

    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[View]:
        with self.bare.view(for_writing=for_writing) as view:
            standing = view.fences([MARK])[MARK]
            if standing % 2:
                raise StoreHalfRestoredError
            self._standing = standing
            yield view

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        # Whatever was planned before a restore began fails here, is planned again, and is refused.
        self.bare.commit(attrs.evolve(commit, requires=(*commit.requires, (MARK, self._standing))), within=within)

    def setup(self) -> None:
        self.bare.setup()

    def check(self, *, deep: bool = False) -> list[str]:
        return self.bare.check(deep=deep)

    def remnants(self) -> Sequence[str]:
        return self.bare.remnants()

    def scrub(self) -> Sequence[str]:
        return self.bare.scrub()

    def close(self) -> None:
        self.bare.close()


if TYPE_CHECKING:
    _check: type[Store] = WholeStore
