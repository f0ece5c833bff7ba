"""
Readiness 3. Withdrawal: the words are in no content, no public output and no byte of the embedded files; in batches,
interrupted, and beside others who write. `bench/erase.py` scales the same code.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from reminisce import Memories, Owner, ReminisceError, Status, Store
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.codec import to_plain
from reminisce.testing import StoreCase
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import CountingIdentifiers, FixedClock
from tests.support.killed_erasures import campaign
from tests.support.planted import OTHER, OWNERS, REF, Planted, opened, plant
from tests.support.racing_erasures import race

KILLS = 3
ROUNDS = 5
"""What a run of every day takes of each. `bench/erase.py` raises them."""

BATCHES = 1_201
"""Memories of a withdrawal in three batches."""

OUTPUTS: dict[str, Callable[[Owner], Any]] = {
    "recall": lambda owner: owner.recall(OTHER, k=1000, explain=True),
    "recall of the past": lambda owner: owner.recall(None, k=1000, as_of=owner.revision() // 2),
    "recent": lambda owner: owner.recent(1000),
    "as of": lambda owner: owner.as_of(owner.revision() - 5, k=1000),
    "beliefs": lambda owner: owner.beliefs(REF, history=True),
    "reviews": lambda owner: owner.reviews(k=1000),
    "stats": lambda owner: owner.stats(),
    "notes": lambda owner: owner.notes(),
    "forget, dry": lambda owner: owner.forget(containing="plow", dry_run=True),
    "consolidate": lambda owner: owner.consolidate(),
    "prune": lambda owner: owner.prune(half_life=0, threshold=1.0, dry_run=True),
}
"""Every answer that tells of more than a key that was named."""


def said(call: Callable[[], Any]) -> str:
    """What a call answers, an answer or a refusal, as it leaves a face."""
    try:
        answer = call()
    except ReminisceError as error:
        answer = error
    return str([to_plain(part) for part in answer] if isinstance(answer, tuple) else to_plain(answer)) + repr(answer)


def outputs(memories: Memories, keys: list[str]) -> str:
    """Everything that the library says of every owner and of *keys*."""
    owners = [memories.owner(name) for name in OWNERS]
    told = [said(lambda call=call, owner=owner: call(owner)) for call in OUTPUTS.values() for owner in owners]  # type: ignore[misc]
    told += [said(lambda key=key, owner=owner: owner.why(key)) for key in keys for owner in owners]  # type: ignore[misc]
    return "".join(told)


def held(words: Planted, text: str) -> set[str]:
    return {place for place, word in words.words.items() if word in text}


def test_the_words_are_in_no_public_output_and_in_no_byte(tmp_path: Path) -> None:
    words = plant(tmp_path)
    with opened(tmp_path) as memories:
        keys = [hit.memory.key for name in OWNERS for hit in memories.owner(name).recent(1000, subject=REF).hits]
        keys += ["full", "b1", "b2", "no", "held", "old", "new"]
        before = held(words, outputs(memories, keys)), set(words.places(tmp_path))
        memories.withdraw(REF, scrub=True)
        after = held(words, outputs(memories, keys)), words.places(tmp_path)

    assert before == (set(words.words), set(words.words))
    assert after == (set(), {})


def of(store: Store) -> Memories:
    return Memories(store, analyser=DefaultAnalyser(), clock=FixedClock(), identifiers=CountingIdentifiers())


def test_in_batches_every_memory_is_reached_on_every_store(case: StoreCase, tmp_path: Path) -> None:
    with closing(case.open(tmp_path)) as store:
        memories = of(store)
        for name in OWNERS:
            lines = [
                {"content": f"zxrow {n}", "subjects": [REF], "facets": {"zxrow": str(n)}} for n in range(BATCHES // 2)
            ]
            memories.owner(name).remember_many(lines)
        memories.owner(OWNERS[0]).remember("zxrow last", subjects=[REF])
        before = str(contents_of(store)).count("zxrow")
        receipt = memories.withdraw(REF)
        after = str(contents_of(store)).count("zxrow")

    assert before > BATCHES
    assert (receipt.memories, after) == (BATCHES, 0)


def test_interrupted_it_finishes_when_it_is_run_again(tmp_path: Path) -> None:
    done = campaign(tmp_path, kills=KILLS, seed=3)

    assert done.kills == KILLS
    assert (done.found, done.complaints) == (0, [])


def test_beside_others_who_write_nothing_is_missed(tmp_path: Path) -> None:
    done = race(tmp_path, rounds=ROUNDS, seed=3)

    assert done.acknowledged > 0
    assert (done.left, done.complaints) == ([], [])


def test_the_words_are_in_no_backup_and_no_export_made_after(tmp_path: Path) -> None:
    words = plant(tmp_path)
    with opened(tmp_path) as memories:
        before = written(memories, tmp_path / "before")
        memories.withdraw(REF, scrub=True)
        after = written(memories, tmp_path / "after")

    assert held(words, before.decode()) != set()
    assert held(words, after.decode()) == set()
    assert OTHER.encode() in after


def written(memories: Memories, folder: Path) -> bytes:
    """A backup, and an export of every owner, whatever the status."""
    folder.mkdir()
    memories.backup(folder / "backup")
    statuses = [status for status in Status if status is not Status.WITHDRAWN]
    for name in OWNERS:
        memories.owner(name).export(folder / f"{name.replace(':', '-')}.jsonl", statuses=statuses)
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))
