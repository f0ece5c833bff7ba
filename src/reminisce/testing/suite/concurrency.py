"""Many threads of one service on one store: everything acknowledged is kept, once."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from reminisce.app.service.memories import Memories
from reminisce.domain.memory import read_request
from reminisce.domain.planning.plan import Plan
from reminisce.domain.planning.remember import Remembered, plan_remember
from reminisce.domain.snapshot import Snapshot
from reminisce.domain.visibility import OWNER_ITSELF
from reminisce.ports.store import Store
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock, PlainAnalyser
from reminisce.testing.promises import promise
from reminisce.testing.threads import PATIENCE_S, at_once
from reminisce.testing.writing import ALICE

THREADS: Final = 16
EACH: Final = 4


def _service(store: Store) -> Memories:
    return Memories(store, analyser=PlainAnalyser(), clock=FixedClock(), identifiers=CountingIdentifiers())


def _remembering(owner: str, commit_id: str, **raw: Any) -> Callable[[Snapshot], Plan[tuple[Remembered, ...]]]:
    return lambda view: plan_remember(
        view,
        owner,
        [read_request(raw)],
        [f"m_{commit_id}"],
        viewer=OWNER_ITSELF,
        now=NOON,
        actor="test",
        commit_id=commit_id,
    )


@promise("store.threads", "fences.exclusive", "view.for-writing")
def test_sixteen_threads_that_plan_on_one_revision_all_get_through(store: Store) -> None:
    service, planned = _service(store), threading.Barrier(THREADS)

    def write(number: int) -> str:
        plan = _remembering(ALICE, f"{number:032x}", content=f"words {number}", subjects=["person:1"])
        tries: list[None] = []

        def plan_together(view: Snapshot) -> Plan[tuple[Remembered, ...]]:
            made = plan(view)
            if not tries:
                # Nobody commits before everybody has planned: all but one must lose this try.
                planned.wait(PATIENCE_S)
            tries.append(None)
            return made

        return service.write(plan_together, f"{number:032x}")[0].key

    keys = at_once([partial(write, number) for number in range(THREADS)])

    held = contents_of(store)["held"][ALICE]
    assert sorted(held["memories"]) == sorted(map(str, keys))
    assert len(set(keys)) == THREADS
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
