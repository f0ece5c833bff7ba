"""The host's policy, named in the configuration, behind the real command: whatever it does, the client reads frames."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.entry.mcp_fixture_server import MEANS, STRAY, WORDS
from tests.entry.mcp_wire import HANDSHAKE, ROOT, Outcome, request
from tests.support.faces import Home, Plain

PREAMBLE = f"""
import sys
from reminisce import Allow, Hold, Refuse
from tests.entry.mcp_fixture_server import make_noise
WORDS = {WORDS!r}
"""

POLICIES: Mapping[str, str] = {
    "noisy": """
import atexit, logging, os
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout)
make_noise()
atexit.register(make_noise)
assert (sys.stdin.readline(), os.read(0, 10)) == ("", b"")
class Judge:
    def __init__(self):
        make_noise()
    def check(self, owner, memory):
        make_noise()
        assert os.read(0, 10) == b""
        return Allow()
""",
    "raises": """
class Judge:
    def check(self, owner, memory):
        print(memory.content)
        raise RuntimeError(WORDS + memory.content)
""",
    "leaves": """
class Judge:
    def check(self, owner, memory):
        sys.exit(WORDS)
""",
    "mumbles": """
class Judge:
    def check(self, owner, memory):
        return WORDS
""",
    "unmakeable": """
class Judge:
    def __init__(self):
        raise RuntimeError(WORDS)
""",
    "broken": "raise RuntimeError(WORDS)",
    "leaving": "make_noise()\nsys.exit(WORDS)",
    "nameless": "",
    "refuses": """
class Judge:
    def check(self, owner, memory):
        print(memory.content)
        return Refuse("no_secrets")
""",
    "holds": """
class Judge:
    def check(self, owner, memory):
        return Hold(WORDS)
""",
}

SECRET = "The gate code is plutonium."
"""What the client asks to keep."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def configure(home: Home, policy: str) -> dict[str, str]:
    """Name *policy* in the configuration; answers the environment in which it is found."""
    (home.folder / "config").mkdir()
    (home.folder / "config" / "config.toml").write_text(f'policy = "host_{policy}:Judge"\n')
    if policy in POLICIES:
        (home.folder / f"host_{policy}.py").write_text(PREAMBLE + POLICIES[policy])
    return {"PYTHONPATH": os.pathsep.join([str(home.folder), str(ROOT)])}


def call(request_id: int, tool: str, **arguments: object) -> bytes:
    return request(request_id, "tools/call", name="memory_" + tool, arguments=arguments)


BELIEF = {"subject": "gate", "attribute": "code", "value": "plutonium", "content": SECRET}

WRITES = call(1, "remember", content=SECRET, key="kept") + call(2, "believe", **BELIEF, key="believed")


def converse(home: Home, policy: str, data: bytes = WRITES) -> Outcome:
    return home.converse(HANDSHAKE + data, "--extended", **configure(home, policy))


def answer_of(outcome: Outcome, request_id: int) -> tuple[Plain, bool]:
    """What a call was answered, and whether as an error. The text must say the same."""
    result = outcome.by_id[request_id]["result"]
    [content] = result["content"]
    assert json.loads(content["text"]) == result["structuredContent"]
    return result["structuredContent"], result["isError"]


def test_nothing_that_a_policy_says_reaches_the_client(home: Home) -> None:
    outcome = converse(home, "noisy", WRITES + call(3, "recall", query="zeppelin") + request(4, "ping"))

    assert outcome.code == 0
    assert set(outcome.by_id) == {"handshake", 1, 2, 3, 4}
    assert all(answer["jsonrpc"] == "2.0" and "result" in answer for answer in outcome.answers)
    assert STRAY.encode() not in outcome.stdout
    assert [answer_of(outcome, number)[0]["status"] for number in (1, 2)] == ["active"] * 2
    for means in MEANS:
        # It went where it does no harm. How often it is there is the threads' and the warnings' matter.
        assert f"{STRAY} {means}".encode() in outcome.stderr, means


FAILING = ("raises", "leaves", "mumbles", "unmakeable", "broken", "leaving", "nameless", "missing")


@pytest.mark.parametrize("policy", FAILING)
def test_a_policy_that_fails_keeps_nothing_and_says_so(home: Home, policy: str) -> None:
    outcome = converse(home, policy)

    for number in (1, 2):
        answer, is_error = answer_of(outcome, number)
        assert is_error
        assert (answer["error"]["code"], answer["error"]["fields"]) == ("policy_failed", [])
        assert answer["error"]["message"].startswith("the policy of this memory cannot be asked: it ")
        assert answer["error"]["message"].endswith("; nothing was written")
    nothing_was_kept(home, outcome)


def test_a_policy_that_refuses_keeps_nothing_and_says_why(home: Home) -> None:
    outcome = converse(home, "refuses")

    for number in (1, 2):
        assert answer_of(outcome, number) == (
            {
                "error": {
                    "code": "policy_refused",
                    "message": "content: the policy of this memory refuses to keep it: no_secrets",
                    "fields": ["content"],
                }
            },
            True,
        )
    nothing_was_kept(home, outcome)


def nothing_was_kept(home: Home, outcome: Outcome) -> None:
    """And nothing was said of what should have been, nor of what the policy said."""
    assert outcome.code == 0
    assert WORDS.encode() not in outcome.stdout
    assert b"plutonium" not in outcome.stdout
    with home.memories() as memories:  # without the policy: that is in the command's configuration
        owner = memories.owner(home.owner)
        assert (owner.revision(), owner.stats().memories) == (0, 0)


def test_what_a_policy_holds_waits_out_of_sight(home: Home) -> None:
    with home.session("--extended", **configure(home, "holds")) as session:
        kept = [session.ask("memory_remember", content=SECRET), session.ask("memory_believe", **BELIEF)]
        seen = [
            session.ask("memory_recall", query="gate code plutonium"),
            session.ask("memory_recall", valid_at="9999-01-01T00:00:00Z"),
            session.ask("memory_recent"),
        ]
        beliefs = session.ask("memory_beliefs", subject="gate")
        stats = session.ask("memory_stats")
        text = session.recent_text()

    assert [answer["status"] for answer in kept] == ["held", "held"]
    assert kept[1]["outcome"] == "new"
    assert [answer["hits"] for answer in seen] == [[]] * 3
    assert beliefs["beliefs"] == []
    assert (stats["by_status"], stats["live_beliefs"], text) == ({"held": 2}, 0, "")


def test_a_server_whose_policy_fails_goes_on_reading(home: Home) -> None:
    environment = configure(home, "raises")
    with home.memories() as memories:
        memories.owner(home.owner).remember("The gate opens at noon.", key="noon")

    with home.session("--extended", **environment) as session:
        refused = [session.ask("memory_remember", content=SECRET) for _ in range(20)]
        found = session.ask("memory_recall", query="gate")
        forgotten = session.ask("memory_forget", keys=["noon"])

    assert {answer["error"]["code"] for answer in refused} == {"policy_failed"}
    assert [hit["key"] for hit in found["hits"]] == ["noon"]
    assert forgotten["forgotten"] == ["noon"]
