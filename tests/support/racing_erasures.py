"""
Withdrawals beside two processes that write about the same person at the same time, round after round.

In each round both processes and this one pass a barrier; then those remember, one by one and in batches, about that round's
person for one owner, and this one withdraws the person after a random while. Every write that was acknowledged must have
been erased; every other must have been refused with ``subject_withdrawn``.
"""

import json
import random
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import attrs

from reminisce import SubjectWithdrawnError, open_memory
from tests.support.pages import found_in

ROOT: Final = Path(__file__).parents[2]

__all__ = ["Race", "race"]

OWNER: Final = "agent:both"
WRITES: Final = 12
LATEST_S: Final = 0.03
"""A withdrawal begins at most this long after the writers: about as long as they write."""


@attrs.define
class Race:
    """What was done and what came of it."""

    rounds: int = 0
    acknowledged: int = 0
    """Memories that were kept, and then erased."""

    refused: int = 0
    """Writers that were refused; in the other rounds a writer was done before the withdrawal began."""

    within: int = 0
    """Rounds in which writes were kept and a writer was refused: the withdrawal came between."""

    left: list[str] = attrs.field(factory=list)
    """Memories that still have words, and words that were found in the files. Must be empty."""

    complaints: list[str] = attrs.field(factory=list)


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def write(folder: Path, name: str) -> None:
    """For each round named on a line of its own, write about that person, and tell keys and refusal."""
    with open_memory(folder / "memory.db", keys=folder / "keys") as memories:
        owner = memories.owner(OWNER)
        _tell("ready")
        while line := sys.stdin.readline():
            about, kept, refused = int(line), list[str](), ""
            given: dict[str, Any] = {"subjects": [f"person:{about}"], "facets": {"zxfacet": "zxracing"}}
            try:
                for number in range(WRITES):
                    text = f"zxracing {number} of {name} in {about}"
                    if number % 3:
                        kept.append(owner.remember(text, **given).key)
                    else:
                        lines = [{"content": f"{text} {part}", **given} for part in range(3)]
                        kept += [line.key for line in owner.remember_many(lines).lines]
            except SubjectWithdrawnError as error:
                refused = error.code
            _tell(json.dumps([kept, refused]))


def race(folder: Path, *, rounds: int, seed: int) -> Race:
    """Run *rounds* of it over the store of *folder*."""
    chance, done = random.Random(seed), Race()
    with ExitStack() as running, open_memory(folder / "memory.db", keys=folder / "keys") as memories:
        command = [sys.executable, "-m", __name__, str(folder)]
        pipe = subprocess.PIPE
        writers = [
            running.enter_context(subprocess.Popen([*command, name], stdin=pipe, stdout=pipe, text=True, cwd=ROOT))
            for name in ("first", "second")
        ]
        for writer in writers:
            assert _told(writer) == "ready\n"
        owner = memories.owner(OWNER)
        for about in range(rounds):
            for writer in writers:
                assert writer.stdin is not None
                writer.stdin.write(f"{about}\n")
                writer.stdin.flush()
            time.sleep(LATEST_S * chance.random())
            state = memories.withdraw(f"person:{about}").state
            answers = [json.loads(_told(writer)) for writer in writers]
            kept = [key for keys, _ in answers for key in keys]
            refusals = [code for _, code in answers if code]
            done.rounds += 1
            done.acknowledged += len(kept)
            done.refused += len(refusals)
            done.within += bool(kept and refusals)
            if state != "withdrawn" or set(refusals) - {"subject_withdrawn"}:
                done.complaints.append(f"round {about}: {state}, {refusals}")
            whys = [owner.why(key) for key in kept]
            done.left += [why.memory.key for why in whys if why.memory.content or why.withdrawal != "complete"]
            done.left += [hit.memory.key for hit in owner.recent(1000, subject=f"person:{about}").hits]
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.close()
            writer.wait()
        done.complaints += memories.scrub().waits
        done.complaints += memories.doctor(deep=True).findings
        done.left += found_in(folder, ["zxracing", "zxfacet"])
    return done


def _told(writer: "subprocess.Popen[str]") -> str:
    assert writer.stdout is not None
    return writer.stdout.readline()


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2])
