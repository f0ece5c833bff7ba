"""The reading side: bytes from the client, each line of them left for the server or answered on the spot."""

import logging

from attrs import define, field
from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST, JSONRPCError

from reminisce.app.mcp.frames import decode, encode, refusal
from reminisce.app.mcp.inbox import Inbox
from reminisce.app.mcp.lines import LineSplitter
from reminisce.app.mcp.outbox import Outbox
from reminisce.app.mcp.pipes import read

_logger = logging.getLogger(__name__)


@define(eq=False)
class Intake:
    """Reads one client's input to its end."""

    _fd: int
    _inbox: Inbox
    _outbox: Outbox
    unreadable: bool = field(default=False, init=False)
    """Whether the input ended because it could not be read."""

    async def run(self) -> None:
        """
        Read until the end, then say so to the inbox.

        An answer given here is written before reading goes on. Without that, a client that sends nonsense and reads
        nothing would fill our memory with refusals.
        """
        lines = LineSplitter()
        try:
            while piece := await read(self._fd):
                for line in lines.feed(piece):
                    await self._sort(line)
            for line in lines.finish():
                await self._sort(line)
        except OSError as error:
            _logger.error("Input cannot be read (%s)", error.strerror)  # noqa: TRY400 (no traceback worth reading)
            self.unreadable = True
            await self._refuse(refusal(None, CONNECTION_CLOSED, "Input cannot be read"))
        self._inbox.end()

    async def _sort(self, line: bytes | None) -> None:
        if line == b"":
            return
        await self._inbox.room()
        message = refusal(None, INVALID_REQUEST, "Request too large") if line is None else decode(line)
        if isinstance(message, JSONRPCError):
            await self._refuse(message)
        elif message is not None:
            self._inbox.put(message, len(line or b""))

    async def _refuse(self, error: JSONRPCError) -> None:
        await self._outbox.put(encode(error))
