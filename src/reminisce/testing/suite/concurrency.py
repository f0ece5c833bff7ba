"""Many threads of one service on one store: everything acknowledged is kept, once."""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from reminisce.app.service.memories import Memories
from reminisce.domain.changes import Fence
from reminisce.ports.store import Store, View
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import CountingIdentifiers, FixedClock, PlainAnalyser
from reminisce.testing.promises import promise
from reminisce.testing.threads import PATIENCE_S, at_once
from reminisce.testing.writing import ALICE

THREADS: Final = 16
EACH: Final = 4


def _service(store: Store) -> Memories:
    return Memories(store, analyser=PlainAnalyser(), clock=FixedClock(), identifiers=CountingIdentifiers())


class _PlannedTogether:
    """A store on which no thread goes on from its first view before every thread has closed one."""

    def __init__(self, store: Store, threads: int) -> None:
        self._store = store
        self._all_planned = threading.Barrier(threads)
        self._mine = threading.local()

    @contextmanager
    def view(self, *, for_writing: Collection[Fence] | None = None) -> Iterator[View]:
        with self._store.view(for_writing=for_writing) as view:
            yield view
        if not hasattr(self._mine, "planned"):
            self._mine.planned = True
            self._all_planned.wait(PATIENCE_S)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@promise("store.threads", "fences.exclusive", "view.for-writing")
def test_sixteen_threads_that_plan_on_one_revision_all_get_through(store: Store) -> None:
    gated: Any = _PlannedTogether(store, THREADS)
    owner = _service(gated).owner(ALICE)

    answers = at_once([partial(owner.remember, f"words {number}", subjects=["person:1"]) for number in range(THREADS)])

    assert all(answer.created for answer in answers)  # type: ignore[attr-defined]
    held = contents_of(store)["held"][ALICE]
    assert sorted(held["memories"]) == sorted({answer.key for answer in answers})  # type: ignore[attr-defined]
    assert [record.memory.revision for record in held["records"]] == list(range(1, THREADS + 1))


@promise("store.threads")
def test_many_writers_and_readers_of_one_owner_lose_nothing(store: Store) -> None:
    service = _service(store)
    owner = service.owner(ALICE)

    def write(number: int) -> list[str]:
        return [owner.remember(f"writer {number} line {line}", subjects=["person:1"]).key for line in range(EACH)]

    def read() -> list[int]:
        return [owner.recall("writer", k=1_000).considered for _ in range(EACH)]

    outcomes = at_once([*(partial(write, number) for number in range(THREADS)), read, read])

    kept = [key for keys in outcomes[:THREADS] for key in keys]  # type: ignore[attr-defined]
    held = contents_of(store)["held"][ALICE]
    assert sorted(kept) == sorted(held["memories"])
    assert len(set(kept)) == THREADS * EACH
    assert [entry.revision for entry in held["log"]] == list(range(1, THREADS * EACH + 1))
    for counts in outcomes[THREADS:]:
        assert counts == sorted(counts)  # type: ignore[call-overload]


@promise("store.threads", "commit.once")
def test_one_request_from_many_threads_makes_one_memory(store: Store) -> None:
    owner = _service(store).owner(ALICE)

    answers = at_once([lambda: owner.remember("the same words", request_key="r")] * THREADS)

    assert len({answer.key for answer in answers}) == 1  # type: ignore[attr-defined]
    assert [answer.created for answer in answers].count(True) == 1  # type: ignore[attr-defined]
    assert contents_of(store)["held"][ALICE]["head"].revision == 1


@promise("store.threads", "fences.exclusive")
def test_first_mentions_of_one_person_by_many_owners_make_one_subject(store: Store) -> None:
    service = _service(store)
    owners = [f"agent:{number}" for number in range(THREADS)]

    at_once([partial(service.owner(owner).remember, "words", subjects=["person:1"]) for owner in owners])

    held = contents_of(store)
    assert [owner for owner, _ in held["about"]["person:1"]] == sorted(owners)
    assert list(held["subjects"]) == ["person:1"]


@promise("store.threads")
def test_consents_and_writes_about_one_person_interleave(store: Store) -> None:
    service = _service(store)
    owner = service.owner(ALICE)

    def consent() -> None:
        for number in range(EACH):
            service.consent("person:1", [f"audience-{number}"])

    def write(number: int) -> None:
        for line in range(EACH):
            owner.remember(f"writer {number} line {line}", subjects=["person:1"])

    outcomes = at_once([consent, *(partial(write, number) for number in range(4))])

    held = contents_of(store)
    assert outcomes == [None] * 5
    assert len(held["about"]["person:1"]) == 4 * EACH
    assert held["subjects"]["person:1"].audiences == (f"audience-{EACH - 1}",)
