"""Processes that make a store. Run as scripts, so that each is a process of its own with nothing inherited."""

import sys
from pathlib import Path

from reminisce.adapters.sqlite import KeySource, SQLiteStore

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.killing import kill_before


def _open(folder: Path) -> SQLiteStore:
    return SQLiteStore(folder / "memory.db", KeySource(folder / "keys"))


def opened(folder: Path) -> str:
    """The incarnation of the folder's store, made if it was not there."""
    store = _open(folder)
    try:
        with store.view() as view:
            return view.incarnation()
    finally:
        store.close()


def race() -> None:
    """
    For each folder on stdin open its store and tell its incarnation.

    It stays open until the next folder comes: whoever was first does not make way for the others by closing.
    """
    held: SQLiteStore | None = None
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        if held is not None:
            held.close()
        held = _open(Path(line.rstrip("\n")))
        with held.view() as view:
            sys.stdout.write(view.incarnation() + "\n")
        sys.stdout.flush()
    if held is not None:
        held.close()


def die_at(folder: Path, step: int) -> None:
    """Open the store and be killed before the *step*-th thing done to files; end well when there are fewer."""
    kill_before(step, folder)
    opened(folder)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        die_at(Path(sys.argv[1]), int(sys.argv[2]))
    else:
        race()
