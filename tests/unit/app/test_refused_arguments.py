"""Arguments of the operations on memories that are there: each refused under its name, with nothing done."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from reminisce import InvalidError, Owner
from reminisce.domain.limits import BYTES, ITEMS
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import World, day

MARK = "zebra"
NAIVE = dt.datetime(2026, 1, 1)  # noqa: DTZ001
FAR = "9999-12-31T23:59:59-01:00"


def long(field: str) -> str:
    """One byte more than *field* may have, in two-byte characters, so that counting characters is seen."""
    return MARK + "é" * ((BYTES[field] - 5) // 2) + "e" * (1 + (BYTES[field] - 5) % 2)


Call = Callable[[Owner], Any]

REFUSED: list[tuple[Call, str, str]] = [
    (lambda o: o.believe("", "a", "v"), "subject", "blank"),
    (lambda o: o.believe(long("subject"), "a", "v"), "subject", "too_large"),
    (lambda o: o.believe(7, "a", "v"), "subject", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.believe("k", " ", "v"), "attribute", "blank"),
    (lambda o: o.believe("k", long("attribute"), "v"), "attribute", "too_large"),
    (lambda o: o.believe("k", "a", long("value")), "value", "too_large"),
    (lambda o: o.believe("k", "a", ""), "value", "blank"),
    (lambda o: o.believe("k", "a", f"{MARK}\0"), "value", "nul"),
    (lambda o: o.believe("k", "a", f"{MARK}\ud800"), "value", "lone_surrogate"),
    (lambda o: o.believe("k", "a", "v", many="yes"), "many", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.believe("k", "a", "v", fact=MARK), "arguments", "unknown_name"),
    (lambda o: o.believe("k", "a", "v", valid_from=NAIVE), "valid_from", "naive_time"),
    (lambda o: o.believe("k", "a", "v", valid_from=FAR), "valid_from", "out_of_range"),
    (lambda o: o.believe("k", "a", "v", valid_from=day(2), valid_to=day(1)), "valid_to", "out_of_range"),
    (lambda o: o.believe("k", "a", "v", valid_from=day(1), valid_to=day(1)), "valid_to", "out_of_range"),
    (lambda o: o.believe("k", "a", "v", valid_to=day(0)), "valid_to", "out_of_range"),
    (lambda o: o.believe("k", "a", "v", zebra=1), "arguments", "unknown_name"),
    (lambda o: o.remember(MARK, fact=("k", "a", "v")), "fact", "no_subject"),
    (lambda o: o.remember(MARK, fact=("k", "a", "v"), subjects=["K"]), "fact", "no_subject"),
    (lambda o: o.remember(MARK, reviewer=long("reviewer")), "reviewer", "too_large"),
    (lambda o: o.correct("a", fact=(MARK, "a", "v")), "fact", "no_subject"),
    (lambda o: o.beliefs(long("subject")), "subject", "too_large"),
    (lambda o: o.beliefs("k", attribute=long("attribute")), "attribute", "too_large"),
    (lambda o: o.beliefs("k", valid_at=NAIVE), "valid_at", "naive_time"),
    (lambda o: o.beliefs("k", valid_at="soon"), "valid_at", "not_a_time"),
    (lambda o: o.beliefs("k", valid_at=FAR), "valid_at", "out_of_range"),
    (lambda o: o.beliefs("k", history=True, valid_at=day(0)), "history", "excludes"),
    (lambda o: o.beliefs("k", history="yes"), "history", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.beliefs("k", as_of=-1), "as_of", "out_of_range"),
    (lambda o: o.beliefs("k", as_of=True), "as_of", "wrong_type"),
    (lambda o: o.disbelieve(""), "subject", "blank"),
    (lambda o: o.disbelieve("k", long("attribute")), "attribute", "too_large"),
    (lambda o: o.disbelieve("k", reason=long("reason")), "reason", "too_large"),
    (lambda o: o.contradict("a", "a"), "b", "same"),
    (lambda o: o.contradict("a", "b", reason=long("reason")), "reason", "too_large"),
    (lambda o: o.contradict("a", "b", reason=" "), "reason", "blank"),
    (lambda o: o.contradict(long("a"), "b"), "a", "too_large"),
    (lambda o: o.contradict("a", long("b")), "b", "too_large"),
    (lambda o: o.contradict("a", "b", claim=long("claim")), "claim", "too_large"),
    (lambda o: o.contradict("a", "b", claim=["a", "b", "c"]), "claim", "too_many"),
    (lambda o: o.contradict("a", "b", claim=7), "claim", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.resolve("a", "a"), "b", "same"),
    (lambda o: o.resolve("a", "b", reason=long("reason")), "reason", "too_large"),
    (lambda o: o.resolve("a", 7), "b", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.associate(["a"], "trip"), "keys", "too_few"),
    (lambda o: o.associate([], "trip"), "keys", "too_few"),
    (lambda o: o.associate(["a", "a"], "trip"), "keys", "too_few"),
    (lambda o: o.associate("ab", "trip"), "keys", "wrong_type"),
    (lambda o: o.associate((str(n) for n in range(ITEMS["members"] + 1)), "trip"), "keys", "too_many"),
    (lambda o: o.associate([f"{MARK}{n}" for n in range(10_000)], "trip"), "keys", "too_many"),
    (lambda o: o.associate(["a", "b"], long("kind")), "kind", "too_large"),
    (lambda o: o.associate(["a", "b"], ""), "kind", "blank"),
    (lambda o: o.associate(["a", "b"], "trip", facets={long("facet name"): "x"}), "facets", "too_large"),
    (lambda o: o.associate(["a", "b"], "trip", facets={"x": long("facet value")}), "facets", "too_large"),
    (lambda o: o.associate(["a", "b"], "trip", facets={"x": [str(n) for n in range(65)]}), "facets", "too_many"),
    (lambda o: o.associate(["a", "b"], "trip", facets=[MARK]), "facets", "wrong_type"),  # type: ignore[list-item]
    (lambda o: o.dissociate(["a"], "trip"), "keys", "too_few"),
    (lambda o: o.dissociate(["a", "b"], long("kind")), "kind", "too_large"),
    (lambda o: o.review("a", "yes"), "approve", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.review("a", None), "approve", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.review("a", True, reason=long("reason")), "reason", "too_large"),
    (lambda o: o.review("a", True, confirm=1), "confirm", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.reviews(valid_at=day(0)), "arguments", "unknown_name"),
    (lambda o: o.reviews(as_of=1), "arguments", "unknown_name"),
    (lambda o: o.reviews(explain=True), "arguments", "unknown_name"),
    (lambda o: o.reviews(k=0), "k", "out_of_range"),
    (lambda o: o.reviews(cursor=MARK), "cursor", "not_a_cursor"),
    (lambda o: o.reclassify("a", MARK), "tier", "unknown_word"),
    (lambda o: o.reclassify("a", ""), "tier", "unknown_word"),
    (lambda o: o.reclassify(long("key"), "open"), "key", "too_large"),
    (lambda o: o.reinforce(7), "key", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.consolidate(day(1)), "until", "out_of_range"),
    (lambda o: o.consolidate(FAR), "until", "out_of_range"),
    (lambda o: o.consolidate(dt.datetime(1970, 1, 1, tzinfo=dt.UTC)), "until", "out_of_range"),
    (lambda o: o.consolidate("0001-01-01T00:00:00Z"), "until", "out_of_range"),
    (lambda o: o.consolidate(NAIVE), "until", "naive_time"),
    (lambda o: o.consolidate(MARK), "until", "not_a_time"),
    (lambda o: o.consolidate(half_life=-1), "half_life", "out_of_range"),
    (lambda o: o.consolidate(half_life=float("nan")), "half_life", "out_of_range"),
    (lambda o: o.consolidate(half_life=float("inf")), "half_life", "out_of_range"),
    (lambda o: o.consolidate(half_life=MARK), "half_life", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.consolidate(threshold=1.1), "threshold", "out_of_range"),
    (lambda o: o.consolidate(threshold=-0.1), "threshold", "out_of_range"),
    (lambda o: o.prune(half_life=dt.timedelta(-1)), "half_life", "out_of_range"),
    (lambda o: o.prune(threshold=True), "threshold", "wrong_type"),
    (lambda o: o.prune(threshold=float("nan")), "threshold", "out_of_range"),
    (lambda o: o.prune(dry_run=0), "dry_run", "wrong_type"),  # type: ignore[arg-type]
    (lambda o: o.recall("q", valid_at=NAIVE), "valid_at", "naive_time"),
    (lambda o: o.recall("q", as_of=NAIVE), "as_of", "naive_time"),
    (lambda o: o.recall("q", as_of=-1), "as_of", "out_of_range"),
    (lambda o: o.recall("q", as_of=1.0), "as_of", "wrong_type"),
    (lambda o: o.recent(as_of=MARK), "as_of", "not_a_time"),
    (lambda o: o.as_of(FAR), "as_of", "out_of_range"),
    (lambda o: o.as_of(2**63), "as_of", "out_of_range"),
    (lambda o: o.why("a", as_of=NAIVE), "as_of", "naive_time"),
    (lambda o: o.why("a", most=0), "most", "out_of_range"),
    (lambda o: o.promote(""), "name", "blank"),
    (lambda o: o.promote(long("name")), "name", "too_large"),
    (lambda o: o.forget(containing=long("containing")), "containing", "too_large"),
]
"""What is called, and the field and code of the refusal."""


@pytest.fixture
def full(quick: World) -> Owner:
    """An owner of a and b, which contradict one another and were on one trip, and of a belief."""
    owner = quick.owner(face={"reviewer": "rita"})
    owner.remember_many({"content": f"it is {key}", "key": key} for key in "ab")
    owner.contradict("a", "b")
    owner.associate(["a", "b"], "trip")
    owner.believe("other", "other", "v")
    return owner


@pytest.mark.parametrize(
    "place", range(len(REFUSED)), ids=lambda place: f"{place} {REFUSED[place][1]} {REFUSED[place][2]}"
)
def test_it_is_refused_under_its_name_and_nothing_is_done(quick: World, full: Owner, place: int) -> None:
    call, field, code = REFUSED[place]
    before, revision = contents_of(quick.store), full.revision()

    with pytest.raises(InvalidError) as caught:
        call(full)

    error = caught.value
    assert (field, code) in {(problem.field, problem.code) for problem in error.problems}
    assert error.code == "invalid"
    assert MARK not in str(error) + repr(error) + repr(error.fields)
    assert (contents_of(quick.store), full.revision()) == (before, revision)


MANY: list[tuple[Call, set[str]]] = [
    (
        lambda o: o.believe("", " ", "\0", valid_from=NAIVE, tier=MARK),
        {"subject", "attribute", "value", "valid_from", "tier"},
    ),
    (lambda o: o.contradict("", "", claim="", reason=""), {"a", "b", "claim", "reason"}),
    (lambda o: o.associate([""], "", facets={"": ""}), {"keys", "kind", "facets"}),
    (lambda o: o.beliefs("", attribute="", valid_at="x", as_of="y"), {"subject", "attribute", "valid_at", "as_of"}),
    (lambda o: o.disbelieve("", "", ""), {"subject", "attribute", "reason"}),
    (lambda o: o.review("", 1, "", 1), {"key", "approve", "reason", "confirm"}),  # type: ignore[arg-type]
    (lambda o: o.reclassify("", ""), {"key", "tier"}),
    (lambda o: o.consolidate("x", half_life=-1, threshold=2), {"until", "half_life", "threshold"}),
    (lambda o: o.prune(-1, 2, dry_run=1), {"half_life", "threshold", "dry_run"}),  # type: ignore[arg-type]
    (lambda o: o.why("", depth=0, most=0, as_of="x"), {"key", "depth", "most", "as_of"}),
    (lambda o: o.correct("a", content="", tier=MARK, valid_from=NAIVE), {"content", "tier", "valid_from"}),
]


@pytest.mark.parametrize("place", range(len(MANY)), ids=lambda place: " ".join(sorted(MANY[place][1])))
def test_all_problems_of_a_call_come_at_once(full: Owner, place: int) -> None:
    call, fields = MANY[place]

    with pytest.raises(InvalidError) as caught:
        call(full)

    assert set(caught.value.fields) == fields
