"""Readiness 6. Why: a deep chain, a supersession, a contradiction, two sources and a cycle, all in one answer."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reminisce import Ancestor, Association, Contradiction, Memories, Owner, Status, Store
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.domain.changes import PutLink
from reminisce.domain.records import Link, LinkKind, Member
from reminisce.domain.snapshot import Snapshot
from reminisce.testing import StoreCase
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock
from reminisce.testing.writing import ALICE, write

DEPTH = 4
"""Derivations between the newest summary and what was seen first. A campaign raises it."""

BESIDE = 200
"""Memories that cite the same sources and are told of no further than asked. A campaign raises it."""

READS = 30
"""Times that one `why` may ask the store, beside one for the derivations of each memory that it reaches in a direction."""


@pytest.fixture
def store(case: StoreCase, tmp_path: Path) -> Iterator[Store]:
    with closing(case.open(tmp_path)) as store:
        yield store


def service(store: Store) -> Memories:
    return Memories(store, analyser=DefaultAnalyser(), clock=FixedClock(), identifiers=CountingIdentifiers(1_000_000))


def chained(number: int) -> str:
    return f"c{number}"


TOP = chained(DEPTH)


@pytest.fixture
def ann(store: Store) -> Owner:
    """
    An owner of a chain c0, c1 … of which each was derived from the one before; c0 was "derived from" the last by a hand that
    no planner has. The last one superseded old, was superseded by new, which was forgotten, and cites two sources.
    """
    ann = service(store).owner(ALICE)
    ann.remember("seen first", key=chained(0), basis="observed", sources=["doc:gates"])
    for number in range(1, DEPTH):
        ann.remember(f"step {number}", key=chained(number), basis="inferred", derived_from=[chained(number - 1)])
    ann.remember("what was thought before", key="old")
    ann.remember(
        "what it comes to", key=TOP, basis="generated", derived_from=[chained(DEPTH - 1)], supersedes=["old"],
        sources=["doc:gates", "https://example.org/gates"], confidence=0.8,
    )  # fmt: skip
    ann.remember("what others say", key="rival", sources=["doc:gates"])
    ann.contradict(TOP, "rival", claim=[TOP, chained(DEPTH - 1)], reason="they cannot both be")
    ann.associate([TOP, "rival", "old"], "about the gate", facets={"place": "north"})
    ann.remember("what is thought by now", key="new", supersedes=[TOP])
    ann.forget("new", reason="a rumour")
    ann.reinstate(TOP)
    members = (Member("derived", chained(0)), Member("source", TOP))
    write(store, ALICE, PutLink(ALICE, Link("cycle", LinkKind.DERIVATION, members, ann.revision() + 1)))
    return ann


def test_one_answer_tells_all_of_it(ann: Owner) -> None:
    why = ann.why(TOP)

    assert (why.memory.content, why.memory.status) == ("what it comes to", Status.ACTIVE)
    assert why.sources == (("doc:gates", (chained(0), "rival")), ("https://example.org/gates", ()))
    assert why.ancestors == tuple(
        Ancestor(chained(DEPTH - step), step, Status.ACTIVE, (chained((DEPTH - step - 1) % (DEPTH + 1)),))
        for step in range(1, DEPTH + 1)
    )
    assert why.descendants == DEPTH
    assert (why.supersedes, why.superseded_by) == (("old",), ("new",))
    assert [(held.between, held.claim, held.reason, held.until) for held in why.contradictions] == [
        ((TOP, "rival"), (TOP, chained(DEPTH - 1)), "they cannot both be", None)
    ]
    assert [(held.kind, held.keys, held.facets) for held in why.associations] == [
        ("about the gate", (TOP, "old", "rival"), (("place", "north"),))
    ]
    assert [(event.operation, event.status, event.time) for event in why.history] == [
        ("remember", "active", NOON),
        ("remember", "superseded", NOON),
        ("reinstate", "active", NOON),
    ]
    assert (why.withdrawal, why.complete, why.revision) == ("none", True, ann.revision())
    # The least of what was walked to: a generated one of 0.8.
    assert why.trust == 0.4


@pytest.mark.parametrize("start", range(DEPTH + 1))
def test_a_cycle_ends_the_walk_wherever_it_begins(ann: Owner, start: int) -> None:
    why = ann.why(chained(start))

    assert sorted(step.key for step in why.ancestors) == sorted(chained(n) for n in range(DEPTH + 1) if n != start)
    assert [step.depth for step in why.ancestors] == list(range(1, DEPTH + 1))
    assert (why.descendants, why.complete) == (DEPTH, True)


def test_what_takes_part_tells_the_same_from_its_side(ann: Owner) -> None:
    told = [ann.why(key) for key in (TOP, "rival", chained(DEPTH - 1), "old")]

    contradictions: list[tuple[Contradiction, ...]] = [why.contradictions for why in told]
    associations: list[tuple[Association, ...]] = [why.associations for why in told]
    assert contradictions[0] == contradictions[1] == contradictions[2] != ()
    assert associations[0] == associations[1] == associations[3] != ()
    assert (contradictions[3], associations[2]) == ((), ())
    assert (ann.why("old").superseded_by, ann.why("new").supersedes) == ((TOP,), (TOP,))


@pytest.mark.parametrize("depth", range(1, DEPTH + 2))
def test_a_depth_cuts_the_chain_and_says_so(ann: Owner, depth: int) -> None:
    why = ann.why(TOP, depth=depth)

    assert len(why.ancestors) == min(depth, DEPTH)
    assert why.complete is (depth >= DEPTH)


def test_lists_are_bounded_and_say_so(ann: Owner) -> None:
    ann.remember_many({"content": f"also {n}", "key": f"x{n:05}", "sources": ["doc:gates"]} for n in range(BESIDE))

    whole, cut = ann.why(TOP, most=10_000), ann.why(TOP, most=3)

    assert (len(dict(whole.sources)["doc:gates"]), whole.complete) == (BESIDE + 2, True)
    lists = [*dict(cut.sources).values(), cut.ancestors, cut.history, cut.contradictions, cut.associations]
    assert max(map(len, lists)) == 3
    assert not cut.complete


def test_it_reads_the_store_a_bounded_number_of_times(
    store: Store, ann: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann.remember_many({"content": f"also {n}", "sources": ["doc:gates"], "derived_from": [TOP]} for n in range(BESIDE))
    with store.view() as view:
        kind = type(view)
    asked: list[str] = []
    for name in [name for name in dir(Snapshot) if not name.startswith("_")]:
        monkeypatch.setattr(kind, name, _counting(getattr(kind, name), asked))

    why = ann.why(TOP)

    assert why.descendants == DEPTH + BESIDE
    assert asked.count("ties") >= BESIDE
    assert len(asked) <= READS + 2 * DEPTH + BESIDE


def _counting(method: Callable[..., Any], asked: list[str]) -> Callable[..., Any]:
    def counting(*arguments: Any, **options: Any) -> Any:
        asked.append(method.__name__)
        return method(*arguments, **options)

    return counting
