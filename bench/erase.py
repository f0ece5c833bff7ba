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
from tests.support.killed_erasures import Campaign, campaign
from tests.support.racing_erasures import Race, race

OWNER, PERSON = "agent:bench", "person:1"
BATCH = 10_000

LIMITS: Final = {10_000: 2.0, 50_000: 10.0}
"""Seconds that a withdrawal may take. Source: the contract's section 11."""

GROWTH: Final = 1.3
"""Time a memory, largest size over smallest: linear, with what the machine varies."""

READER: Final = """
import select, sys, time
from reminisce import open_memory
import corpus
longest, busiest, count = 0.0, 0.0, 0
with open_memory(sys.argv[1], keys=sys.argv[2], create=False) as memories:
    owner, queries = memories.owner("agent:bench"), corpus.queries()
    owner.recall(queries[0])
    print("warm", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        start, computed = time.perf_counter(), time.thread_time()
        owner.recall(queries[count % len(queries)])
        longest = max(longest, time.perf_counter() - start)
        busiest = max(busiest, time.thread_time() - computed)
        count += 1
        time.sleep(0.002)
print(longest * 1000, busiest * 1000, count, flush=True)
"""
"""A process that recalls until it is told to stop."""


@attrs.frozen
class Timed:
    """One size's figures, in seconds and milliseconds."""

    withdraw: float
    computing: float
    """Of the withdrawal, what its own process computed: what is left of it is waiting, for the disk and for others."""

    scrub: float
    longest_ms: float
    """The longest that one recall of the process beside it took."""

    busiest_ms: float
    """The most that one of them computed."""

    recalls: int
    mib: float


@contextmanager
def reader(folder: Path) -> Iterator[Callable[[], list[float]]]:
    """A process that recalls meanwhile. Gives what ends it and tells its longest and busiest (ms), and how many."""
    command: list[Any] = [sys.executable, "-c", READER, folder / "memory.db", folder / "keys"]
    environment = {"PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told, taking = process.stdout, process.stdin
        assert told.readline() == "warm\n"

        def stop() -> list[float]:
            taking.write("stop\n")
            taking.flush()
            return list(map(float, told.readline().split()))

        yield stop


def timed(size: int) -> Timed:
    """Withdraw *size* memories from a store of twice as many."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_memory(folder / "memory.db", keys=folder / "keys") as memories:
            owner, lines = memories.owner(OWNER), list[dict[str, Any]]()
            for number, text in enumerate(corpus.memories(2 * size)):
                lines.append({"content": text, "subjects": [PERSON] if number % 2 else []})
                if len(lines) == BATCH:
                    owner.remember_many(lines)
                    lines.clear()
            owner.remember_many(lines)
        with open_memory(folder / "memory.db", keys=folder / "keys") as memories, reader(folder) as stop:
            begun, computed = time.perf_counter(), time.process_time()
            receipt = memories.withdraw(PERSON)
            withdrawn, computed = time.perf_counter(), time.process_time() - computed
            memories.scrub()
            ended = time.perf_counter()
            longest, busiest, count = stop()
            assert receipt.memories == size
        mib = (folder / "memory.db").stat().st_size / 2**20
    return Timed(withdrawn - begun, computed, ended - withdrawn, longest, busiest, int(count), mib)


def speed(sizes: list[int]) -> bool:
    """Print the figures of *sizes*; whether all of them are within their limits."""
    print(f"Python {platform.python_version()}, {platform.machine()}")
    print("  memories  withdraw s  computing s  limit s  scrub s  longest recall ms  computing ms  recalls  MiB")
    each, well = [], True
    for size in sizes:
        took = timed(size)
        limit = LIMITS.get(size, size * LIMITS[50_000] / 50_000)
        well &= took.withdraw <= limit
        each.append(took.withdraw / size)
        print(
            f"{size:>10}{took.withdraw:>12.2f}{took.computing:>13.2f}{limit:>9.1f}{took.scrub:>9.2f}"
            f"{took.longest_ms:>19.1f}{took.busiest_ms:>14.1f}{took.recalls:>9}{took.mib:>5.0f}"
        )
    if len(each) > 1:
        print(f"growth a memory: {each[-1] / each[0]:.2f} (limit {GROWTH})")
        well &= each[-1] / each[0] <= GROWTH
    return well


def tell(done: Campaign | Race) -> None:
    """Print what came of a campaign."""
    for name, value in attrs.asdict(done).items():
        print(f"{name:14}{value}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 50_000])
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not given.kills and not given.rounds:
        sys.exit(not speed(given.sizes))
    well = True
    with tempfile.TemporaryDirectory() as folder:
        if given.kills:
            killed = campaign(Path(folder) / "kills", kills=given.kills, seed=given.seed)
            tell(killed)
            well &= not (killed.found or killed.complaints)
        if given.rounds:
            raced = race(Path(folder) / "rounds", rounds=given.rounds, seed=given.seed)
            tell(raced)
            well &= not (raced.left or raced.complaints)
    sys.exit(not well)


if __name__ == "__main__":
    main()
