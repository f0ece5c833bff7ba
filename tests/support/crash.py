"""
Kill a writer at random moments, again and again, and count what was lost. Nothing acknowledged may be.

Each round starts a process that remembers single memories and batches and says so over a pipe, and kills it with SIGKILL at
a random moment from the opening of the store on. About half of the rounds leave the write-ahead log as the kill left it to
the next one; the others open the store and check everything that was ever acknowledged.
"""

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

import attrs

from reminisce import open_memory
from reminisce.adapters.sqlite import KeySource, SQLiteStore

__all__ = ["Campaign", "campaign"]

OWNER: Final = "agent:crash"

BATCH: Final = 7
"""Lines of a batch: enough that half a batch would show."""

LATEST_S: Final = 0.12
"""A kill comes at most this long after the writer began to open the store, or to write: time for a hundred commits."""


@attrs.define
class Campaign:
    """What was done and what came of it."""

    kills: int = 0
    acknowledged: int = 0
    """Memories whose `remember` had returned before the kill."""

    found: int = 0
    """Memories that are there at the end. More than acknowledged: the reply, not the memory, was lost."""

    lost: int = 0
    """Acknowledged memories that are not there."""

    torn: int = 0
    """Batches of which only a part is there."""

    silent: int = 0
    """Kills before anything was acknowledged: while the store was made, opened or recovered."""

    complaints: list[str] = attrs.field(factory=list)
    """What the store's own check found wrong, and gaps in its log."""


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def write(folder: Path, run: int) -> None:
    """Remember without end, and tell each key once it is kept."""
    _tell("ready")
    with open_memory(folder / "memory.db", keys=folder / "keys") as memories:
        owner = memories.owner(OWNER)
        for number in range(1_000_000):
            name = f"{run}-{number}"
            if number % 3:
                kept = [owner.remember(f"words of {name}", key=name, subjects=["person:1"]).key]
            else:
                lines = [{"content": f"line {line} of {name}", "facets": {"batch": name}} for line in range(BATCH)]
                kept = [line.key for line in owner.remember_many(lines).lines]
            _tell(json.dumps(kept))


def _killed(folder: Path, run: int, moment: float, *, writing: bool) -> list[str]:
    """
    The keys acknowledged by a writer that was killed *moment* seconds after it began.

    Args:
        writing: Count from its first acknowledgement, and not from where it begins to open the store.
    """
    command = [sys.executable, __file__, str(folder), str(run)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as writer:
        assert writer.stdout is not None
        told = writer.stdout.readline()
        if writing:
            told += writer.stdout.readline()
        end = time.monotonic() + moment
        pipe = writer.stdout.fileno()
        while (left := end - time.monotonic()) > 0:
            if select.select([pipe], [], [], left)[0]:
                told += os.read(pipe, 65_536)
        assert writer.poll() is None, "the writer ended before it was killed"
        writer.send_signal(signal.SIGKILL)
        told += writer.stdout.read()
    # What comes after the last line end was never told in full.
    return [key for line in told.split(b"\n")[1:-1] for key in json.loads(line)]


def _check(folder: Path, acknowledged: set[str], campaign: Campaign, *, deep: bool) -> None:
    store = SQLiteStore(folder / "memory.db", KeySource(folder / "keys"), create=False)
    try:
        campaign.complaints += store.check(deep=deep)
        with store.view() as view:
            memories = [record.memory for record in view.records(OWNER)]
            revisions = [entry.revision for entry in view.log(OWNER, since=0)]
            about = len(view.about("person:1", limit=1_000_000))
    finally:
        store.close()
    held = {memory.key for memory in memories}
    batches = Counter(value for memory in memories for name, value in memory.facets if name == "batch")
    campaign.acknowledged, campaign.found = len(acknowledged), len(held)
    campaign.lost = len(acknowledged - held)
    campaign.torn = sum(size != BATCH for size in batches.values())
    if revisions != list(range(1, len(revisions) + 1)):
        campaign.complaints.append("the log has gaps")
    if about != sum(bool(memory.subjects) for memory in memories):
        campaign.complaints.append("memories about a subject are not all found by it")


def campaign(folder: Path, *, kills: int, seed: int) -> Campaign:
    """
    Kill *kills* writers of the store in *folder*, one after the other.

    Args:
        seed: Which moments. What a moment hits still differs from run to run.
    """
    chance, done, acknowledged = random.Random(seed), Campaign(), set[str]()
    for run in range(kills):
        # A quarter of the kills may hit the opening, the making and the recovery of the store.
        kept = _killed(folder, run, LATEST_S * chance.random(), writing=chance.random() < 0.75)
        acknowledged.update(kept)
        done.kills += 1
        done.silent += not kept
        if chance.random() < 0.5 and (folder / "memory.db").exists():
            _check(folder, acknowledged, done, deep=False)
    if acknowledged or (folder / "memory.db").exists():
        _check(folder, acknowledged, done, deep=True)
    return done


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
