"""The command line: beliefs, links, review, consents, corrections, the past, time passing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.entry.command import DONE, INTERRUPTED, REFUSED, USAGE, Run

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def reviewed(tmp_path: Path) -> None:
    """A configuration in which ann reviews what is autobiographical."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text('reviewer = "ann"\nreview_aspects = ["autobiographical"]\n')


def moved(run: Run) -> None:
    """Person 1 lived in Riga, and lives in Oslo."""
    run("believe", "person-1", "lives_in", "Riga", "--key", "riga", "--valid-from", "2020-01-01T00:00:00Z")
    run("believe", "person-1", "lives_in", "Oslo", "--key", "oslo", "--valid-from", "2024-01-01T00:00:00Z")


def values(run: Run, *words: str) -> list[str]:
    return [belief["value"] for belief in run("beliefs", *words, "--json").plain["beliefs"]]


def found(run: Run, *words: str) -> list[str]:
    return [hit["key"] for hit in run(*words, "--json").plain["hits"]]


# Beliefs


def test_a_belief_ends_the_one_before(run: Run) -> None:
    moved(run)

    assert values(run, "person-1") == ["Oslo"]
    assert values(run, "person-1", "--valid-at", "2021-01-01T00:00:00Z") == ["Riga"]
    assert values(run, "person-1", "--history") == ["Riga", "Oslo"]
    assert values(run, "person-1", "--as-of", "1") == ["Riga"]
    assert values(run, "person-1", "--attribute", "speaks") == []


def test_a_belief_tells_what_became_of_it(run: Run) -> None:
    moved(run)

    again = run("believe", "person-1", "lives_in", "oslo", "--json").plain
    earlier = run("believe", "person-1", "lives_in", "Rome", "--valid-from", "2010-01-01T00:00:00Z", "--json").plain

    assert (again["outcome"], again["key"], again["valid_from"]) == ("reinforced", "oslo", "2024-01-01T00:00:00Z")
    assert (earlier["outcome"], earlier["valid_to"]) == ("history", "2020-01-01T00:00:00Z")


def test_many_values_are_said_or_not(run: Run) -> None:
    run("believe", "person-1", "speaks", "Norwegian", "--many")
    run("believe", "person-1", "speaks", "Latvian")
    run("believe", "person-1", "age", "40", "--no-many")

    assert set(values(run, "person-1", "--attribute", "speaks")) == {"Norwegian", "Latvian"}
    assert run("believe", "person-1", "speaks", "Dutch", "--no-many", "--json").problems == {("many", "fixed")}
    assert run("believe", "person-1", "age", "41", "--many", "--json").problems == {("many", "fixed")}


def test_a_belief_has_the_words_and_attributes_that_it_is_given(run: Run) -> None:
    run("believe", "p", "likes", "tea", "--key", "k", "--content", "P. likes tea.", "--basis", "told", "--sources", "d")

    memory = run("why", "k", "--json").plain["memory"]

    assert (memory["content"], memory["basis"], memory["sources"]) == ("P. likes tea.", "told", ["d"])
    assert memory["fact"] == {"subject": "p", "attribute": "likes", "value": "tea"}


def test_disbelieving_leaves_what_was_earlier(run: Run) -> None:
    moved(run)

    plain = run("disbelieve", "person-1", "--attribute", "lives_in", "--reason", "a mistake", "--json").plain

    assert (plain["forgotten"], plain["left_superseded"]) == (["oslo"], ["riga"])
    assert values(run, "person-1") == []
    assert run("why", "oslo", "--json").plain["history"][-1]["reason"] == "a mistake"
    assert run("disbelieve", "person-1", "--json").plain["forgotten"] == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["believe", " ", "a", "v"], ("subject", "blank")),
        (["believe", "s", "a" * 257, "v"], ("attribute", "too_large")),
        (["believe", "s", "a", "v", "--valid-from", "2026-01-01T00:00:00"], ("valid_from", "naive_time")),
        (["beliefs", "s", "--valid-at", "2026-01-01T00:00:00"], ("valid_at", "naive_time")),
        (["beliefs", "s", "--as-of", "yesterday"], ("as_of", "not_a_time")),
        (["beliefs", "s", "--history", "--valid-at", "2026-01-01T00:00:00Z"], ("history", "excludes")),
        (["disbelieve", "s", "--reason", " "], ("reason", "blank")),
        (["associate", "k", "--kind", "pair"], ("keys", "too_few")),
        (["associate", "k", "l", "--kind", "x" * 65], ("kind", "too_large")),
        (["contradict", "k", "k"], ("b", "same")),
        (["contradict", "k", "l", "--claim", "a", "--claim", "b", "--claim", "c"], ("claim", "too_many")),
        (["reclassify", "k", "secret"], ("tier", "unknown_word")),
        (["correct", "k"], ("arguments", "empty")),
        (["correct", "k", "--due-at", "2026-01-01T00:00:00"], ("due_at", "naive_time")),
        (["consolidate", "--until", "2026-01-01T00:00:00"], ("until", "naive_time")),
        (["consolidate", "--until", "9999-01-01T00:00:00Z"], ("until", "out_of_range")),
        (["consolidate", "--threshold", "1.5"], ("threshold", "out_of_range")),
        (["prune", "--half-life=-1"], ("half_life", "out_of_range")),
        (["prune", "--half-life", "9" * 400], ("half_life", "out_of_range")),
        (["as-of", "2026-01-01T00:00:00"], ("as_of", "naive_time")),
        (["why", "k", "--as-of", "2026-01-01"], ("as_of", "naive_time")),
        (["forget"], ("keys", "empty")),
        (["forget", "k", "--containing", "x"], ("keys", "excludes")),
        (["forget", "--containing", ""], ("containing", "blank")),
        (["review", "list", "-k", "0"], ("k", "out_of_range")),
        (["consent", "", "--nobody"], ("subject", "blank")),
        (["consent", "p"], ("audiences", "missing")),
        (["consent", "p", "--nobody", "--audiences", "team"], ("audiences", "missing")),
        (["consent", "p", "--audiences", ""], ("audiences", "blank")),
        (["consent", "p", "--nobody", "--owner", "alice"], ("owner", "not_kind_and_id")),
    ],
)
def test_what_breaks_a_rule_is_refused_by_field(run: Run, words: list[str], problem: tuple[str, str]) -> None:
    run("remember", "one", "--key", "k")
    run("remember", "two", "--key", "l")

    ran = run(*words, "--json")

    assert (ran.code, ran.problems) == (REFUSED, {problem})


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["contradict", "k", "none"], "b"),
        (["contradict", "k", "l", "--claim", "none"], "claim"),
        (["resolve", "none", "k"], "a"),
        (["associate", "k", "none", "--kind", "pair"], "keys"),
        (["dissociate", "k", "none", "--kind", "pair"], "keys"),
        (["review", "approve", "none"], "key"),
        (["review", "reject", "none"], "key"),
        (["reinforce", "none"], "key"),
        (["reclassify", "none", "open"], "key"),
        (["correct", "none", "--content", "x"], "key"),
        (["why", "k", "--as-of", "0"], "key"),
    ],
)
def test_an_unknown_key_is_refused_by_field(run: Run, reviewed: None, words: list[str], field: str) -> None:
    run("remember", "one", "--key", "k")
    run("remember", "two", "--key", "l")

    assert run(*words, "--json").refusal == (REFUSED, "not_found", [field])


@pytest.mark.parametrize(
    "words",
    [
        ["believe", "s", "a"],
        ["believe", "-", "a", "v"],
        ["believe", "s", "a", "v", "--fact", "s", "a", "v"],
        ["contradict", "k"],
        ["associate", "k", "l"],
        ["associate", "--kind", "x"],
        ["associate", "k", "l", "--kind", "x", "--facets", "red"],
        ["as-of"],
        ["as-of", "1", "--as-of", "2"],
        ["prune", "--half-life", "3w"],
        ["prune", "--half-life", "1e3"],
        ["prune", "--half-life", "d"],
        ["prune", "--threshold", "little"],
        ["reclassify", "k"],
        ["review"],
        ["review", "sesame"],
        ["review", "list", "sesame"],
        ["review", "reject", "k", "--confirm"],
        ["--json", "review"],
        ["note", "x"],
    ],
)
def test_misuse_exits_2_and_is_never_repeated(run: Run, words: list[str]) -> None:
    ran = run(*words)

    assert ran.code == USAGE
    assert "sesame" not in ran.out + ran.err


def test_a_length_of_time_has_a_unit_or_is_in_seconds(run: Run) -> None:
    misused = run("prune", "--half-life", "3w", "--json")

    assert misused.plain["error"] == {
        "code": "usage",
        "message": "--half-life: must be a number of seconds, or a number with s, m, h or d, such as 30d",
        "fields": ["half_life"],
    }


# Contradictions and associations


def test_contradictions_are_told_until_resolved_and_after(run: Run) -> None:
    for key in ("a", "b", "c"):
        run("remember", f"memory {key}", "--key", key)
    made = run("contradict", "a", "b", "--claim", "c", "--reason", "both cannot be", "--json").plain

    again = run("contradict", "a", "b", "--claim", "c", "--reason", "both cannot be", "--json").plain
    open_ = run("why", "a")
    ended = run("resolve", "b", "a", "--reason", "b was a joke", "--json").plain

    assert (made["created"], again["created"], again["name"]) == (True, False, made["name"])
    assert "with b, as c says, since revision 4: both cannot be" in " ".join(open_.out.split())
    assert (ended["names"], run("resolve", "a", "b", "--json").plain["names"]) == ([made["name"]], [])
    assert "resolved at revision 5: b was a joke" in " ".join(run("why", "b").out.split())


def test_a_derivation_may_make_the_claim(run: Run) -> None:
    for key in ("a", "b", "source"):
        run("remember", f"memory {key}", "--key", key)
    run("remember", "derived", "--key", "derived", "--derived-from", "source")

    run("contradict", "a", "b", "--claim", "derived", "--claim", "source")

    assert run("why", "a", "--json").plain["contradictions"][0]["claim"] == ["derived", "source"]
    assert "as derived from source says" in " ".join(run("why", "a").out.split())


def test_associations_are_told_until_ended_and_after(run: Run) -> None:
    for key in ("a", "b", "c"):
        run("remember", f"memory {key}", "--key", key)

    made = run("associate", "a", "b", "c", "--kind", "journey", "--facets", "mood=good", "--json").plain

    assert run("why", "b", "--json").plain["associations"] == [
        {
            "name": made["name"],
            "kind": "journey",
            "keys": ["a", "b", "c"],
            "facets": {"mood": ["good"]},
            "since": 4,
            "until": None,
        }
    ]
    assert "journey mood=good with a, c, since revision 4" in " ".join(run("why", "b").out.split())
    assert run("dissociate", "a", "b", "--kind", "journey", "--json").plain["names"] == []
    assert run("dissociate", "c", "b", "a", "--kind", "journey", "--json").plain["names"] == [made["name"]]
    assert "ended at revision 5" in " ".join(run("why", "b").out.split())


# Review, tiers, consents


def test_what_waits_is_listed_and_reviewed_once(run: Run, reviewed: None) -> None:
    kept = run("remember", "I like tea", "--aspects", "autobiographical", "--key", "tea")
    run("remember", "I like rum", "--aspects", "autobiographical", "--key", "rum", "--subjects", "me")

    waiting = run("review", "list", "--json").plain["waiting"]
    narrowed = run("--json", "review", "list", "--subject", "me", "-k", "1").plain
    approved = run("review", "approve", "tea", "--reason", "true", "--json").plain
    rejected = run("review", "reject", "rum", "--reason", "false", "--json").plain

    assert "it waits for review" in kept.out
    assert [line["memory"]["key"] for line in waiting] == ["rum", "tea"]
    assert [line["memory"]["key"] for line in narrowed["waiting"]] == ["rum"]
    assert (approved["status"], rejected["status"]) == ("active", "rejected")
    assert run("review", "approve", "tea", "--json").refusal == (REFUSED, "status", ["key"])
    event = run("why", "rum", "--json").plain["history"][-1]
    assert (event["actor"], event["reason"]) == ("ann", "false")
    assert "nothing waits" in run("review", "list").out


def test_pages_of_what_waits_follow_one_another(run: Run, reviewed: None) -> None:
    for number in range(3):
        run("remember", f"I am {number}", "--aspects", "autobiographical", "--key", f"k{number}")
    first = run("review", "list", "-k", "2", "--json").plain

    second = run("review", "list", "-k", "2", f"--cursor={first['cursor']}", "--json").plain

    assert [line["memory"]["key"] for line in second["waiting"]] == ["k0"]
    assert "--cursor=" in run("review", "list", "-k", "2").out


def test_nobody_reviews_without_a_name(
    run: Run, reviewed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("remember", "I like tea", "--aspects", "autobiographical", "--key", "tea", "--reviewer", "bob")
    run("remember", "I like rum", "--aspects", "autobiographical", "--key", "rum")

    other = run("review", "approve", "tea", "--json")
    (tmp_path / "config" / "config.toml").unlink()
    none = run("review", "approve", "rum", "--json")
    monkeypatch.setenv("REMINISCE_REVIEWER", "bob")

    assert other.refusal == none.refusal == (REFUSED, "reviewer", ["reviewer"])
    assert run("review", "approve", "tea", "--json").plain["status"] == "active"
    assert "REMINISCE_REVIEWER" in run("review", "--help").out
    assert "REMINISCE_REVIEWER" in run("review", "approve", "--help").out


def test_a_consent_taken_back_while_a_memory_waits_must_be_confirmed(run: Run, reviewed: None) -> None:
    run("consent", "p", "--audiences", "team")
    run("remember", "P. likes tea", "--aspects", "autobiographical", "--key", "tea", "--subjects", "p")
    run("consent", "p", "--nobody")

    assert run("review", "approve", "tea", "--json").plain["error"]["code"] == "consent_narrowed"
    assert run("review", "approve", "tea", "--confirm", "--json").plain["status"] == "active"


def test_review_alone_shows_its_verbs(run: Run) -> None:
    alone = run("review")

    assert alone.code == USAGE
    assert "approve" in alone.out + alone.err
    assert "approve" in run("review", "--json").plain["error"]["message"]


def test_a_consent_is_said_in_full(run: Run) -> None:
    run("remember", "P. likes tea", "--subjects", "p", "--key", "tea")

    opened = run("consent", "p", "--audiences", "team", "--audiences", "doctors")
    seen = found(run, "recall", "tea", "--audience", "team")
    closed = run("consent", "p", "--nobody")

    assert "doctors, team, and the owners themselves" in opened.out
    assert seen == ["tea"]
    assert "nobody but the owners themselves" in closed.out
    assert found(run, "recall", "tea", "--audience", "team") == []
    assert run("consent", "p", "--nobody", "--json").plain == {"subject": "p", "audiences": [], "changed": False}


def test_a_tier_is_set_both_ways(run: Run) -> None:
    run("remember", "words", "--key", "k")

    stricter, same, open_ = (run("reclassify", "k", tier, "--json").plain for tier in ("private", "private", "open"))

    assert [(line["tier"], line["changed"]) for line in (stricter, same, open_)] == [
        ("private", True),
        ("private", False),
        ("open", True),
    ]


# Time passing


def test_uses_are_counted_and_shown(run: Run) -> None:
    run("remember", "words", "--key", "k")
    run("reinforce", "k")

    assert run("reinforce", "k", "--json").plain["uses"] == 2
    assert "uses" in run("why", "k").out
    run("forget", "k")
    assert run("reinforce", "k", "--json").plain["error"]["code"] == "status"


def test_what_faded_is_pruned_after_a_look(run: Run) -> None:
    run("remember", "dear", "--key", "dear", "--salience", "0.9")
    run("remember", "dull", "--key", "dull", "--salience", "0.1")

    looked = run("prune", "--half-life", "30d", "--threshold", "0.2", "--dry-run")
    before = run("stats", "--json").plain["by_status"]
    done = run("prune", "--half-life", "2592000", "--threshold", "0.2", "--json").plain

    assert "would be forgotten" in looked.out
    assert before == {"active": 2}
    assert (done["pruned"], done["dry_run"]) == (["dull"], False)


@pytest.mark.parametrize("half_life", ["0", "1.5h", "30d", "90m", "3600s", "0.5"])
def test_a_half_life_is_a_length_of_time(run: Run, half_life: str) -> None:
    run("remember", "words")

    assert run("prune", "--half-life", half_life, "--dry-run").code == DONE


def test_consolidating_up_to_the_same_moment_is_done_once(run: Run) -> None:
    run("remember", "words", "--key", "k")
    run("reinforce", "k")
    once = run("consolidate", "--half-life", "30d", "--json").plain

    again = run("consolidate", "--until", once["until"], "--half-life", "30d", "--json").plain

    assert (once["done"], once["changed"]) == (True, 1)
    assert (again["done"], again["changed"], again["until"]) == (False, 0, once["until"])
    assert "nothing to bring" in run("consolidate", "--until", once["until"]).out


# The past


def test_the_past_is_listed_as_it_stood(run: Run) -> None:
    run("remember", "one", "--key", "one")
    run("remember", "two", "--key", "two")
    run("forget", "one")

    assert found(run, "as-of", "2") == ["two", "one"]
    assert found(run, "as-of", "2", "-k", "1") == ["two"]
    assert found(run, "recall", "one", "--as-of", "1") == ["one"]
    assert found(run, "recent") == ["two"]
    assert run("why", "one", "--as-of", "1", "--json").plain["memory"]["status"] == "active"
    assert found(run, "as-of", "1970-01-01T00:00:00Z") == []


@pytest.mark.parametrize("words", [["as-of", "1"], ["recall", "one", "--as-of", "1"], ["why", "one", "--as-of", "1"]])
def test_people_are_told_what_is_of_today_in_an_answer_about_the_past(run: Run, words: list[str]) -> None:
    run("remember", "one", "--key", "one")

    assert "as they are today: confidence, salience" in run(*words).out
    assert "as they are today" not in run("recall", "one").out


def test_people_see_which_memories_are_not_active(run: Run) -> None:
    run("remember", "the old gate", "--key", "old")
    run("remember", "the new gate", "--key", "new", "--supersedes", "old")

    listed = run("recall", "gate", "--valid-at", "2026-01-01T00:00:00Z").out.splitlines()

    assert [line for line in listed if "old ·" in line and "superseded" in line]
    assert not [line for line in listed if "new ·" in line and "active" in line]


# Forgetting by filters


def test_what_contains_a_text_is_forgotten_after_a_look(run: Run) -> None:
    run("remember", "the gate code is 1234", "--key", "code", "--aspects", "semantic")
    run("remember", "the gate is red", "--key", "red", "--aspects", "semantic")

    looked = run("forget", "--containing", "1234", "--dry-run", "--json").plain
    done = run("forget", "--containing", "1234", "--aspects", "semantic", "--reason", "a secret", "--json").plain

    assert (looked["forgotten"], looked["dry_run"]) == (["code"], True)
    assert (done["forgotten"], done["dry_run"]) == (["code"], False)
    assert found(run, "recent") == ["red"]


def test_keys_may_only_be_looked_at(run: Run) -> None:
    run("remember", "words", "--key", "k")

    assert "would be forgotten" in run("forget", "k", "--dry-run").out
    assert found(run, "recent") == ["k"]


# Correcting


def test_a_correction_stands_in_the_place_of_what_it_corrects(run: Run) -> None:
    run("remember", "the gaet", "--key", "old", "--sources", "doc:a", "--facets", "colour=red")

    made = run("correct", "old", "--content", "the gate", "--new-key", "new", "--tier", "private", "--json").plain

    assert (made["key"], made["created"]) == ("new", True)
    memory = run("why", "new", "--json").plain["memory"]
    assert (memory["content"], memory["sources"], memory["tier"]) == ("the gate", ["doc:a"], "private")
    assert run("correct", "old", "--content", "other", "--json").refusal == (REFUSED, "status", ["key"])


def test_a_correction_may_empty_a_list(run: Run) -> None:
    run("remember", "more words", "--key", "origin")
    run("remember", "words", "--key", "old", "--sources", "a", "--facets", "b=c", "--derived-from", "origin")

    run("correct", "old", "--new-key", "new", "--empty-sources", "--empty-facets", "--empty-derived-from")

    assert {"sources", "facets", "derived_from"}.isdisjoint(run("why", "new", "--json").plain["memory"])


# Editing


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Editor":
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    (tmp_path / "run").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    return Editor(tmp_path, monkeypatch)


class Editor:
    """An editor that runs one line of Python on `path`."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._patch = patch

    def does(self, line: str, variable: str = "EDITOR") -> None:
        script = self.folder / "the editor.py"
        script.write_text(f"import os, pathlib, signal, sys\npath = pathlib.Path(sys.argv[2])\n{line}\n", "utf-8")
        self._patch.setenv(variable, f"{sys.executable} '{script}' --wait")

    def left(self) -> list[Path]:
        """What lies about after the command."""
        return list((self.folder / "run").iterdir())


def content(run: Run, key: str) -> str:
    return str(run("why", key, "--json").plain["memory"]["content"])


def test_an_edit_corrects_the_text(run: Run, editor: Editor) -> None:
    run("remember", "the gaet 记忆", "--key", "k", "--sources", "doc:a")
    editor.does("path.write_text(path.read_text('utf-8').replace('gaet', 'gate') + chr(10), 'utf-8')")

    ran = run("edit", "k", "--json")

    assert (ran.code, ran.plain["created"]) == (DONE, True)
    assert content(run, ran.plain["key"]) == "the gate 记忆"
    assert run("why", ran.plain["key"], "--json").plain["supersedes"] == ["k"]
    assert editor.left() == []


def test_visual_comes_before_editor(run: Run, editor: Editor) -> None:
    run("remember", "words", "--key", "k")
    editor.does("path.write_text('seen')", "VISUAL")
    editor._patch.setenv("EDITOR", "false")

    assert content(run, run("edit", "k", "--json").plain["key"]) == "seen"


def test_the_file_is_the_users_alone_and_in_memory(run: Run, editor: Editor) -> None:
    run("remember", "words", "--key", "k")
    editor.does("path.write_text(f'{path} {path.stat().st_mode & 0o777:o} {path.parent.stat().st_mode & 0o777:o}')")

    where, *modes = content(run, run("edit", "k", "--json").plain["key"]).split(" ")

    assert modes == ["600", "700"]
    assert Path(where).is_relative_to(editor.folder / "run")


def test_without_a_runtime_folder_the_file_is_private_all_the_same(
    run: Run, editor: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "nowhere"))
    run("remember", "words", "--key", "k")
    editor.does("path.write_text(f'{path} {path.parent.stat().st_mode & 0o777:o}')")

    where, mode = content(run, run("edit", "k", "--json").plain["key"]).split(" ")

    assert (Path(where).is_relative_to(tmp_path / "temporary"), mode) == (True, "700")
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize(
    ("before", "line", "after"),
    [
        ("one", "path.write_bytes(b'two\\n')", "two"),
        ("one", "path.write_bytes(b'two\\n\\n')", "two\n"),
        ("one", "path.write_bytes(b'two\\r\\n')", "two"),
        ("one\n", "path.write_bytes(b'two\\n')", "two\n"),
        ("one\r\ntwo", "path.write_bytes(path.read_bytes() + b'!')", "one\r\ntwo!"),
    ],
)
def test_only_a_line_end_that_the_editor_added_is_taken_off(
    run: Run, editor: Editor, before: str, line: str, after: str
) -> None:
    run("remember", before, "--key", "k")
    editor.does(line)

    assert content(run, run("edit", "k", "--json").plain["key"]) == after


@pytest.mark.parametrize("line", ["pass", "path.write_bytes(path.read_bytes() + b'\\n')"])
def test_an_edit_that_changes_nothing_changes_nothing(run: Run, editor: Editor, line: str) -> None:
    run("remember", "words", "--key", "k")
    editor.does(line)

    ran = run("edit", "k", "--json")

    assert (ran.code, ran.plain) == (DONE, {"key": "k", "reason": "unchanged", "created": False})
    assert "nothing changed in k: the text is as it was" in run("edit", "k").out
    assert run("stats", "--json").plain["revision"] == 1


def test_a_failed_editor_changes_nothing(run: Run, editor: Editor) -> None:
    run("remember", "words", "--key", "k")
    editor.does("path.write_text('half a thought'); sys.exit(3)")

    ran = run("edit", "k", "--json")

    assert (ran.code, ran.plain) == (REFUSED, {"key": "k", "reason": "editor_failed", "created": False})
    assert "the editor failed" in run("edit", "k").out
    assert (content(run, "k"), run("stats", "--json").plain["revision"]) == ("words", 1)
    assert editor.left() == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("path.write_bytes(b'bad \\xff')", "not_utf8"),
        ("path.write_bytes(b'x' * 65_537)", "too_large"),
        ("path.write_bytes(b'x' * 10_000_000)", "too_large"),
        ("path.write_bytes(b' ')", "blank"),
        ("path.write_bytes(b'a\\0b')", "nul"),
        ("path.unlink()", "unreadable"),
    ],
)
def test_an_edit_that_is_no_memory_is_refused(run: Run, editor: Editor, line: str, code: str) -> None:
    run("remember", "words", "--key", "k")
    editor.does(line)

    ran = run("edit", "k", "--json")

    assert (ran.code, ran.problems) == (REFUSED, {("content", code)})
    assert (content(run, "k"), editor.left()) == ("words", [])


def test_the_longest_text_may_be_edited(run: Run, editor: Editor) -> None:
    run("remember", "words", "--key", "k")
    editor.does("path.write_bytes(b'x' * 65_536 + b'\\r\\n')")

    assert run("edit", "k").code == DONE


def test_an_edit_of_what_is_not_active_is_refused(run: Run, editor: Editor) -> None:
    run("remember", "words", "--key", "k")
    run("forget", "k")
    editor.does("path.write_text('other')")

    assert run("edit", "k", "--json").refusal == (REFUSED, "status", ["key"])
    assert run("edit", "none", "--json").refusal == (REFUSED, "not_found", ["key"])
    assert editor.left() == []


@pytest.mark.parametrize("named", [None, "", "  ", "vi 'unclosed", "/no/such/editor", "/"])
def test_an_editor_that_cannot_be_run_is_refused(
    run: Run, editor: Editor, monkeypatch: pytest.MonkeyPatch, named: str | None
) -> None:
    run("remember", "words", "--key", "k")
    if named is not None:
        monkeypatch.setenv("EDITOR", named)

    ran = run("edit", "k", "--json")

    assert ran.refusal == (REFUSED, "configuration", ["editor"])
    assert "EDITOR" in ran.plain["error"]["message"]
    assert editor.left() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_end_from_outside_takes_the_editor_and_the_file_along(run: Run, editor: Editor, number: int) -> None:
    run("remember", "words", "--key", "k")
    # The editor itself ends its parent, so that nothing has to be waited for; then it waits to be ended.
    editor.does(f"path.write_text('other'); os.kill(os.getppid(), {int(number)}); signal.pause()")

    ran = subprocess.run(
        [sys.executable, "-m", "reminisce", "edit", "k"], env=os.environ, capture_output=True, timeout=30, check=False
    )

    assert ran.returncode == INTERRUPTED
    assert (content(run, "k"), editor.left()) == ("words", [])


def test_an_interrupt_is_the_editors_own(run: Run, editor: Editor) -> None:
    run("remember", "words", "--key", "k")
    editor.does("os.kill(os.getppid(), signal.SIGINT); path.write_text('other')")

    ran = subprocess.run(
        [sys.executable, "-m", "reminisce", "edit", "k", "--json"],
        env=os.environ, capture_output=True, timeout=30, check=False,
    )  # fmt: skip

    assert (ran.returncode, ran.stderr) == (DONE, b"")


# Tables


@pytest.mark.parametrize(
    "words",
    [
        ["believe", "p", "likes", "rum"],
        ["believe", "p", "likes", "tea"],
        ["beliefs", "p"],
        ["beliefs", "p", "--history"],
        ["beliefs", "nobody"],
        ["disbelieve", "p"],
        ["disbelieve", "nobody"],
        ["contradict", "a", "b"],
        ["resolve", "a", "b"],
        ["associate", "a", "b", "--kind", "pair"],
        ["dissociate", "a", "b", "--kind", "pair"],
        ["consent", "p", "--audiences", "team"],
        ["consent", "p", "--nobody"],
        ["review", "list"],
        ["review", "approve", "held"],
        ["review", "reject", "held"],
        ["reinforce", "a"],
        ["reclassify", "a", "private"],
        ["consolidate"],
        ["prune"],
        ["prune", "--threshold", "1", "--dry-run"],
        ["correct", "a", "--content", "c"],
        ["as-of", "1"],
        ["forget", "--containing", "memory", "--dry-run"],
        ["why", "belief"],
        ["stats"],
    ],
)
def test_every_answer_has_a_table_and_a_plain_form(run: Run, reviewed: None, words: list[str]) -> None:
    run("believe", "p", "likes", "tea", "--key", "belief")
    run("remember", "memory a\x1b[31m", "--key", "a")
    run("remember", "memory b", "--key", "b")
    run("remember", "I wait", "--key", "held", "--aspects", "autobiographical")

    shown = run(*words)
    plain = run(*words, "--json")

    assert (shown.code, shown.err) == (DONE, "")
    assert shown.out.strip()
    assert "\x1b" not in shown.out
    # The second time a review is refused; every other verb answers alike.
    assert plain.code == (REFUSED if words[:2] in (["review", "approve"], ["review", "reject"]) else DONE)
    assert isinstance(plain.plain, dict)


def test_counts_name_live_beliefs(run: Run) -> None:
    moved(run)

    assert run("stats", "--json").plain["live_beliefs"] == 1
    assert "live beliefs" in run("stats").out


def test_why_shows_trust_and_the_fact(run: Run) -> None:
    run("believe", "p", "likes", "tea", "--key", "k", "--confidence", "0.5", "--basis", "told", "--many")

    shown = " ".join(run("why", "k").out.split())

    assert "trust 0.45" in shown
    assert "p · likes (many) · tea" in shown
    assert "withdrawal" not in shown
