"""Writes a file and is killed at a step of it. Run as a script."""

import sys
from pathlib import Path

from reminisce.adapters.files import writing
from tests.support.killing import kill_before

if __name__ == "__main__":
    path, step, over = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "over"
    kill_before(step, path.parents[1])
    with writing(path, over=over) as file:
        file.write(b"new " * 10_000)
        file.flush()
