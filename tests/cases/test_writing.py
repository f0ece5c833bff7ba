"""Writing: what is acknowledged is kept, once, whatever else happens."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from reminisce import KeyMissingError, StoreError
from tests.entry.mcp_wire import HANDSHAKE, PATIENCE, request
from tests.support.faces import Home, Session, code_of

WRITER = """
import sys
from reminisce import open_memory

store, keys, name, count = sys.argv[1:]
sys.stdin.readline()
with open_memory(store, keys=keys) as memories:
    owner = memories.owner("agent:alice")
    for number in range(int(count)):
        kept = owner.remember(f"{name} {number} " + "long " * 200, key=f"{name}-{number}")
        print(kept.key, kept.revision, flush=True)
"""

BATCHES = """
import itertools, sys
from reminisce import open_memory

store, keys = sys.argv[1:]
sys.stdin.readline()
with open_memory(store, keys=keys) as memories:
    owner = memories.owner("agent:alice")
    for number in itertools.count():
        owner.remember_many([{"content": f"batch {number} {line}", "episode": str(number)} for line in range(50)])
        print(number, flush=True)
"""


@contextmanager
def script(text: str, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """A process that waits for a line before it begins."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", text, *words], stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def lines_of(process: "subprocess.Popen[str]") -> list[list[str]]:
    assert process.stdout is not None
    return [line.split() for line in process.stdout.read().splitlines()]


def start(*processes: "subprocess.Popen[str]") -> None:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("now\n")
        process.stdin.flush()


def everything(home: Home) -> dict[str, str]:
    """Key and content of all that the store holds, once it is opened again."""
    with home.memories(create=False) as memories:
        found = memories.owner(home.owner).recent(k=1_000)
    assert found.cursor is None
    return {hit.memory.key: hit.memory.content for hit in found}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Home, Session]]:
    home = Home(tmp_path_factory.mktemp("served"))
    with home.session("--local") as session:
        yield home, session


def test_wr_burst_of_twenty_calls_keeps_twenty(served: tuple[Home, Session]) -> None:
    home, session = served

    answers = session.at_once("memory_remember", [{"content": f"burst {number}"} for number in range(20)])

    assert all(answer["created"] for answer in answers)
    assert {answer["key"] for answer in answers} == {
        key for key, text in everything(home).items() if text.startswith("burst ")
    }
    assert len({answer["revision"] for answer in answers}) == 20


def test_wr_burst_of_one_text_keeps_one(served: tuple[Home, Session]) -> None:
    home, session = served

    answers = session.at_once("memory_remember", [{"content": "twenty times the same"}] * 20)

    assert len({answer["key"] for answer in answers}) == 1
    assert [answer["created"] for answer in answers].count(True) == 1
    assert list(everything(home).values()).count("twenty times the same") == 1


def test_wr_burst_for_one_key_keeps_one_and_refuses_the_rest(served: tuple[Home, Session]) -> None:
    _, session = served

    answers = session.at_once(
        "memory_remember", [{"content": f"contender {number}", "key": "throne"} for number in range(20)]
    )

    assert [answer.get("created") for answer in answers].count(True) == 1
    assert [code_of(answer) for answer in answers].count("key_taken") == 19


def test_wr_burst_for_one_request_key_keeps_one(served: tuple[Home, Session]) -> None:
    _, session = served

    answers = session.at_once("memory_remember", [{"content": "asked once", "request_key": "r-1"}] * 20)

    assert len({answer["key"] for answer in answers}) == 1
    assert [answer["created"] for answer in answers].count(True) == 1


def test_wr_burst_that_ends_the_input_is_kept_and_answered(home: Home) -> None:
    calls = [
        request(number, "tools/call", name="memory_remember", arguments={"content": f"last words {number}"})
        for number in range(20)
    ]

    outcome = home.converse(HANDSHAKE + b"".join(calls))

    assert outcome.code == 0
    assert {outcome.by_id[number]["result"]["structuredContent"]["created"] for number in range(20)} == {True}
    assert len(everything(home)) == 20


def test_wr_two_processes_that_make_the_store_at_once_keep_every_write(home: Home) -> None:
    with contextlib.ExitStack() as stack:
        writers = [
            stack.enter_context(script(WRITER, str(home.store), str(home.keys), name, "20"))
            for name in ("one", "two", "three")
        ]

        start(*writers)

        acknowledged = [line for writer in writers for line in lines_of(writer)]
    assert len(acknowledged) == 60
    assert {key for key, _ in acknowledged} == set(everything(home))
    assert sorted(int(revision) for _, revision in acknowledged) == list(range(1, 61))


def test_wr_two_processes_with_the_same_memories_keep_each_once(home: Home) -> None:
    with (
        script(WRITER, str(home.store), str(home.keys), "same", "20") as one,
        script(WRITER, str(home.store), str(home.keys), "same", "20") as two,
    ):
        start(one, two)

        acknowledged = [*lines_of(one), *lines_of(two)]

    assert len(acknowledged) == 40
    assert set(everything(home)) == {f"same-{number}" for number in range(20)}


def test_wr_two_processes_of_different_faces_see_each_others_writes(served: tuple[Home, Session]) -> None:
    home, session = served
    session.ask("memory_remember", content="said to the server", key="by-server")

    ran = home.cli("remember", "said to the command", "--key", "by-command", "--json")

    assert ran.answer["created"] is True
    assert session.ask("memory_why", key="by-command")["memory"]["content"] == "said to the command"
    assert home.cli("why", "by-server", "--json").answer["memory"]["content"] == "said to the server"


def cut(share: float) -> Callable[[bytes], bytes]:
    return lambda data: data[: int(len(data) * share)]


def flipped(place: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "half": cut(0.5),
    "a third": cut(1 / 3),
    "a byte": lambda data: data[:-1],
    "all but a byte": lambda data: data[:1],
    "all but a salt": lambda data: data[:16],
    "all but a page": lambda data: data[:4096],
    "all": lambda _: b"",
    "flipped first byte": flipped(0),
    "flipped in the first page": flipped(100),
    "zeros": lambda data: bytes(len(data)),
    "text": lambda _: b"not a store at all\n" * 1000,
    "a plain database": lambda data: b"SQLite format 3\0" + data[16:],
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home(tmp_path_factory.mktemp("filled"))
    with home.memories() as memories:
        memories.owner(home.owner).remember_many([{"content": f"number {n} " + "word " * 100} for n in range(300)])
    return home


def copied(filled: Home, home: Home, damage: Callable[[bytes], bytes]) -> bytes:
    """Put a damaged copy of *filled* into *home*; gives its bytes."""
    home.keys.mkdir(parents=True)
    for key in filled.keys.iterdir():
        (home.keys / key.name).write_bytes(key.read_bytes())
    data = damage(filled.store.read_bytes())
    home.store.write_bytes(data)
    return data


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_wr_truncated_store_is_refused_and_not_changed(
    filled: Home, home: Home, damage: Callable[[bytes], bytes]
) -> None:
    data = copied(filled, home, damage)

    with pytest.raises(StoreError), home.memories() as memories:
        memories.owner(home.owner).recall("number")

    assert home.store.read_bytes() == data


@pytest.mark.parametrize("name", ["half", "all", "a byte", "text"])
def test_wr_truncated_store_is_explained_by_doctor_and_not_changed(filled: Home, home: Home, name: str) -> None:
    data = copied(filled, home, DAMAGES[name])

    ran = home.cli_here("doctor", "--json")

    assert ran.code == 1
    assert ran.answer["findings"]
    assert home.store.read_bytes() == data


def test_wr_truncated_store_starts_no_server_and_writes_nothing_to_its_client(filled: Home, home: Home) -> None:
    data = copied(filled, home, cut(0.5))

    outcome = home.converse(HANDSHAKE + request(1, "tools/call", name="memory_recall", arguments={"query": "number"}))

    assert outcome.code == 1
    assert outcome.stdout == b"" or code_of(outcome.by_id[1]["result"]["structuredContent"]).startswith("store_")
    assert home.store.read_bytes() == data


@pytest.mark.parametrize("words", [["remember", "new words"], ["recall", "number"], ["forget", "m"], ["import", "-"]])
def test_wr_truncated_store_is_refused_by_every_verb(filled: Home, home: Home, words: list[str]) -> None:
    data = copied(filled, home, cut(0.5))

    ran = home.cli(*words, "--json", stdin=b'{"content": "new"}\n')

    assert ran.code == 1
    assert code_of(ran.answer) in {"store_damaged", "store_unreadable"}
    assert home.store.read_bytes() == data


@pytest.mark.parametrize("damage", [cut(0.5), lambda _: b"", flipped(3)], ids=["half", "empty", "flipped"])
def test_wr_truncated_key_is_refused_and_changes_neither_file(
    filled: Home, home: Home, damage: Callable[[bytes], bytes]
) -> None:
    store = copied(filled, home, bytes)
    [path] = home.keys.iterdir()
    path.write_bytes(key := damage(path.read_bytes()))

    with pytest.raises(StoreError), home.memories() as memories:
        memories.owner(home.owner).recall("number")

    assert (home.store.read_bytes(), path.read_bytes()) == (store, key)


def test_wr_truncated_to_nothing_key_is_not_made_anew(filled: Home, home: Home) -> None:
    copied(filled, home, bytes)
    [path] = home.keys.iterdir()
    path.unlink()

    with pytest.raises(KeyMissingError):
        home.memories()

    assert not any(home.keys.iterdir())


def test_wr_truncated_missing_store_is_not_made_by_a_verb_that_reads(home: Home) -> None:
    ran = home.cli("recall", "anything", "--json")

    assert (ran.code, code_of(ran.answer)) == (1, "store_missing")
    assert not home.store.exists()


def test_wr_kill_during_remember_loses_nothing_acknowledged(home: Home) -> None:
    acknowledged: list[str] = []
    for turn, patience in enumerate((1, 2, 7, 30)):
        with script(WRITER, str(home.store), str(home.keys), f"turn{turn}", "100000") as writer:
            start(writer)
            assert writer.stdout is not None
            acknowledged += [writer.stdout.readline().split()[0] for _ in range(patience)]

            writer.kill()

            acknowledged += [line.split()[0] for line in writer.stdout if line.endswith("\n")]

    kept = everything(home)
    assert set(acknowledged) <= set(kept)
    # At most one a turn was kept without its answer having been heard.
    assert len(kept) <= len(acknowledged) + 4
    assert all(text.endswith("long " * 200) for text in kept.values())


def test_wr_kill_during_a_batch_leaves_it_whole_or_not_there(home: Home) -> None:
    for patience in (1, 3):
        with script(BATCHES, str(home.store), str(home.keys)) as writer:
            start(writer)
            assert writer.stdout is not None
            for _ in range(patience):
                writer.stdout.readline()
            writer.kill()

    with home.memories(create=False) as memories:
        owner = memories.owner(home.owner)
        considered = [owner.recent(episode=str(number)).considered for number in range(4)]

    assert set(considered) <= {0, 50}
    assert considered[:3] == [50, 50, 50]


def test_wr_kill_of_a_server_in_a_burst_loses_nothing_acknowledged(home: Home) -> None:
    calls = [
        request(number, "tools/call", name="memory_remember", arguments={"content": f"heard {number}"})
        for number in range(200)
    ]
    with home.process() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(HANDSHAKE + b"".join(calls))
        process.stdin.flush()
        process.stdout.readline()
        heard = [process.stdout.readline() for _ in range(5)]

        process.kill()

        heard += [line for line in process.stdout if line.endswith(b"\n")]

    answers = [json.loads(line)["result"]["structuredContent"] for line in heard]
    assert {answer["key"] for answer in answers} <= set(everything(home))


def test_wr_kill_leaves_a_store_that_another_process_writes_to_at_once(home: Home) -> None:
    with script(WRITER, str(home.store), str(home.keys), "victim", "100000") as writer:
        start(writer)
        assert writer.stdout is not None
        writer.stdout.readline()
        writer.kill()
        writer.wait(PATIENCE)

    ran = home.cli("remember", "after the crash", "--json")

    assert ran.answer["created"] is True
