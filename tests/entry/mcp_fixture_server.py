"""
A server with a handful of tools for the transport's tests.

Run as a script it serves its own streams: as our command does, or with the argument `host` as a host's program would.
"""

import atexit
import ctypes
import logging
import os
import subprocess
import sys
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import anyio.lowlevel
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    NotificationParams,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

from reminisce.app.mcp.transport import run, serve

WORDS = "words-of-a-memory"
"""What a crashing tool has in its hands; it must turn up nowhere."""

STRAY = "stray words"
"""What does not belong on the wire, and every part of the process tries to put there."""


def make_server() -> Server[Any]:
    """A fresh server; its gate is shut."""
    gate = anyio.Event()
    running: list[str] = []
    peak = 0
    kept: list[str] = []

    async def echo(text: str) -> str:
        return text

    async def keep(text: str) -> str:
        await anyio.lowlevel.checkpoint()
        kept.append(text)
        return str(len(kept))

    async def wait(text: str) -> str:
        nonlocal peak
        running.append(text)
        peak = max(peak, len(running))
        try:
            await gate.wait()
        finally:
            running.remove(text)
        return str(peak)

    async def noisy(text: str) -> str:
        make_noise()
        return text

    async def crash(text: str) -> str:
        raise RuntimeError(WORDS)

    async def leave(text: str) -> str:
        sys.exit(WORDS)

    async def surrogate(text: str) -> str:
        return "\ud800"

    async def fill(text: str) -> str:
        return "x" * int(text)

    tools: dict[str, Callable[[str], Awaitable[str]]] = {
        tool.__name__: tool for tool in (echo, keep, wait, noisy, crash, leave, surrogate, fill)
    }

    async def list_tools(ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None) -> ListToolsResult:
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        return ListToolsResult(tools=[Tool(name=name, input_schema=schema) for name in tools])

    async def call_tool(ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> CallToolResult:
        text = await tools[params.name](str((params.arguments or {}).get("text", "")))
        return CallToolResult(content=[TextContent(text=text)])

    async def open_gate(ctx: ServerRequestContext[Any, Any], params: NotificationParams) -> None:
        gate.set()

    server: Server[Any] = Server("fixture", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    server.add_notification_handler("notifications/open", NotificationParams, open_gate)
    return server


def make_noise() -> None:
    """Write to stdout by every means we could think of."""
    print(f"{STRAY} printed\n\N{GRINNING FACE}")  # noqa: T201 (the point)
    os.write(1, f"{STRAY} descriptor\n".encode())
    ctypes.CDLL(None).puts(f"{STRAY} C".encode())
    subprocess.run(["echo", f"{STRAY} child"], check=True)
    logging.getLogger("fixture").error("%s logged", STRAY)
    warnings.warn(f"{STRAY} warned", stacklevel=1)
    assert sys.__stdout__ is not None
    sys.__stdout__.write(f"{STRAY} buffered\n")  # last, so that nothing else empties the buffer


MEANS = ("printed", "buffered", "descriptor", "C", "child", "logged", "warned")
"""What each stray line ends with."""

AFTERWARDS = "the host's own words"
"""What the host prints when it has its stdout back."""


def main() -> int:
    """Serve the streams of this process, with logging (and, for our command, an exit handler) that aims at stdout."""
    if "host" in sys.argv:
        logging.basicConfig(level=logging.ERROR, stream=sys.stdout)
        code = anyio.run(serve, make_server())
        print(AFTERWARDS)  # noqa: T201 (the point)
        return code
    logging.basicConfig(level=logging.DEBUG, stream=sys.stdout)
    atexit.register(make_noise)
    return run(make_server)


if __name__ == "__main__":
    sys.exit(main())
