"""The command line: what it prints, in which form, and its exit codes."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from cyclopts import App

from reminisce.app.cli.arguments import Asked, Awaited, Belief, Changed, Filters, Given, Narrowed
from reminisce.app.cli.screen import visible
from reminisce.app.cli.verbs import GROUPS, VERBS, build
from reminisce.app.service.memories import Memories
from reminisce.app.service.owner import Owner
from reminisce.domain.asking import FILTERS, OPTIONS
from reminisce.domain.requests import CHANGES, NAMES
from reminisce.domain.values import Destination
from reminisce.errors import StoreUnavailableError
from tests.entry.command import DONE, INTERRUPTED, REFUSED, UNAVAILABLE, USAGE, Ran, Run

pytestmark = pytest.mark.usefixtures("home")


def process(
    *words: str, stdin: bytes = b"", stdout: int = subprocess.PIPE, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "reminisce", *words],
        input=stdin,
        env={**os.environ, **(environ or {})},
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=30,
        check=False,
    )


# What is printed


def test_remember_answers_key_created_and_revision(run: Run) -> None:
    ran = run("remember", "the gate code changes on Monday", "--json")

    assert ran.code == DONE
    assert ran.plain["key"].startswith("m_")
    assert (ran.plain["created"], ran.plain["revision"]) == (True, 1)


def test_remembering_again_creates_nothing(run: Run) -> None:
    first = run("remember", "the gate code changes on Monday", "--json").plain

    again = run("remember", "the gate code changes on Monday", "--json").plain

    assert (again["key"], again["created"], again["revision"]) == (first["key"], False, 1)


def test_recall_answers_hits_considered_and_revision(run: Run) -> None:
    run("remember", "the gate code changes on Monday", "--key", "gate")
    run("remember", "lunch was late")

    plain = run("recall", "when does the gate code change", "-k", "1", "--json").plain

    assert [(hit["key"], hit["content"]) for hit in plain["hits"]] == [("gate", "the gate code changes on Monday")]
    assert plain["hits"][0]["score"] > 0
    assert (plain["considered"], plain["revision"]) == (2, 2)


def test_every_attribute_has_its_option(run: Run) -> None:
    run("remember", "older", "--key", "older")
    given = {
        "--key": ["new"],
        "--aspects": ["semantic", "procedural"],
        "--basis": ["told"],
        "--confidence": ["0.25"],
        "--salience": ["1"],
        "--occurred-at": ["2026-01-02T03:04:05+01:00"],
        "--due-at": ["2026-02-02T00:00:00Z"],
        "--valid-from": ["2026-01-01T00:00:00Z"],
        "--valid-to": ["2027-01-01T00:00:00Z"],
        "--sources": ["doc:a", "doc:b"],
        "--facets": ["place=gate", "formula=a=b"],
        "--subjects": ["person:1"],
        "--tier": ["redacted"],
        "--surface": ["a surface"],
        "--episode": ["walk"],
        "--derived-from": ["older"],
        "--supersedes": ["older"],
        "--request-key": ["r1"],
    }

    kept = run("remember", "newer", *(word for name, values in given.items() for v in values for word in (name, v)))

    assert kept.code == DONE
    memory = run("why", "new", "--json").plain["memory"]
    assert memory["aspects"] == ["procedural", "semantic"]
    assert (memory["basis"], memory["confidence"], memory["salience"]) == ("told", 0.25, 1.0)
    assert memory["occurred_at"] == "2026-01-02T02:04:05Z"
    assert (memory["sources"], memory["subjects"]) == (["doc:a", "doc:b"], ["person:1"])
    assert memory["facets"] == {"formula": ["a=b"], "place": ["gate"]}
    assert (memory["derived_from"], memory["supersedes"]) == (["older"], ["older"])


def names(options: type[Any]) -> set[str]:
    return {field.name for field in attrs.fields(options)}


def test_options_are_the_librarys_arguments() -> None:
    assert {"content", *names(Given)} == set(NAMES)
    assert names(Belief) == {*NAMES, "many"} - {"fact"}
    assert names(Changed) == set(CHANGES)
    assert names(Filters) == set(OPTIONS)
    assert names(Asked) == set(OPTIONS) - {"as_of"}
    assert names(Awaited) == {*FILTERS, "k", "audience", "cursor"}
    assert names(Narrowed) == set(FILTERS)


def test_every_filter_reaches_recall(run: Run) -> None:
    run("remember", "the gate is red", "--key", "red", "--facets", "colour=red", "--episode", "walk")
    run("remember", "the gate is blue", "--key", "blue", "--confidence", "0.5", "--occurred-at", "2020-01-01T00:00:00Z")

    def keys(*options: str) -> list[str]:
        return [hit["key"] for hit in run("recall", "gate", *options, "--json").plain["hits"]]

    assert keys("--facets", "colour=red") == ["red"]
    assert keys("--episode", "walk") == ["red"]
    assert keys("--min-confidence", "0.9") == ["red"]
    assert keys("--occurred-to", "2021-01-01T00:00:00Z") == ["blue"]
    assert sorted(keys("--basis", "observed", "--basis", "told")) == ["blue", "red"]


def test_pages_follow_one_another_by_cursor(run: Run) -> None:
    for number in range(3):
        run("remember", f"gate number {number}")
    first = run("recall", "gate", "-k", "2", "--json").plain

    second = run("recall", "gate", "-k", "2", f"--cursor={first['cursor']}", "--json").plain

    assert len({hit["key"] for hit in first["hits"] + second["hits"]}) == 3
    assert "cursor" not in second


def test_recent_lists_the_newest_first(run: Run) -> None:
    for key in ("first", "second", "third"):
        run("remember", f"the {key}", "--key", key)

    assert [hit["key"] for hit in run("recent", "-k", "2", "--json").plain["hits"]] == ["third", "second"]


def test_forgetting_ends_recall_until_reinstated(run: Run) -> None:
    run("remember", "the van", "--key", "van")

    assert run("forget", "van", "--reason", "sold", "--json").plain["forgotten"] == ["van"]
    assert run("recall", "van", "--json").plain["hits"] == []
    assert run("why", "van", "--json").plain["history"][-1]["reason"] == "sold"
    assert run("reinstate", "van", "--json").plain["changed"] is True
    assert len(run("recall", "van", "--json").plain["hits"]) == 1


def test_stats_count_by_status(run: Run) -> None:
    run("remember", "one", "--key", "one")
    run("remember", "two")
    run("forget", "one")

    assert run("stats", "--json").plain["by_status"] == {"active": 1, "retired": 1}


def test_init_makes_the_store_once_and_says_where_it_is(run: Run, tmp_path: Path) -> None:
    made, again = run("init", "--json").plain, run("init", "--json").plain

    assert (made["created"], again["created"]) == (True, False)
    assert made["store"] == str(tmp_path / "memory.db")
    assert list(Path(made["keys"]).glob("*.key"))


@pytest.mark.parametrize("verb", ["remember", "recall", "recent", "why", "forget", "reinstate", "stats", "doctor"])
def test_people_get_tables(run: Run, verb: str) -> None:
    words = {"remember": ["again"], "recall": ["gate", "--explain"], "why": ["k"], "forget": ["k"], "reinstate": ["k"]}
    run("remember", "the gate", "--key", "k", "--sources", "doc:a", "--tier", "private")
    if verb == "reinstate":
        run("forget", "k")

    ran = run(verb, *words.get(verb, []))

    assert (ran.code, ran.err) == (DONE, "")
    assert ran.out.strip()
    assert "\x1b" not in ran.out


def test_people_see_every_derivation_and_event(run: Run) -> None:
    run("remember", "a source", "--key", "a")
    run("remember", "a conclusion", "--key", "b", "--derived-from", "a", "--supersedes", "a")

    assert "a (superseded)" in run("why", "b").out
    assert "superseded by" in run("why", "a").out


# Where options stand, and text that looks like one


def test_common_options_stand_before_the_verb_or_after_it(run: Run, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    run("--store", other, f"--owner={'agent:b'}", "remember", "here")

    before = run("--json", "--store", other, "--owner", "agent:b", "recall", "here")
    after = run("recall", "here", "--json", "--store", other, "--owner", "agent:b")

    assert len(before.plain["hits"]) == 1
    assert before.out == after.out


@pytest.mark.parametrize("text", ["-5 degrees", "--json", "--"])
def test_text_behind_two_hyphens_is_text(run: Run, text: str) -> None:
    run("remember", "--key", "k", "--", text)

    assert run("why", "k", "--json").plain["memory"]["content"] == text
    assert run("recall", "--json", "--", text).code == DONE


def test_a_query_of_one_hyphen_matches_nothing(run: Run) -> None:
    run("remember", "words")

    assert run("recall", "-", "--json").plain["hits"] == []


def test_a_query_of_operators_is_plain_text(run: Run) -> None:
    run("remember", "NEAR the gate")

    assert len(run("recall", '"gate AND (x OR NOT *y) NEAR/3 --', "--json").plain["hits"]) == 1


@pytest.mark.parametrize("owner", ["agent:*", "agent:%", "agent:_", "agent:?", "agent:.*"])
def test_an_owner_of_wildcards_is_only_itself(run: Run, owner: str) -> None:
    run("remember", "of alice", "--owner", "agent:a")
    run("remember", "of the wildcard", "--owner", owner)

    assert run("stats", "--owner", owner, "--json").plain["memories"] == 1


def test_the_owner_comes_from_the_environment_then_the_file(run: Run, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text('owner = "agent:file"\n')
    run("init")

    assert run("stats", "--json").plain["owner"] == "agent:file"
    monkeypatch.setenv("REMINISCE_OWNER", "agent:environment")
    assert run("stats", "--json").plain["owner"] == "agent:environment"
    assert run("stats", "--json", "--owner", "agent:option").plain["owner"] == "agent:option"


# Refusals


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--occurred-at", "2026-01-01T00:00:00"], ("occurred_at", "naive_time")),
        (["--occurred-at", "yesterday"], ("occurred_at", "not_a_time")),
        (["--tier", "secret"], ("tier", "unknown_word")),
        (["--basis", "hearsay"], ("basis", "unknown_word")),
        (["--aspects", "kinetic"], ("aspects", "unknown_word")),
        (["--confidence", "1.5"], ("confidence", "out_of_range")),
        (["--confidence", "nan"], ("confidence", "out_of_range")),
        (["--key", "x" * 257], ("key", "too_large")),
        (["--owner", "alice"], ("owner", "not_kind_and_id")),
        (["--owner", ""], ("owner", "blank")),
    ],
)
def test_what_breaks_a_rule_is_refused_by_field(run: Run, options: list[str], problem: tuple[str, str]) -> None:
    ran = run("remember", "words", "--json", *options)

    assert ran.code == REFUSED
    assert ran.problems == {problem}


@pytest.mark.parametrize(
    ("content", "code"), [("  ", "blank"), ("x" * 65_537, "too_large"), ("a\udcff", "lone_surrogate")]
)
def test_bad_text_is_refused_and_never_repeated(run: Run, content: str, code: str) -> None:
    ran = run("remember", "--json", content)

    assert (ran.code, ran.problems) == (REFUSED, {("content", code)})
    assert "xxx" not in ran.out + ran.err


def test_all_problems_are_told_at_once(run: Run) -> None:
    ran = run("remember", " ", "--tier", "secret", "--due-at", "2026-01-01")

    assert ran.code == REFUSED
    assert ran.out == ""
    assert [line.split(": ")[1] for line in ran.err.splitlines()] == ["content", "due_at", "tier"]


def test_a_key_of_another_memory_is_refused(run: Run) -> None:
    run("remember", "one", "--key", "k")

    ran = run("remember", "two", "--key", "k", "--json")

    assert (ran.code, ran.plain["error"]["code"], ran.plain["error"]["fields"]) == (REFUSED, "key_taken", ["key"])


@pytest.mark.parametrize("verb", [["recall", "q"], ["recent"], ["why", "k"], ["stats"], ["forget", "k"]])
def test_reading_makes_no_store(run: Run, tmp_path: Path, verb: list[str]) -> None:
    ran = run(*verb, "--json")

    assert (ran.code, ran.plain["error"]["code"]) == (REFUSED, "store_missing")
    assert list(tmp_path.iterdir()) == [tmp_path / "home"]


def test_a_busy_store_exits_3(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise StoreUnavailableError("another process is writing")

    monkeypatch.setattr(Owner, "remember", busy)

    ran = run("remember", "words", "--json")

    assert (ran.code, ran.plain["error"]["code"]) == (UNAVAILABLE, "store_unavailable")


def test_an_unusable_store_is_refused(run: Run, tmp_path: Path) -> None:
    assert run("remember", "words", "--store", "").code == REFUSED
    assert run("remember", "words", "--store", str(tmp_path)).code == REFUSED
    assert run("remember", "words", "--store", "bad\udcff.db").code == REFUSED


def test_a_fault_of_ours_names_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the words of a memory")

    monkeypatch.setattr(Owner, "remember", broken)

    ran = run("remember", "words")

    assert ran.code == REFUSED
    assert "Traceback" not in ran.err
    assert "the words" not in ran.err
    monkeypatch.setenv("REMINISCE_DEBUG", "1")
    assert "Traceback" in run("remember", "words").err


def test_an_interrupt_exits_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Owner, "remember", interrupted)

    assert run("remember", "words") == Ran(INTERRUPTED, "", "")


# Usage


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["remind", "x"],
        ["recall"],
        ["remember", "two", "words"],
        ["remember", "-5 degrees"],
        ["remember", "x", "--colour", "red"],
        ["remember", "x", "--tier"],
        ["remember", "x", "--tier", "open", "--tier", "private"],
        ["remember", "x", "--facets", "red"],
        ["remember", "x", "--confidence", "much"],
        ["recall", "x", "-k", "1.5"],
        ["recall", "x", "-k", "0x10"],
        ["recall", "x", "--explain=perhaps"],
        ["--store"],
        ["--store", "x"],
    ],
)
def test_misuse_exits_2(run: Run, words: list[str]) -> None:
    ran = run(*words)

    assert (ran.code, ran.out) == (USAGE, "")
    assert ran.err


def test_misuse_is_told_as_json_and_never_repeated(run: Run) -> None:
    for words in (
        ["--json"],
        ["--json", "sesame"],
        ["remember", "x", "sesame", "--json"],
        ["recall", "-sesame", "--json"],
    ):
        ran = run(*words)

        assert (ran.code, ran.plain["error"]["code"], ran.err) == (USAGE, "usage", "")
        assert "sesame" not in ran.out


def test_a_slip_is_answered_with_what_was_meant(run: Run) -> None:
    assert "recall" in run("recal", "x").err
    assert "--aspects" in run("recall", "x", "--aspect", "semantic").err


def test_help_lists_every_verb_in_the_words_of_its_function(run: Run) -> None:
    listed = run("--help").out
    app = build()
    verbs: list[tuple[tuple[str, ...], App, str]] = []
    for name, (_, line) in VERBS.items():
        if name not in GROUPS:
            verbs.append(((name,), app[name], line))
        for second, (_, told) in GROUPS.get(name, {}).items():
            verbs.append(((name, second), app[name][second], told))

    assert all(name in listed for name in VERBS)
    for words, verb, line in verbs:
        assert verb.default_command is not None
        assert (verb.default_command.__doc__ or "").split("\n\n")[0].replace("`", "").strip().startswith(line[:-1])
        assert run(*words, "--help").code == DONE


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_a_completion_script_knows_the_verbs(run: Run, shell: str) -> None:
    ran = run("--completion", shell)

    assert ran.code == DONE
    assert all(verb in ran.out for verb in (*VERBS, *(second for seconds in GROUPS.values() for second in seconds)))


# Standard input and import


@pytest.mark.parametrize("stdin", ["café 🎉", "café 🎉\n", "café 🎉\r\n"])
def test_remember_reads_standard_input_as_utf8(run: Run, stdin: str) -> None:
    run("remember", "-", "--key", "k", stdin=stdin.encode())

    assert run("why", "k", "--json").plain["memory"]["content"] == "café 🎉"


@pytest.mark.parametrize(("stdin", "code"), [(b"bad \xff", "not_utf8"), (b"x" * 70_000, "too_large"), (b"\n", "blank")])
def test_bad_standard_input_is_refused(run: Run, stdin: bytes, code: str) -> None:
    ran = run("remember", "-", "--json", stdin=stdin)

    assert (ran.code, ran.problems) == (REFUSED, {("content", code)})


RECORDS = b"""\
{"content": "first", "sources": ["doc:a"], "owner": "agent:x"}
not json

{"content": "second", "tier": "secret"}
{"content": "third"}
"""


def test_import_keeps_the_good_lines_and_reports_the_bad(run: Run, tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_bytes(RECORDS)

    ran = run("import", str(tmp_path / "records.jsonl"), "--json")

    assert ran.code == REFUSED
    assert (ran.plain["created"], ran.plain["unchanged"], ran.plain["ignored"]) == (2, 0, ["owner"])
    assert [(bad["line"], bad["code"]) for bad in ran.plain["bad"]] == [(2, "not_a_record"), (4, "invalid")]


def test_import_stops_at_the_first_bad_line_when_asked(run: Run) -> None:
    plain = run("import", "-", "--stop", "--json", stdin=RECORDS).plain

    assert (plain["created"], [bad["line"] for bad in plain["bad"]]) == (1, [2])


def test_importing_again_changes_nothing(run: Run) -> None:
    good = b'{"content": "first"}\n{"content": "second"}\n'
    first = run("import", "-", "--json", stdin=good)

    again = run("import", "-", "--json", stdin=good)

    assert (first.code, again.code) == (DONE, DONE)
    assert (again.plain["created"], again.plain["unchanged"]) == (0, 2)
    assert again.plain["revision"] == first.plain["revision"]


def test_people_see_bad_lines_by_number(run: Run) -> None:
    ran = run("import", "-", stdin=b"nope\n" * 60)

    assert ran.code == REFUSED
    assert "and 10 more" in ran.out


def test_a_file_that_cannot_be_read_makes_no_store(run: Run, tmp_path: Path) -> None:
    assert run("import", str(tmp_path / "none.jsonl")).code == REFUSED
    assert not (tmp_path / "memory.db").exists()


# Doctor


def test_doctor_finds_a_sound_store_sound(run: Run) -> None:
    run("remember", "words")

    plain = run("doctor", "--deep", "--repair", "--json").plain

    assert (plain["findings"], plain["repaired"]) == ([], ["agent:default"])


@pytest.mark.parametrize("size", [0, 100, 8192, -100])
def test_doctor_explains_a_truncated_store_and_leaves_it_alone(run: Run, tmp_path: Path, size: int) -> None:
    run("remember", "words")
    store = tmp_path / "memory.db"
    store.write_bytes(store.read_bytes()[:size])
    before = store.read_bytes()

    ran = run("doctor", "--deep", "--json")

    assert ran.code == REFUSED
    assert ran.plain["findings"]
    assert (ran.plain["store"], ran.plain["keys"]) == (str(store), str(tmp_path / "config" / "keys"))
    assert store.read_bytes() == before


def test_doctor_explains_what_is_missing(run: Run, tmp_path: Path) -> None:
    assert run("doctor").code == REFUSED
    run("remember", "words")
    for key in (tmp_path / "config" / "keys").iterdir():
        key.unlink()

    ran = run("doctor")

    assert ran.code == REFUSED
    assert "✗" in ran.out


# MCP


@pytest.mark.parametrize(
    ("options", "local", "destination"),
    [
        ([], "", Destination.REMOTE),
        ([], "perhaps", Destination.REMOTE),
        ([], "yes", Destination.LOCAL),
        (["--local"], "", Destination.LOCAL),
    ],
)
def test_mcp_serves_what_may_leave_unless_the_model_is_local(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: list[str], local: str, destination: Destination
) -> None:
    served: list[tuple[Memories, str, bool]] = []

    def serve(memories: Memories, owner: str, *, extended: bool) -> int:
        served.append((memories, owner, extended))
        return 1

    monkeypatch.setattr("reminisce.app.mcp.serve_memories", serve)
    monkeypatch.setenv("REMINISCE_LOCAL", local)

    ran = run("mcp", *options, "--audience", "team", "--extended", "--owner", "agent:a")

    ((memories, owner, extended),) = served
    face = memories._core.face
    assert ran == Ran(1, "", "")
    assert (face.actor, face.audience, face.destination) == ("mcp", "team", destination)
    assert (owner, extended) == ("agent:a", True)


def test_mcp_without_its_extra_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("reminisce.app.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("mcp", "mcp_types"):
        monkeypatch.setitem(sys.modules, name, None)

    ran = run("mcp")

    assert (ran.code, ran.out) == (REFUSED, "")
    assert "reminisce-memory[mcp]" in ran.err


# The terminal


def test_text_cannot_act_on_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    run("remember", "red \x1b[31m\x9b1m \u202ertl\u2066 \u200bhidden\U000e0041 [bold]not bold[/] :smile: \x07\r")

    shown = run("recall", "hidden").out

    assert not set(shown) & set("\x1b\x9b\u202e\u2066\u200b\U000e0041\x07\r")
    assert "[bold]not bold[/] :smile:" in shown


def test_text_keeps_lines_joiners_and_scripts() -> None:
    text = "one\ntwo\t👩‍👩‍👧 می‌خواهم 记忆"

    assert visible(text) == text


def test_long_text_is_shortened_in_lists_only(run: Run) -> None:
    run("remember", "gate " + "x" * 2_000, "--key", "k")

    assert "more characters" in run("recall", "gate").out
    assert run("why", "k").out.count("x") >= 2_000


# As a process


SMALL_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252"}


def test_a_small_locale_carries_any_script() -> None:
    kept = process("remember", "记忆 🎉 é", "--owner", "agent:记", environ=SMALL_LOCALE)
    piped = process("remember", "-", "--owner", "agent:记", stdin="猫 é".encode(), environ=SMALL_LOCALE)

    found = process("recall", "记忆", "--owner", "agent:记", "--json", environ=SMALL_LOCALE)

    assert (kept.returncode, piped.returncode, found.returncode) == (DONE, DONE, DONE)
    assert [hit["content"] for hit in json.loads(found.stdout.decode())["hits"]] == ["记忆 🎉 é"]
    assert "猫 é" in process("recent", "--owner", "agent:记", environ=SMALL_LOCALE).stdout.decode()


def test_a_reader_that_leaves_is_no_fault() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    ran = process("remember", "words", "--json", stdout=writing)

    os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_answer_that_cannot_be_written_exits_1(form: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = process("remember", "words", *form, stdout=full.fileno())

    assert ran.returncode == REFUSED
    assert ran.stderr.count(b"\n") == 1


def test_nothing_appears_in_the_users_folder(run: Run, home: Path) -> None:
    run("remember", "words")
    run("recall", "words")

    assert list(home.iterdir()) == []
