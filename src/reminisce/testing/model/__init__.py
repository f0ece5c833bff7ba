"""The state machine: random programs over the domain's planners, on a store and on its model side by side."""

from hypothesis.stateful import invariant

from reminisce.testing.model.believing import Believing
from reminisce.testing.model.erasing import Erasing
from reminisce.testing.model.fading import Passing
from reminisce.testing.model.keeping import Keeping
from reminisce.testing.model.laws import Lawful
from reminisce.testing.model.linking import Linking

__all__ = ["StoreMachine"]


class StoreMachine(Keeping, Believing, Linking, Passing, Erasing, Lawful):
    """
    Subclasses name the case.

    Two models, since the in-memory store is the first one behind a lock: `domain.state.apply`, which every answer is
    compared with, and `Told`, a plain dict of what callers were told, which knows nothing of planners and changes. What
    must hold of any state, whatever was told, are the laws.
    """

    @invariant()
    def all_is_well(self) -> None:
        self.check_same()
        self.told.compare(self.model)
        self.check_laws()
