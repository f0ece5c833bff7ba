"""
How fast stores are backed up and restored, and how much the process grows by.

    python bench/backup.py --memories 100000
"""

import argparse
import itertools
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import corpus
from reminisce import Keyring, Memories, open_memory

BATCH = 20_000
"""Memories in a commit of the corpus."""

ABOUT = 4
"""One memory of so many is about one of a thousand subjects."""


def grown() -> float:
    """The largest this process has been, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(name: str, memories: int, action: Callable[[], object]) -> None:
    before, start = grown(), time.perf_counter()
    action()
    took = time.perf_counter() - start
    print(f"{name:9} {took:8.2f} s  {memories / took:9.0f}/s  grew by {grown() - before:6.1f} MiB", flush=True)


def opened(folder: Path) -> Memories:
    return open_memory(folder / "memory.db", keys=folder / "keys")


def fill(folder: Path, memories: int) -> None:
    texts = enumerate(corpus.memories(memories))
    with opened(folder) as store:
        owner = store.owner("agent:bench")
        while batch := list(itertools.islice(texts, BATCH)):
            owner.remember_many(
                {"content": text, **({"subjects": [f"person:{n % 1000}"]} if n % ABOUT == 0 else {})}
                for n, text in batch
            )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--step", choices=["fill", "backup", "restore"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        if given.step in (None, "fill"):
            fill(folder / "origin", given.memories)
        if given.step in (None, "backup"):
            with opened(folder / "origin") as store:
                timed("backup", given.memories, lambda: store.backup(folder / "first"))
            print(f"file      {(folder / 'first').stat().st_size / 2**20:8.1f} MiB")
        if given.step in (None, "restore"):
            with opened(folder / "origin") as store, store._store.view() as view:
                keys = {key.id: key.key for key in view.keyring()[0]}
            keyring = Keyring(store="0" * 32, keys=keys)
            with opened(folder / "there") as store:
                timed("restore", given.memories, lambda: store.restore(folder / "first", keyring=keyring))
                timed("again", given.memories, lambda: store.backup(folder / "second"))
            print("identical", (folder / "first").read_bytes() == (folder / "second").read_bytes())


if __name__ == "__main__":
    main()
