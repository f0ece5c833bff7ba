"""A store that fails at a chosen place, and how to damage a real one."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from attrs import define, field

from reminisce import Store, StoreError, View
from reminisce.domain.changes import Commit, Fence

__all__ = ["FailingStore", "FailingView"]


@define
class FailingView:
    """A view of which one method fails."""

    view: View
    method: str
    error: BaseException

    def __getattr__(self, name: str) -> Any:
        if name == self.method:
            return self._fail
        return getattr(self.view, name)

    def _fail(self, *_: object, **__: object) -> Any:
        raise self.error


@define
class FailingStore:
    """A store whose views fail at `method`, once that is set."""

    store: Store
    method: str = ""
    error: BaseException = field(factory=lambda: StoreError("out of order"))

    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[View]:
        with self.store.view(for_writing=for_writing) as view:
            if self.method == "view":
                raise self.error
            yield FailingView(view, self.method, self.error)

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        self.store.commit(commit, within=within.view if isinstance(within, FailingView) else within)

    def setup(self) -> None:
        self.store.setup()

    def check(self, *, deep: bool = False) -> list[str]:
        return self.store.check(deep=deep)

    def remnants(self) -> Sequence[str]:
        return self.store.remnants()

    def scrub(self) -> Sequence[str]:
        return self.store.scrub()

    def close(self) -> None:
        self.method = ""
        self.store.close()


if TYPE_CHECKING:
    _check: Callable[[Store], Store] = FailingStore
