"""What the SDK would tell of a crash, to the client and to logs, cut down to that there was one."""

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from pydantic import ValidationError

_logger = logging.getLogger(__name__)

_SDK_LOGGERS = "mcp"
"""The parent of every logger of the SDK."""


@contextmanager
def contained(server: Server[Any]) -> Iterator[None]:
    """
    Let a crash in one message end as an internal error that names nothing, and the server go on.

    In the handshake era the SDK sends an exception's text to the client; in either era it writes it, maybe a memory's
    words, to its log and its telemetry. The log gets the exception's class and place instead.

    Twice around the server's middleware: inside, since the SDK's telemetry is one and records what passes through it;
    outside, since a middleware can crash as well.
    """
    middleware = server.middleware
    server.middleware = [_contain, *middleware, _contain]
    try:
        yield
    finally:
        server.middleware = middleware


async def _contain(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):
        raise  # the SDK answers these itself; of a ValidationError, that the parameters are invalid and no more
    # A library that gives up with sys.exit() must not take the server along.
    except (Exception, SystemExit) as crash:  # noqa: BLE001 (whatever it is, it is reported)
        _report(crash)


def _report(crash: BaseException) -> NoReturn:
    frame, line = list(traceback.walk_tb(crash.__traceback__))[-1]
    _logger.error("A message crashed: %s at %s:%d", type(crash).__qualname__, frame.f_code.co_filename, line)
    raise MCPError(INTERNAL_ERROR, "Internal error") from None


@contextmanager
def wordless_sdk_logs() -> Iterator[None]:
    """
    Let the SDK log what happened, but not with which words.

    Its records carry whole messages as arguments and results in tracebacks. While the context lasts they reach the
    host's handlers as bare templates, with the class of the exception, under this module's logger.
    """
    sdk = logging.getLogger(_SDK_LOGGERS)
    handler = _Wordless()
    propagated = sdk.propagate
    sdk.propagate = False
    sdk.addHandler(handler)
    try:
        yield
    finally:
        sdk.removeHandler(handler)
        sdk.propagate = propagated


class _Wordless(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        text = f"{record.name}: {record.msg}"
        if record.exc_info and record.exc_info[0]:
            text += f" ({record.exc_info[0].__qualname__})"
        _logger.handle(
            logging.LogRecord(_logger.name, record.levelno, record.pathname, record.lineno, text, None, None)
        )
