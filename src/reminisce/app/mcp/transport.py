"""MCP over a pair of descriptors: answer every line that comes, then end."""

from collections.abc import Awaitable, Callable
from functools import partial
from types import TracebackType
from typing import Any, Self

import anyio
from attrs import frozen
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from reminisce.app.mcp.frames import encode
from reminisce.app.mcp.guarding import contained, wordless_sdk_logs
from reminisce.app.mcp.inbox import Inbox
from reminisce.app.mcp.intake import Intake
from reminisce.app.mcp.outbox import Outbox
from reminisce.app.mcp.pipes import until_abandoned
from reminisce.app.mcp.signals import stop_signals
from reminisce.app.mcp.streams import Wire, private_wire

FAREWELL_SECONDS = 0.5
"""
How long, once asked to stop, to go on writing to a client that may not be reading. With the second that the SDK takes
to tell it about unfinished requests, this stays below the two that clients wait before they kill.
"""


def run(make_server: Callable[[], Server[Any]]) -> int:
    """
    Serve the client of this process, whose streams are the client's from now until the process has ended.

    For a command of ours. *make_server* is called when the streams are already safe, since it may load a host's code.

    Returns:
        As `serve`, for use as the exit code.
    """
    with private_wire(give_back=False) as wire:
        return anyio.run(serve_wire, make_server(), wire)


async def serve(server: Server[Any], *, stdin_fd: int = 0, stdout_fd: int = 1, stderr_fd: int = 2) -> int:
    """
    Serve one client until its input ends, it goes away, or SIGINT or SIGTERM arrives.

    For a host: its streams, signal handlers, logging and *server* are afterwards as they were. At the end of input
    everything that came is answered first. At a signal, what is running is cancelled and answered so. If the client
    has gone, what is running is cancelled.

    Args:
        stdin_fd, stdout_fd, stderr_fd:
            Descriptors: where the client's words come from, where ours go to, and where anything goes that others
            write to *stdout_fd* meanwhile.

    Returns:
        0, or 1 if the input could not be read, or the answers could not be written though the client was there.

    Raises:
        OSError: If *stdout_fd* is closed.
        ExceptionGroup: Around what the server's lifespan raises.
    """
    with private_wire(stdin_fd, stdout_fd, stderr_fd) as wire:
        return await serve_wire(server, wire)


async def serve_wire(server: Server[Any], wire: Wire) -> int:
    """`serve` on descriptors that are private already."""
    outbox = Outbox(wire.stdout)
    # Through the outbox, like an answer: else a client that cancels and never reads could pile up what its requests
    # had to say before they were cancelled.
    inbox = Inbox(settle=lambda: outbox.put(b"", inbox.release))
    intake = Intake(wire.stdin, inbox, outbox)
    with stop_signals() as stopped, wordless_sdk_logs(), contained(server):
        async with anyio.create_task_group() as writing:
            writing.start_soon(outbox.pump)
            async with anyio.create_task_group() as working:

                async def stop_after(reason: Callable[[], Awaitable[object]]) -> None:
                    await reason()
                    working.cancel_scope.cancel()

                working.start_soon(intake.run)
                working.start_soon(stop_after, partial(until_abandoned, wire.stdout))
                working.start_soon(stop_after, partial(anyio.wait_readable, stopped))
                working.start_soon(stop_after, outbox.failed.wait)
                await server.run(inbox, _Answers(inbox, outbox), server.create_initialization_options())
                working.cancel_scope.cancel()
            with anyio.move_on_after(FAREWELL_SECONDS):
                await outbox.drained()
            writing.cancel_scope.cancel()
    return 1 if intake.unreadable or outbox.lost else 0


@frozen(eq=False)
class _Answers:
    """The stream of messages that `mcp`'s `Server.run` writes (its `WriteStream`)."""

    _inbox: Inbox
    _outbox: Outbox

    async def send(self, item: SessionMessage, /) -> None:
        """
        Send one message. A request's slot is free again when its answer is written, not before.

        Raises:
            anyio.ClosedResourceError: For a request: this server asks its client nothing (see `Inbox.receive`).
        """
        message = item.message
        if isinstance(message, JSONRPCRequest):
            raise anyio.ClosedResourceError
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            await self._outbox.put(encode(message), self._inbox.release)
        else:
            await self._outbox.put(encode(message))

    async def aclose(self) -> None:
        """Nothing: the outbox outlives the server, to finish what it was told."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
