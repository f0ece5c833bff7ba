"""Folders as people have them: other files, links, pipes, what cannot be read, what is too long."""

import os
from pathlib import Path
from typing import Any

import pytest

from reminisce import Hold, Imported, InvalidError, Owner, PolicyFailedError, Refuse, Status
from tests.unit.app.worlds import Deciding, World


def folder(path: Path, **files: str | bytes) -> Path:
    """A folder of files; two underscores stand for a full stop, three for a slash."""
    path.mkdir(exist_ok=True)
    for name, held in files.items():
        place = path / name.replace("___", "/").replace("__", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(held.encode() if isinstance(held, str) else held)
    return path


def problems(report: Imported) -> list[tuple[str | None, str]]:
    return [(bad.file, bad.code) for bad in report.bad]


@pytest.fixture
def owner(quick: World) -> Owner:
    return quick.owner()


def sources(owner: Owner) -> set[str]:
    return {source for hit in owner.recent(100) for source in hit.memory.sources}


def test_files_below_are_read_in_order_and_others_are_counted(owner: Owner, tmp_path: Path) -> None:
    root = folder(
        tmp_path / "docs", b__md="# B\n\nWords of b.", a___deep__markdown="Words of deep.", c__txt="# no heading",
        picture__png=b"\x89PNG", a___data__json="{}",
    )  # fmt: skip

    report = owner.import_(root)

    assert (report.created, report.passed_over, report.bad) == (3, 2, ())
    assert {"docs/a/deep.markdown#", "docs/b.md#b", "docs/c.txt#"} <= sources(owner)


def test_hidden_files_and_folders_are_passed_over(owner: Owner, tmp_path: Path) -> None:
    root = folder(tmp_path / "docs", __git___notes__md="Not mine.", __hidden__md="Not mine.", a__md="Mine.")

    assert owner.import_(root).created == 1


@pytest.mark.parametrize(
    ("held", "code"),
    [(b"\xff\xfe\x00", "not_utf8"), (b"a\0b", "not_text"), (b"---\nkey: [\n---\nWords.", "bad_front_matter"),
     (b"---\nreminisce: 2\n---\nWords.", "note_too_new"), (b"---\na: 1\na: 2\n---\nx", "bad_front_matter"),
     (b"---\na: &x 1\nb: *x\n---\nx", "bad_front_matter"), (b"---\n[1]: x\n---\nx", "bad_front_matter"),
     (b"---\na: \"\\U00110000\"\n---\nx", "bad_front_matter"), (b"---\nkey: k\ntier: secret\n---\nx", "invalid"),
     (b"---\nkey: k\n---\n", "invalid"), (b"---\nkey: k\noccurred_at: 2026-01-01\n---\nx", "invalid"),
     (b"---\nkey: [a, b]\n---\nx", "invalid"), (b"---\nfacets: words\n---\n# A\n\nx", "invalid")],
)  # fmt: skip
def test_what_cannot_be_read_is_named_and_the_rest_is_kept(
    owner: Owner, tmp_path: Path, held: bytes, code: str
) -> None:
    root = folder(tmp_path / "docs", a__md="First.", b__md=held, c__md="Last.")

    report = owner.import_(root)

    assert problems(report) == [("b.md", code)]
    assert report.created == 2


def test_it_can_stop_at_the_first_that_is_bad(owner: Owner, tmp_path: Path) -> None:
    root = folder(tmp_path / "docs", a__md="First.", b__md=b"\xff", c__md="Last.")

    report = owner.import_(root, stop=True)

    assert (report.created, problems(report)) == (1, [("b.md", "not_utf8")])
    assert [hit.memory.content for hit in owner.recent()] == ["First."]


def test_stopping_in_a_document_retires_nothing_of_it(owner: Owner, tmp_path: Path) -> None:
    root = folder(tmp_path / "docs", a__md="# A\n\na\n\n# B\n\nb")
    owner.import_(root)
    folder(root, a__md="# A\n\n" + "x" * 70_000)

    report = owner.import_(root, stop=True)

    assert (report.retired, problems(report)) == (0, [("a.md", "too_large")])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_not_waited_for(owner: Owner, tmp_path: Path) -> None:
    root = folder(tmp_path / "docs", a__md="First.")
    os.mkfifo(root / "pipe.md")

    assert problems(owner.import_(root)) == [("pipe.md", "not_a_file")]


def test_links_within_are_passed_over_and_links_to_nothing_are_named(owner: Owner, tmp_path: Path) -> None:
    root = folder(tmp_path / "docs", a__md="First.", sub___b__md="Second.")
    (root / "loop").symlink_to(".")
    (root / "again.md").symlink_to("sub/b.md")
    (root / "lost.md").symlink_to("nowhere.md")

    report = owner.import_(root)

    assert (report.created, problems(report)) == (2, [("lost.md", "unreadable")])


def test_a_name_that_is_no_text_is_told(owner: Owner, tmp_path: Path) -> None:
    root = folder(tmp_path / "docs", a__md="First.")
    try:
        (Path(os.fsdecode(os.fsencode(root) + b"/\xff.md"))).write_text("Second.")
    except OSError:
        pytest.skip("this file system takes only names that are text")

    assert problems(owner.import_(root)) == [("\ufffd.md", "bad_name")]


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_named(owner: Owner, tmp_path: Path) -> None:
    root = folder(tmp_path / "docs", a__md="First.", closed__md="Second.", shut___c__md="Third.")
    (root / "closed.md").chmod(0)
    (root / "shut").chmod(0)

    report = owner.import_(root)
    (root / "shut").chmod(0o700)

    assert problems(report) == [("closed.md", "unreadable"), ("shut", "unreadable")]


def test_a_file_of_many_pages_is_refused_by_name(owner: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reminisce.app.service.folders.FILE", 100)
    root = folder(tmp_path / "docs", a__md="First.", big__md="x " * 51)

    assert problems(owner.import_(root)) == [("big.md", "too_large")]


def test_a_section_longer_than_a_memory_is_cut_between_paragraphs(owner: Owner, tmp_path: Path) -> None:
    paragraphs = [f"Paragraph {number}. " + "word " * 6_000 for number in range(4)]
    root = folder(tmp_path / "docs", a__md="# Long\n\n" + "\n\n".join(paragraphs))

    report = owner.import_(root)

    kept = sorted(hit.memory.key for hit in owner.recent())
    assert (report.created, report.bad, kept) == (2, (), ["docs/a.md#long", "docs/a.md#long~2"])
    assert (
        "\n\n".join(owner.why(key).memory.content for key in kept).split() == ("# Long " + " ".join(paragraphs)).split()
    )


def test_a_paragraph_longer_than_a_memory_is_named_by_its_line_and_its_old_text_stays(
    owner: Owner, tmp_path: Path
) -> None:
    root = folder(tmp_path / "docs", a__md="# A\n\na\n\n# B\n\nb")
    owner.import_(root)
    folder(root, a__md="# A\n\na\n\n# B\n\n" + "x" * 70_000)

    report = owner.import_(root)

    assert [(bad.file, bad.line, bad.code) for bad in report.bad] == [("a.md", 5, "too_large")]
    assert owner.why("docs/a.md#b").memory.status is Status.ACTIVE


def test_front_matter_speaks_for_every_section_of_a_document(owner: Owner, tmp_path: Path) -> None:
    said = "tags: [x]\ntier: redacted\nsurface: no\nsubjects: p1\nsources: wiki\nfacets: {team: ops}\n"

    report = owner.import_(folder(tmp_path / "docs", a__md=f"---\n{said}---\n# A\n\na\n\n# B\n\nb"))

    memory = owner.why("docs/a.md#b").memory
    assert (memory.tier, memory.subjects, memory.basis) == ("redacted", ("p1",), "imported")
    assert memory.sources == ("docs/a.md", "docs/a.md#b", "wiki")
    assert memory.facets == (("section", "B"), ("team", "ops"))
    assert {"tags", "surface"} <= set(report.ignored)


def test_a_note_without_a_key_is_named_by_its_place(owner: Owner, tmp_path: Path) -> None:
    root = folder(tmp_path / "notes", sub___a__md="Plain words.\n")
    owner.import_(root, format="markdown")
    folder(root, sub___a__md="Other words.\n")

    report = owner.import_(root, format="markdown")

    assert (report.corrected, report.bad) == (1, ())
    assert owner.why("notes/sub/a.md").superseded_by == (next(iter(owner.recent())).memory.key,)


def test_notes_find_what_they_come_from_further_on_in_the_folder(owner: Owner, tmp_path: Path) -> None:
    root = folder(
        tmp_path / "notes",
        a__md="---\nkey: a\nderived_from: b\n---\nFrom b.",
        b__md="---\nkey: b\nderived_from: [c]\n---\nFrom c.",
        c__md="---\nkey: c\n---\nFrom nothing.",
        d__md="---\nkey: d\nderived_from: nowhere\n---\nFrom nowhere.",
    )

    report = owner.import_(root)

    assert (report.created, problems(report)) == (3, [("d.md", "not_found")])
    assert [found.key for found in owner.why("a").ancestors] == ["b", "c"]


def test_text_between_two_rules_is_no_front_matter(owner: Owner, tmp_path: Path) -> None:
    owner.import_(folder(tmp_path / "docs", a__md="---\nJust a line.\n---\nWords."))

    assert "Just a line." in next(iter(owner.recent())).memory.content


def test_one_document_goes_by_its_own_name_or_the_one_it_is_given(owner: Owner, tmp_path: Path) -> None:
    path = folder(tmp_path / "docs", a__md="Words.") / "a.md"

    owner.import_(path)
    owner.import_(path, name="wiki/a")

    assert sources(owner) == {"a.md", "a.md#", "wiki/a", "wiki/a#"}


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        ({"source": 7}, ("source",)),
        ({"source": b"{}"}, ("source",)),
        ({"source": {"content": "x"}}, ("source",)),
        ({"source": "/nowhere/at/all"}, ("source",)),
        ({"source": "nul\0byte"}, ("source",)),
        ({"source": [], "format": "markdown"}, ("format",)),
        ({"source": [], "format": "word"}, ("format",)),
        ({"source": [], "name": ""}, ("name",)),
        ({"source": [], "stop": 1}, ("stop",)),
    ],
)
def test_bad_arguments_are_named(owner: Owner, arguments: dict[str, Any], fields: tuple[str, ...]) -> None:
    with pytest.raises(InvalidError) as refused:
        owner.import_(**arguments)

    assert refused.value.fields == fields


def test_a_policy_judges_what_is_imported_and_what_is_edited(quick: World, tmp_path: Path) -> None:
    owner = quick.owner(policy=Deciding(lambda memory: Refuse("no_gossip") if "gossip" in memory.content else None))
    root = folder(tmp_path / "docs", a__md="# A\n\nSome gossip.\n\n# B\n\nFine.")
    assert problems(owner.import_(root)) == [("a.md", "policy_refused")]
    folder(root, a__md="# B\n\nMore gossip.")

    report = owner.import_(root)

    assert problems(report) == [("a.md", "policy_refused")]
    assert owner.why("docs/a.md#b").memory.status is Status.ACTIVE


def test_an_edit_that_waits_for_review_is_not_asked_for_again(quick: World, tmp_path: Path) -> None:
    owner = quick.owner(policy=Deciding(lambda memory: Hold("odd") if "odd" in memory.content else None))
    root = folder(tmp_path / "docs", a__md="Fine.")
    owner.import_(root)
    folder(root, a__md="Rather odd.")

    first, second = owner.import_(root), owner.import_(root)

    assert (first.corrected, second.unchanged, len(owner.reviews())) == (1, 1, 1)
    assert owner.why("docs/a.md#").memory.status is Status.ACTIVE


def test_a_policy_that_fails_ends_the_run(quick: World, tmp_path: Path) -> None:
    def fail(_: object) -> None:
        raise RuntimeError

    root = folder(tmp_path / "docs", a__md="Fine.")

    with pytest.raises(PolicyFailedError):
        quick.owner(policy=Deciding(fail)).import_(root)


def test_an_import_tells_how_far_it_is(owner: Owner, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    root = folder(tmp_path / "docs", a__md="12345", b__md="1234567890")

    owner.import_(root, progress=lambda done, total: seen.append((done, total)))

    assert seen == [(5, 15), (15, 15)]


def test_what_another_caller_may_not_see_is_not_corrected(quick: World, tmp_path: Path) -> None:
    quick.owner().remember("The diary of p.", key="diary", subjects=["p"])
    stranger = quick.owner(face={"audience": "team"})
    root = folder(tmp_path / "notes", a__md="---\nkey: diary\n---\nNot the diary.")

    report = stranger.import_(root)

    assert problems(report) == [("a.md", "key_taken")]
    assert quick.owner().why("diary").memory.status is Status.ACTIVE
