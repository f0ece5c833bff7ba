"""Restores that are killed, again and again, until one ends."""

import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from reminisce import open_memory
from reminisce.app.service import bringing

__all__ = ["killed_until_done"]

LINES = 20
"""Lines in a commit: few, so that there are many between which to be killed."""

LATEST_S = 0.25
"""When the latest kill comes, after the restore was about to begin; a whole one takes longer."""


def restore(folder: Path, backup: Path) -> None:
    bringing.LINES = LINES  # type: ignore[misc]
    with open_memory(folder / "memory.db", keys=folder / "keys") as memories:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        memories.restore(backup)


def killed_until_done(folder: Path, backup: Path, *, kills: int, seed: int) -> int:
    """
    Kill up to *kills* restores of *backup* into the store of *folder*, then let one end.

    Returns:
        How many were killed before they ended.
    """
    chance, killed = random.Random(seed), 0
    command = [sys.executable, __file__, str(folder), str(backup)]
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            end = time.monotonic() + LATEST_S * chance.random()
            while (left := end - time.monotonic()) > 0:
                # Only its end can be told: it says nothing more.
                if select.select([process.stdout], [], [], left)[0]:
                    break
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
                killed += 1
        if process.returncode == 0:
            return killed
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return killed


if __name__ == "__main__":
    restore(Path(sys.argv[1]), Path(sys.argv[2]))
