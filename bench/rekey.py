"""
Kill a change of the store's key at random moments, and look which key works: `tests/support/rekeying.py`, at any scale.

    python bench/rekey.py --kills 200
"""

import argparse
import sys
import tempfile
from pathlib import Path

import attrs

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.rekeying import campaign


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = campaign(Path(folder), kills=given.kills, seed=given.seed)
    for name, value in attrs.asdict(done).items():
        print(f"{name:14}{value}")
    sys.exit(bool(done.complaints))


if __name__ == "__main__":
    main()
