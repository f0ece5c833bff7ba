"""A store and its model, kept in step; and what a store alone can do wrong."""

import datetime as dt
import itertools
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from reminisce.domain.changes import Advance, Commit, DropPieces, Fence, FenceKind, PutPiece
from reminisce.domain.memory import Memory, folded
from reminisce.domain.planning.plan import Occasion, Plan
from reminisce.domain.policy import Draft, Rules, Unruled, Verdict
from reminisce.domain.records import LinkKind, Piece
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.state import State, apply
from reminisce.domain.visibility import OWNER_ITSELF
from reminisce.errors import ConflictError, ReminisceError
from reminisce.ports.store import Store
from reminisce.testing.cases import StoreCase
from reminisce.testing.contents import contents
from reminisce.testing.fakes import NOON
from reminisce.testing.model.told import Told
from reminisce.testing.strategies import MOST, OWNERS, REFS, STEPS

__all__ = ["Machine", "worded"]


def worded(state: State, owner: str, keys: Iterable[str]) -> list[str]:
    """Names of the links that say something about one of *keys*."""
    found = state.links(owner, keys, kinds=(LinkKind.CONTRADICTION, LinkKind.ASSOCIATION))
    return sorted({link.name for links in found.values() for link in links})


def _outcome(action: Callable[[Any], Any], state: Any) -> Any:
    """What it answers, or the class and data of what it is refused with."""
    try:
        return action(state)
    except ReminisceError as error:
        return type(error), error.fields
    except Unruled as unruled:
        return unruled.drafts


class Machine(RuleBasedStateMachine):
    """Plans on both, commits to both, and compares them after every step."""

    case: ClassVar[StoreCase]

    def __init__(self) -> None:
        super().__init__()
        self._held = ExitStack()
        self._folder = Path(self._held.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        self.store: Store = self.case.open(self._folder)
        with self.store.view() as view:
            self.model = State(view.incarnation())
        self.now = NOON
        self.told = Told()
        self.lowered: set[tuple[str, str]] = set()
        """Memories that may be less strict than what they come from, because somebody made them so by name."""
        self.said: dict[tuple[str, str], Memory] = {}
        """Each memory as it was when it last had words."""
        self.commits: list[Commit] = []
        self.stale: list[Commit] = []
        self._ids = itertools.count(1)
        self._views = ExitStack()
        self._kept: tuple[Snapshot, State] | None = None

    def teardown(self) -> None:
        self._views.close()
        self.store.close()
        self._held.close()

    def memory(self, owner: str, key: str) -> Memory | None:
        """A memory as the model holds it."""
        return self.model.memories(owner, [key]).get(key)

    def time(self, owner: str) -> dt.datetime:
        """When the owner's next commit will be: times of commits never go back."""
        last = self.model.head(owner).time
        return self.now if last is None else max(self.now, last)

    def rivals(self, owner: str, memory: Memory) -> list[Memory]:
        """The other memories that say what a belief says, or another value where only one can be."""
        if memory.fact is None:
            return []
        mine, others = memory.fact, (record.memory for record in self.model.records(owner))
        return [
            other
            for other in others
            if other.key != memory.key
            and other.fact is not None
            and (other.fact.subject, other.fact.attribute) == (mine.subject, mine.attribute)
            and (not memory.many or folded(other.fact.value) == folded(mine.value))
        ]

    def key(self, owner: str, place: int | str) -> str:
        """The key of a memory by its place, or the name itself."""
        if isinstance(place, str):
            return place
        keys = [record.memory.key for record in self.model.records(owner)]
        return keys[place % len(keys)] if keys and place < MOST else "nobody"

    def keys(self, owner: str, places: Iterable[int | str]) -> list[str]:
        """The keys of several memories, without repeats."""
        return list(dict.fromkeys(self.key(owner, place) for place in places))

    def resolved(self, owner: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        """A request's arguments with keys in place of places, as far as something is there."""
        held = self.model.head(owner).revision
        named = {
            name: self.keys(owner, [origin for origin in raw[name] if held or origin == "k1"])
            for name in ("derived_from", "supersedes")
            if name in raw
        }
        return {**raw, **named}

    def id(self) -> str:
        """A commit's id."""
        return f"{next(self._ids):032x}"

    def names(self, owner: str, count: int) -> list[str]:
        """Fresh keys, the lowest that are free."""
        free = (f"m_{number}" for number in itertools.count(1) if (owner, f"m_{number}") not in self.told)
        return list(itertools.islice(free, count))

    def commit(self, commit: Commit) -> None:
        """Do a commit, on both."""
        self.stale = [*self.stale[-3:], commit]
        self.store.commit(commit)
        self.model = apply(self.model, commit)
        self.commits.append(commit)
        for entry in commit.entries:
            held = self.model.memories(entry.owner, entry.keys)
            self.said.update(((entry.owner, key), memory) for key, memory in held.items() if memory.erased is None)

    def decide(self, planner: Callable[[Snapshot], Plan[Any]]) -> Any:
        """Plan on both, which must come to the same, and commit. None when it is refused."""
        expected = _outcome(planner, self.model)
        with self.store.view() as view:
            planned = _outcome(planner, view)
        assert planned == expected
        if not isinstance(planned, Plan):
            return None
        if planned.commit is not None:
            self.commit(planned.commit)
        return planned.answer

    def plan(self, planner: Callable[..., Plan[Any]], owner: str, *request: Any, **options: Any) -> Any:
        """`decide`, for the owner itself and at this time."""
        occasion = Occasion(now=self.now, actor="test", commit_id=self.id())
        return self.decide(
            lambda view: planner(view, owner, *request, viewer=OWNER_ITSELF, occasion=occasion, **options)
        )

    def plan_new(
        self, planner: Callable[..., Plan[Any]], owner: str, *request: Any, policy: Verdict | None, reviewed: bool
    ) -> Any:
        """`plan` of what brings text: the policy says the same of all of it, and *reviewed* holds what is semantic."""
        aspects = frozenset({"semantic"}) if reviewed else frozenset[str]()
        verdicts: dict[Draft, Verdict] = {}
        occasion = Occasion(now=self.now, actor="test", commit_id=self.id())

        def once(view: Snapshot) -> Plan[Any]:
            rules = Rules(aspects, None if policy is None else dict(verdicts))
            return planner(view, owner, *request, viewer=OWNER_ITSELF, occasion=occasion, rules=rules)

        while isinstance(drafts := _outcome(once, self.model), tuple) and isinstance(drafts[0], Memory):
            assert policy is not None, "nobody can be asked"
            before = len(verdicts)
            verdicts.update((Draft.of(draft), policy) for draft in drafts)
            assert len(verdicts) > before, "the policy is asked the same again"
        return self.decide(once)

    @rule(step=STEPS)
    def pass_time(self, step: dt.timedelta) -> None:
        self.now += step

    @rule(owner=OWNERS, drop=st.sampled_from((False, None, 1, 2)), data=st.binary(max_size=8))
    def save_pieces(self, owner: str, drop: int | None, data: bytes) -> None:
        fence, erasure = Fence(FenceKind.PIECES, owner), Fence(FenceKind.ERASURE, owner)
        standing = self.model.fences([fence, erasure])
        number = standing[fence] + 1
        changes = [] if drop is False else [DropPieces(owner, None if drop is None else (drop,))]
        self.commit(
            Commit(
                id=self.id(),
                changes=(*changes, PutPiece(owner, Piece(number, self.model.head(owner).revision, data))),
                advances=(Advance(fence, standing[fence], number),),
                requires=((erasure, standing[erasure]),),
            )
        )

    @precondition(lambda self: self.commits)
    @rule(data=st.data())
    def commit_again(self, data: st.DataObject) -> None:
        """A reply was lost, and the commit is sent once more. The invariant sees that nothing changed."""
        self.store.commit(data.draw(st.sampled_from(self.commits)))

    @precondition(lambda self: self.stale)
    @rule(data=st.data())
    def commit_what_was_planned_before(self, data: st.DataObject) -> None:
        """A writer that planned on an earlier state comes late."""
        late = attrs.evolve(data.draw(st.sampled_from(self.stale)), id=self.id())
        # Every commit of this machine advances a fence, so none can win twice.
        with pytest.raises(ConflictError):
            self.store.commit(late)

    @precondition(lambda self: self._kept is None)
    @rule()
    def open_a_view(self) -> None:
        self._kept = (self._views.enter_context(self.store.view()), self.model)

    @precondition(lambda self: self._kept is not None)
    @rule()
    def close_the_view(self) -> None:
        assert self._kept is not None
        view, state = self._kept
        assert self._all(view) == self._all(state), "a view changed while it was open"
        self._kept = None
        self._views.close()

    @precondition(lambda self: self.case.durable and self._kept is None)
    @rule()
    def close_and_open(self) -> None:
        self.store.close()
        self.store = self.case.open(self._folder)

    def _all(self, snapshot: Snapshot) -> dict[str, Any]:
        return contents(snapshot, refs=REFS, commits=[commit.id for commit in self.commits], told=self.said.values())

    def check_same(self) -> None:
        """Raise `AssertionError` when the store does not hold what the model holds."""
        with self.store.view() as view:
            assert self._all(view) == self._all(self.model)
