"""
Kill withdrawals with a scrub at random moments, again and again, and look for what they left.

Each round plants words about a person of its own in a store that lives through many of them, starts a process that withdraws
that person, and kills it with SIGKILL at a random moment. The store must then open; every memory says ``incomplete`` or
``complete``, or the withdrawal never began; and once it is run again no word is in any byte of the folder.
"""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import attrs

from reminisce import Memories, open_memory
from tests.support.pages import found_in

ROOT: Final = Path(__file__).parents[2]

__all__ = ["Campaign", "campaign"]

OWNERS: Final = ("agent:one", "agent:two")

EACH: Final = 270
"""Memories of each owner: a withdrawal takes two batches, so that it can be killed between them."""

LATEST: Final = 1.1
"""A kill comes at most this many times later than a withdrawal takes that is not killed."""

ROUNDS: Final = 10
"""Rounds that a store lives through: it grows with each, and is looked through after each."""

_STATES: Final = {"none": "unbegun", "incomplete": "half", "complete": "done"}


@attrs.define
class Campaign:
    """What was done and what came of it."""

    kills: int = 0
    unbegun: int = 0
    """Kills before the withdrawal began: every word is still there."""

    half: int = 0
    """Kills that left it half way, by what `why` says of some memory."""

    done: int = 0
    """Kills after the last word was erased, before or after the scrub was."""

    ended: int = 0
    """Withdrawals that were done before the kill came."""

    found: int = 0
    """Words that were found after the withdrawal was run again. Must be 0."""

    complaints: list[str] = attrs.field(factory=list)
    """What the store's own check found wrong, and answers that do not fit together."""


def _word(run: int) -> str:
    return f"zx{run:04d}qrow"


def _open(folder: Path) -> Memories:
    return open_memory(folder / "memory.db", keys=folder / "keys")


def _plant(folder: Path, run: int) -> None:
    word, person = f"{_word(run)}ings", [f"person:{run}"]
    with _open(folder) as memories:
        for owner in map(memories.owner, OWNERS):
            owner.remember_many(
                [
                    {
                        "content": f"{word} {n}" * (1 + n % 30),
                        "key": f"{run}-{n}",
                        "subjects": person,
                        "sources": [word],
                    }
                    for n in range(EACH)
                ]
            )
            owner.forget(f"{run}-0", reason=word)
            owner.associate([f"{run}-1", f"{run}-2"], word)


def withdraw(folder: Path, run: int) -> None:
    """Withdraw that round's person, with a scrub."""
    with _open(folder) as memories:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        memories.withdraw(f"person:{run}", scrub=True)
    sys.stdout.write("done\n")
    sys.stdout.flush()


def _killed(folder: Path, run: int, moment: float | None) -> tuple[bool, float]:
    """
    Whether the process that withdrew was done before it was killed, and how long it ran, in seconds.

    Args:
        moment: When to kill it, in seconds after it had opened the store. None: never.
    """
    command = [sys.executable, "-m", __name__, str(folder), str(run)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        begun = time.monotonic()
        if moment is not None:
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
        return process.stdout.read() == b"done\n", time.monotonic() - begun


def _judge(folder: Path, run: int, campaign: Campaign) -> None:
    with _open(folder) as memories:
        campaign.complaints += memories.doctor().findings
        whys = [owner.why(f"{run}-{n}") for owner in map(memories.owner, OWNERS) for n in range(0, EACH, 7)]
        # `doctor` and `why` above were the first to open it after the kill.
        states = {why.withdrawal for why in whys}
        words = [bool(why.memory.content) for why in whys]
        if not states <= set(_STATES) or len(states) != 1:
            campaign.complaints.append(f"memories of one withdrawal say {sorted(states)}")
        if states == {"complete"} and any(words):
            campaign.complaints.append("complete, and a word is left")
        if states == {"none"} and not all(words):
            campaign.complaints.append("not begun, and a word is gone")
        for state in states & set(_STATES):
            name = _STATES[state]
            setattr(campaign, name, getattr(campaign, name) + 1)
        receipt = memories.withdraw(f"person:{run}", scrub=True)
        if receipt.waits:
            campaign.complaints.append("a scrub that nobody hinders waits")
        if {memories.owner(o).why(f"{run}-{n}").withdrawal for o in OWNERS for n in range(0, EACH, 7)} != {"complete"}:
            campaign.complaints.append("run again, it is not complete")
        campaign.found += len(found_in(folder, [_word(run)]))


def campaign(folder: Path, *, kills: int, seed: int) -> Campaign:
    """
    Kill *kills* withdrawals in the store of *folder*, one after the other.

    Args:
        seed: Which moments. What a moment hits still differs from run to run.
    """
    chance, done = random.Random(seed), Campaign()
    for start in range(0, kills, ROUNDS):
        store = folder / f"store {start // ROUNDS}"
        _plant(store, start)
        if not found_in(store, [_word(start)]):
            done.complaints.append("the search finds nothing where words are")
        _, takes = _killed(store, start, None)
        for run in range(start + 1, start + 1 + min(ROUNDS, kills - start)):
            _plant(store, run)
            ended, _ = _killed(store, run, takes * LATEST * chance.random())
            done.ended += ended
            done.kills += 1
            _judge(store, run, done)
        with _open(store) as memories:
            done.complaints += memories.doctor(deep=True).findings
    return done


if __name__ == "__main__":
    withdraw(Path(sys.argv[1]), int(sys.argv[2]))
