"""One line into one JSON-RPC message and back: the strict reading that the SDK leaves to its transport."""

import json
import logging
import math
import re

from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError

_logger = logging.getLogger(__name__)

MAX_DIGITS = 308
"""
Digits of an integer. As many as always fit a double, which is what most JSON readers keep numbers in. Python's own
limit (4,300) would do against slow conversions, but a host may have lifted it.
"""

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
"""What a lone surrogate looks like before it is one: strict UTF-8 lets none in unescaped."""


def decode(line: bytes) -> JSONRPCRequest | JSONRPCNotification | JSONRPCError | None:
    """
    Read one line from the client.

    Args:
        line:
            One line without its ending, not empty, in any bytes.

    Returns:
        The client's request or notification. Or, for what is neither, the error to answer with: -32700 for what is not
        JSON (or has a name twice in one object, a number no double can hold, too deep a nesting), -32600 for JSON that
        is not one message, with the `id` if it can be read. None for the client's answer to a request: this server
        makes none.
    """
    try:
        text = line.decode()
        message = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse,
            parse_float=_float,
            parse_int=_integer,
        )
        broken_text = _SURROGATE_ESCAPE.search(text) is not None and _has_lone_surrogate(message)
    except (ValueError, RecursionError):
        return refusal(None, PARSE_ERROR, "Parse error")
    if not isinstance(message, dict):
        return refusal(None, INVALID_REQUEST, "Invalid request")
    if "method" not in message and ("result" in message or "error" in message):
        return None
    try:
        if broken_text:
            return refusal(_readable_id(message), INVALID_REQUEST, "Invalid request")
        # The SDK takes an id of null, 1.5 or true for no id at all, and never answers.
        if "id" in message:
            return JSONRPCRequest.model_validate(message, by_name=False)
        return JSONRPCNotification.model_validate(message, by_name=False)
    except ValidationError:
        return refusal(_readable_id(message), INVALID_REQUEST, "Invalid request")


def encode(message: JSONRPCMessage) -> bytes:
    """
    Write one message as one line of UTF-8 with its newline.

    An answer that has no JSON form (a lone surrogate, too deep a nesting) becomes an internal error for the same
    request, so that every request keeps its answer.

    Raises:
        ValueError: If the message has no JSON form and answers nothing.
    """
    try:
        return _dump(message)
    except (ValueError, RecursionError) as error:
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            _logger.error("An answer has no JSON form (%s)", type(error).__name__)  # noqa: TRY400 (its text may quote)
            return _dump(refusal(message.id, INTERNAL_ERROR, "Internal error"))
        raise


def refusal(request_id: RequestId | None, code: int, message: str) -> JSONRPCError:
    """The error that answers a request, or with no id a line that could not be read as one."""
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message))


def _dump(message: JSONRPCMessage) -> bytes:
    # Unset is not null here: "params": null and "data": null are not what was meant.
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name occurs twice")  # each reader would keep another of the two
    return members


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError("no double is as large")
    return value


def _integer(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        raise ValueError("no double is certain to be as large")
    return int(digits)


def _has_lone_surrogate(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _readable_id(message: dict[str, object]) -> RequestId | None:
    request_id = message.get("id")
    if isinstance(request_id, str) and not _has_lone_surrogate(request_id):
        return request_id
    if isinstance(request_id, int) and not isinstance(request_id, bool):
        return request_id
    return None
