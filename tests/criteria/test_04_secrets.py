"""
Criterion 4: secrets of every family are refused through library, command line and MCP, and leave no trace.

Every capture is proved by a canary: harmless text that went the same way and is found there.
"""

import json
import logging
import random
from pathlib import Path

import pytest

from reminisce import SecretFoundError, guard
from tests.support.faces import Home
from tests.support.secret_formats import FORMATS
from tests.support.secret_samples import ASIDE, BESIDE, near_misses, token, told

CANARY = "canary-of-the-capture"


def samples() -> list[tuple[str, str]]:
    """Two texts of every rule, each with the secret in it, and so at least two of every family."""
    draw = random.Random(4)
    made = []
    for rule, family, name, forms in FORMATS:
        for number in range(2):
            form = forms[number % len(forms)]
            shapes = BESIDE if name and not form.startswith("ATATT3") else ASIDE
            secret = token(form, draw)
            made.append((rule, secret if name == "=" else told(draw.choice(shapes), secret, name or family)))
    return made


SAMPLES = samples()

HARMLESS = [
    text
    for _, family, name, _ in FORMATS
    for text in near_misses(family if name in ("", "=") else name, random.Random(9))
]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_the_library_refuses_them_and_tells_rules_only(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("reminisce").debug(CANARY)
    traces = []
    with home.memories() as memories:
        owner = memories.owner(home.owner)
        for rule, text in SAMPLES:
            with pytest.raises(SecretFoundError) as refused:
                owner.remember(text)
            assert rule in {finding.rule for finding in refused.value.findings}
            traces.append(f"{refused.value} {refused.value!r}")
        kept = list(owner.recent())

    assert kept == []
    assert CANARY in caplog.text
    assert [text for _, text in SAMPLES if text in caplog.text or any(text in trace for trace in traces)] == []


def test_the_command_line_refuses_them(home: Home) -> None:
    file = home.folder / "lines.jsonl"
    file.write_text("".join(json.dumps({"content": text}) + "\n" for _, text in [*SAMPLES, ("", CANARY)]))

    ran = home.cli("import", str(file), "--json", REMINISCE_DEBUG="1")

    answer = json.loads(ran.stdout)
    assert (answer["created"], len(answer["bad"])) == (1, len(SAMPLES))
    assert {bad["code"] for bad in answer["bad"]} == {"secret_found"}
    assert [text for _, text in SAMPLES if text.encode() in ran.stdout + ran.stderr] == []
    assert CANARY.encode() in home.cli("recent").stdout


@pytest.mark.parametrize("as_json", [True, False])
def test_one_refusal_of_the_command_line_tells_the_rule(as_json: bool, home: Home) -> None:
    rule, text = SAMPLES[0]

    ran = home.cli("remember", text, *(["--json"] if as_json else []))

    assert ran.code == 1
    assert rule.encode() in ran.stdout + ran.stderr
    assert text.encode() not in ran.stdout + ran.stderr


def test_mcp_refuses_them(home: Home) -> None:
    with home.session("--local") as session:
        assert "error" not in session.ask("memory_remember", content=CANARY)
        answers = [session.ask("memory_remember", content=text) for _, text in SAMPLES]
        held = session.recent_text()

    assert {answer["error"]["code"] for answer in answers} == {"secret_found"}
    assert [rule for (rule, _), answer in zip(SAMPLES, answers, strict=True) if rule not in json.dumps(answer)] == []
    assert CANARY in held
    assert [text for _, text in SAMPLES if text in held or text in json.dumps(answers, ensure_ascii=False)] == []


def test_harmless_near_misses_are_let_through() -> None:
    assert [text for text in HARMLESS if guard(text)] == []
