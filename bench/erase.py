"""
How long it takes to withdraw a person's words, and who waits for it.

    python bench/erase.py [--sizes 10000 50000]
    python bench/erase.py --kills 100
    python bench/erase.py --rounds 300

For each size: an encrypted store with that many memories of `corpus` about one person and as many about nobody, mixed. Then
a withdrawal, a scrub, and beside both another process that recalls without pause: the longest that one recall took. Growth
is the time a memory takes at the largest size over that at the smallest.

With ``--kills``: withdrawals with a scrub killed at random moments (`tests/support/killed_erasures.py`). With ``--rounds``:
withdrawals beside two processes that write about the same subject (`tests/support/racing_erasures.py`).
"""

import argparse
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import attrs

sys.path.insert(0, str(Path(__file__).parents[1]))

import corpus
from reminisce import open_memory

OWNER, PERSON = "agent:bench", "person:1"
BATCH = 10_000

LIMITS: Final = {10_000: 2.0, 50_000: 10.0}
"""Seconds that a withdrawal may take. Source: the contract's section 11."""

GROWTH: Final = 1.3
"""Time a memory, largest size over smallest: linear, with what the machine varies."""

READER: Final = """
import sys, time
from reminisce import open_memory
import corpus
longest, count = 0.0, 0
with open_memory(sys.argv[1], keys=sys.argv[2], create=False) as memories:
    owner, queries = memories.owner("agent:bench"), corpus.queries()
    owner.recall(queries[0])
    print("warm", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        start = time.perf_counter()
        owner.recall(queries[count % len(queries)])
        longest, count = max(longest, time.perf_counter() - start), count + 1
        time.sleep(0.002)
print(longest * 1000, count, flush=True)
""".replace("import sys, time", "import select, sys, time", 1)
"""A process that recalls until it is told to stop."""


@attrs.frozen
class Timed:
    """One size's figures, in seconds and milliseconds."""

    withdraw: float
    scrub: float
    wait_ms: float
    recalls: int
    mib: float


@contextmanager
def reader(folder: Path) -> Iterator[Callable[[], tuple[float, int]]]:
    """A process that recalls meanwhile. Gives what ends it, and tells its longest recall (ms) and how many there were."""
    command: list[Any] = [sys.executable, "-c", READER, folder / "memory.db", folder / "keys"]
    environment = {"PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told, taking = process.stdout, process.stdin
        assert told.readline() == "warm\n"

        def stop() -> tuple[float, int]:
            taking.write("stop\n")
            taking.flush()
            longest, count = told.readline().split()
            return float(longest), int(count)

        yield stop


def timed(size: int) -> Timed:
    """Withdraw *size* memories from a store of twice as many."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_memory(folder / "memory.db", keys=folder / "keys") as memories:
            owner, lines = memories.owner(OWNER), []
            for number, text in enumerate(corpus.memories(2 * size)):
                lines.append({"content": text, "subjects": [PERSON] if number % 2 else []})
                if len(lines) == BATCH:
                    owner.remember_many(lines)
                    lines = []
        with open_memory(folder / "memory.db", keys=folder / "keys") as memories, reader(folder) as stop:
            begun = time.perf_counter()
            receipt = memories.withdraw(PERSON)
            withdrawn = time.perf_counter()
            scrubbed = memories.scrub()
            ended = time.perf_counter()
            longest, count = stop()
            assert receipt.memories == size
            assert len(scrubbed.waits) <= 1
        mib = (folder / "memory.db").stat().st_size / 2**20
    return Timed(withdrawn - begun, ended - withdrawn, longest, count, mib)


def speed(sizes: list[int]) -> bool:
    """Print the figures of *sizes*; whether all of them are within their limits."""
    print(f"Python {platform.python_version()}, {platform.machine()}")
    print(f"{'memories':>10}{'withdraw s':>12}{'limit':>7}{'scrub s':>9}{'longest recall ms':>19}{'recalls':>9}{'MiB':>7}")
    each, well = [], True
    for size in sizes:
        took = timed(size)
        limit = LIMITS.get(size, size * LIMITS[50_000] / 50_000)
        well &= took.withdraw <= limit
        each.append(took.withdraw / size)
        print(
            f"{size:>10}{took.withdraw:>12.2f}{limit:>7.1f}{took.scrub:>9.2f}{took.wait_ms:>19.1f}{took.recalls:>9}{took.mib:>7.0f}"
        )
    if len(each) > 1:
        print(f"growth a memory: {each[-1] / each[0]:.2f} (limit {GROWTH})")
        well &= each[-1] / each[0] <= GROWTH
    return well


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 50_000])
    given = parser.parse_args()
    sys.exit(not speed(given.sizes))


if __name__ == "__main__":
    main()
