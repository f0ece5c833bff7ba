"""The server as its client meets it: bytes in, frames out, and an end."""

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import suppress
from typing import Any

import anyio
import anyio.to_thread
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types import JSONRPCNotification, JSONRPCRequest

from reminisce.app.mcp.inbox import SLOTS, STOP_BYTES, STOP_LINES, Inbox
from reminisce.app.mcp.lines import MAX_LINE
from reminisce.app.mcp.pipes import READ_SIZE
from reminisce.app.mcp.streams import Wire
from reminisce.app.mcp.transport import serve_wire
from tests.entry.mcp_fixture_server import MEANS, STRAY, WORDS, make_server
from tests.entry.mcp_wire import (
    ENVIRONMENT,
    HANDSHAKE,
    MODERN,
    PATIENCE,
    SCRIPT,
    Answer,
    Era,
    ask,
    call,
    converse,
    converse_here,
    notification,
    request,
    server_process,
    tell,
    text_of,
)

CONNECTION_CLOSED, PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32000, -32700, -32600, -32603

SMALL_LOCALE = {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def fault(answer: Answer) -> tuple[object, int, str]:
    return answer["id"], answer["error"]["code"], answer["error"]["message"]


def test_everything_before_the_end_of_input_is_answered() -> None:
    outcome = converse(b"".join(request(number, "ping") for number in range(20_000)))

    assert outcome.code == 0
    assert outcome.by_id == {number: {"jsonrpc": "2.0", "id": number, "result": {}} for number in range(20_000)}


@pytest.mark.parametrize("data", [b"", b"\n\r\n\n", notification("notifications/initialized")])
def test_input_that_asks_nothing_is_answered_with_nothing(data: bytes) -> None:
    outcome = converse_here(data)

    assert (outcome.code, outcome.stdout) == (0, b"")


def test_a_burst_of_calls_is_kept_whole() -> None:
    outcome = converse(HANDSHAKE + b"".join(call(number, "keep") for number in range(20)))

    assert sorted(int(text_of(outcome.by_id[number])) for number in range(20)) == list(range(1, 21))


def test_no_more_requests_run_at_once_than_there_are_slots() -> None:
    outcome = converse_here(
        HANDSHAKE + b"".join(call(number, "wait") for number in range(3 * SLOTS)) + notification("notifications/open")
    )

    assert max(int(text_of(outcome.by_id[number])) for number in range(3 * SLOTS)) == SLOTS


def test_a_request_sent_as_a_notification_runs_no_tool() -> None:
    outcome = converse_here(
        HANDSHAKE + notification("tools/call", name="keep", arguments={"text": ""}) + call(1, "keep")
    )

    assert text_of(outcome.by_id[1]) == "1"


def test_cancelled_requests_are_not_answered_and_leave_their_slots() -> None:
    numbers = range(3 * SLOTS)

    outcome = converse_here(
        HANDSHAKE
        + b"".join(call(number, "wait") for number in numbers)
        + b"".join(notification("notifications/cancelled", requestId=number) for number in numbers)
        + call("after", "echo", "all free")
    )

    assert set(outcome.by_id) == {"handshake", "after"}


def test_requests_that_are_cancelled_while_they_run_leave_their_slots() -> None:
    with server_process() as process:
        ask(process, HANDSHAKE)
        for turn in ("first", "second", "third"):
            waits = b"".join(call(f"{turn} {number}", "wait") for number in range(SLOTS - 1))
            # Requests start in order, so that once the last slot has answered, the others are in use.
            assert ask(process, waits + request(turn, "ping"))["id"] == turn

            for number in range(SLOTS - 1):
                tell(process, notification("notifications/cancelled", requestId=f"{turn} {number}"))


def test_requests_with_the_same_id_are_each_answered() -> None:
    outcome = converse_here(request(1, "ping") * 3 * SLOTS)

    assert [answer["id"] for answer in outcome.answers] == [1] * 3 * SLOTS


@pytest.mark.parametrize("between", [b"\n", b"\r\n", b"\n\n\r\n"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b""])
def test_lines_end_in_any_customary_way(between: bytes, end: bytes) -> None:
    outcome = converse_here(request(1, "ping").rstrip() + between + request(2, "ping").rstrip() + end)

    assert set(outcome.by_id) == {1, 2}


def test_bad_lines_are_answered_and_change_nothing_for_good_ones() -> None:
    outcome = converse_here(
        b"{nonsense\n\xff\xfe\n"
        + request(1, "ping")
        + b"[" * 500_000
        + b"\n"
        + b"["
        + request(2, "ping").rstrip()
        + b"]\n"
        + request(None, "ping")
        + request(3, "ping")
    )

    assert [fault(answer) for answer in outcome.answers if "error" in answer] == [
        (None, PARSE_ERROR, "Parse error"),
        (None, PARSE_ERROR, "Parse error"),
        (None, PARSE_ERROR, "Parse error"),
        (None, INVALID_REQUEST, "Invalid request"),
        (None, INVALID_REQUEST, "Invalid request"),
    ]
    assert {answer["id"] for answer in outcome.answers if "result" in answer} == {1, 3}


def test_a_line_that_is_too_long_is_answered_while_it_is_read() -> None:
    with server_process() as process:
        answer = ask(process, b"x" * (MAX_LINE + 1))

        assert fault(answer) == (None, INVALID_REQUEST, "Request too large")
        assert ask(process, b"x" * MAX_LINE + b"\n" + request(1, "ping"))["id"] == 1


def test_a_character_may_come_in_two_pieces() -> None:
    frame = request("\N{GRINNING FACE}", "ping")
    middle = frame.index("\N{GRINNING FACE}".encode()) + 2
    with server_process() as process:
        assert ask(process, request(1, "ping") + frame[:middle])["id"] == 1

        assert ask(process, frame[middle:])["id"] == "\N{GRINNING FACE}"


@pytest.mark.parametrize("tool", ["crash", "leave", "surrogate"])
@pytest.mark.parametrize(("start", "era"), [(HANDSHAKE, {}), (b"", MODERN)], ids=["handshake", "stateless"])
def test_a_crash_is_an_internal_error_that_names_nothing(start: bytes, era: Era, tool: str) -> None:

    outcome = converse(start + call(1, tool, era=era) + call(2, "echo", "still here", era=era))

    assert outcome.code == 0
    assert fault(outcome.by_id[1]) == (1, INTERNAL_ERROR, "Internal error")
    assert text_of(outcome.by_id[2]) == "still here"
    assert WORDS.encode() not in outcome.stdout + outcome.stderr


def test_a_middleware_may_crash_as_well() -> None:
    async def broken(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        raise RuntimeError(WORDS)

    server = make_server()
    server.middleware.append(broken)

    outcome = converse_here(request(1, "ping"), server)

    assert fault(outcome.by_id[1]) == (1, INTERNAL_ERROR, "Internal error")


def test_a_middleware_that_records_a_crash_records_no_words() -> None:
    recorded: list[Exception] = []

    async def recording(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        try:
            return await call_next(ctx)
        except Exception as error:
            recorded.append(error)
            raise

    server = make_server()
    server.middleware.append(recording)

    converse_here(HANDSHAKE + call(1, "crash"), server)

    [error] = recorded
    assert WORDS not in "".join(traceback.format_exception(error))


def test_a_server_that_would_ask_its_client_learns_that_it_cannot() -> None:
    async def asking(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method == "tools/call":
            await ctx.session.send_ping()
        return await call_next(ctx)

    server = make_server()
    server.middleware.append(asking)

    outcome = converse_here(HANDSHAKE + call(1, "echo"), server)

    assert fault(outcome.by_id[1]) == (1, CONNECTION_CLOSED, "Connection closed")


def test_only_frames_reach_the_client_until_the_process_has_ended() -> None:
    outcome = converse(HANDSHAKE + call(1, "noisy", "heard"))

    assert text_of(outcome.by_id[1]) == "heard"
    assert STRAY.encode() not in outcome.stdout
    # Once from the tool and once from the exit handler.
    for means in MEANS:
        assert outcome.stderr.count(f"{STRAY} {means}\n".encode()) == 2, means


@pytest.mark.parametrize(("start", "era"), [(HANDSHAKE, {}), (b"", MODERN)], ids=["handshake", "stateless"])
def test_the_wire_is_utf8_whatever_the_locale(start: bytes, era: Era) -> None:
    text = "\N{GRINNING FACE} 记忆 \u2028 é"
    calls = call(1, "echo", text, era=era) + call(2, "noisy", text, era=era)

    outcome = converse(start + calls, environment=SMALL_LOCALE)

    assert text_of(outcome.by_id[1]) == text
    assert text_of(outcome.by_id[2]) == text
    assert text.encode() in outcome.stdout


def test_the_eras_do_not_mix() -> None:
    outcome = converse_here(call(1, "echo", era=MODERN) + request(2, "server/discover", **MODERN) + HANDSHAKE)

    assert "result" in outcome.by_id[1]
    assert "2026-07-28" in outcome.by_id[2]["result"]["supportedVersions"]
    assert "error" in outcome.by_id["handshake"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_own_client_is_served(mode: str) -> None:
    async def main() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=[SCRIPT], env=ENVIRONMENT)
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123, ASYNC230 (the SDK wants an open file)
            async with Client(stdio_client(parameters, errlog=nowhere), mode=mode) as client:
                assert "echo" in {tool.name for tool in (await client.list_tools()).tools}
                result = await client.call_tool("echo", {"text": "\N{GRINNING FACE}"})
                assert getattr(result.content[0], "text", None) == "\N{GRINNING FACE}"

    anyio.run(main)


def test_a_client_that_does_not_read_is_not_read_from(monkeypatch: pytest.MonkeyPatch) -> None:
    peak_bytes = peak_lines = 0
    put = Inbox.put

    def measured(self: Inbox, message: JSONRPCRequest | JSONRPCNotification, size: int) -> None:
        nonlocal peak_bytes, peak_lines
        put(self, message, size)
        peak_bytes, peak_lines = max(peak_bytes, self.waiting_bytes), max(peak_lines, self.waiting_lines)

    monkeypatch.setattr(Inbox, "put", measured)
    # Answers that fill the pipe hold every slot; what comes after them waits.
    held = HANDSHAKE + b"".join(call(number, "fill", "200000") for number in range(SLOTS))
    fat = b"".join(request(f"fat {number}", "ping", pad="x" * 50_000) for number in range(300))
    many = request("many", "ping") * 10_000

    for flood, limit in ((fat, STOP_BYTES + MAX_LINE), (many, STOP_BYTES)):
        sent, answers = anyio.run(stubborn_client, held + flood)
        assert sent < len(held) + len(flood)
        assert sent < limit + len(held) + 4 * READ_SIZE
        assert answers.count(b"\n") == 1 + SLOTS + flood.count(b"\n")
    assert STOP_BYTES < peak_bytes <= STOP_BYTES + MAX_LINE
    assert peak_lines == STOP_LINES + 1


async def stubborn_client(data: bytes) -> tuple[int, bytes]:
    """Send *data*, and read only when nothing moves any more. Gives how much was sent by then, and all the answers."""
    source, to_server = os.pipe()
    from_server, sink = os.pipe()
    os.set_blocking(to_server, False)
    sent = 0
    answers = bytearray()

    async def send() -> None:
        nonlocal sent
        while sent < len(data):
            await anyio.wait_writable(to_server)
            with suppress(BlockingIOError):
                sent += os.write(to_server, data[sent : sent + READ_SIZE])
        os.close(to_server)

    async def serve() -> None:
        assert await serve_wire(make_server(), Wire(source, sink)) == 0
        os.close(source)
        os.close(sink)

    async with anyio.create_task_group() as group:
        group.start_soon(send)
        group.start_soon(serve)
        await anyio.wait_all_tasks_blocked()
        sent_unheard = sent
        while piece := await anyio.to_thread.run_sync(os.read, from_server, READ_SIZE):
            answers += piece
    os.close(from_server)
    return sent_unheard, bytes(answers)


def test_input_that_cannot_be_read_is_answered_once() -> None:
    unreadable = os.open(os.devnull, os.O_WRONLY)
    with server_process(stdin=unreadable) as process:
        stdout, _ = process.communicate(timeout=PATIENCE)
    os.close(unreadable)

    assert process.returncode == 1
    assert stdout == b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Input cannot be read"}}\n'


def test_answers_that_cannot_be_written_end_the_server() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    with server_process(stdout=full) as process:
        os.close(full)

        tell(process, request(1, "ping"))

        assert process.wait(PATIENCE) == 1
        assert process.stderr is not None
        assert b"Answers cannot be written (No space left on device)" in process.stderr.read()


@pytest.mark.parametrize(("closed", "lines"), [("<&-", 1), ("2>&-", 0), ("<&- 2>&-", 1)])
def test_a_process_started_without_a_stream_keeps_to_the_others(closed: str, lines: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" "$1" {closed}', sys.executable, SCRIPT],
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )

    assert done.returncode == lines
    assert done.stdout.count(b"\n") == lines


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_in_order(number: signal.Signals) -> None:
    with server_process() as process:
        ask(process, HANDSHAKE)
        assert ask(process, call(1, "wait") + request(2, "ping"))["id"] == 2

        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=PATIENCE)

    assert process.returncode == 0
    assert stdout == b'{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Connection closed"}}\n'
    assert b"Traceback" not in stderr


def test_a_signal_ends_a_server_whose_client_does_not_read() -> None:
    with server_process() as process:
        ask(process, HANDSHAKE)
        tell(process, call(1, "fill", "1000000"))
        assert process.stdout is not None
        process.stdout.read(1)

        process.terminate()

        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("kind", ["pipe", "socket"])
@pytest.mark.parametrize("working", [False, True], ids=["idle", "working"])
@pytest.mark.parametrize("input_ends", [False, True], ids=["input open", "input closed"])
def test_a_server_whose_client_has_gone_ends(kind: str, working: bool, input_ends: bool) -> None:
    ours, theirs = os.pipe() if kind == "pipe" else (end.detach() for end in socket.socketpair())
    with server_process(stdout=theirs) as process:
        os.close(theirs)
        tell(process, HANDSHAKE + (call(1, "wait") if working else b"") + request(2, "ping"))
        heard = b""
        while heard.count(b"\n") < 2:
            heard += os.read(ours, READ_SIZE)

        os.close(ours)
        if input_ends:
            assert process.stdin is not None
            process.stdin.close()

        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_a_client_that_leaves_in_the_middle_of_an_answer_is_not_mourned() -> None:
    with server_process() as process:
        tell(process, HANDSHAKE + call(1, "fill", "1000000"))
        assert process.stdout is not None
        process.stdout.read(1000)

        process.stdout.close()

        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


CLIENT = """
import subprocess, sys
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[int(sys.argv[1])])
server.stdin.write(sys.stdin.buffer.read()); server.stdin.flush()
server.stdout.readline()
print("served", flush=True)
server.wait()
"""
"""A client that starts a server, holds it to its first answer, and waits."""


def test_a_killed_client_leaves_no_server_behind() -> None:
    # The server holds the writing end for as long as it lives, so its death can be read from the other.
    alive, held = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(held), sys.executable, SCRIPT],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=[held],
    ) as client:
        os.close(held)
        assert client.stdin is not None
        assert client.stdout is not None
        client.stdin.write(HANDSHAKE + call(1, "wait"))
        client.stdin.close()
        assert client.stdout.readline() == b"served\n"

        client.kill()

    with selectors.DefaultSelector() as selector:
        selector.register(alive, selectors.EVENT_READ)
        assert selector.select(PATIENCE)
    os.close(alive)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
MESSAGE_LIKE = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "id": st.integers(0, 3) | JSON,
        "method": st.sampled_from(["ping", "initialize", "tools/call", "tools/list", "notifications/cancelled"]) | JSON,
        "params": st.fixed_dictionaries({"name": st.just("echo"), "requestId": st.integers(0, 3)}) | JSON,
        "result": JSON,
    },
).map(lambda value: json.dumps(value).encode())
LINES = st.lists(st.binary(max_size=40) | MESSAGE_LIKE | st.just(b"x" * (MAX_LINE + 1)), max_size=6)


@settings(deadline=None, max_examples=300)
@given(LINES)
def test_whatever_comes_is_answered_with_frames_or_nothing(lines: list[bytes]) -> None:
    data = b"\n".join([*lines, request("last", "ping")])

    outcome = converse_here(data)

    assert outcome.code == 0
    assert len(outcome.answers) <= data.count(b"\n")
    for answer in outcome.answers:
        assert answer["jsonrpc"] == "2.0"
        assert ("result" in answer) is not ("error" in answer)
    assert outcome.answers.count({"jsonrpc": "2.0", "id": "last", "result": {}}) == 1
