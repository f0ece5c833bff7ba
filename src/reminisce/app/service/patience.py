"""Asks what may hang, for a bounded time and in a bounded number of threads."""

import os
import queue
import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

__all__ = ["AT_ONCE", "Crowded", "Patience", "Raised", "TooLong"]

A = TypeVar("A")

AT_ONCE: Final = 8
"""Threads that may be asked at once, hanging ones among them: each keeps the words that it was asked about."""


class TooLong(Exception):  # noqa: N818 (no error of ours: whoever asks tells its own)
    """No answer in time. The thread is left behind."""


class Crowded(Exception):  # noqa: N818
    """Earlier questions take all the places."""


class Raised(Exception):  # noqa: N818
    """What was asked raised something, of whatever kind. What that says is told to nobody."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind
        """The name of its class."""


class _Worker(Generic[A]):
    """A thread that answers one question after the other, until one hangs."""

    def __init__(self, name: str, idle: "Callable[[_Worker[A]], None]") -> None:
        self._questions: queue.SimpleQueue[tuple[Callable[[], A], queue.SimpleQueue[A | BaseException]]] = (
            queue.SimpleQueue()
        )
        self._idle = idle
        # Daemons do not keep the process from ending; the time of one that hangs is nobody's.
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def ask(self, question: Callable[[], A]) -> "queue.SimpleQueue[A | BaseException]":
        answers: queue.SimpleQueue[A | BaseException] = queue.SimpleQueue()
        self._questions.put((question, answers))
        return answers

    def _work(self) -> None:
        while True:
            question, answers = self._questions.get()
            answer: A | BaseException
            try:
                answer = question()
            except BaseException as error:  # noqa: BLE001 (whatever it raises is told to who asked)
                answer = error
            # First free, then answered: who has an answer finds a place.
            self._idle(self)
            answers.put(answer)
            del question, answers, answer


class Patience(Generic[A]):
    """
    Threads that are kept between questions, so that asking costs some microseconds.

    Args:
        name: Of the threads.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._free: list[_Worker[A]] = []

    def ask(self, question: Callable[[], A], patience_s: float) -> A:
        """
        The answer to *question*, which runs in another thread.

        Raises:
            TooLong, Crowded: After *patience_s* each.
            Raised: The question did.
        """
        if self._process != os.getpid():
            # Threads do not live through a fork.
            self._begin()
        if not self._places.acquire(timeout=patience_s):
            raise Crowded
        try:
            worker = self._free.pop()
        except IndexError:
            worker = _Worker(self._name, self._rest)
        try:
            answer = worker.ask(question).get(timeout=patience_s)
        except queue.Empty:
            raise TooLong from None
        if isinstance(answer, BaseException):
            raise Raised(type(answer).__name__)
        return answer

    def _rest(self, worker: _Worker[A]) -> None:
        self._free.append(worker)
        self._places.release()
