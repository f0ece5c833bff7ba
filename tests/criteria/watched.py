"""A store with the pure state beside it."""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from attrs import define, field

from reminisce import Store, View
from reminisce.domain.changes import Commit, Fence
from reminisce.domain.state import State, apply

__all__ = ["Watched"]


@define
class Watched:
    """A store that tells the pure state of every commit that it has acknowledged."""

    store: Store
    state: State = field(init=False)
    commits: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        with self.store.view() as view:
            self.state = State(view.incarnation())

    def view(self, *, for_writing: Collection[Fence] | None = None) -> AbstractContextManager[View]:
        return self.store.view(for_writing=for_writing)

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        self.store.commit(commit, within=within)
        self.state = apply(self.state, commit)
        self.commits.append(commit.id)

    def setup(self) -> None:
        self.store.setup()

    def check(self, *, deep: bool = False) -> list[str]:
        return self.store.check(deep=deep)

    def remnants(self) -> Sequence[str]:
        return self.store.remnants()

    def scrub(self) -> Sequence[str]:
        return self.store.scrub()

    def close(self) -> None:
        self.store.close()


if TYPE_CHECKING:
    _check: type[Store] = Watched
