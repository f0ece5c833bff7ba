"""Asks the host's policy, within a bounded time, whatever it does."""

import queue
import threading
from collections.abc import Iterable
from typing import Final

from reminisce.domain.limits import BYTES
from reminisce.domain.memory import Memory
from reminisce.domain.policy import CODE, Allow, Draft, Hold, Refuse, Verdict
from reminisce.errors import PolicyFailedError
from reminisce.ports.policy import Policy

__all__ = ["PATIENCE_S", "Judge"]

PATIENCE_S: Final = 10.0
"""How long a policy may think about one memory: a remote classifier answers in a second or two."""

AT_ONCE: Final = 8
"""Threads that may be in the policy, hanging ones among them: each keeps its memory's words in the process."""


class Judge:
    """
    One policy and how long it may take.

    Args:
        patience_s: For each memory, in seconds.
    """

    def __init__(self, policy: Policy, *, patience_s: float = PATIENCE_S) -> None:
        self._policy = policy
        self._patience_s = patience_s
        self._places = threading.BoundedSemaphore(AT_ONCE)

    def rule(self, owner: str, drafts: Iterable[Memory]) -> dict[Draft, Verdict]:
        """
        A verdict on each draft.

        Raises:
            PolicyFailedError: It raised, answered what is no verdict, or took too long.
        """
        drafts = list(drafts)
        # A thread takes a place that it gives back itself: one that hangs keeps it.
        if not self._places.acquire(timeout=self._patience_s):
            raise PolicyFailedError("earlier calls hang")
        answers: queue.SimpleQueue[object] = queue.SimpleQueue()
        # Daemons do not keep the process from ending; the time of one that hangs is nobody's.
        threading.Thread(target=self._ask, args=(owner, drafts, answers), name="policy", daemon=True).start()
        verdicts = {}
        for draft in drafts:
            try:
                answer = answers.get(timeout=self._patience_s)
            except queue.Empty:
                raise PolicyFailedError("it took too long") from None
            verdicts[Draft.of(draft)] = _verdict(answer)
        return verdicts

    def _ask(self, owner: str, drafts: list[Memory], answers: "queue.SimpleQueue[object]") -> None:
        try:
            for draft in drafts:
                answers.put(self._policy.check(owner, draft))
        except BaseException as error:  # noqa: BLE001 (a policy may raise anything, SystemExit too; it is told on)
            answers.put(error)
        finally:
            self._places.release()


def _verdict(answer: object) -> Verdict:
    match answer:
        case Allow():
            return answer
        case Hold(reason) if _is_reason(reason):
            return answer
        case Refuse(code) if _is_code(code):
            return answer
        case BaseException():
            raise PolicyFailedError(f"it raised {type(answer).__name__}")
        case _:
            raise PolicyFailedError("it answered what is no verdict")


def _is_code(code: object) -> bool:
    return isinstance(code, str) and CODE.fullmatch(code) is not None


def _is_reason(reason: object) -> bool:
    try:
        return isinstance(reason, str) and 0 < len(reason.encode()) <= BYTES["reason"] and "\0" not in reason
    except UnicodeEncodeError:
        return False
