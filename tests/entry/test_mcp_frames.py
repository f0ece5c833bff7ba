"""Reading a line as a JSON-RPC message, and writing one."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from reminisce.app.mcp.frames import MAX_DIGITS, decode, encode

PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"{", id="broken"),
        pytest.param(b'{"a":1} {"b":2}', id="two values"),
        pytest.param(b"\xff", id="not UTF-8"),
        pytest.param(b'"\xed\xa0\x80"', id="a surrogate in bytes"),
        pytest.param(b'"\xc0\x80"', id="an overlong NUL"),
        pytest.param('{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16"), id="UTF-16"),
        pytest.param(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', id="a byte order mark"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', id="a name twice"),
        pytest.param(b'{"params":{"a":1,"a":1}}', id="a name twice inside"),
        pytest.param(b'{"params":{"a":NaN}}', id="NaN"),
        pytest.param(b'{"params":{"a":-Infinity}}', id="Infinity"),
        pytest.param(b'{"params":{"a":1e400}}', id="a fraction no double holds"),
        pytest.param(b'{"id":' + b"9" * (MAX_DIGITS + 1) + b"}", id="an integer no double may hold"),
        pytest.param(b'{"id":' + b"9" * 9_999 + b"}", id="an integer Python refuses"),
        pytest.param(b"[" * 500_000, id="nesting, open"),
        pytest.param(b"[" * 500_000 + b"]" * 500_000, id="nesting, closed"),
        pytest.param(b" ", id="a blank"),
    ],
)
def test_what_is_not_json_is_a_parse_error(line: bytes) -> None:
    answer = decode(line)

    assert isinstance(answer, JSONRPCError)
    assert (answer.error.code, answer.id) == (PARSE_ERROR, None)


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        (b"[]", None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None),
        (b"null", None),
        (b"{}", None),
        (b'{"jsonrpc":"2.0","id":7}', 7),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', 7),
        (b'{"id":"seven","method":"ping"}', "seven"),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None),
        (b'{"jsonrpc":"2.0","id":1.0,"method":"ping"}', None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', None),
        (b'{"jsonrpc":"2.0","id":7,"method":1}', 7),
        (b'{"jsonrpc":"2.0","method":1}', None),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', 7),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\\ud800"}}', 7),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"\\uDFFF":1}}', 7),
        (b'{"jsonrpc":"2.0","id":7,"method":"\\udc00\\ud800"}', 7),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', None),
    ],
)
def test_json_that_is_no_message_is_an_invalid_request(line: bytes, request_id: object) -> None:
    answer = decode(line)

    assert isinstance(answer, JSONRPCError)
    assert (answer.error.code, answer.id) == (INVALID_REQUEST, request_id)
    assert type(answer.id) is type(request_id)


@pytest.mark.parametrize("request_id", [0, -1, 2**70, 10**MAX_DIGITS - 1, "", "1", "\N{GRINNING FACE}"])
def test_a_request_keeps_its_id(request_id: int | str) -> None:
    line = json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "ping"}).encode()

    message = decode(line)

    assert message == JSONRPCRequest(jsonrpc="2.0", id=request_id, method="ping")
    assert json.loads(encode(JSONRPCResponse(jsonrpc="2.0", id=request_id, result={})))["id"] == request_id


def test_a_pair_of_escaped_surrogates_is_one_character() -> None:
    message = decode(b'{"jsonrpc":"2.0","method":"x","params":{"a":"\\ud83d\\ude00"}}')

    assert message == JSONRPCNotification(jsonrpc="2.0", method="x", params={"a": "\N{GRINNING FACE}"})


@pytest.mark.parametrize("line", [b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"id":null,"error":{}}', b'{"result":1}'])
def test_an_answer_from_the_client_is_not_answered(line: bytes) -> None:
    assert decode(line) is None


@given(
    st.dictionaries(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=8,
        ),
    )
)
def test_parameters_arrive_as_they_were_sent(params: dict[str, Any]) -> None:
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x", "params": params}).encode()

    assert decode(line) == JSONRPCRequest(jsonrpc="2.0", id=1, method="x", params=params)


def test_a_message_is_written_as_one_line() -> None:
    frame = encode(JSONRPCResponse(jsonrpc="2.0", id=1, result={"a": "\r\n\u2028\N{GRINNING FACE}"}))

    assert frame.count(b"\n") == 1
    assert frame.endswith(b"\n")
    assert json.loads(frame.decode())["result"]["a"] == "\r\n\u2028\N{GRINNING FACE}"


def deep() -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(10_000):
        value = {"": value}
    return value


@pytest.mark.parametrize("result", [{"a": "\ud800"}, deep()], ids=["surrogate", "deep"])
def test_an_answer_without_a_json_form_becomes_an_internal_error(result: dict[str, Any]) -> None:
    answer = json.loads(encode(JSONRPCResponse(jsonrpc="2.0", id=7, result=result)))

    assert (answer["id"], answer["error"]["code"]) == (7, INTERNAL_ERROR)


def test_a_notification_without_a_json_form_is_not_written() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        encode(JSONRPCNotification(jsonrpc="2.0", method="x", params={"a": "\ud800"}))
