"""SIGINT and SIGTERM as something to wait for, with the host's handlers back afterwards."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOPS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_signals() -> Iterator[int]:
    """
    Turn the first SIGINT or SIGTERM into a descriptor that becomes readable.

    That first signal also puts the former handlers back, so that a second one acts as it would without us: whoever
    will not wait can still end the process. Signals that are ignored stay ignored. Outside the main thread, where
    Python allows no handlers, the descriptor never becomes readable.

    Not the event loop's own `add_signal_handler`: on removal that forgets which handler was there before.

    Yields:
        The descriptor, to wait on and not to read.
    """
    stopped, stop = os.pipe()
    former = {number: signal.getsignal(number) for number in _STOPS} if _in_main_thread() else {}

    def restore() -> None:
        for number, handler in former.items():
            # None is a handler that C code installed, which Python can neither call nor put back.
            if handler not in (None, signal.SIG_IGN):
                signal.signal(number, handler)

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        restore()
        os.write(stop, b".")

    for number, handler in former.items():
        if handler not in (None, signal.SIG_IGN):
            signal.signal(number, on_signal)
    try:
        yield stopped
    finally:
        restore()
        os.close(stopped)
        os.close(stop)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
