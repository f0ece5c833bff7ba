"""The library, the command and the MCP server over one store, each as its user meets it."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from attrs import define, field, frozen
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from reminisce import Memories, ReminisceError, open_memory
from reminisce.app.cli import main
from reminisce.codec import to_plain
from tests.entry.mcp_wire import PATIENCE, Outcome

__all__ = [
    "CliFace",
    "Face",
    "Home",
    "LibraryFace",
    "McpFace",
    "Plain",
    "Ran",
    "Session",
    "code_of",
    "keys_of",
    "words_of",
]

Plain = dict[str, Any]


@frozen
class Ran:
    """What one run of the command left behind."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def answer(self) -> Plain:
        """The one JSON object on stdout."""
        answer = json.loads(self.stdout.decode())
        assert isinstance(answer, dict)
        return answer


@frozen
class Home:
    """A folder with all that one user of reminisce has: a store, its key, a configuration."""

    folder: Path
    owner: str = "agent:alice"

    @property
    def store(self) -> Path:
        return self.folder / "memory.db"

    @property
    def keys(self) -> Path:
        return self.folder / "config" / "keys"

    def environment(self, **more: str) -> dict[str, str]:
        """Variables under which nothing of this machine's own user is read or written."""
        folders = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(self.folder))
        return {"PATH": os.environ["PATH"], "REMINISCE_CONFIG": str(self.folder / "config"), **folders, **more}

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "reminisce", "--store", str(self.store), "--owner", self.owner, *words]

    def memories(self, **face: Any) -> Memories:
        """The same store through the library."""
        return open_memory(self.store, keys=self.keys, **face)

    def cli(self, *words: str, stdin: bytes = b"", **environment: str) -> Ran:
        """Run the command in a process of its own."""
        done = subprocess.run(
            self.command(*words),
            input=stdin,
            capture_output=True,
            env=self.environment(**environment),
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def cli_here(self, *words: str) -> Ran:
        """Run the command in this process, ten times as fast."""
        stdout, stderr = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("REMINISCE_CONFIG", str(self.folder / "config"))
            with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
                code = main(self.command(*words)[3:])
        return Ran(code, bytes(_held(stdout)), bytes(_held(stderr)))

    @contextmanager
    def process(self, *flags: str, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
        """An MCP server to be treated badly."""
        pipe = subprocess.PIPE
        with subprocess.Popen(
            self.command("mcp", *flags), env=self.environment(**environment), stdin=pipe, stdout=pipe, stderr=pipe
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def converse(self, data: bytes, *flags: str, **environment: str) -> Outcome:
        """Send *data* to an MCP server of its own, end the input, and wait for its end."""
        ran = self.cli("mcp", *flags, stdin=data, **environment)
        return Outcome(ran.code, ran.stdout, ran.stderr)

    @contextmanager
    def session(self, *flags: str, mode: str = "auto", **environment: str) -> Iterator["Session"]:
        """An MCP server, and the SDK's own client to talk with it."""
        command, *words = self.command("mcp", *flags)
        parameters = StdioServerParameters(command=command, args=words, env=self.environment(**environment))
        with (
            open(os.devnull, "w") as nowhere,  # noqa: PTH123 (the SDK wants an open file)
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(stdio_client(parameters, errlog=nowhere), mode=mode)) as client,
        ):
            yield Session(portal, client)


def _held(stream: io.TextIOWrapper) -> memoryview:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getbuffer()


@frozen
class Session:
    """One MCP session, driven from a test that is not asynchronous."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        return self.portal.call(partial(self.client.call_tool, tool, arguments))

    def ask(self, tool: str, **arguments: Any) -> Plain:
        """The structure of the answer, be it one or a refusal."""
        content = self.call(tool, **arguments).structured_content
        assert isinstance(content, dict)
        return content

    def at_once(self, tool: str, calls: Sequence[Plain]) -> list[Plain]:
        """The answers to *calls*, all of them sent before the first is awaited."""
        answers: list[Plain] = [{}] * len(calls)

        async def one(place: int) -> None:
            answer = await self.client.call_tool(tool, calls[place])
            answers[place] = answer.structured_content or {}

        async def all_of_them() -> None:
            async with anyio.create_task_group() as group:
                for place in range(len(calls)):
                    group.start_soon(one, place)

        self.portal.call(all_of_them)
        return answers

    def recent_text(self) -> str:
        """The resource memory://recent."""
        read = self.portal.call(partial(self.client.read_resource, "memory://recent", cache_mode="bypass"))
        [content] = read.contents
        return str(getattr(content, "text", None))


class Face(Protocol):
    """One way to the operations, by the names of the library's arguments."""

    name: str

    def do(self, operation: str, **arguments: Any) -> Plain:
        """The answer as plain data; a refusal under ``error``."""
        ...


@define
class LibraryFace:
    """The library."""

    home: Home
    memories: Memories
    name: str = "library"

    def do(self, operation: str, **arguments: Any) -> Plain:
        whose = self.memories if operation in _OF_THE_STORE else self.memories.owner(self.home.owner)
        run = getattr(whose, operation)
        try:
            if operation == "recall":
                return to_plain(run(arguments.pop("query", None), **arguments))
            return to_plain(run(**arguments))
        except ReminisceError as error:
            return to_plain(error)


_OF_THE_STORE = ("consent", "withdraw", "purge", "scrub")
"""Operations that no owner has."""

_POSITIONAL = {
    "remember": ["content"],
    "recall": ["query"],
    "bundle": ["query"],
    "why": ["key"],
    "reinstate": ["key"],
    "forget": ["keys"],
    "as_of": ["moment"],
    "believe": ["subject", "attribute", "value"],
    "beliefs": ["subject"],
    "disbelieve": ["subject"],
    "contradict": ["a", "b"],
    "resolve": ["a", "b"],
    "associate": ["keys"],
    "dissociate": ["keys"],
    "consent": ["subject"],
    "erase": ["keys"],
    "withdraw": ["subject"],
    "purge": ["subject"],
    "review": ["key"],
    "reinforce": ["key"],
    "reclassify": ["key", "tier"],
    "correct": ["key"],
}
"""What an operation's verb takes without a name, in order."""


def _verb(operation: str, arguments: Plain) -> list[str]:
    if operation == "reviews":
        return ["review", "list"]
    if operation == "review":
        return ["review", "approve" if arguments.pop("approve") else "reject"]
    return [operation.replace("_", "-")]


def _written(name: str, value: Any) -> list[str]:
    """One of the library's arguments as options."""
    option = "--" + name.replace("_", "-")
    if name == "facets":
        several = [(n, one) for n, held in value.items() for one in ([held] if isinstance(held, str) else held)]
        return [f"{option}={n}={one}" for n, one in several]
    if name == "fact":
        return [option, *(value[part] for part in ("subject", "attribute", "value"))]
    if name == "audiences" and not value:
        return ["--nobody"]
    if isinstance(value, list):
        return [f"{option}={one}" for one in value]
    if value is True:
        return [option]
    if value is False:
        return ["--no-many"] if name == "many" else []
    return [f"{option}={value}"]


def words_of(operation: str, arguments: Plain) -> list[str]:
    """The command's words for an operation."""
    verb = _verb(operation, arguments)
    texts: list[str] = []
    for name in _POSITIONAL.get(operation, ()):
        value = arguments.pop(name, None)
        texts += [] if value is None else map(str, value) if isinstance(value, list) else [str(value)]
    options = [word for name, value in arguments.items() if value is not None for word in _written(name, value)]
    return [*verb, "--json", *options, *(["--", *texts] if texts else [])]


@define
class CliFace:
    """The command."""

    home: Home
    name: str = "cli"
    codes: list[int] = field(factory=list)
    """The exit code of each run."""

    def do(self, operation: str, **arguments: Any) -> Plain:
        if operation == "recall" and arguments.get("query") is None:
            operation = "recent"
        ran = self.home.cli_here(*words_of(operation, arguments))
        self.codes.append(ran.code)
        return ran.answer


@define
class McpFace:
    """The MCP server."""

    session: Session
    name: str = "mcp"

    def do(self, operation: str, **arguments: Any) -> Plain:
        given = {name: value for name, value in arguments.items() if value is not None}
        return self.session.ask("memory_" + operation, **given)


def keys_of(answer: Plain) -> list[str]:
    """The keys of a recall, best first."""
    return [hit["key"] for hit in answer["hits"]]


def code_of(answer: Plain) -> str:
    """The code of a refusal; what was answered where it is none."""
    return str(answer.get("error", {"code": f"answered {answer}"})["code"])
