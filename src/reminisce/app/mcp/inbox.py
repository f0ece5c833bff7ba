"""Messages that wait for the server: in what order they go, how many at a time, when to read no more of them."""

from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

import anyio
import anyio.lowlevel
from attrs import define, field, frozen
from mcp.shared.dispatcher import coerce_request_id
from mcp.shared.jsonrpc_dispatcher import cancelled_request_id_from_params
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest

SLOTS = 16
"""
Requests that the server works on at once. Our choice: more than an agent has tools in the air, fewer than the threads
(40) that anyio hands out, so that no request waits where neither a cancel nor a bound on memory can reach it.
"""

STOP_BYTES, RESUME_BYTES = 4 * 1024 * 1024, 1024 * 1024
"""Bytes of waiting lines above which reading stops, and at which it resumes (spec §10): four of the longest lines."""

STOP_LINES, RESUME_LINES = 4_096, 1_024
"""The same for their number. The gap saves stopping and starting at every line."""


M = TypeVar("M", JSONRPCRequest, JSONRPCNotification)


@frozen(eq=False)
class _Waiting(Generic[M]):
    place: int
    size: int
    message: M


@define(eq=False)
class Inbox:
    """
    The stream of messages that `mcp`'s `Server.run` reads (its `ReadStream`).

    Order: as they came while a slot is free. While none is, notifications go past the waiting requests, so that a
    cancel reaches what it cancels. A cancel of a request that still waits takes that request out, unanswered.

    End: not when the input ends but when, besides, everything is answered: the SDK cancels what it works on at the
    end of its stream.

    For one reader and one `put`ting task in one event loop.
    """

    _settle: Callable[[], Awaitable[None]]
    """Awaited by the SDK for a request that will never be answered. It must lead to `release`."""
    _slots: int = SLOTS
    _came: int = field(default=0, init=False)
    _requests: deque[_Waiting[JSONRPCRequest]] = field(factory=deque, init=False)
    _notices: deque[_Waiting[JSONRPCNotification]] = field(factory=deque, init=False)
    _running: int = field(default=0, init=False)
    _bytes: int = field(default=0, init=False)
    _ended: bool = field(default=False, init=False)
    _news: anyio.Event = field(factory=anyio.Event, init=False)
    _relief: anyio.Event = field(factory=anyio.Event, init=False)

    @property
    def waiting_bytes(self) -> int:
        """Bytes of the lines whose messages the server has not taken."""
        return self._bytes

    @property
    def waiting_lines(self) -> int:
        """How many lines those are. Empty ones never wait: they are dropped as they are read."""
        return len(self._requests) + len(self._notices)

    def put(self, message: JSONRPCRequest | JSONRPCNotification, size: int) -> None:
        """Let *message*, which came as a line of *size* bytes, wait. Never refused: ask `room` first."""
        if isinstance(message, JSONRPCRequest):
            self._requests.append(_Waiting(self._came, size, message))
        elif self._cancels_waiting(message):
            return
        else:
            self._notices.append(_Waiting(self._came, size, message))
        self._came += 1
        self._bytes += size
        self._news.set()

    async def room(self) -> None:
        """Return when reading may go on: at once, or if too much waits, when most of it has been taken."""
        if self._bytes <= STOP_BYTES and self.waiting_lines <= STOP_LINES:
            return
        while self._bytes > RESUME_BYTES or self.waiting_lines > RESUME_LINES:
            self._relief = anyio.Event()
            await self._relief.wait()

    def end(self) -> None:
        """Say that nothing more will be put."""
        self._ended = True
        self._news.set()

    def release(self) -> None:
        """Free the slot of a request that is answered, or settled without an answer."""
        self._running -= 1
        self._news.set()

    async def receive(self) -> SessionMessage:
        """
        The next message for the server.

        Raises:
            anyio.EndOfStream: If the input has ended and every request is answered.
        """
        await anyio.lowlevel.checkpoint()
        while (waiting := self._next()) is None:
            if self._ended and not self._requests and not self._running:
                raise anyio.EndOfStream
            self._news = anyio.Event()
            await self._news.wait()
        self._taken(waiting.size)
        # This server asks its client nothing: an answer could not come after the end of input, yet would be waited for.
        return SessionMessage(
            waiting.message, ServerMessageMetadata(on_request_unanswered=self._settle, can_send_request=False)
        )

    def _taken(self, size: int) -> None:
        self._bytes -= size
        self._relief.set()

    def _next(self) -> _Waiting[JSONRPCRequest] | _Waiting[JSONRPCNotification] | None:
        request = self._requests[0] if self._requests and self._running < self._slots else None
        if self._notices and (request is None or self._notices[0].place < request.place):
            return self._notices.popleft()
        if request is not None:
            self._running += 1
            return self._requests.popleft()
        return None

    def _cancels_waiting(self, notice: JSONRPCNotification) -> bool:
        if notice.method != "notifications/cancelled":
            return False
        target = cancelled_request_id_from_params(notice.params)
        if target is None:
            return False
        for waiting in self._requests:
            # By the SDK's rule ("7" is 7), so that a cancel finds a request wherever it is.
            if coerce_request_id(waiting.message.id) == coerce_request_id(target):
                self._requests.remove(waiting)
                self._taken(waiting.size)
                return True
        return False

    async def aclose(self) -> None:
        """Nothing: whoever puts decides the end."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
