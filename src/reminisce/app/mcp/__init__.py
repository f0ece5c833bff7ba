"""Memories over MCP: one owner, one audience, one destination, fixed when the server starts."""

from importlib.metadata import version

from reminisce.app.mcp.server import make_server
from reminisce.app.mcp.tools import tools
from reminisce.app.mcp.transport import run
from reminisce.app.service.core import Page
from reminisce.app.service.memories import Memories
from reminisce.codec import written_bytes

__all__ = ["PAGE", "serve_memories"]

PAGE = Page(128 * 1024, written_bytes)
"""Of one answer, sent as text and as structure together: about 15,000 tokens, which clients that count still take."""


def serve_memories(memories: Memories, owner: str, *, extended: bool = False) -> int:
    """
    Serve one owner's memories on this process's standard streams until the client goes.

    Args:
        memories: Opened with the audience, destination and page size that hold for this server.
        owner: ``kind:id``.
        extended: Whether to offer more than the four core tools.

    Returns:
        The exit code: 0 at the end of input, 1 when input could not be read.
    """
    served = memories.owner(owner)
    offered = tools(memories.aspects, extended=extended)
    return run(lambda: make_server(served, offered, version("reminisce-memory")))
