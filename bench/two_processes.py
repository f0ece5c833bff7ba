"""
Two processes that remember for one owner at once, at any scale: `tests/support/two_processes.py`.

    python bench/two_processes.py --count 1000
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.two_processes import PROCESSES, race


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000, help="memories of each process, 2 or more")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = race(Path(folder), count=given.count)
    print(f"acknowledged  {len(done.acknowledged)}\nkept          {len(done.kept)}\nseconds       {done.seconds:.1f}")
    sys.exit(sorted(done.acknowledged) != sorted(done.kept) or len(set(done.kept)) != PROCESSES * given.count)


if __name__ == "__main__":
    main()
