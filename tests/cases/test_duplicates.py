"""Duplicates: one memory by one rule, whichever way it comes."""

import datetime as dt
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

from reminisce import KeyTakenError, Owner, RequestKeyTakenError, Status, open_memory
from tests.support.faces import Face, Home, Plain, code_of

TEXTS = [f"Replayed text {number}, with some words of its own: {number * number:x}" for number in range(583)]

FULL: Plain = {
    "aspects": ["semantic", "procedural"],
    "basis": "told",
    "confidence": 0.5,
    "salience": 0.25,
    "occurred_at": "2026-01-02T03:04:05.678901Z",
    "due_at": "2027-01-01T00:00:00Z",
    "valid_from": "2026-01-01T00:00:00Z",
    "valid_to": "2028-01-01T00:00:00Z",
    "sources": ["doc:a", "doc:b"],
    "facets": {"colour": ["green", "red"], "size": "large"},
    "subjects": ["person-1", "person-2"],
    "tier": "redacted",
    "surface": "what may leave",
    "episode": "talk-1",
}

SAID_ANOTHER_WAY: dict[str, Plain] = {
    "nothing changed": {},
    "facets in another order": {"facets": {"size": "large", "colour": ["red", "green"]}},
    "one facet as a list": {"facets": {"colour": ["green", "red"], "size": ["large"]}},
    "a facet said twice": {"facets": {"colour": ["green", "red", "green"], "size": "large"}},
    "sources in another order": {"sources": ["doc:b", "doc:a"]},
    "a source said twice": {"sources": ["doc:a", "doc:b", "doc:a"]},
    "aspects in another order": {"aspects": ["procedural", "semantic"]},
    "subjects in another order": {"subjects": ["person-2", "person-1", "person-2"]},
    "times at other offsets": {
        "occurred_at": "2026-01-02T04:04:05.678901+01:00",
        "due_at": "2026-12-31T19:00:00-05:00",
        "valid_from": "2026-01-01T05:45:00+05:45",
        "valid_to": "2028-01-01T00:00:30+00:00:30",
    },
    "shares to less than a thousandth": {"confidence": 0.5000001, "salience": 0.2499999},
}

MEANT_OTHERWISE: dict[str, Plain] = {
    "another basis": {"basis": "observed"},
    "a higher confidence": {"confidence": 0.501},
    "another time": {"occurred_at": "2026-01-02T03:04:05.678902Z"},
    "one source less": {"sources": ["doc:a"]},
    "another facet": {"facets": {"colour": ["green", "red"], "size": "small"}},
    "a value under another name": {"facets": {"colour": ["green", "large"], "size": "red"}},
    "another subject": {"subjects": ["person-1", "person-3"]},
    "a stricter tier": {"tier": "private"},
    "another surface": {"surface": "what may leave then"},
    "another episode": {"episode": "talk-2"},
}


def test_dup_twice_is_one_memory_and_says_which(face: Face) -> None:
    first = face.do("remember", content="The same thing said twice.")

    second = face.do("remember", content="The same thing said twice.")

    assert first["created"] is True
    assert second == {**first, "created": False}


@pytest.mark.parametrize("way", SAID_ANOTHER_WAY)
def test_dup_twice_in_another_form_is_one_memory(face: Face, way: str) -> None:
    content = f"Said in full, then with {way}."
    first = face.do("remember", content=content, **FULL)

    second = face.do("remember", content=content, **FULL | SAID_ANOTHER_WAY[way])

    assert second == {**first, "created": False}


@pytest.mark.parametrize("way", MEANT_OTHERWISE)
def test_dup_twice_with_another_attribute_is_two_memories(face: Face, way: str) -> None:
    content = f"Said in full, then with {way}."
    first = face.do("remember", content=content, **FULL)

    second = face.do("remember", content=content, **FULL | MEANT_OTHERWISE[way])

    assert (first["created"], second["created"]) == (True, True)
    assert first["key"] != second["key"]


def test_dup_twice_with_the_defaults_written_out_is_one_memory(face: Face) -> None:
    first = face.do("remember", content="Said briefly.")

    second = face.do(
        "remember",
        content="Said briefly.",
        aspects=["episodic"],
        basis="observed",
        confidence=1.0,
        salience=0.5,
        tier="open",
    )

    assert second == {**first, "created": False}


@pytest.mark.parametrize(
    "other",
    [
        "Exactly this text",
        "exactly this text.",
        "Exactly  this text.",
        "Exactly this text. ",
        "Exactly this te\u0301xt.",
    ],
)
def test_dup_twice_with_another_text_is_two_memories(other: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.remember("Exactly this text.")

        assert owner.remember(other).created


def test_dup_twice_for_two_owners_is_one_each() -> None:
    with open_memory(":memory:") as memories:
        made = [memories.owner(name).remember("Common knowledge.").created for name in ("agent:a", "agent:b")]

    assert made == [True, True]


def test_dup_twice_under_two_keys_is_two_memories(face: Face) -> None:
    face.do("remember", content="Has two names.", key="name-1")

    second = face.do("remember", content="Has two names.", key="name-2")

    assert (second["key"], second["created"]) == ("name-2", True)


def test_dup_twice_first_under_a_key_then_without_is_one_memory(face: Face) -> None:
    face.do("remember", content="Named, then not.", key="named")

    second = face.do("remember", content="Named, then not.")

    assert (second["key"], second["created"]) == ("named", False)


def test_dup_twice_under_the_key_of_another_text_is_refused(face: Face) -> None:
    face.do("remember", content="Came first.", key="taken")

    second = face.do("remember", content="Came second.", key="taken")

    assert (code_of(second), second["error"]["fields"]) == ("key_taken", ["key"])
    assert face.do("why", key="taken")["memory"]["content"] == "Came first."


def test_dup_twice_after_a_forget_is_a_new_memory(face: Face) -> None:
    first = face.do("remember", content="Forgotten in between.")
    face.do("forget", keys=[first["key"]])

    second = face.do("remember", content="Forgotten in between.")

    assert second["created"] is True
    assert second["key"] != first["key"]


def test_dup_twice_under_a_key_that_was_forgotten_revives_nothing(face: Face) -> None:
    face.do("remember", content="Forgotten by name.", key="gone")
    forgotten = face.do("forget", keys=["gone"])

    second = face.do("remember", content="Forgotten by name.", key="gone")

    assert second == {"key": "gone", "created": False, "status": "retired", "revision": forgotten["revision"]}


def test_dup_twice_by_reinstating_beside_a_twin_is_one_active_memory() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        old = owner.remember("Back again.").key
        owner.forget(old)
        new = owner.remember("Back again.").key

        answer = owner.reinstate(old)

        assert (answer.key, answer.changed) == (new, False)
        assert [hit.memory.key for hit in owner.recall("back again")] == [new]


def test_dup_twice_within_a_batch_is_one_memory() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        lines = owner.remember_many([{"content": "Said twice in one breath."}] * 2).lines

    assert (lines[0].created, lines[1].created) == (True, False)
    assert lines[0].key == lines[1].key


def test_dup_replay_of_583_texts_ten_times_with_request_keys_keeps_583(home: Home) -> None:
    with home.memories() as memories:
        owner = memories.owner(home.owner)
        batch = [{"content": text, "request_key": f"request-{number}"} for number, text in enumerate(TEXTS)]

        reports = [owner.remember_many(batch if turn % 2 else batch[::-1]) for turn in range(10)]

        assert [sum(line.created for line in report.lines) for report in reports] == [583] + [0] * 9
        assert owner.stats().memories == 583


def test_dup_replay_one_by_one_keeps_583() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        for _, (number, text) in itertools.product(range(10), enumerate(TEXTS)):
            owner.remember(text, request_key=f"request-{number}")

        assert (owner.stats().memories, owner.revision()) == (583, 583)


def test_dup_replay_through_the_store_opened_again_keeps_nothing_twice(home: Home) -> None:
    batch = [{"content": text, "request_key": f"request-{number}"} for number, text in enumerate(TEXTS)]
    with home.memories() as memories:
        before = memories.owner(home.owner).remember_many(batch)

    with home.memories() as memories:
        after = memories.owner(home.owner).remember_many(batch)

    assert [line.key for line in after.lines] == [line.key for line in before.lines]
    assert not any(line.created for line in after.lines)


def test_dup_replay_with_other_attributes_is_refused(face: Face) -> None:
    face.do("remember", content="Asked with one text.", request_key="r-1")

    second = face.do("remember", content="Asked with another text.", request_key="r-1")

    assert (code_of(second), second["error"]["fields"]) == ("request_key_taken", ["request_key"])


def test_dup_replay_of_two_request_keys_with_one_text_are_two_requests_for_one_memory(face: Face) -> None:
    first = face.do("remember", content="One text, two requests.", request_key="r-2")

    second = face.do("remember", content="One text, two requests.", request_key="r-3")

    assert second == {**first, "created": False}


def test_dup_replay_after_a_forget_revives_nothing(face: Face) -> None:
    first = face.do("remember", content="Requested, then forgotten.", request_key="r-4")
    face.do("forget", keys=[first["key"]])

    second = face.do("remember", content="Requested, then forgotten.", request_key="r-4")

    assert (second["key"], second["created"], second["status"]) == (first["key"], False, "retired")


def test_dup_replay_of_a_request_under_another_key_is_refused(face: Face) -> None:
    face.do("remember", content="Requested by one name.", request_key="r-5", key="first-name")

    second = face.do("remember", content="Requested by one name.", request_key="r-5", key="second-name")

    assert code_of(second) == "request_key_taken"


def test_dup_replay_within_a_batch_with_other_attributes_keeps_nothing_of_it() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        with pytest.raises(RequestKeyTakenError) as caught:
            owner.remember_many([{"content": "a", "request_key": "r"}, {"content": "b", "request_key": "r"}])

        assert caught.value.field == "[1].request_key"
        assert owner.stats().memories == 0


def jsonl(records: list[Plain]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


RECORDS: list[Plain] = [{"content": text, **(FULL if number % 3 else {})} for number, text in enumerate(TEXTS[:100])]


def test_dup_import_twice_changes_nothing_and_says_so(home: Home) -> None:
    first = home.cli("import", "-", "--json", stdin=jsonl(RECORDS)).answer

    second = home.cli("import", "-", "--json", stdin=jsonl(RECORDS)).answer

    assert (first["created"], first["unchanged"]) == (100, 0)
    nothing = dict.fromkeys(("created", "corrected", "reinstated", "retired", "passed_over"), 0)
    assert second == {**nothing, "unchanged": 100, "bad": [], "ignored": [], "revision": first["revision"]}


@pytest.mark.parametrize(
    "altered",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: b"\n\n" + data.replace(b"\n", b"\n \n"),
        lambda data: b"".join(reversed(data.splitlines(keepends=True))),
        lambda data: data + data,
    ],
    ids=["other line ends", "no last line end", "blank lines", "another order", "twice in itself"],
)
def test_dup_import_of_the_same_records_written_otherwise_changes_nothing(altered: Callable[[bytes], bytes]) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.import_(jsonl(RECORDS).splitlines(keepends=True))

        again = owner.import_(altered(jsonl(RECORDS)).splitlines(keepends=True))

        assert (again.created, again.bad) == (0, ())
        assert owner.stats().memories == 100


def test_dup_import_with_keys_and_request_keys_twice_changes_nothing() -> None:
    records = [
        {"content": text, "key": f"key-{number}", "request_key": f"request-{number}"}
        for number, text in enumerate(TEXTS[:50])
    ]
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.import_(jsonl(records).splitlines())

        again = owner.import_(jsonl(records).splitlines())

    assert (again.created, again.unchanged, again.bad) == (0, 50, ())


def test_dup_import_of_a_changed_record_under_its_key_is_reported_by_line_and_keeps_the_old() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        owner.import_(jsonl([{"content": "old words", "key": "k"}]).splitlines())

        again = owner.import_(jsonl([{"content": "other"}, {"content": "new words", "key": "k"}]).splitlines())

        assert [(bad.line, bad.code) for bad in again.bad] == [(2, KeyTakenError.code)]
        assert again.created == 1
        assert owner.why("k").memory.content == "old words"


def every_path(home: Home, content: str, attributes: Plain) -> list[tuple[str, bool]]:
    """Key and created of the same memory by each path in turn."""
    answers = []
    with home.memories() as memories:
        owner = memories.owner(home.owner)
        answers.append(by_library(owner, content, attributes))
        answers.append(by_batch(owner, content, attributes))
        answers.append(by_promotion(owner, content, attributes))
    record = {"content": content, **attributes}
    imported = home.cli_here("import", str(written(home, record)), "--json").answer
    assert imported["bad"] == []
    with home.memories() as memories:
        held = [hit.memory.key for hit in memories.owner(home.owner).recent()]
    assert len(held) == 1
    answers.append((held[0], imported["created"] == 1))
    return answers


def written(home: Home, record: Plain) -> Any:
    path = home.folder / "records.jsonl"
    path.write_bytes(jsonl([record]))
    return path


def by_library(owner: Owner, content: str, attributes: Plain) -> tuple[str, bool]:
    answer = owner.remember(content, **attributes)
    return answer.key, answer.created


def by_batch(owner: Owner, content: str, attributes: Plain) -> tuple[str, bool]:
    [line] = owner.remember_many([{"content": content, **attributes}]).lines
    return line.key, line.created


def by_promotion(owner: Owner, content: str, attributes: Plain) -> tuple[str, bool]:
    answer = owner.promote(owner.note(content, **attributes).name)
    return answer.key, answer.created


BY_LIBRARY = {"write": by_library, "batch": by_batch, "promotion": by_promotion}


@pytest.mark.parametrize("attributes", [{}, FULL, {"key": "by-name"}, {"request_key": "by-request"}])
def test_dup_every_path_leads_to_one_memory(home: Home, attributes: Plain) -> None:
    content = "Whichever way it comes."

    answers = every_path(home, content, attributes)

    assert [created for _, created in answers] == [True, False, False, False]
    assert len({key for key, _ in answers}) == 1


@pytest.mark.parametrize("second", BY_LIBRARY)
@pytest.mark.parametrize("first", BY_LIBRARY)
def test_dup_every_path_after_every_other_leads_to_one_memory(first: str, second: str) -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")

        one = BY_LIBRARY[first](owner, "Whichever comes first.", FULL)
        other = BY_LIBRARY[second](owner, "Whichever comes first.", FULL)

        assert (one[1], other) == (True, (one[0], False))
        assert owner.notes() == ()


def test_dup_every_path_promoting_one_note_twice_is_one_memory() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        names = [owner.note("Noted twice.").name for _ in range(2)]

        answers = [owner.promote(name) for name in names]

        assert [answer.created for answer in answers] == [True, False]
        assert answers[0].key == answers[1].key


def test_dup_every_path_of_the_faces_leads_to_one_memory(home: Home) -> None:
    content = "Said to all three faces."
    with home.memories() as memories:
        first = memories.owner(home.owner).remember(content, **FULL)
    options = [
        "--aspects=semantic",
        "--aspects=procedural",
        "--basis=told",
        "--confidence=0.5",
        "--salience=0.250",
        "--occurred-at=2026-01-02T03:04:05.678901Z",
        "--due-at=2027-01-01T00:00:00Z",
        "--valid-from=2026-01-01T00:00:00Z",
        "--valid-to=2028-01-01T00:00:00Z",
        "--sources=doc:a",
        "--sources=doc:b",
        "--facets=size=large",
        "--facets=colour=red",
        "--facets=colour=green",
        "--subjects=person-1",
        "--subjects=person-2",
        "--tier=redacted",
        "--surface=what may leave",
        "--episode=talk-1",
    ]

    by_command = home.cli("remember", *options, "--json", "--", content).answer
    by_standard_input = home.cli("remember", "-", *options, "--json", stdin=content.encode() + b"\n").answer
    with home.session() as session:
        by_server = session.ask("memory_remember", content=content, **FULL)

    same = {"key": first.key, "created": False, "status": Status.ACTIVE, "revision": first.revision}
    assert [by_command, by_standard_input, by_server] == [same] * 3


def test_dup_every_path_takes_times_as_text_or_as_datetimes() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        first = owner.remember("On time.", occurred_at="2026-01-02T03:04:05Z")

        second = owner.remember("On time.", occurred_at=dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC))

    assert (second.key, second.created) == (first.key, False)


def test_dup_every_path_takes_facets_as_pairs_or_as_a_mapping() -> None:
    with open_memory(":memory:") as memories:
        owner = memories.owner("agent:alice")
        first = owner.remember("With facets.", facets={"b": ["2", "3"], "a": "1"})

        second = owner.remember("With facets.", facets=[("b", "3"), ("a", "1"), ("b", "2")])

    assert (second.key, second.created) == (first.key, False)
