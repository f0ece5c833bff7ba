"""
Two processes that live one life: beliefs, and some texts that repeat one another; consents, reviews, forgetting and
reinstating, of one owner about one subject.

    python bench/interleave.py --count 5000 [--seed 1] [--every 250]

*count* operations in all. Meanwhile, every so many revisions, this process reads one consistent snapshot, and once more at
the end. In each of them

* the log is 1, 2, 3, … without a gap;
* the last event of every history says what is in force, and its first is of the revision that made the memory;
* of a one-valued attribute, and of each value of a many-valued one, the intervals of what was ever believed do not overlap,
  and at most one is live at any instant at which anything starts or ends, just before, and now;
* what the library named has no active twin that it named.

At the end everything that was acknowledged is there, and the index agrees with the store. A refusal by rule is counted;
any other error fails the run.
"""

import argparse
import datetime as dt
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import attrs

from reminisce import (
    ConsentNarrowedError,
    Memories,
    Memory,
    NotFoundError,
    Owner,
    ReminisceError,
    Status,
    StatusError,
    View,
    open_memory,
)
from reminisce.adapters.sqlite import KeySource, SQLiteStore
from reminisce.domain.believed import believed
from reminisce.domain.memory import folded, sameness
from reminisce.domain.visibility import OWNER_ITSELF

OWNER, SUBJECT = "agent:both", "person:1"
PROCESSES: Final = 2
REVIEWED: Final = "prospective"
"""The aspect of what waits for review."""

BY_RULE: Final = (ConsentNarrowedError, NotFoundError, StatusError)
"""What a rule may answer to something that was right when it was asked."""

VALUES: Final = ("tea", "rain", "Riga", "ＲＩＧＡ", "chess")
DAY: Final = dt.timedelta(days=1)
REFRESH: Final = 40
"""After how many operations a process looks at what the other one has made."""

Entry = tuple[dt.datetime, dt.datetime | None, str]
"""Start, end and key of something believed."""


def opened(folder: Path) -> Memories:
    """The store of *folder*, as each process opens it."""
    return open_memory(folder / "memory.db", keys=folder / "keys", reviewer="person:r", review_aspects=(REVIEWED,))


# A process that writes.


@attrs.define
class Writer:
    """One of the processes: draws what it does by chance, and counts what came of it."""

    memories: Memories
    owner: Owner
    chance: random.Random
    name: str
    keys: list[str] = attrs.field(factory=list)
    """What it knows to be there, its own and the other's."""

    told: list[str] = attrs.field(factory=list)
    """Keys of beliefs that it was told are kept."""

    counts: Counter[str] = attrs.field(factory=Counter)

    def believe(self) -> str:
        """Believe something, from some day on, and perhaps until another; one in six waits for review."""
        chance, options = self.chance, dict[str, Any]()
        attribute = chance.choice(("likes", "lives_in", "works_as", "knows"))
        if chance.random() < 0.7:
            now = dt.datetime.now(dt.UTC)  # noqa: TID251 (whole days around now, which the process itself reads)
            options["valid_from"] = (
                now.replace(hour=0, minute=0, second=0, microsecond=0) + chance.randint(-30, 3) * DAY
            )
            if chance.random() < 0.5:
                options["valid_to"] = options["valid_from"] + chance.randint(1, 20) * DAY
        if chance.random() < 0.3:
            options["key"] = f"{self.name}-{self.counts.total()}"
        if chance.random() < 0.17:
            options["aspects"] = [REVIEWED]
        done = self.owner.believe(SUBJECT, attribute, chance.choice(VALUES), many=attribute == "knows", **options)
        self.keys.append(done.key)
        self.told.append(done.key)
        return f"believe {done.outcome if done.status is not Status.HELD else 'held'}"

    def remember(self) -> str:
        """Remember one of a few texts, so that it is often a repeat of another; one in three waits for review."""
        aspects = [REVIEWED] if self.chance.random() < 0.3 else None
        done = self.owner.remember(self.chance.choice(VALUES[:2]), subjects=[SUBJECT], aspects=aspects)
        self.keys.append(done.key)
        self.told.append(done.key)
        return f"remember {done.status if done.created else 'again'}"

    def disbelieve(self) -> str:
        """Forget what is believed, of one attribute mostly."""
        attribute = self.chance.choice(("likes", "lives_in", "works_as", "knows", None))
        return "disbelieve" if self.owner.disbelieve(SUBJECT, attribute).forgotten else "disbelieve nothing"

    def consent(self) -> str:
        """Say who may see the subject."""
        audiences = [name for name in ("family", "work", "public") if self.chance.random() < 0.5]
        return "consent" if self.memories.consent(SUBJECT, audiences).changed else "consent unchanged"

    def review(self) -> str:
        """Approve or reject one of those that wait."""
        waiting = self.owner.reviews(subject=SUBJECT, k=50).waiting
        if not waiting:
            return "review nothing"
        approve, confirm = self.chance.random() < 0.6, self.chance.random() < 0.5
        done = self.owner.review(self.chance.choice(waiting).memory.key, approve, confirm=confirm)
        return f"review {'approve' if approve else 'reject'} {done.status}"

    def forget(self) -> str:
        """Forget one to three."""
        names = self.chance.sample(self.keys, min(len(self.keys), self.chance.randint(1, 3)))
        return "forget" if names and self.owner.forget(names, "by chance").forgotten else "forget unchanged"

    def reinstate(self) -> str:
        """Bring one back."""
        if not self.keys:
            return "reinstate nothing"
        done = self.owner.reinstate(self.chance.choice(self.keys))
        return f"reinstate {done.status}" if done.changed else "reinstate unchanged"

    def step(self) -> None:
        """Do one thing."""
        if self.counts.total() % REFRESH == 0:
            mine = self.told[-100:]
            self.keys = [*mine, *(belief.key for belief in self.owner.beliefs(SUBJECT, history=True))][-500:]
        does = (self.believe, self.remember, self.disbelieve, self.consent, self.review, self.forget, self.reinstate)
        [do] = self.chance.choices(does, weights=(40, 12, 5, 5, 8, 11, 19))
        try:
            self.counts[do()] += 1
        except BY_RULE as error:
            self.counts[f"{do.__name__} refused: {error.code}"] += 1


def write(folder: Path, name: str, count: int, seed: int) -> None:
    """Do *count* things, and tell what came of them. Waits for a line first, so that the processes begin together."""
    with opened(folder) as memories:
        writer = Writer(memories, memories.owner(OWNER), random.Random(f"{seed} {name}"), name)
        sys.stdout.write("waiting\n")
        sys.stdout.flush()
        sys.stdin.readline()
        error = None
        try:
            for _ in range(count):
                writer.step()
        except ReminisceError as raised:
            error = f"{type(raised).__name__}: {raised}"
        print(json.dumps({"counts": writer.counts, "told": writer.told, "error": error}))


# The process that looks on.


def groups(memories: list[Memory]) -> dict[tuple[str, ...], list[Entry]]:
    """What was ever believed, by what may hold at one time only: an attribute, or an attribute and a value. By start."""
    found: dict[tuple[str, ...], list[Entry]] = {}
    for memory in memories:
        fact, start, end = memory.fact, memory.valid_from, memory.valid_to
        if fact is None or start is None or memory.status not in (Status.ACTIVE, Status.SUPERSEDED):
            continue
        if end is None or start < end:
            of = (fact.attribute, folded(fact.value)) if memory.many else (fact.attribute,)
            found.setdefault(of, []).append((start, end, memory.key))
    return {of: sorted(entries, key=lambda entry: entry[0]) for of, entries in found.items()}


def overlaps(entries: list[Entry]) -> Iterator[str]:
    """Pairs of neighbours in time that overlap."""
    for one, other in pairwise(entries):
        if one[1] is None or one[1] > other[0]:
            yield f"{one[2]} overlaps {other[2]}"


def instants(entries: list[Entry]) -> list[dt.datetime]:
    """When anything starts or ends, and just before that."""
    times = {time for start, end, _ in entries for time in (start, end) if time is not None}
    return sorted(times | {time - dt.timedelta(microseconds=1) for time in times})


def complaints(view: View, now: dt.datetime) -> Iterator[str]:
    """What is wrong in one snapshot."""
    revisions = [entry.revision for entry in view.log(OWNER, since=0)]
    if revisions != list(range(1, view.head(OWNER).revision + 1)):
        yield "the log has gaps"
    memories = []
    for record in view.records(OWNER):
        memory, history = record.memory, record.history
        memories.append(memory)
        last = history[-1]
        if (last.status, last.valid_from, last.valid_to) != (memory.status, memory.valid_from, memory.valid_to):
            yield f"{memory.key}: its history ends with something else than what is in force"
        if history[0].revision != memory.revision or sorted(event.revision for event in history) != [
            event.revision for event in history
        ]:
            yield f"{memory.key}: its history is out of order"
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    twins = Counter(sameness(memory.given) for memory in active if not memory.named)
    if any(count > 1 for count in twins.values()):
        yield "there are active twins, and the library named both"
    held = groups(memories)
    for entries in held.values():
        yield from overlaps(entries)
    # The same by the library's own answer, at moments that matter.
    times = {now, *(time for entries in held.values() for time in instants(entries)[-20:])}
    for moment in sorted(times):
        for past in (False, True):
            answer = believed(view, OWNER, SUBJECT, viewer=OWNER_ITSELF, now=moment, valid_at=moment if past else None)
            live = Counter(
                (belief.attribute, folded(belief.value)) if belief.many else (belief.attribute,) for belief in answer
            )
            if any(count > 1 for count in live.values()):
                yield f"more than one is live at {moment}"


@attrs.define
class Watcher:
    """Looks at the store, whoever writes meanwhile."""

    store: SQLiteStore
    every: int
    seen: int = 0
    snapshots: int = 0
    found: list[str] = attrs.field(factory=list)
    memories: int = 0

    def look(self, *, last: bool = False) -> None:
        """Check one snapshot, if enough has happened since the one before."""
        with self.store.view() as view:
            revision = view.head(OWNER).revision
            if last or revision >= self.seen + self.every:
                self.seen = revision
                self.snapshots += 1
                now = dt.datetime.now(dt.UTC)  # noqa: TID251 (the clock that the writers read)
                self.found += [f"revision {revision}: {complaint}" for complaint in complaints(view, now)]


def _start(folder: Path, name: str, count: int, seed: int) -> "subprocess.Popen[str]":
    command: list[Any] = [
        sys.executable,
        __file__,
        "--writer",
        folder,
        name,
        "--count",
        str(count),
        "--seed",
        str(seed),
    ]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run(folder: Path, *, count: int, seed: int, every: int) -> int:
    """Let the processes write, look on, and print what came of it."""
    with ExitStack() as running:
        writers = [running.enter_context(_start(folder, f"p{n}", count // PROCESSES, seed)) for n in range(PROCESSES)]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "waiting\n"
        store = SQLiteStore(folder / "memory.db", KeySource(folder / "keys"), create=False)
        running.callback(store.close)
        watcher, begun = Watcher(store, every), time.monotonic()
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("on\n")
            writer.stdin.flush()
        while any(writer.poll() is None for writer in writers):
            watcher.look()
            time.sleep(0.01)
        took = time.monotonic() - begun
        told = [json.loads(writer.stdout.read()) for writer in writers if writer.stdout is not None]
        watcher.look(last=True)
        with store.view() as view:
            keys = {record.memory.key for record in view.records(OWNER)}
    lost = {key for each in told for key in each["told"]} - keys
    errors = [each["error"] for each in told if each["error"] is not None]
    with opened(folder) as memories:
        errors += memories.doctor(deep=True).findings
    counts = sum((Counter(each["counts"]) for each in told), Counter[str]())
    for name, number in sorted(counts.items()):
        print(f"{name:40}{number:>8}")
    for name, figure in (
        ("operations", counts.total()),
        ("refused by rule", sum(number for name, number in counts.items() if "refused" in name)),
        ("memories", len(keys)),
        ("revisions", watcher.seen),
        ("snapshots", watcher.snapshots),
        ("lost", len(lost)),
        ("complaints", len(watcher.found)),
        ("errors", len(errors)),
        ("seconds", round(took, 1)),
    ):
        print(f"{name:40}{figure:>8}")
    for sentence in (*watcher.found[:20], *errors):
        print(sentence)
    return int(bool(lost or watcher.found or errors))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5_000, help="operations of all processes together")
    parser.add_argument("--seed", type=int, default=1, help="what each process does; how they meet still differs")
    parser.add_argument("--every", type=int, default=250, help="revisions between two snapshots")
    parser.add_argument("--writer", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.writer is not None:
        write(Path(given.writer[0]), given.writer[1], given.count, given.seed)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), count=given.count, seed=given.seed, every=given.every)


if __name__ == "__main__":
    sys.exit(main())
