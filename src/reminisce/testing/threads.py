"""Threads that start together and hand back what became of them."""

import threading
from collections.abc import Callable, Sequence
from typing import Final

__all__ = ["PATIENCE_S", "at_once", "in_thread"]

PATIENCE_S: Final = 60.0
"""How long a test waits for a thread before it calls it stuck. Never waited out by a store that works."""


def at_once(tasks: Sequence[Callable[[], object]]) -> list[object]:
    """
    Run every task in a thread of its own, none before all threads are running.

    Returns:
        In the order of *tasks*, what each returned or the exception that it raised.
    """
    gate = threading.Barrier(len(tasks))
    outcomes: list[object] = [None] * len(tasks)

    def run(place: int, task: Callable[[], object]) -> None:
        gate.wait(PATIENCE_S)
        try:
            outcomes[place] = task()
        except Exception as error:  # noqa: BLE001 (handed to the test, which judges it)
            outcomes[place] = error

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "a thread is stuck in the store"
    return outcomes


def in_thread(task: Callable[[], object]) -> object:
    """What *task* returns or raises in another thread, waited for."""
    return at_once([task])[0]
