"""Indexes in the process: kept up, saved, shared, dropped. Two services on one store stand for two processes."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import patch

import pytest

from reminisce import Memories, Owner
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.adapters.clocks import SystemClock
from reminisce.adapters.identifiers import RandomIdentifiers
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.service import held, indexes
from reminisce.domain.changes import Commit, PutPiece
from reminisce.domain.index import index as indexing
from reminisce.errors import ConflictError, StoreError

NAME = "agent:alice"


class Shouting(DefaultAnalyser):
    """Another analyser, with terms of its own."""

    @property
    def identity(self) -> str:
        return "shouting/1"

    def terms(self, text: str, /) -> list[str]:
        return [term.upper() for term in super().terms(text)]


def service(store: InMemoryStore, analyser: DefaultAnalyser | None = None, budget: int = 2**28) -> Memories:
    return Memories(
        store,
        analyser=analyser or DefaultAnalyser(),
        clock=SystemClock(),
        identifiers=RandomIdentifiers(),
        index_budget=budget,
    )


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore("0" * 32)


@pytest.fixture(autouse=True)
def _save_soon() -> Iterator[None]:
    with patch.object(indexes, "SAVE_EVERY", 4), patch.object(held, "SHED_AT", 8):
        yield


def keep(owner: Owner, first: int, last: int) -> None:
    for number in range(first, last):
        owner.remember(f"tea {number}", key=f"k{number:03}")


def found(owner: Owner) -> list[tuple[str, int]]:
    return [(hit.memory.key, hit.score) for hit in owner.recall("tea", k=1000)]


def pieces(store: InMemoryStore) -> list[int]:
    with store.view() as view:
        return [piece.through for piece in view.pieces(NAME)]


def test_a_writer_saves_every_so_many_changes(store: InMemoryStore) -> None:
    alice = service(store).owner(NAME)

    keep(alice, 0, 9)

    assert pieces(store)[-1] == 8


def test_a_writer_that_never_recalls_saves_too(store: InMemoryStore) -> None:
    for number in range(9):
        keep(service(store).owner(NAME), number, number + 1)

    assert pieces(store)[-1] >= 4


def test_recall_moves_no_revision_and_saves_nothing(store: InMemoryStore) -> None:
    keep(service(store).owner(NAME), 0, 6)
    before = pieces(store)

    found(service(store).owner(NAME))

    assert pieces(store) == before
    assert service(store).owner(NAME).revision() == 6


def test_two_processes_that_write_by_turns_find_the_same(store: InMemoryStore) -> None:
    one, two = service(store).owner(NAME), service(store).owner(NAME)
    for turn in range(12):
        keep(one if turn % 2 else two, 3 * turn, 3 * turn + 3)
        if turn % 3 == 0:
            (two if turn % 2 else one).forget(f"k{3 * turn:03}")

        assert found(one) == found(two) == found(service(store).owner(NAME))


def test_a_reader_sheds_what_the_writer_has_saved(store: InMemoryStore) -> None:
    writer, reader = service(store), service(store)
    alice = reader.owner(NAME)
    found(alice)

    keep(writer.owner(NAME), 0, 30)
    before = found(alice)
    keep(writer.owner(NAME), 30, 40)

    assert len(before) == 30
    assert found(alice) == found(writer.owner(NAME))


def test_another_analyser_builds_the_index_anew(store: InMemoryStore) -> None:
    keep(service(store).owner(NAME), 0, 9)

    shouting = service(store, Shouting())
    hits = shouting.owner(NAME).recall("tea", k=1, explain=True).hits
    keep(shouting.owner(NAME), 9, 14)

    assert hits[0].explanation is not None
    assert hits[0].explanation.terms[0][0] == "TEA"
    assert len(found(shouting.owner(NAME))) == 14
    assert len(found(service(store).owner(NAME))) == 14


def test_a_small_budget_drops_the_least_recently_used_and_changes_no_answer(store: InMemoryStore) -> None:
    cramped = service(store, budget=1)
    owners = [cramped.owner(f"agent:{number}") for number in range(3)]
    for owner in owners:
        keep(owner, 0, 3)

    answers = [found(owner) for _ in range(2) for owner in owners]

    assert all(answer == answers[0] for answer in answers)
    assert list(cramped._core.indexes._held) == ["agent:2"]


class Refusing(InMemoryStore):
    """Refuses pieces, as a full device or a faster process would."""

    error: type[StoreError] = StoreError

    def commit(self, commit: Commit, /, *, within: object = None) -> None:
        if any(isinstance(change, PutPiece) for change in commit.changes):
            raise self.error
        super().commit(commit)


class Wavering(InMemoryStore):
    """Refuses one piece, as a device that was full for a moment would."""

    refusals = 1

    def commit(self, commit: Commit, /, *, within: object = None) -> None:
        if self.refusals and any(isinstance(change, PutPiece) for change in commit.changes):
            self.refusals -= 1
            raise StoreError
        super().commit(commit)


def test_nothing_is_lost_from_recall_when_one_save_fails_and_the_next_does_not() -> None:
    store = Wavering("0" * 32)
    memories = service(store)
    keep(memories.owner(NAME), 0, 3)
    found(memories.owner(NAME))

    keep(memories.owner(NAME), 3, 30)

    assert len(found(memories.owner(NAME))) == 30
    assert len(found(service(store).owner(NAME))) == 30


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_nothing_is_lost_from_recall_when_an_index_fails_to_settle(
    store: InMemoryStore, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    alice = service(store).owner(NAME)
    keep(alice, 0, 3)

    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch, suppress(error):
        patch.setattr(indexing, "freeze", fail)
        keep(alice, 3, 5)
    keep(alice, 5, 20)

    assert len(found(alice)) == len(found(service(store).owner(NAME))) == alice.revision()


def test_an_audience_is_answered_whoever_is_evicted_meanwhile(store: InMemoryStore) -> None:
    cramped = service(store, budget=1)
    cramped.consent("anna", ["family"])
    for number in range(3):
        cramped.owner(f"agent:{number}").remember("tea for anna", subjects=["anna"])
    told: list[int] = []

    def ask(owner: Owner) -> None:
        told.extend(owner.recall("tea", audience="family").considered for _ in range(100))

    threads = [threading.Thread(target=ask, args=(cramped.owner(f"agent:{number}"),)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert told == [1] * 300


def test_an_analyser_that_fails_on_a_memory_loses_nothing(store: InMemoryStore) -> None:
    class Failing(DefaultAnalyser):
        failing = False

        def terms(self, text: str, /) -> list[str]:
            if self.failing:
                raise RuntimeError
            return super().terms(text)

    analyser = Failing()
    alice = service(store, analyser).owner(NAME)
    keep(alice, 0, 2)
    analyser.failing = True
    kept = alice.remember("tea, once more", key="k9")
    analyser.failing = False

    assert kept.created
    assert len(found(alice)) == 3


def test_a_consent_given_before_the_subject_is_mentioned_counts(store: InMemoryStore) -> None:
    memories = service(store)
    alice = memories.owner(NAME)
    memories.consent("anna", ["family"])
    before = alice.recall("tea", audience="family").hits

    alice.remember("tea for anna", subjects=["anna"])

    assert before == ()
    assert len(alice.recall("tea", audience="family")) == 1


def test_a_writer_of_batches_into_an_owner_of_others_saves(store: InMemoryStore) -> None:
    keep(service(store).owner(NAME), 0, 1)

    service(store).owner(NAME).remember_many({"content": f"tea {n}"} for n in range(20))

    assert pieces(store)[-1] == 2


def test_writers_are_within_the_budget_too(store: InMemoryStore) -> None:
    cramped = service(store, budget=1)

    for number in range(5):
        keep(cramped.owner(f"agent:{number}"), 0, 1)

    assert len(cramped._core.indexes._held) == 1


@pytest.mark.parametrize("error", [StoreError, ConflictError])
def test_a_write_stands_although_the_index_cannot_be_saved(error: type[StoreError]) -> None:
    store = Refusing("0" * 32)
    store.error = error
    memories = service(store)

    keep(memories.owner(NAME), 0, 9)

    assert len(found(memories.owner(NAME))) == 9
    assert pieces(store) == []
    memories.close()


def test_a_doctor_that_looks_deep_finds_an_index_that_differs(store: InMemoryStore) -> None:
    memories = service(store)
    keep(memories.owner(NAME), 0, 9)
    index = memories._core.indexes._held[NAME].index
    assert index is not None
    index.frozen[0].kill(0)

    assert len(memories.doctor(deep=True).findings) == 1
    assert memories.doctor(deep=True, repair=True).findings == ()
    assert len(found(service(store).owner(NAME))) == 9


def test_a_store_restored_under_the_same_owners_is_another(store: InMemoryStore) -> None:
    memories = service(store)
    keep(memories.owner(NAME), 0, 9)
    found(memories.owner(NAME))

    store._state = InMemoryStore("1" * 32)._state

    assert found(memories.owner(NAME)) == []
