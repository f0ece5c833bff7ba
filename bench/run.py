"""
How fast it is, beside SQLite's own full-text search in the same run.

    python bench/run.py [--sizes 10000 100000] [--json]

For each size: a batch of that many memories into a fresh encrypted store, warm recall of 8 with their texts, one durable
remember, and a new process's first answer. FTS5 beside it: a plain table in a file, any word of the query, ordered by
``bm25()``, content returned. Ratios within one run say more than milliseconds on a shared machine.
"""

import argparse
import json
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import corpus
from reminisce import Owner, open_memory

OWNER = "agent:bench"
COLD = """
import sys, time
start = time.perf_counter()
from reminisce import open_memory
with open_memory(sys.argv[1], keys=sys.argv[2], create=False) as memories:
    assert memories.owner("agent:bench").recall(sys.argv[3]).hits
    print(time.perf_counter() - start)
"""


def median_ms(calls: list[Callable[[], object]]) -> float:
    """The median time of the calls, in milliseconds."""
    times = []
    for call in calls:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def growth_mib(before: int) -> float:
    """How much the process has grown since *before*, a number of KiB as `resident` gives it."""
    return (resident() - before) / 1024


def resident() -> int:
    """KiB of memory that the process holds now."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def fts5(path: Path, texts: list[str], queries: list[str]) -> dict[str, float]:
    """The same work by FTS5."""
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("PRAGMA journal_mode=wal")
    base.execute("PRAGMA synchronous=full")
    base.execute("CREATE VIRTUAL TABLE memories USING fts5(content)")
    start = time.perf_counter()
    base.execute("BEGIN")
    base.executemany("INSERT INTO memories VALUES (?)", ((text,) for text in texts))
    base.execute("COMMIT")
    took = time.perf_counter() - start
    sql = "SELECT content FROM memories WHERE memories MATCH ? ORDER BY bm25(memories) LIMIT 8"

    def asked(query: str) -> Callable[[], object]:
        return lambda: base.execute(sql, (" OR ".join(query.split()),)).fetchall()

    def kept(number: int) -> Callable[[], object]:
        return lambda: base.execute("INSERT INTO memories VALUES (?)", (f"one more {number}",))

    median_ms([asked(query) for query in queries])
    figures = {
        "fts5_batch_per_s": len(texts) / took,
        "fts5_recall_ms": median_ms([asked(query) for query in queries]),
        "fts5_remember_ms": median_ms([kept(number) for number in range(100)]),
    }
    base.close()
    return figures


def recalls(owner: Owner, queries: list[str]) -> list[Callable[[], object]]:
    """A call for each query."""
    return [lambda query=query: owner.recall(query) for query in queries]  # type: ignore[misc]


def measure(size: int, folder: Path) -> dict[str, float]:
    """All figures for one size."""
    texts, queries = list(corpus.memories(size)), corpus.queries()
    store, keys = folder / f"{size}.db", folder / "keys"
    figures: dict[str, float] = {"memories": size}
    before = resident()
    with open_memory(store, keys=keys) as memories:
        owner = memories.owner(OWNER)
        rows = [{"content": text} for text in texts]
        start = time.perf_counter()
        owner.remember_many(rows)
        figures["batch_per_s"] = size / (time.perf_counter() - start)
        del rows
        figures["first_recall_ms"] = median_ms(recalls(owner, queries[:1]))
        median_ms(recalls(owner, queries))
        figures["recall_ms"] = median_ms(recalls(owner, queries))
        figures["remember_ms"] = median_ms(
            [lambda number=number: owner.remember(f"one more {number}") for number in range(200)]  # type: ignore[misc]
        )
        figures["recall_after_ms"] = median_ms(recalls(owner, queries))
        figures["growth_mib"] = growth_mib(before)
    command = [sys.executable, "-c", COLD, str(store), str(keys), queries[0]]
    figures["cold_s"] = min(float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(3))
    figures["store_mib"] = store.stat().st_size / 2**20
    figures |= fts5(folder / f"{size}.fts", texts, queries)
    figures["recall_ratio_to_fts5"] = figures["recall_ms"] / figures["fts5_recall_ms"]
    figures["batch_ratio_to_fts5"] = figures["batch_per_s"] / figures["fts5_batch_per_s"]
    return {name: round(value, 3) for name, value in figures.items()}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed beside SQLite's FTS5.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], help="how many memories")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    results: list[dict[str, Any]] = []
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as folder:
            results.append(measure(size, Path(folder)))
    machine = {"python": platform.python_version(), "machine": platform.machine(), "sqlite": sqlite3.sqlite_version}
    if arguments.json:
        print(json.dumps({"machine": machine, "results": results}))
    else:
        print(machine)
        for name in results[0]:
            print(f"{name:22}" + "".join(f"{result[name]:>16}" for result in results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
