"""The client's end of the wire for the transport's tests: frames, and two ways to have them answered."""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from attrs import frozen
from mcp.server.lowlevel import Server

from reminisce.app.mcp.streams import Wire
from reminisce.app.mcp.transport import serve_wire
from tests.entry.mcp_fixture_server import make_server

ROOT = Path(__file__).parents[2]
SCRIPT = str(Path(__file__).with_name("mcp_fixture_server.py"))
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}

PATIENCE = 60
"""Seconds after which a process counts as hung. Nothing waits that long unless a test fails."""

Era = dict[str, Any]

MODERN: Era = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}
"""What makes a request one of the stateless era."""

Answer = dict[str, Any]


@frozen
class Outcome:
    """What a whole conversation left behind."""

    code: int
    stdout: bytes
    stderr: bytes = b""

    @property
    def answers(self) -> list[Answer]:
        """Every line of stdout, which must each be one JSON object in UTF-8."""
        *lines, rest = self.stdout.split(b"\n")
        assert rest == b""
        answers = [json.loads(line.decode()) for line in lines]
        assert all(isinstance(answer, dict) for answer in answers)
        return answers

    @property
    def by_id(self) -> dict[object, Answer]:
        """The answers by their id, which must each occur once."""
        answers = {answer["id"]: answer for answer in self.answers}
        assert len(answers) == len(self.answers)
        return answers


def request(request_id: object, method: str, **params: object) -> bytes:
    """One request as one line."""
    frame = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(frame, ensure_ascii=False).encode() + b"\n"


def notification(method: str, **params: object) -> bytes:
    """One notification as one line."""
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n"


def call(request_id: object, tool: str, text: str = "", *, era: Era | None = None) -> bytes:
    """One call of a tool of the fixture server as one line; of the handshake era unless another is given."""
    return request(request_id, "tools/call", name=tool, arguments={"text": text}, **(era or {}))


HANDSHAKE = request(
    "handshake",
    "initialize",
    protocolVersion="2025-11-25",
    capabilities={},
    clientInfo={"name": "test", "version": "1"},
) + notification("notifications/initialized")


def text_of(answer: Answer) -> str:
    """The text that a tool answered with."""
    [content] = answer["result"]["content"]
    return str(content["text"])


def converse(data: bytes, *modes: str, environment: dict[str, str] | None = None) -> Outcome:
    """Send *data* to a server process of its own, end the input, and wait for the process to end."""
    done = subprocess.run(
        [sys.executable, SCRIPT, *modes],
        input=data,
        capture_output=True,
        env=ENVIRONMENT | (environment or {}),
        timeout=PATIENCE,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def converse_here(data: bytes, server: Server[Any] | None = None) -> Outcome:
    """The same in this process, between two files, with a fixture server or another."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as sink:
        source.write(data)
        source.seek(0)
        code = anyio.run(serve_wire, server or make_server(), Wire(source.fileno(), sink.fileno()))
        sink.seek(0)
        return Outcome(code, sink.read())


@contextmanager
def server_process(*, stdin: int = subprocess.PIPE, stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[bytes]]:
    """A server process to talk with line by line. If it hangs it is killed, so that a test fails and does not wait."""
    with subprocess.Popen(
        [sys.executable, SCRIPT], env=ENVIRONMENT, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE
    ) as process:
        watchdog = threading.Timer(PATIENCE, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


def ask(process: subprocess.Popen[bytes], data: bytes) -> Answer:
    """Send *data* and read one line."""
    tell(process, data)
    assert process.stdout is not None
    answer = json.loads(process.stdout.readline())
    assert isinstance(answer, dict)
    return answer


def tell(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Send *data*."""
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.flush()
