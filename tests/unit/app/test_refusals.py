"""Every refusal of the contract's words, operations and limits, through the library."""

import datetime as dt
from typing import Any

import pytest

from reminisce import (
    ConfigurationError,
    InvalidError,
    KeyTakenError,
    Memories,
    NotFoundError,
    Owner,
    RequestKeyTakenError,
    StatusError,
    StoreClosedError,
    open_memory,
)
from reminisce.domain.limits import BATCH, BYTES, ITEMS

SECRET = "zebra-quagga"


def codes(error: InvalidError) -> set[tuple[str, str]]:
    return {(problem.field, problem.code) for problem in error.problems}


def long(field: str) -> str:
    """One byte more than *field* may have, in two-byte characters, so that counting characters is seen."""
    return "é" * (BYTES[field] // 2) + "e" * (1 + BYTES[field] % 2)


BAD_ATTRIBUTES: list[tuple[dict[str, Any], str, str]] = [
    ({"content": ""}, "content", "blank"),
    ({"content": " \n\t"}, "content", "blank"),
    ({"content": None}, "content", "missing"),
    ({"content": 7}, "content", "wrong_type"),
    ({"content": b"bytes"}, "content", "wrong_type"),
    ({"content": "a\0b"}, "content", "nul"),
    ({"content": "a\ud800b"}, "content", "lone_surrogate"),
    ({"content": long("content")}, "content", "too_large"),
    ({"key": ""}, "key", "blank"),
    ({"key": long("key")}, "key", "too_large"),
    ({"key": "a\0b"}, "key", "nul"),
    ({"aspects": []}, "aspects", "empty"),
    ({"aspects": ["dreamt"]}, "aspects", "unknown_word"),
    ({"aspects": "episodic"}, "aspects", "wrong_type"),
    ({"aspects": [f"a{n}" for n in range(ITEMS["aspects"] + 1)]}, "aspects", "too_many"),
    ({"basis": "guessed"}, "basis", "unknown_word"),
    ({"confidence": 1.0001}, "confidence", "out_of_range"),
    ({"confidence": -0.1}, "confidence", "out_of_range"),
    ({"confidence": float("nan")}, "confidence", "out_of_range"),
    ({"confidence": float("inf")}, "confidence", "out_of_range"),
    ({"confidence": True}, "confidence", "wrong_type"),
    ({"confidence": "0.5"}, "confidence", "wrong_type"),
    ({"salience": 2}, "salience", "out_of_range"),
    ({"occurred_at": dt.datetime(2026, 1, 1)}, "occurred_at", "naive_time"),  # noqa: DTZ001
    ({"occurred_at": "2026-01-01T00:00:00"}, "occurred_at", "naive_time"),
    ({"occurred_at": "2016-12-31T23:59:60Z"}, "occurred_at", "not_a_time"),
    ({"occurred_at": "yesterday"}, "occurred_at", "not_a_time"),
    ({"occurred_at": 1_700_000_000}, "occurred_at", "wrong_type"),
    ({"occurred_at": "0001-01-01T00:00:00+10:00"}, "occurred_at", "out_of_range"),
    ({"due_at": "9999-12-31T23:59:59-01:00"}, "due_at", "out_of_range"),
    ({"valid_from": "2026-02-01T00:00:00Z", "valid_to": "2026-02-01T00:00:00Z"}, "valid_to", "out_of_range"),
    ({"sources": "doc:one"}, "sources", "wrong_type"),
    ({"sources": [""]}, "sources", "blank"),
    ({"sources": [long("sources")]}, "sources", "too_large"),
    ({"sources": [f"doc:{n}" for n in range(ITEMS["sources"] + 1)]}, "sources", "too_many"),
    ({"facets": {"": "x"}}, "facets", "blank"),
    ({"facets": {"n": ""}}, "facets", "blank"),
    ({"facets": {"n": 5}}, "facets", "wrong_type"),
    ({"facets": {long("facet name"): "x"}}, "facets", "too_large"),
    ({"facets": {"n": long("facet value")}}, "facets", "too_large"),
    ({"facets": {"n": [str(n) for n in range(ITEMS["facets"] + 1)]}}, "facets", "too_many"),
    ({"facets": ["n=v"]}, "facets", "wrong_type"),
    ({"subjects": [long("subjects")]}, "subjects", "too_large"),
    ({"subjects": [f"s{n}" for n in range(ITEMS["subjects"] + 1)]}, "subjects", "too_many"),
    ({"tier": "secret"}, "tier", "unknown_word"),
    ({"surface": ""}, "surface", "blank"),
    ({"surface": long("surface")}, "surface", "too_large"),
    ({"episode": long("episode")}, "episode", "too_large"),
    ({"derived_from": [f"k{n}" for n in range(ITEMS["derived_from"] + 1)]}, "derived_from", "too_many"),
    ({"key": "k", "derived_from": ["k"]}, "key", "own_source"),
    ({"key": "k", "supersedes": ["k"]}, "key", "own_source"),
    ({"request_key": long("request_key")}, "request_key", "too_large"),
    ({"owner": "agent:bob"}, "arguments", "unknown_name"),
    ({"status": "retired"}, "arguments", "unknown_name"),
    ({"fact": ("s", "a", "v")}, "fact", "no_subject"),
    ({"fact": ("s", "a", "v"), "subjects": ["t"]}, "fact", "no_subject"),
    ({"fact": ("s", "a")}, "fact", "wrong_type"),
    ({"fact": "s a v"}, "fact", "wrong_type"),
    ({"fact": {"subject": "s", "attribute": "a"}, "subjects": ["s"]}, "fact", "wrong_type"),
    ({"fact": {"subject": "s", "attribute": "a", "value": "v", "why": "w"}, "subjects": ["s"]}, "fact", "wrong_type"),
    ({"fact": {"subject": "s", "attribute": "a", "value": "v", "many": 1}, "subjects": ["s"]}, "fact", "wrong_type"),
    ({"fact": ("s", " ", "v"), "subjects": ["s"]}, "fact", "blank"),
    ({"fact": ("s", "a", long("value")), "subjects": ["s"]}, "fact", "too_large"),
    ({"fact": ("s", long("attribute"), "v"), "subjects": ["s"]}, "fact", "too_large"),
    ({"reviewer": ""}, "reviewer", "blank"),
    ({"reviewer": long("reviewer")}, "reviewer", "too_large"),
]


@pytest.mark.parametrize(("changed", "field", "code"), BAD_ATTRIBUTES)
def test_a_bad_attribute_is_refused_under_its_name(
    alice: Owner, changed: dict[str, Any], field: str, code: str
) -> None:
    with pytest.raises(InvalidError) as caught:
        alice.remember(**({"content": "tea"} | changed))

    assert (field, code) in codes(caught.value)
    assert alice.revision() == 0


def test_all_problems_come_at_once(alice: Owner) -> None:
    with pytest.raises(InvalidError) as caught:
        alice.remember("", tier="x", basis="y", occurred_at="z")

    assert {field for field, _ in codes(caught.value)} == {"content", "tier", "basis", "occurred_at"}


@pytest.mark.parametrize(
    "changed",
    [
        {"content": SECRET + "\0"},
        {"content": "x", "basis": SECRET},
        {"content": "x", "occurred_at": SECRET},
        {"content": "x", SECRET: 1},
        {"content": "x", "facets": {SECRET: 5}},
        {"content": "x", "derived_from": [SECRET]},
    ],
)
def test_no_refusal_repeats_what_the_caller_said(alice: Owner, changed: dict[str, Any]) -> None:
    with pytest.raises((InvalidError, NotFoundError)) as caught:
        alice.remember(**changed)

    assert SECRET not in str(caught.value) + repr(caught.value) + repr(caught.value.fields)


@pytest.mark.parametrize(
    "name", ["alice", ":alice", "agent:", "agent: ", "", "agent:\n", "agent:" + "a" * 251, "agent:\ud800", None, 7]
)
def test_an_owner_is_a_kind_and_an_id(memories: Memories, name: Any) -> None:
    with pytest.raises(InvalidError) as caught:
        memories.owner(name)

    assert caught.value.fields == ("owner",)


def test_an_owner_is_split_at_the_first_colon(memories: Memories) -> None:
    assert memories.owner("agent:a:b:c").remember("tea").created


BAD_QUESTIONS: list[tuple[Any, dict[str, Any], str, str]] = [
    ("q" * (BYTES["query"] + 1), {}, "query", "too_large"),
    ("a\0b", {}, "query", "nul"),
    ("\udfff", {}, "query", "lone_surrogate"),
    (5, {}, "query", "wrong_type"),
    ("q", {"k": 0}, "k", "out_of_range"),
    ("q", {"k": -1}, "k", "out_of_range"),
    ("q", {"k": 1001}, "k", "out_of_range"),
    ("q", {"k": 1.0}, "k", "wrong_type"),
    ("q", {"k": True}, "k", "wrong_type"),
    ("q", {"audience": ""}, "audience", "blank"),
    ("q", {"aspects": "semantic"}, "aspects", "wrong_type"),
    ("q", {"subject": ["s"]}, "subject", "wrong_type"),
    ("q", {"basis": "hearsay"}, "basis", "unknown_word"),
    ("q", {"basis": 5}, "basis", "wrong_type"),
    ("q", {"min_confidence": 3}, "min_confidence", "out_of_range"),
    ("q", {"occurred_from": "2026-01-01"}, "occurred_from", "naive_time"),
    ("q", {"due_to": "soon"}, "due_to", "not_a_time"),
    ("q", {"cursor": "not one"}, "cursor", "not_a_cursor"),
    ("q", {"cursor": "AAAA"}, "cursor", "not_a_cursor"),
    ("q", {"cursor": 5}, "cursor", "not_a_cursor"),
    ("q", {"cursor": "A" * 2000}, "cursor", "not_a_cursor"),
    ("q", {"explain": "yes"}, "explain", "wrong_type"),
    ("q", {"owner": "agent:bob"}, "arguments", "unknown_name"),
]


@pytest.mark.parametrize(("query", "options", "field", "code"), BAD_QUESTIONS)
def test_a_bad_question_is_refused_under_its_name(
    alice: Owner, query: Any, options: dict[str, Any], field: str, code: str
) -> None:
    with pytest.raises(InvalidError) as caught:
        alice.recall(query, **options)

    assert (field, code) in codes(caught.value)


def test_a_cursor_of_another_question_is_refused(alice: Owner) -> None:
    alice.remember_many({"content": f"tea {n}"} for n in range(3))
    cursor = alice.recall("tea", k=1).cursor

    with pytest.raises(InvalidError) as caught:
        alice.recall("coffee", k=1, cursor=cursor)

    assert codes(caught.value) == {("cursor", "other_question")}


def test_a_key_with_other_attributes_is_taken(alice: Owner) -> None:
    alice.remember("tea", key="k")

    with pytest.raises(KeyTakenError) as caught:
        alice.remember("coffee", key="k")

    assert (caught.value.code, caught.value.fields) == ("key_taken", ("key",))


def test_a_request_key_with_other_attributes_is_taken(alice: Owner) -> None:
    alice.remember("tea", request_key="r")

    with pytest.raises(RequestKeyTakenError) as caught:
        alice.remember("coffee", request_key="r")

    assert caught.value.code == "request_key_taken"


@pytest.mark.parametrize("field", ["derived_from", "supersedes"])
def test_what_a_memory_comes_from_must_be_there(alice: Owner, field: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        alice.remember("tea", **{field: ["nobody"]})

    assert caught.value.fields == (field,)


def test_one_bad_line_keeps_a_whole_batch_out(alice: Owner) -> None:
    with pytest.raises(InvalidError) as caught:
        alice.remember_many([{"content": "tea"}, {"content": ""}, {"content": "x", "tier": "y"}, "no mapping"])  # type: ignore[list-item]

    assert caught.value.fields == ("[1].content", "[2].tier", "[3].memory")
    assert alice.revision() == 0


def test_a_refused_line_of_a_batch_is_named(alice: Owner) -> None:
    alice.remember("tea", key="k")

    with pytest.raises(KeyTakenError) as caught:
        alice.remember_many([{"content": "a"}, {"content": "b", "key": "k"}])

    assert caught.value.fields == ("[1].key",)
    assert len(alice.recent(k=10)) == 1


def test_a_batch_has_a_most(alice: Owner) -> None:
    with pytest.raises(InvalidError) as caught:
        alice.remember_many({"content": str(n)} for n in range(BATCH + 1))

    assert codes(caught.value) == {("memories", "too_many")}


def test_a_batch_has_a_most_of_bytes(alice: Owner) -> None:
    with pytest.raises(InvalidError) as caught:
        alice.remember_many({"content": f"{n} " + "x" * 65_000} for n in range(1_100))

    assert codes(caught.value) == {("memories", "too_large")}


def test_an_empty_batch_writes_nothing(alice: Owner) -> None:
    assert (alice.remember_many([]).revision, alice.remember_many([]).lines) == (0, ())


@pytest.mark.parametrize(
    ("keys", "code"), [([], "empty"), ([""], "blank"), ([7], "wrong_type"), ([str(n) for n in range(1001)], "too_many")]
)
def test_forgetting_needs_good_keys(alice: Owner, keys: Any, code: str) -> None:
    with pytest.raises(InvalidError) as caught:
        alice.forget(keys)

    assert ("keys", code) in codes(caught.value)


def test_a_reason_has_a_most(alice: Owner) -> None:
    key = alice.remember("tea").key

    with pytest.raises(InvalidError):
        alice.forget(key, reason=long("reason"))

    assert alice.why(key).memory.status == "active"


def test_one_unknown_key_keeps_all_of_a_forget_out(alice: Owner) -> None:
    key = alice.remember("tea").key

    with pytest.raises(NotFoundError):
        alice.forget([key, "nobody"])

    assert alice.why(key).memory.status == "active"


def test_what_is_superseded_by_an_active_memory_is_not_reinstated(alice: Owner) -> None:
    old = alice.remember("tea").key
    alice.remember("coffee", supersedes=[old])

    with pytest.raises(StatusError) as caught:
        alice.reinstate(old)

    assert (caught.value.code, caught.value.status) == ("status", "superseded")


@pytest.mark.parametrize("depth", [0, 10_001, "x"])
def test_why_has_a_depth(alice: Owner, depth: Any) -> None:
    key = alice.remember("tea").key

    with pytest.raises(InvalidError) as caught:
        alice.why(key, depth=depth)

    assert caught.value.fields == ("depth",)


def test_a_closed_memory_says_so(memories: Memories, alice: Owner) -> None:
    memories.close()
    memories.close()

    for call in (lambda: alice.remember("tea"), lambda: alice.recall("tea"), lambda: alice.why("k"), alice.stats):
        with pytest.raises(StoreClosedError):
            call()


def test_a_destination_is_one_of_two() -> None:
    with pytest.raises(ConfigurationError):
        open_memory(":memory:", destination="elsewhere")


def test_an_unknown_audience_sees_what_is_about_nobody(memories: Memories, alice: Owner) -> None:
    alice.remember("tea about nobody")
    alice.remember("tea about p", subjects=["p"])

    assert [hit.memory.content for hit in alice.recall("tea", audience="press")] == ["tea about nobody"]
