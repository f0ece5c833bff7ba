"""What a host that serves from its own code gets back: its streams, its logging, its signals, its server."""

import json
import logging
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType
from typing import Any

import anyio
import pytest
from attrs import frozen
from mcp.server.lowlevel import Server

from reminisce.app.mcp import transport
from reminisce.app.mcp.guarding import wordless_sdk_logs
from reminisce.app.mcp.signals import stop_signals
from reminisce.app.mcp.streams import private_wire
from reminisce.app.mcp.transport import serve
from tests.entry.mcp_fixture_server import AFTERWARDS, MEANS, STRAY, WORDS, make_server
from tests.entry.mcp_wire import HANDSHAKE, PATIENCE, call, converse, request, text_of


@frozen
class Ends:
    """Three pipes in the place of a process's streams: the server's ends, and the outer ones."""

    stdin: int
    to_stdin: int
    from_stdout: int
    stdout: int
    from_stderr: int
    stderr: int


@pytest.fixture
def ends() -> Iterator[Ends]:
    opened = Ends(*os.pipe(), *os.pipe(), *os.pipe())
    yield opened
    for fd in (opened.stdin, opened.to_stdin, opened.from_stdout, opened.stdout, opened.from_stderr, opened.stderr):
        os.close(fd)


async def serve_ends(ends: Ends, server: Server[Any]) -> int:
    return await serve(server, stdin_fd=ends.stdin, stdout_fd=ends.stdout, stderr_fd=ends.stderr)


async def serve_a_ping(ends: Ends, server: Server[Any]) -> int:
    """Serve one ping, and end as a signal would have it: the input stays open."""
    os.write(ends.to_stdin, request(1, "ping"))
    async with anyio.create_task_group() as group:
        code = -1

        async def run() -> None:
            nonlocal code
            code = await serve_ends(ends, server)

        group.start_soon(run)
        await anyio.wait_readable(ends.from_stdout)
        os.kill(os.getpid(), signal.SIGTERM)
    return code


def test_a_host_prints_to_its_stdout_again_afterwards() -> None:
    outcome = converse(HANDSHAKE + call(1, "noisy", "heard"), "host")

    frames, words, rest = outcome.stdout.partition(AFTERWARDS.encode())
    assert (words.decode(), rest) == (AFTERWARDS, b"\n")
    assert frames.count(b"\n") == 2
    assert STRAY.encode() not in outcome.stdout
    for means in MEANS:
        assert outcome.stderr.count(f"{STRAY} {means}\n".encode()) == 1, means


def test_the_streams_lead_where_they_led(ends: Ends) -> None:
    printed = sys.stdout

    assert anyio.run(serve_a_ping, ends, make_server()) == 0

    assert os.read(ends.from_stdout, 99) == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    os.write(ends.stdout, b"out")
    os.write(ends.to_stdin, b"in")
    assert (os.read(ends.from_stdout, 99), os.read(ends.stdin, 99)) == (b"out", b"in")
    assert sys.stdout is printed


def test_strangers_read_nothing_and_write_elsewhere_meanwhile(ends: Ends) -> None:
    os.write(ends.to_stdin, b"in")

    with private_wire(ends.stdin, ends.stdout, ends.stderr) as wire:
        os.write(ends.stdout, b"stray")
        assert os.read(ends.stdin, 99) == b""
        assert os.read(wire.stdin, 99) == b"in"
        assert not os.get_inheritable(wire.stdin)
        assert not os.get_inheritable(wire.stdout)
        assert min(wire.stdin, wire.stdout) > 2

    assert os.read(ends.from_stderr, 99) == b"stray"


def test_no_descriptor_is_left_open(ends: Ends) -> None:
    def next_free() -> int:
        fd = os.dup(0)
        os.close(fd)
        return fd

    before = next_free()

    for _ in range(3):
        anyio.run(serve_a_ping, ends, make_server())
        os.read(ends.from_stdout, 99)

    assert next_free() == before


def test_signal_handlers_are_the_hosts_again(ends: Ends) -> None:
    def mine(number: int, frame: FrameType | None) -> None:
        pass

    with handling(signal.SIGTERM, mine), handling(signal.SIGINT, signal.SIG_IGN):
        anyio.run(serve_a_ping, ends, make_server())

        assert signal.getsignal(signal.SIGTERM) is mine
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_a_second_signal_acts_as_the_host_has_it() -> None:
    came: list[int] = []

    def mine(number: int, frame: FrameType | None) -> None:
        came.append(number)

    with handling(signal.SIGTERM, mine), stop_signals() as stopped:
        os.kill(os.getpid(), signal.SIGTERM)
        assert (os.read(stopped, 99), came) == (b".", [])
        os.kill(os.getpid(), signal.SIGTERM)
        assert came == [signal.SIGTERM]


@contextmanager
def handling(number: signal.Signals, handler: Any) -> Iterator[None]:
    former = signal.signal(number, handler)
    yield
    signal.signal(number, former)


def test_an_answer_that_has_begun_is_finished_after_a_signal(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "FAREWELL_SECONDS", PATIENCE)
    heard = bytearray()

    async def main() -> None:
        os.write(ends.to_stdin, HANDSHAKE + call(1, "fill", "1000000"))
        async with anyio.create_task_group() as group:
            group.start_soon(serve_ends, ends, make_server())
            while heard.count(b"\n") < 1:
                await hear()
            await hear()
            os.kill(os.getpid(), signal.SIGTERM)
            while heard.count(b"\n") < 2:
                await hear()

    async def hear() -> None:
        with anyio.fail_after(PATIENCE):
            await anyio.wait_readable(ends.from_stdout)
        heard.extend(os.read(ends.from_stdout, 1000))

    anyio.run(main)

    assert len(text_of(json.loads(heard.splitlines()[1]))) == 1_000_000


def test_a_host_may_serve_from_any_thread(ends: Ends) -> None:
    os.write(ends.to_stdin, request(1, "ping"))
    codes: list[int] = []

    thread = threading.Thread(target=lambda: codes.append(anyio.run(serve_ends, ends, make_server())))
    thread.start()
    answer = os.read(ends.from_stdout, 99)
    os.dup2(ends.stderr, ends.to_stdin)  # the end of input, without leaving the fixture one descriptor short
    thread.join()

    assert answer == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    assert codes == [0]


def test_logging_is_as_it_was_and_the_server_too(ends: Ends) -> None:
    sdk = logging.getLogger("mcp")
    server = make_server()
    before = (list(sdk.handlers), sdk.propagate, list(server.middleware))

    anyio.run(serve_a_ping, ends, server)

    assert (list(sdk.handlers), sdk.propagate, list(server.middleware)) == before


def test_a_server_that_cannot_start_gives_everything_back(ends: Ends) -> None:
    @asynccontextmanager
    async def broken(server: Server[Any]) -> AsyncIterator[None]:
        if server.name:
            raise RuntimeError(WORDS)
        yield

    handler = signal.getsignal(signal.SIGTERM)

    with pytest.raises(ExceptionGroup) as caught:
        anyio.run(serve_a_ping, ends, Server("broken", lifespan=broken))

    assert caught.group_contains(RuntimeError, match=WORDS)
    assert signal.getsignal(signal.SIGTERM) is handler
    os.write(ends.stdout, b"out")
    assert os.read(ends.from_stdout, 99) == b"out"


def test_the_sdk_logs_what_happened_without_the_words(caplog: pytest.LogCaptureFixture) -> None:
    with wordless_sdk_logs():
        try:
            raise ValueError(WORDS)
        except ValueError:
            logging.getLogger("mcp.server.runner").exception("handler for %r failed", WORDS)

    [record] = caplog.records
    assert record.getMessage() == "mcp.server.runner: handler for %r failed (ValueError)"
    assert WORDS not in caplog.text
