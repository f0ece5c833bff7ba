"""Files in and out: what was imported comes again, edited, cut, doubled, or not at all."""

import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reminisce import Imported, Memories, Owner, Status, open_memory
from tests.support.faces import Home

FIVE = {
    "Keys": "The deploy key rotates on the first Monday.",
    "Backups": "A copy goes to the vault every night.",
    "On call": "Whoever is on call carries the grey phone.",
    "Coffee": "The machine on the third floor takes tokens.",
    "Parking": "Visitors park behind the bakery.",
}


@pytest.fixture
def memories() -> Iterator[Memories]:
    with open_memory(":memory:") as memories:
        yield memories


@pytest.fixture
def alice(memories: Memories) -> Owner:
    return memories.owner("agent:alice")


def document(path: Path, parts: dict[str, str]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("# Handbook\n\n" + "".join(f"## {name}\n\n{words}\n\n" for name, words in parts.items()), "utf-8")
    return path.parent


def counts(report: Imported) -> dict[str, int]:
    """What was done, by its name."""
    names = ("created", "corrected", "reinstated", "retired", "unchanged")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


def found(owner: Owner, query: str) -> list[str]:
    return [hit.memory.content for hit in owner.recall(query)]


def key_of(owner: Owner, query: str) -> str:
    return next(iter(owner.recall(query))).memory.key


# Documents


def test_del_resave_the_section_that_is_gone_no_longer_recalls(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    assert counts(alice.import_(book)) == {"created": 5}
    before = {key_of(alice, words) for words in list(FIVE.values())[:4]}
    document(book / "handbook.md", dict(list(FIVE.items())[:4]))

    report = alice.import_(book)

    assert counts(report) == {"retired": 1, "unchanged": 4}
    assert found(alice, "visitors bakery") == []
    assert {key_of(alice, words) for words in list(FIVE.values())[:4]} == before
    assert all(len(alice.why(key).history) == 1 for key in before)


def test_del_resave_says_why_the_section_went(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    alice.import_(book)
    document(book / "handbook.md", {"Keys": FIVE["Keys"]})

    alice.import_(book)

    told = alice.why("book/handbook.md#parking")
    assert told.memory.status is Status.RETIRED
    assert told.history[-1].reason == "its document no longer has this section"


def test_del_resave_a_section_that_is_back_is_back_with_its_history(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    alice.import_(book)
    document(book / "handbook.md", {"Keys": FIVE["Keys"]})
    alice.import_(book)
    document(book / "handbook.md", FIVE | {"Coffee": "The machine takes coins now."})

    report = alice.import_(book)

    assert counts(report) == {"reinstated": 4, "corrected": 1, "unchanged": 1}
    assert found(alice, "coffee machine") == ["## Coffee\n\nThe machine takes coins now."]
    assert alice.why("book/handbook.md#coffee").superseded_by == (key_of(alice, "coffee machine"),)


def test_del_resave_a_changed_section_is_superseded(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    alice.import_(book)
    alice.associate(["book/handbook.md#coffee", "book/handbook.md#parking"], "perks")
    document(book / "handbook.md", FIVE | {"Coffee": "The machine takes coins now."})

    report = alice.import_(book)

    key = key_of(alice, "coins")
    assert counts(report) == {"corrected": 1, "unchanged": 4}
    assert found(alice, "coffee machine") == ["## Coffee\n\nThe machine takes coins now."]
    assert alice.why(key).supersedes == ("book/handbook.md#coffee",)
    assert [link.kind for link in alice.why(key).associations] == ["perks"]
    assert counts(alice.import_(book)) == {"unchanged": 5}


def test_del_resave_a_changed_section_that_goes_later_goes_as_it_is(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    alice.import_(book)
    document(book / "handbook.md", FIVE | {"Coffee": "The machine takes coins now."})
    alice.import_(book)
    document(book / "handbook.md", {name: words for name, words in FIVE.items() if name != "Coffee"})

    report = alice.import_(book)

    assert counts(report) == {"retired": 1, "unchanged": 4}
    assert found(alice, "coffee machine") == []


def test_del_resave_what_a_person_forgot_stays_forgotten(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    alice.import_(book)
    alice.forget("book/handbook.md#coffee")

    report = alice.import_(book)

    assert counts(report) == {"unchanged": 5}
    assert found(alice, "coffee machine") == []


def test_del_resave_reaches_no_memory_that_only_cites_the_document(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    alice.remember("I read about parking.", sources=["book/handbook.md", "book/handbook.md#parking"], key="mine")
    alice.import_(book)
    document(book / "handbook.md", {"Keys": FIVE["Keys"]})

    assert alice.import_(book).retired == 4
    assert alice.why("mine").memory.status is Status.ACTIVE


def test_del_resave_of_a_document_that_cannot_be_read_retires_nothing(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    alice.import_(book)
    (book / "handbook.md").write_bytes(b"## Keys\n\xff\xfe")

    report = alice.import_(book)

    assert (counts(report), [bad.code for bad in report.bad]) == ({}, ["not_utf8"])
    assert len(alice.recent()) == 5


def test_del_resave_of_two_folders_of_one_name_keeps_them_apart_when_told(alice: Owner, tmp_path: Path) -> None:
    here = document(tmp_path / "a" / "handbook.md", FIVE)
    there = document(tmp_path / "b" / "handbook.md", {"Keys": "There are no keys here."})

    alice.import_(here, name="ours")
    report = alice.import_(there, name="theirs")

    assert counts(report) == {"created": 1}
    assert len(alice.recent()) == 6


# Notes


def exported(owner: Owner, folder: Path) -> Path:
    owner.export(folder, format="markdown")
    return folder


def edit(folder: Path, key: str, old: str, new: str) -> None:
    path = folder / f"{key}.md"
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new).encode())


def test_wr_hand_edit_the_new_text_recalls_and_the_old_is_superseded(alice: Owner, tmp_path: Path) -> None:
    alice.remember("The ferry leaves at nine.", key="ferry", sources=["doc:timetable"], facets={"port": "Kiel"})
    alice.remember("The ferry is blue.", key="colour")
    alice.associate(["ferry", "colour"], "ferry facts")
    notes = exported(alice, tmp_path / "notes")
    edit(notes, "ferry", "at nine", "at ten")

    report = alice.import_(notes)

    [hit] = [hit for hit in alice.recall("ferry leaves") if hit.memory.key != "colour"]
    assert counts(report) == {"corrected": 1, "unchanged": 1}
    assert hit.memory.content == "The ferry leaves at ten."
    assert (hit.memory.sources, hit.memory.facets) == (("doc:timetable",), (("port", "Kiel"),))
    assert alice.why("ferry").superseded_by == (hit.memory.key,)
    assert [link.kind for link in alice.why(hit.memory.key).associations] == ["ferry facts"]


def test_wr_hand_edit_imported_twice_is_one_edit(alice: Owner, tmp_path: Path) -> None:
    alice.remember("The ferry leaves at nine.", key="ferry")
    notes = exported(alice, tmp_path / "notes")
    edit(notes, "ferry", "at nine", "at ten")
    first = alice.import_(notes)

    second = alice.import_(notes)

    assert counts(second) == {"unchanged": 1}
    assert second.revision == first.revision
    assert alice.stats().memories == 2


def test_wr_hand_edit_again_goes_on_from_the_last(alice: Owner, tmp_path: Path) -> None:
    alice.remember("The ferry leaves at nine.", key="ferry")
    notes = exported(alice, tmp_path / "notes")
    for old, new in (("nine", "ten"), ("ten", "eleven")):
        edit(notes, "ferry", old, new)
        alice.import_(notes)

    assert found(alice, "ferry leaves") == ["The ferry leaves at eleven."]


def test_wr_hand_edit_taken_back_brings_the_old_text_back(alice: Owner, tmp_path: Path) -> None:
    alice.remember("The ferry leaves at nine.", key="ferry")
    notes = exported(alice, tmp_path / "notes")
    edit(notes, "ferry", "nine", "ten")
    alice.import_(notes)
    edit(notes, "ferry", "ten", "nine")

    alice.import_(notes)

    assert found(alice, "ferry leaves") == ["The ferry leaves at nine."]
    assert counts(alice.import_(notes)) == {"unchanged": 1}


def test_wr_hand_edit_of_nothing_leaves_what_was_corrected_elsewhere(alice: Owner, tmp_path: Path) -> None:
    alice.remember("The ferry leaves at nine.", key="ferry")
    notes = exported(alice, tmp_path / "notes")
    alice.correct("ferry", content="The ferry leaves at noon.")

    report = alice.import_(notes)

    assert counts(report) == {"unchanged": 1}
    assert found(alice, "ferry leaves") == ["The ferry leaves at noon."]


def test_wr_hand_edit_of_a_note_whose_memory_was_forgotten_is_told(alice: Owner, tmp_path: Path) -> None:
    alice.remember("The ferry leaves at nine.", key="ferry")
    notes = exported(alice, tmp_path / "notes")
    alice.forget("ferry")
    assert counts(alice.import_(notes)) == {"unchanged": 1}
    edit(notes, "ferry", "nine", "ten")

    report = alice.import_(notes)

    assert [(bad.file, bad.code) for bad in report.bad] == [("ferry.md", "status")]
    assert found(alice, "ferry leaves") == []


def test_wr_hand_edit_does_not_undo_a_summary_of_several_notes(alice: Owner, tmp_path: Path) -> None:
    for key in ("one", "two"):
        alice.remember(f"The ferry of day {key}.", key=key)
    notes = exported(alice, tmp_path / "notes")
    alice.remember("Ferries go daily.", key="both", supersedes=["one", "two"])

    report = alice.import_(notes)

    assert counts(report) == {"unchanged": 2}
    assert alice.why("both").memory.status is Status.ACTIVE


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('tier: "open"', "tier: private", lambda m: m.tier == "private"),
        ("confidence: 1.0", "confidence: 0.25", lambda m: m.confidence == 0.25),
        ("confidence: 1.0", "confidence: '0.25'", lambda m: m.confidence == 0.25),
        ('sources: ["doc:a"]', "sources:\n  - doc:b\n  - no", lambda m: m.sources == ("doc:b", "no")),
        ('sources: ["doc:a"]', "sources: 2026-01-01", lambda m: m.sources == ("2026-01-01",)),
        ('facets: {"a": ["b"]}', "facets: {version: 1e3}", lambda m: m.facets == (("version", "1e3"),)),
        ('facets: {"a": ["b"]}', "facets:\n  off: [on, off]", lambda m: m.facets == (("off", "off"), ("off", "on"))),
        ('episode: "null"', "episode:", lambda m: m.episode is None),
        ('episode: "null"', "episode: ~", lambda m: m.episode == "~"),
    ],
)  # fmt: skip
def test_wr_hand_edit_of_front_matter_says_what_it_says(
    alice: Owner, tmp_path: Path, old: str, new: str, told: Callable[[Any], bool]
) -> None:
    alice.remember("Words.", key="k", sources=["doc:a"], facets={"a": "b"}, episode="null")
    notes = exported(alice, tmp_path / "notes")
    edit(notes, "k", old, new)

    report = alice.import_(notes)

    assert counts(report) == {"corrected": 1}
    assert told(next(iter(alice.recent())).memory)
    assert counts(alice.import_(notes)) == {"unchanged": 1}


def test_wr_hand_edit_by_an_editor_of_other_line_ends_changes_nothing(alice: Owner, tmp_path: Path) -> None:
    alice.remember("One line.\n\nAnother.", key="k")
    notes = exported(alice, tmp_path / "notes")
    path = notes / "k.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))

    assert counts(alice.import_(notes)) == {"unchanged": 1}


def test_wr_hand_edit_that_copies_a_note_takes_neither_and_names_both(alice: Owner, tmp_path: Path) -> None:
    alice.remember("The ferry leaves at nine.", key="ferry")
    notes = exported(alice, tmp_path / "notes")
    (notes / "copy of ferry.md").write_bytes((notes / "ferry.md").read_bytes())
    edit(notes, "ferry", "nine", "ten")

    report = alice.import_(notes)

    assert counts(report) == {}
    assert [(bad.file, bad.code) for bad in report.bad] == [
        ("copy of ferry.md", "key_twice"),
        ("ferry.md", "key_twice"),
    ]
    assert "ferry.md" in report.bad[0].problem
    assert found(alice, "ferry leaves") == ["The ferry leaves at nine."]


def test_wr_hand_edit_that_deletes_a_note_does_nothing(alice: Owner, tmp_path: Path) -> None:
    alice.remember("Kept.", key="kept")
    alice.remember("Its note is deleted.", key="gone")
    notes = exported(alice, tmp_path / "notes")
    (notes / "gone.md").unlink()

    assert counts(alice.import_(notes)) == {"unchanged": 1}
    assert alice.why("gone").memory.status is Status.ACTIVE


def test_wr_hand_edit_names_the_front_matter_that_it_ignores(alice: Owner, tmp_path: Path) -> None:
    alice.remember("Words.", key="k")
    notes = exported(alice, tmp_path / "notes")
    edit(notes, "k", "reminisce: 1\n", "reminisce: 1\ntags: [a]\n")

    report = alice.import_(notes)

    assert counts(report) == {"unchanged": 1}
    assert "tags" in report.ignored


def test_wr_hand_edit_of_what_only_shows_a_surface_changes_nothing(memories: Memories, tmp_path: Path) -> None:
    store = memories._core.store
    alice = memories.owner("agent:alice")
    alice.remember("The safe opens with 7-7-1.", key="safe", tier="redacted", surface="There is a safe.")
    remote = Memories(
        store, analyser=memories._core.analyser, clock=memories._core.clock, identifiers=memories._core.identifiers,
        face=memories._core.face.__class__(destination="remote"),  # type: ignore[arg-type]
    )  # fmt: skip
    notes = exported(remote.owner("agent:alice"), tmp_path / "notes")
    edit(notes, "safe", "There is a safe.\n", "There is no safe.\n")

    report = alice.import_(notes)

    assert counts(report) == {"unchanged": 1}
    assert alice.why("safe").memory.content == "The safe opens with 7-7-1."


# Twice


def graph(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


ANN = {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["likes tea", "sails"]}
ACME = {"type": "entity", "name": "Acme", "entityType": "company", "observations": []}
WORKS = {"type": "relation", "from": "Ann", "to": "Acme", "relationType": "works_at"}


def test_dup_import_of_a_memory_servers_file_twice_changes_nothing(alice: Owner, tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    path.write_bytes(graph(ANN, ACME, WORKS))

    first, second = alice.import_(path), alice.import_(path)

    assert (counts(first), counts(second)) == ({"created": 4}, {"unchanged": 4})
    assert found(alice, "who likes tea") == ["Ann: likes tea"]
    assert found(alice, "works at Acme")[0] == "Ann works_at Acme"


def test_dup_import_of_a_memory_servers_file_that_grew_adds_what_is_new(alice: Owner) -> None:
    alice.import_(io.BytesIO(graph(ANN)))
    alice.forget(key_of(alice, "sails"))

    report = alice.import_(io.BytesIO(graph(ANN | {"observations": ["likes tea", "sails", "has a dog"]}, WORKS)))

    assert counts(report) == {"created": 2, "unchanged": 2}
    assert found(alice, "sails") == []


@pytest.mark.parametrize(
    "bad",
    [
        {"type": "entity", "name": "", "entityType": "t", "observations": []},
        {"type": "entity", "name": "n", "entityType": "t"},
        {"type": "entity", "name": "n", "entityType": "t", "observations": ["a", 1]},
        {"type": "relation", "from": "a", "to": "b"},
        {"type": "relation", "from": "a", "to": ["b"], "relationType": "r"},
        {"type": ["entity"]},
        {"content": "not of this file"},
        [],
    ],
)  # fmt: skip
def test_dup_import_of_a_memory_servers_file_reports_a_bad_line_by_number(alice: Owner, bad: Any) -> None:
    report = alice.import_(io.BytesIO(graph(ANN, bad, WORKS)), format="memory-json")

    assert counts(report) == {"created": 3}
    assert [line.line for line in report.bad] == [2]


def test_dup_import_of_what_faded_and_got_stricter_meanwhile_changes_nothing(alice: Owner, tmp_path: Path) -> None:
    book = document(tmp_path / "book" / "handbook.md", FIVE)
    alice.import_(book)
    alice.reclassify("book/handbook.md#keys", "private")
    alice.reinforce("book/handbook.md#coffee")
    alice.consolidate(half_life=1)
    revision = alice.revision()

    report = alice.import_(book)

    assert (counts(report), report.revision) == ({"unchanged": 5}, revision)


# Smuggling


def test_sc_smuggle_through_front_matter_sets_neither_owner_nor_identity_nor_status(
    memories: Memories, alice: Owner, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "n.md").write_text(
        "---\nreminisce: 1\nkey: k\nowner: agent:bob\nuser_id: bob\nstatus: withdrawn\nrecorded_at: 1999-01-01T00:00:00Z\n"
        "revision: 77\ntier: private\nfacets: {owner: 'agent:bob', user_id: bob, status: retired, tier: open}\n---\nWords.\n"
    )

    report = alice.import_(notes)

    [hit] = alice.recall("words").hits
    assert (report.created, report.bad) == (1, ())
    assert {"owner", "user_id", "status", "recorded_at", "revision"} <= set(report.ignored)
    assert (hit.memory.owner, hit.memory.status, hit.memory.tier) == ("agent:alice", Status.ACTIVE, "private")
    assert hit.memory.recorded_at.year > 1999
    assert dict(hit.memory.facets) == {"owner": "agent:bob", "user_id": "bob", "status": "retired", "tier": "open"}
    assert memories.owners() == ("agent:alice",)


def test_sc_smuggle_of_a_private_document_keeps_every_section_private(alice: Owner, tmp_path: Path) -> None:
    path = tmp_path / "diary.md"
    path.write_text("---\ntier: private\nkey:\n---\n# One\n\nWords.\n\n# Two\n\nMore words.\n")

    alice.import_(path)

    assert [hit.memory.tier for hit in alice.recall("words")] == ["private", "private"]


@pytest.mark.parametrize("link", ["../secret.md", "/etc/hostname", "../secrets"])
def test_sc_smuggle_through_a_link_out_of_the_folder_reads_nothing(alice: Owner, tmp_path: Path, link: str) -> None:
    (tmp_path / "secrets").mkdir()
    for secret in ("secret.md", "secrets/more.md"):
        (tmp_path / secret).write_text("The password is swordfish.")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "linked.md").symlink_to(link)

    report = alice.import_(folder)

    assert [(bad.file, bad.code) for bad in report.bad] == [("linked.md", "outside")]
    assert len(alice.recent()) == 0


# Out and back


def test_op_roundtrip_by_export_keeps_every_field_and_a_recall(home: Home, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    with home.memories() as memories:
        owner = memories.owner(home.owner)
        owner.remember("The ferry leaves at nine.", key="ferry", occurred_at="2020-01-01T00:00:00Z", facets={"a": "b"})
        owner.remember("It was late.", derived_from=["ferry"], confidence=0.25, tier="private")
        owner.believe("ann", "lives_in", "Riga", valid_from="2021-01-01T00:00:00Z")
    record = home.folder / "out.jsonl"
    assert home.cli_here("export", str(record)).code == 0

    assert other.cli_here("import", str(record), "--json").answer["created"] == 3

    texts = [
        home.cli_here("recall", "ferry late", "--json").answer,
        other.cli_here("recall", "ferry late", "--json").answer,
    ]
    for answer in texts:
        del answer["revision"]
        for hit in answer["hits"]:
            del hit["recorded_at"]
    assert texts[0] == texts[1]
    [belief] = other.cli_here("beliefs", "ann", "--json").answer["beliefs"]
    assert belief["valid_from"] == "2021-01-01T00:00:00Z"


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_op_roundtrip_files_are_their_owners_alone(alice: Owner, tmp_path: Path) -> None:
    alice.remember("Words.")
    alice.export(tmp_path / "new" / "out.jsonl")
    alice.export(tmp_path / "notes", format="markdown")

    modes = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.rglob("*")}

    assert set(modes.values()) == {0}
