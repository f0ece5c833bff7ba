"""Running: a server that shares its process, its machine and its store with others."""

import contextlib
import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reminisce.adapters.sqlite import KeySource, SQLiteStore
from tests.entry.mcp_wire import HANDSHAKE, PATIENCE, Outcome, request
from tests.support.faces import Home, Plain, keys_of

STRAY = "stray words"

NOISE = f"""
import atexit, logging, os, sys, threading, warnings

logging.basicConfig(level=logging.DEBUG, stream=sys.stdout)
warnings.simplefilter("always")
atexit.register(print, {STRAY!r})
atexit.register(os.write, 1, b"{STRAY}\\n")


def noise():
    print({STRAY!r}, flush=True)
    sys.__stdout__.write({STRAY!r})
    os.write(1, b"{STRAY}\\n")
    warnings.warn({STRAY!r})
    logging.getLogger("host").debug({STRAY!r})
    os.system("echo {STRAY}")


import reminisce.adapters.clocks as clocks

now = clocks.SystemClock.now
clocks.SystemClock.now = lambda self: (noise(), now(self))[1]
"""
"""A host's code that makes noise by every means, whenever our clock is asked and when the process ends."""


def call(request_id: object, tool: str, **arguments: object) -> bytes:
    return request(request_id, "tools/call", name="memory_" + tool, arguments=arguments)


def answer_of(outcome: Outcome, request_id: object) -> Plain:
    content = outcome.by_id[request_id]["result"]["structuredContent"]
    assert isinstance(content, dict)
    return content


def test_op_stdout_carries_frames_only_whatever_the_process_prints(home: Home) -> None:
    (home.folder / "sitecustomize.py").write_text(NOISE)
    calls = (
        call(1, "remember", content="Heard through the noise.") + call(2, "recall", query="noise") + call(3, "nothing")
    )

    outcome = home.converse(HANDSHAKE + calls, PYTHONPATH=str(home.folder), PYTHONDEVMODE="1", REMINISCE_DEBUG="1")

    assert outcome.code == 0
    assert set(outcome.by_id) == {"handshake", 1, 2, 3}
    assert answer_of(outcome, 1)["created"] is True
    assert STRAY.encode() not in outcome.stdout
    # Six means at the one reading of the clock, of which the warning tells its line as well, and two at the end.
    assert outcome.stderr.count(STRAY.encode()) >= 8


def test_op_stdout_says_nothing_of_a_memory_in_the_log(home: Home) -> None:
    words = "zanzibar"
    calls = call(1, "remember", content=words) + call(2, "recall", query=words) + call(3, "why", key=words)

    outcome = home.converse(HANDSHAKE + calls + call(4, "forget", keys=[words]), PYTHONDEVMODE="1", REMINISCE_DEBUG="1")

    assert words.encode() not in outcome.stderr


def test_op_stdout_of_a_command_with_json_is_one_object(home: Home) -> None:
    (home.folder / "sitecustomize.py").write_text("import warnings, logging\nlogging.basicConfig(level=0)\n")

    ran = home.cli("remember", "Kept.", "--json", PYTHONPATH=str(home.folder), PYTHONDEVMODE="1")

    assert ran.stdout.count(b"\n") == 1
    assert ran.answer["created"] is True


SMALL = {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}
SMALLEST = {**SMALL, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
POSIX = {"LC_ALL": "POSIX", "LANG": "", "PYTHONIOENCODING": "ascii:strict"}

TEXT = "\N{GRINNING FACE} 记忆 é \u2028 שָׁלוֹם"


@pytest.mark.parametrize("locale", [SMALL, SMALLEST], ids=["small", "smallest"])
def test_op_locale_changes_no_byte_of_the_server(home: Home, locale: dict[str, Any]) -> None:
    with home.memories() as memories:
        memories.owner(home.owner).remember(TEXT, key="k\N{GRINNING FACE}", facets={"名": TEXT})
    calls = (
        call(TEXT, "recall", query="记忆")
        + call("名", "why", key="k\N{GRINNING FACE}")
        + call(1, "remember", content=TEXT)
    )

    outcome = home.converse(HANDSHAKE + calls, **locale)

    assert outcome.code == 0
    assert answer_of(outcome, TEXT)["hits"][0]["content"] == TEXT
    assert answer_of(outcome, "名")["memory"]["facets"] == {"名": [TEXT]}
    assert answer_of(outcome, 1)["created"] is True
    assert TEXT.encode() in outcome.stdout


@pytest.mark.parametrize("locale", [SMALLEST, POSIX], ids=["smallest", "posix"])
def test_op_locale_changes_no_byte_of_the_command(home: Home, locale: dict[str, Any]) -> None:
    kept = home.cli("remember", TEXT, "--key=k", "--json", **locale)

    shown = home.cli("recall", "记忆", "--json", **locale)
    table = home.cli("recall", "记忆", **locale)

    assert kept.answer["created"] is True
    assert [hit["content"] for hit in shown.answer["hits"]] == [TEXT]
    assert "\N{GRINNING FACE} 记忆 é".encode() in table.stdout


@pytest.mark.parametrize("locale", [SMALLEST], ids=["smallest"])
def test_op_locale_changes_nothing_for_standard_input_and_files(home: Home, locale: dict[str, Any]) -> None:
    (home.folder / "records.jsonl").write_bytes(json.dumps({"content": TEXT + " 2"}, ensure_ascii=False).encode())

    kept = home.cli("remember", "-", "--json", stdin=TEXT.encode(), **locale)
    imported = home.cli("import", str(home.folder / "records.jsonl"), "--json", **locale)

    assert (kept.answer["created"], imported.answer["created"]) == (True, 1)
    with home.memories() as memories:
        assert {hit.memory.content for hit in memories.owner(home.owner).recent()} == {TEXT, TEXT + " 2"}


def test_op_locale_of_a_folder_with_a_name_in_any_script(tmp_path: Path) -> None:
    folder = tmp_path / "家 \N{GRINNING FACE} é"
    folder.mkdir()
    home = Home(folder)

    kept = home.cli("remember", "Kept.", "--json", LC_ALL="C", PYTHONIOENCODING="cp1252")

    assert kept.answer["created"] is True
    assert home.store.exists()


CLIENT = """
import subprocess, sys

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(sys.stdin.buffer.readline() + sys.stdin.buffer.readline())
server.stdin.flush()
server.stdout.readline()
print(server.pid, flush=True)
for line in sys.stdin.buffer:
    server.stdin.write(line)
    server.stdin.flush()
"""
"""A client that starts a server, and dies without another word when it is killed."""


@contextlib.contextmanager
def watched(pid: int) -> Iterator[int]:
    """A descriptor that turns readable when a process, ours or not, has ended."""
    descriptor = os.pidfd_open(pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def ended(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], PATIENCE)[0])


def test_op_orphans_are_not_left_when_the_client_is_killed(home: Home) -> None:
    calls = b"".join(call(number, "remember", content=f"in flight {number}") for number in range(50))
    pipe = subprocess.PIPE
    ends = []
    with contextlib.ExitStack() as stack:
        clients = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", CLIENT, *home.command("mcp")],
                    env=home.environment(),
                    stdin=pipe,
                    stdout=pipe,
                    stderr=subprocess.DEVNULL,
                )
            )
            for _ in range(4)
        ]
        for number, client in enumerate(clients):
            assert client.stdin is not None
            client.stdin.write(HANDSHAKE + (calls if number % 2 else b""))
            client.stdin.flush()
        for client in clients:
            assert client.stdout is not None
            server = stack.enter_context(watched(int(client.stdout.readline())))

            client.kill()

            ends.append(ended(server))

    assert ends == [True] * 4
    assert home.cli("remember", "No lock is left.", "--json").answer["created"] is True
    with home.memories() as memories:
        assert memories.doctor(deep=True).findings == ()


@pytest.mark.parametrize("way", ["closed", "half a line", "output closed", "calls in flight"])
def test_op_orphans_are_not_left_when_the_client_closes_its_pipes(home: Home, way: str) -> None:
    calls = b"".join(call(number, "remember", content=f"in flight {number}") for number in range(50))
    with home.process() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(HANDSHAKE)
        process.stdin.flush()
        process.stdout.readline()
        if way == "half a line":
            process.stdin.write(calls[:-40])
        if way == "calls in flight":
            process.stdin.write(calls)
        process.stdin.flush()
        process.stdout.close()
        if way != "output closed":
            process.stdin.close()

        assert process.wait(PATIENCE) in {0, 1}

    with home.memories() as memories:
        memories.owner(home.owner).remember("No lock is left.")
        assert memories.doctor(deep=True).findings == ()


def test_op_orphans_are_not_left_when_the_client_goes_while_another_holds_the_store(home: Home) -> None:
    home.cli_here("remember", "Kept before.")
    store = SQLiteStore(home.store, KeySource(home.keys))
    with contextlib.closing(store), home.process() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(HANDSHAKE)
        process.stdin.flush()
        process.stdout.readline()
        with store.view(for_writing=()):
            process.stdin.write(call(1, "remember", content="waits for the lock"))
            process.stdin.flush()
            process.stdin.close()
            process.stdout.close()
        ending = process.wait(PATIENCE)

    assert ending in {0, 1}
    assert home.cli("remember", "No lock is left.", "--json").answer["created"] is True


FRAME = 200 * 1024
"""Bytes of one frame that every client takes."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A store with 800 memories of a kilobyte, and of another owner some that are large in other ways."""
    home = Home(tmp_path_factory.mktemp("large"))
    crowded: list[Plain] = [
        *({"episode": "quotes", "content": f'{n} "\\' * 300} for n in range(300)),
        *({"episode": "controls", "content": f"{n} " + "\x01\x1b" * 500} for n in range(300)),
        *({"episode": "many terms", "content": f"{n} " + " ".join(map(str, range(900, 960)))} for n in range(300)),
        *(
            {
                "episode": "facets",
                "content": f"{n}",
                "facets": {f"name {f}": f"value {f} " + "v" * 80 for f in range(60)},
            }
            for n in range(100)
        ),
        *(
            {"episode": "subjects", "content": f"{n}", "subjects": [f"{n} {s} " + "s" * 200 for s in range(60)]}
            for n in range(50)
        ),
        *(
            {"episode": "cited", "content": f"{n}", "key": f"{n:04d}" + "k" * 100, "sources": ["doc:common"]}
            for n in range(3_000)
        ),
    ]
    with home.memories() as memories:
        memories.owner("agent:crowded").remember_many(crowded)
        memories.owner(home.owner).remember_many(
            [
                {
                    "content": f"number {number} " + f'word{number} "quoted" ' * 60,
                    "key": f"key-{number:03d}",
                    "occurred_at": "2026-01-01T00:00:00Z",
                }
                for number in range(800)
            ]
        )
    return home


class Raw:
    """A session by frames, to see how large they are."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.largest = 0
        self.number = 0
        self._send(HANDSHAKE)
        self._line()

    def _send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _line(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.largest = max(self.largest, len(line))
        return json.loads(line)

    def ask(self, tool: str, **arguments: object) -> Plain:
        self.number += 1
        self._send(call(self.number, tool, **arguments))
        content = self._line()["result"]["structuredContent"]
        assert isinstance(content, dict)
        return content

    def pages(self, tool: str, **arguments: Any) -> Iterator[list[str]]:
        """The keys of each page."""
        cursor: Plain = {}
        while True:
            answer = self.ask(tool, **arguments, **cursor)
            assert "error" not in answer
            yield keys_of(answer)
            if "cursor" not in answer:
                return
            cursor = {"cursor": answer["cursor"]}


@contextlib.contextmanager
def raw(home: Home) -> Iterator[Raw]:
    with home.process("--extended") as process:
        yield Raw(process)


@pytest.fixture(scope="module")
def many(large: Home) -> Iterator[Raw]:
    with raw(large) as client:
        yield client


@pytest.fixture(scope="module")
def crowded(large: Home) -> Iterator[Raw]:
    with raw(Home(large.folder, owner="agent:crowded")) as client:
        yield client


@pytest.mark.parametrize(
    ("tool", "k", "asked"),
    [
        ("recall", 1_000, {}),
        ("recall", 1_000, {"query": "number"}),
        ("recall", 60, {"query": "number"}),
        ("recent", 1_000, {}),
    ],
)
def test_op_size_of_everything_is_paged_and_each_memory_comes_once(many: Raw, tool: str, k: int, asked: Plain) -> None:
    pages = list(many.pages(tool, k=k, **asked))

    keys = [key for page in pages for key in page]
    assert len(keys) == 800
    assert set(keys) == {f"key-{number:03d}" for number in range(800)}
    assert many.largest <= FRAME
    assert all(0 < len(page) <= k for page in pages)


def test_op_size_of_everything_comes_once_while_others_write(large: Home, many: Raw) -> None:
    with large.memories() as memories:
        owner = memories.owner(large.owner)
        keys = []
        forgotten = set()
        for number, page in enumerate(many.pages("recall", query="number", k=1_000)):
            keys += page
            owner.forget(owner.remember(f"number {number}, written between two pages").key)
            # What was on a page already, or is still to come, changes nothing for the walk that has begun.
            going = {f"key-{number:03d}", f"key-{799 - number:03d}"}
            owner.forget(going)
            forgotten |= going
        for key in forgotten:
            owner.reinstate(key)

    assert len(keys) == 800
    assert set(keys) == {f"key-{number:03d}" for number in range(800)}


CROWDED = [
    pytest.param("quotes", {}, id="quotes"),
    pytest.param("controls", {}, id="controls"),
    pytest.param("facets", {}, id="facets"),
    pytest.param("subjects", {}, id="subjects"),
    pytest.param(
        "many terms",
        {"query": " ".join(map(str, range(900, 960))), "explain": True},
        id="explanations",
    ),
]


@pytest.mark.parametrize(("episode", "asked"), CROWDED)
def test_op_size_holds_whatever_fills_the_answer(crowded: Raw, episode: str, asked: Plain) -> None:
    crowded.largest = 0

    pages = list(crowded.pages("recall", k=1_000, episode=episode, **asked))

    assert sum(map(len, pages)) in {50, 100, 300}
    assert crowded.largest <= FRAME


def test_op_size_of_why_is_bounded(crowded: Raw) -> None:
    crowded.largest = 0

    crowded.ask("why", key="0000" + "k" * 100)

    assert crowded.largest <= FRAME


def test_op_size_of_one_memory_of_the_full_size_is_given(home: Home) -> None:
    with raw(home) as client:
        kept = client.ask("remember", content="é" * (32 * 1024))

        assert keys_of(client.ask("recall", k=8)) == [kept["key"]]
        assert client.largest <= FRAME


HOLDER = """
import sys
from pathlib import Path
from reminisce.adapters.sqlite import KeySource, SQLiteStore

store = SQLiteStore(Path(sys.argv[1]), KeySource(Path(sys.argv[2])))
with store.view(for_writing=()):
    print("writing", flush=True)
    sys.stdin.readline()
store.close()
"""
"""A process in the midst of a long write, until it is told to go on."""


@pytest.fixture
def writer(home: Home) -> Iterator["subprocess.Popen[str]"]:
    home.cli_here("remember", "The lantern hangs by the door.", "--key=lantern")
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(home.store), str(home.keys)], stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        try:
            yield process
        finally:
            process.kill()


def test_op_readers_of_every_face_are_served_during_a_long_write(home: Home, writer: "subprocess.Popen[str]") -> None:
    with home.memories() as memories, home.session("--extended") as session:
        library = memories.owner(home.owner).recall("lantern")
        command = home.cli("recall", "lantern", "--json")
        server = session.ask("memory_recall", query="lantern")
        recent = session.recent_text()

    assert [hit.memory.key for hit in library] == keys_of(command.answer) == keys_of(server) == ["lantern"]
    assert "lantern" in recent
    assert writer.poll() is None


def test_op_readers_are_served_at_once_beside_each_other(home: Home, writer: "subprocess.Popen[str]") -> None:
    meeting = threading.Barrier(2, timeout=PATIENCE)
    found: list[list[str]] = []
    with home.memories() as memories, contextlib.closing(SQLiteStore(home.store, KeySource(home.keys))) as store:

        def read() -> None:
            with store.view() as view:
                meeting.wait()
                held = view.memories(home.owner, ["lantern"])
                found.append([*held, *(hit.memory.key for hit in memories.owner(home.owner).recall("lantern"))])
                meeting.wait()

        readers = [threading.Thread(target=read) for _ in range(2)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(PATIENCE)

    assert found == [["lantern", "lantern"]] * 2


def test_op_readers_do_not_hold_up_a_writer(home: Home) -> None:
    home.cli_here("remember", "The lantern hangs by the door.", "--key=lantern")
    with contextlib.closing(SQLiteStore(home.store, KeySource(home.keys))) as store, store.view() as view:
        before = view.head(home.owner).revision

        written = home.cli("remember", "Written beside a reader.", "--json")

        assert written.answer["created"] is True
        assert view.head(home.owner).revision == before


def test_op_readers_of_a_server_are_served_while_its_own_write_waits(
    home: Home, writer: "subprocess.Popen[str]"
) -> None:
    with home.process() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(
            HANDSHAKE + call("write", "remember", content="waits") + call("read", "recall", query="lantern")
        )
        process.stdin.flush()
        process.stdout.readline()
        first = json.loads(process.stdout.readline())
        assert writer.stdin is not None
        writer.stdin.write("go on\n")
        writer.stdin.flush()
        second = json.loads(process.stdout.readline())

    assert (first["id"], second["id"]) == ("read", "write")
    assert keys_of(first["result"]["structuredContent"]) == ["lantern"]
    assert second["result"]["structuredContent"]["created"] is True
