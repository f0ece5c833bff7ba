"""Frames on their way to the client: whole, in order, and never more of them than somebody waits for."""

import logging
from collections import deque
from collections.abc import Callable

import anyio
from attrs import define, field, frozen

from reminisce.app.mcp.pipes import write

_logger = logging.getLogger(__name__)


def _nothing() -> None:
    pass


@frozen(eq=False)
class _Frame:
    data: bytes
    on_written: Callable[[], None]
    gone: anyio.Event = field(factory=anyio.Event, init=False)


@define(eq=False)
class Outbox:
    """
    Writes frames to one descriptor.

    A frame, once put, is written whole even if whoever put it is cancelled, since half a frame would take the next one
    with it. Whoever puts one waits until it is written: a client that does not read stops what it could be told.
    """

    _fd: int
    _frames: deque[_Frame] = field(factory=deque, init=False)
    _news: anyio.Event = field(factory=anyio.Event, init=False)
    failed: anyio.Event = field(factory=anyio.Event, init=False)
    """Set when nothing can be written any more. From then on frames are dropped, and nobody waits for them."""
    lost: bool = field(default=False, init=False)
    """Whether writing failed for another reason than that the client has gone."""

    async def put(self, data: bytes, on_written: Callable[[], None] = _nothing) -> None:
        """
        Write *data*, one whole frame or nothing, then call *on_written*.

        Returns when that is done. If cancelled before, both are still done.
        """
        if self.failed.is_set():
            return
        frame = _Frame(data, on_written)
        self._frames.append(frame)
        self._news.set()
        await frame.gone.wait()

    async def pump(self) -> None:
        """Write what is put, until cancelled or until it can no longer be written."""
        try:
            while True:
                while self._frames:
                    frame = self._frames[0]
                    await write(self._fd, frame.data)
                    self._frames.popleft()
                    frame.on_written()
                    frame.gone.set()
                self._news = anyio.Event()
                await self._news.wait()
        except OSError as error:
            if not isinstance(error, ConnectionError):
                self.lost = True
                _logger.error("Answers cannot be written (%s)", error.strerror)  # noqa: TRY400 (no traceback to read)
            self.failed.set()
            for frame in self._frames:
                frame.gone.set()

    async def drained(self) -> None:
        """Return when nothing is left to write."""
        while self._frames and not self.failed.is_set():
            await self._frames[-1].gone.wait()
