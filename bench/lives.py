"""
What each operation of a memory's life costs, on a store that has had one.

    python bench/lives.py [--count 100000] [--repeats 100] [--surfaces 0] [--json]

One encrypted store with *count* memories of `corpus`: every tenth has a fact, every twentieth is derived from two others,
half belong to an episode, a quarter is about somebody, a fifth cites a source. Then one change of status for every five of
them: forgotten, superseded, reinstated. Beside them, in the same file, an owner of large graphs. Then, in one process:

* the median durable time of every single operation;
* `why` of large graphs, and how much of them it told;
* recall of the past, a different revision each time, beside recall of the present by the same queries, index warm;
* consolidation of everything, alone and while another thread remembers, with the longest that one had to wait.

Three columns: the time that this thread computed, the first quartile and the median of what passed; ``*`` marks a median
that misses its target. On a machine that others use the median of something short is often their time slice.
``plain_insert_ms`` is a durable insert into a plain SQLite file between every two calls, the floor under all that writes.
"""

import argparse
import contextlib
import datetime as dt
import json
import platform
import random
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import attrs

import corpus
from reminisce import Memories, Owner, Why, open_memory

OWNER, GRAPHS = "agent:lives", "agent:graphs"
REVIEWED = "prospective"
"""The aspect of what waits for review."""

BATCH = 1_000
PEOPLE = 1_000
VALUES = 1_000
"""Past values of the attribute that has many."""

SINGLE, WHY, LARGE, PAST, CONSOLIDATE = 3.0, 2.0, 200.0, 5.0, 5.0
"""Targets: ms, ms, ms, times the present, s. Of 100,000 memories."""

EPOCH = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
HALF_LIFE = dt.timedelta(minutes=10)
"""So short that minutes after the memories were made each salience has another value."""

Call = Callable[[], object]


def seconds(call: Call) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def line(number: int, text: str, keys: list[str]) -> dict[str, Any]:
    """The memory of that number; it may be derived from those of *keys*, a multiple of twenty."""
    raw: dict[str, Any] = {"content": text}
    if number % 2:
        raw["episode"] = f"session:{number // 40}"
    if number % 4 == 0:
        raw["subjects"] = [f"person:{number % PEOPLE}"]
    if number % 5 == 0:
        raw["sources"] = [f"doc:{number % 2_000}"]
    if number % 10 == 0:
        subject = f"person:{number // 10 % PEOPLE}"
        attribute = f"attribute {number // (10 * PEOPLE) % 5}"
        raw |= {"subjects": [subject], "fact": (subject, attribute, text.split()[0])}
    if number % 20 == 1 and keys:
        near = number * 7_919 % len(keys) // 20 * 20
        raw["derived_from"] = [keys[near + 3], keys[near + 4]]
    return raw


@attrs.define
class Life:
    """The store, and what was measured on it."""

    owner: Owner
    graphs: Owner
    plain: sqlite3.Connection
    repeats: int
    floor: list[float] = attrs.field(factory=list)
    computed: dict[str, float] = attrs.field(factory=dict)
    quartiles: dict[str, float] = attrs.field(factory=dict)
    figures: dict[str, float | str] = attrs.field(factory=dict)
    targets: dict[str, float] = attrs.field(factory=dict)
    fresh: Iterator[str] = attrs.field(factory=lambda: iter(()))
    """Keys of active memories that nothing has happened to, each once."""

    def note(self, name: str, value: float | str, target: float | None = None) -> None:
        """Write a figure down, in the unit that its name ends with."""
        self.figures[name] = round(value, 3) if isinstance(value, float) else value
        if target is not None:
            self.targets[name] = target
        print(".", end="", file=sys.stderr, flush=True)

    def median(self, name: str, calls: Iterable[Call], target: float | None = SINGLE) -> None:
        """Write down the median time of *calls*, in milliseconds."""
        # Brings the index up to date: what a commit adds to it is part of what the commit costs.
        self.owner.recall(corpus.WORDS[0])
        took, computed = [], []
        for call in calls:
            self.floor.append(seconds(partial(self.plain.execute, "INSERT INTO plain VALUES ('one more')")))
            before = time.thread_time()
            took.append(seconds(call))
            computed.append(time.thread_time() - before)
        self.computed[f"{name}_ms"] = round(statistics.median(computed) * 1000, 3)
        self.quartiles[f"{name}_ms"] = round(statistics.quantiles(took, n=4)[0] * 1000, 3)
        self.note(f"{name}_ms", statistics.median(took) * 1000, target)

    def some(self, count: int | None = None) -> list[str]:
        """Keys of fresh memories."""
        return list(islice(self.fresh, self.repeats if count is None else count))

    def times(self, call: Callable[..., object], *arguments: Iterable[Any], **options: Any) -> list[Call]:
        """A call for each of the arguments."""
        return [partial(call, *each, **options) for each in zip(*arguments, strict=False)]

    # Setting up.

    def fill(self, count: int, surfaces: int) -> None:
        """Keep the memories, then change the status of a fifth of them."""
        keys: list[str] = []
        texts = corpus.memories(count)
        for start in range(0, count, BATCH):
            lines = [line(start + place, text, keys) for place, text in enumerate(islice(texts, BATCH))]
            for place, raw in enumerate(lines):
                if surfaces and (start + place) % surfaces == 7:
                    raw |= {"tier": "redacted", "surface": "something private"}
            keys += [kept.key for kept in self.owner.remember_many(lines).lines]
        plain = [key for number, key in enumerate(keys) if number % 2 and number % 20 not in (1, 3, 7)]
        random.Random(corpus.SEED).shuffle(plain)
        rest = iter(plain)
        forgotten = list(islice(rest, count * 12 // 100))
        for start in range(0, len(forgotten), BATCH):
            self.owner.forget(forgotten[start : start + BATCH])
        for key in forgotten[: count // 100]:
            self.owner.reinstate(key)
        summaries = [
            {"content": f"instead of ten, {number}", "supersedes": list(islice(rest, 10))}
            for number in range(count * 7 // 1000)
        ]
        self.owner.remember_many(summaries)
        self.fresh = rest

    def draw(self) -> None:
        """The large graphs: one of 40 levels, a chain, a dense one; and a source that 10,000 cite."""
        keep = self.graphs.remember_many
        levels: list[list[str]] = [[]]
        for level in range(40):
            rows = [(f"wide {level} {place}", [*islice(_few(levels[-1], place), 3)]) for place in range(250)]
            keep([{"content": key, "key": key, "derived_from": near} for key, near in rows])
            levels.append([key for key, _ in rows])
        keep([{"content": "wide", "key": "wide", "derived_from": levels[-1]}])
        # One more than a walk visits.
        chain = [f"chain {number}" for number in range(10_001)]
        keep([{"content": k, "key": k, "derived_from": [*chain[n - 1 : n]]} for n, k in enumerate(chain)])
        layer: list[str] = []
        for number in range(12):
            names = [f"dense {number} {place}" for place in range(256)]
            keep([{"content": name, "key": name, "derived_from": layer} for name in names])
            layer = names
        keep([{"content": "dense", "key": "dense", "derived_from": layer}])
        keep({"content": f"cites {number}", "sources": ["doc:popular"]} for number in range(10_000))
        keep([{"content": "cites", "key": "cites", "sources": ["doc:popular"]}])

    # Measuring.

    def keeping(self) -> None:
        """Remember, reinforce, reclassify, correct, forget, reinstate, review, notes."""
        owner, count = self.owner, self.repeats
        numbers = [str(number) for number in range(count)]
        self.median("remember", self.times(owner.remember, [f"one more {n}" for n in numbers]))
        self.median("reinforce", self.times(owner.reinforce, self.some()))
        self.median("reclassify", self.times(owner.reclassify, self.some(), ["private"] * count))
        self.median("correct", [partial(owner.correct, key, content=f"better {key}") for key in self.some()])
        gone = self.some()
        self.median("forget", self.times(owner.forget, gone))
        self.median("reinstate", self.times(owner.reinstate, gone))
        held = owner.remember_many([{"content": f"held {n}", "aspects": [REVIEWED]} for n in numbers]).lines
        self.median("review", self.times(owner.review, [kept.key for kept in held], [True] * count))
        self.median("note", self.times(owner.note, [f"a note {n}" for n in numbers[:50]]))
        self.median("promote", self.times(owner.promote, [note.name for note in owner.notes()]))

    def believing(self) -> None:
        """Believe and disbelieve, plain and against an attribute with many past values."""
        owner, count = self.owner, self.repeats
        people, works = [f"person:{number}" for number in range(count)], ["works_as"] * count
        self.median("believe_new", self.times(owner.believe, people, works, ["cook"] * count))
        self.median("believe_reinforced", self.times(owner.believe, people, works, ["Cook"] * count))
        self.median("believe_superseding", self.times(owner.believe, people, works, ["baker"] * count))
        early = {"valid_from": EPOCH}
        self.median("believe_history", self.times(owner.believe, people, works, ["smith"] * count, **early))
        self.median("beliefs", self.times(owner.beliefs, people))
        self.median("disbelieve", self.times(owner.disbelieve, people, works))
        much, lives = ["person:much"] * count, ["lives_in"] * count
        days = [EPOCH + number * dt.timedelta(days=2) for number in range(VALUES)]
        for start in range(0, VALUES, 100):
            owner.remember_many(
                {
                    "content": f"lived in {n}",
                    "subjects": much[:1],
                    "fact": (much[0], lives[0], f"town {n}"),
                    "valid_from": days[n],
                }
                for n in range(start, min(VALUES, start + 100))
            )
        towns = [f"city {number}" for number in range(count)]
        self.median("believe_of_1000_superseding", self.times(owner.believe, much, lives, towns))
        self.median("believe_of_1000_reinforced", self.times(owner.believe, much, lives, towns[-1:] * count))
        old = [
            partial(owner.believe, much[0], lives[0], f"old {n}", valid_from=day + dt.timedelta(days=1))
            for n, day in enumerate(days[: count * 5 : 5])
        ]
        self.median("believe_of_1000_history", old)
        self.median("beliefs_of_1000", self.times(owner.beliefs, much))
        self.median("beliefs_of_1000_valid_at", [partial(owner.beliefs, much[0], valid_at=day) for day in days[:count]])
        self.median("beliefs_of_1000_history", self.times(owner.beliefs, much[:10], history=True), None)
        self.median("beliefs_as_of", [partial(owner.beliefs, who, as_of=owner.revision() // 2) for who in people])

    def linking(self) -> None:
        """Contradict, resolve, associate; `why` of something that has a bit of everything."""
        owner = self.owner
        pairs = self.some(), self.some()
        self.median("contradict", self.times(owner.contradict, *pairs, reason="they differ"))
        self.median("resolve", self.times(owner.resolve, *pairs))
        several = [self.some(3) for _ in range(self.repeats)]
        self.median("associate", self.times(owner.associate, several, ["same trip"] * self.repeats))
        told = [self._story(number) for number in range(self.repeats)]
        self.median("why", self.times(owner.why, told), WHY)
        before = owner.revision()
        owner.remember("after all of that")
        self.median("why_as_of", self.times(owner.why, told, as_of=before), None)

    def _story(self, number: int) -> str:
        """A memory with derivations of two steps, sources that others cite, a supersession, a contradiction."""
        grand, parents, [older, against] = self.some(2), f"parent {number} of ", self.some(2)
        kept = self.owner.remember_many(
            {"content": f"{parents}{place}", "derived_from": grand, "sources": [f"doc:{number * 5}"]}
            for place in range(3)
        )
        key = self.owner.remember(
            f"story {number}",
            derived_from=[found.key for found in kept.lines],
            supersedes=[older],
            sources=[f"doc:{number * 5}", f"doc:{number * 10}"],
        ).key
        self.owner.contradict(key, against)
        return key

    def graphs_told(self) -> None:
        """`why` of the large graphs."""
        every = {"depth": 10_000, "most": 10_000}
        for name, key, options, target in (
            ("why_wide", "wide", every, LARGE),
            ("why_wide_1000_lines", "wide", {"depth": 10_000}, LARGE),
            ("why_chain", "chain 10000", every, LARGE),
            ("why_chain_down", "chain 0", every, LARGE),
            ("why_dense", "dense", every, LARGE),
            ("why_dense_down", "dense 0 0", every, LARGE),
            ("why_popular_source", "cites", {}, LARGE),
        ):
            call = partial(self.graphs.why, key, **options)
            answer: Why = call()
            self.median(name, [call] * 5, target)
            told = f"{len(answer.ancestors)} up, {answer.descendants} down, complete={answer.complete}"
            self.note(f"{name}_told", told)

    def recalling(self) -> None:
        """Recall now, of the past, and of what held at a time."""
        owner, queries = self.owner, corpus.queries()
        list(map(seconds, self.times(owner.recall, queries)))
        now = statistics.median(map(seconds, self.times(owner.recall, queries)))
        self.note("recall_ms", now * 1000)
        head = owner.revision()
        moments = [1 + place * (head - 1) // len(queries) for place in range(len(queries))]
        random.Random(corpus.SEED).shuffle(moments)
        asked = [partial(owner.recall, query, as_of=at) for query, at in zip(queries, moments, strict=True)]
        past = [seconds(call) for call in asked]
        self.note("recall_as_of_ms", statistics.median(past) * 1000)
        self.note("recall_as_of_ratio", statistics.median(past) / now, PAST)
        self.note("recall_as_of_p95_ratio", statistics.quantiles(past, n=20)[-1] / now)
        then = owner.recall(None, k=1).hits[0].memory.recorded_at
        for name, options in (("valid_at", {"valid_at": then}), ("valid_at_2001", {"valid_at": "2001-01-01T00:00Z"})):
            took = statistics.median(map(seconds, self.times(owner.recall, queries, **options)))
            self.note(f"recall_{name}_ms", took * 1000)
        after = []
        for key, query in zip(self.some(), queries, strict=False):
            owner.forget(key)
            after.append(seconds(partial(owner.recall, query)))
        self.note("recall_after_forget_ms", statistics.median(after) * 1000)

    def fading(self) -> None:
        """Consolidate and prune."""
        owner = self.owner
        self.note("prune_dry_run_s", seconds(partial(owner.prune, dry_run=True)))
        self.note("consolidate_unchanged_s", seconds(partial(owner.consolidate, half_life=0)))
        changed = 0

        def consolidate() -> None:
            nonlocal changed
            changed = owner.consolidate(half_life=HALF_LIFE).changed

        self.note("consolidate_s", seconds(consolidate), CONSOLIDATE)
        self.note("consolidate_changed", changed)
        other = Other(owner)
        other.start()
        self.note("consolidate_beside_writer_s", seconds(consolidate))
        other.done.set()
        other.join()
        self.note("writer_median_ms", statistics.median(other.took) * 1000)
        self.note("writer_longest_ms", max(other.took) * 1000)
        self.note("writer_wrote", len(other.took))

    def batches(self) -> None:
        """One batch of many beliefs, per line."""
        size = BATCH * 5
        facts = [{"subject": f"person:{n}", "attribute": "batch", "value": str(n)} for n in range(size)]
        rows = [{"content": f"fact {n}", "subjects": [f["subject"]], "fact": f} for n, f in enumerate(facts)]
        self.note("batch_of_5000_facts_ms_each", seconds(partial(self.owner.remember_many, rows)) / size * 1000)


class Other(threading.Thread):
    """Remembers without a pause, and times it."""

    def __init__(self, owner: Owner) -> None:
        super().__init__(daemon=True)
        self.owner = owner
        self.done = threading.Event()
        self.took: list[float] = []

    def run(self) -> None:
        while not self.done.is_set():
            self.took.append(seconds(partial(self.owner.remember, f"meanwhile {len(self.took)}")))


def _few(level: list[str], place: int) -> Iterator[str]:
    """Members of a level, from *place* on, around its end."""
    for step in range(len(level)):
        yield level[(place + step) % len(level)]


def plain_file(path: Path) -> sqlite3.Connection:
    """A plain SQLite file with one table."""
    plain = sqlite3.connect(path, isolation_level=None)
    plain.execute("PRAGMA journal_mode=wal")
    plain.execute("PRAGMA synchronous=full")
    plain.execute("CREATE TABLE plain (content)")
    return plain


def measure(memories: Memories, plain: sqlite3.Connection, *, count: int, repeats: int, surfaces: int) -> Life:
    """Set up, and measure everything."""
    life = Life(memories.owner(OWNER), memories.owner(GRAPHS), plain, repeats)
    life.note("fill_s", seconds(partial(life.fill, count, surfaces)))
    life.note("first_recall_s", seconds(partial(life.owner.recall, corpus.WORDS[0])))
    life.note("graphs_s", seconds(life.draw))
    for part in (
        *(life.recalling, life.keeping, life.believing, life.linking),
        *(life.graphs_told, life.fading, life.batches),
    ):
        part()
    life.note("plain_insert_ms", statistics.median(life.floor) * 1000)
    life.note("revisions", life.owner.revision())
    print(file=sys.stderr)
    return life


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000, help="how many memories, 20,000 or more")
    parser.add_argument("--repeats", type=int, default=100, help="calls of which the median is taken")
    parser.add_argument("--surfaces", type=int, default=0, help="every how many memories one is redacted (0: none)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "memory.db"
        with (
            contextlib.closing(plain_file(Path(folder) / "plain.db")) as plain,
            open_memory(store, keys=Path(folder) / "keys", reviewer="bench", review_aspects=(REVIEWED,)) as memories,
        ):
            life = measure(memories, plain, count=given.count, repeats=given.repeats, surfaces=given.surfaces)
        life.note("store_mib", store.stat().st_size / 2**20)
    machine = {"python": platform.python_version(), "machine": platform.machine(), "memories": given.count}
    if given.json:
        parts = ("figures", "computed", "quartiles", "targets")
        print(json.dumps({"machine": machine, **{name: getattr(life, name) for name in parts}}))
        return 0
    print(machine)
    for name, value in life.figures.items():
        target = life.targets.get(name)
        missed = "*" if target is not None and isinstance(value, float) and value > target else ""
        beside = f"{life.computed.get(name, '')!s:>10}{life.quartiles.get(name, '')!s:>10}"
        told = [f"{name:34}{beside}{value!s:>46}", missed or " "]
        print(*told, "" if target is None else f"≤ {target:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
