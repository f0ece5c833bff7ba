"""Readiness 1. Round trip: everything a store can hold, out and in again, byte for byte, on and across every adapter."""

import datetime as dt
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
import pytest

from reminisce import Memories, Owner, Store
from reminisce.adapters.disk import LocalFiles
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.domain.values import Status
from reminisce.testing import StoreCase
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import NOON
from tests.support.backing_up import keyring_of, memories
from tests.support.stores import STORE_CASES

REFS = ("pat", "sam", "joe", "kim")

SECRET_WORDS = (b"what pat likes", b"harbour", b"saffron")
"""Of what is said about subjects."""


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture(params=STORE_CASES, ids=lambda case: f"into {case.name}")
def into(request: pytest.FixtureRequest) -> StoreCase:
    case: StoreCase = request.param
    return case


def opened(stack: ExitStack, case: StoreCase, folder: Path, first: int = 1) -> tuple[Store, Memories]:
    folder.mkdir()
    # Stores that are not durable are all given one name, and no store is copied into itself.
    store = case.open(folder) if case.durable else InMemoryStore(f"{first:032}")
    service = memories(store, LocalFiles(), first=first)
    stack.callback(service.close)
    return store, service


def live(service: Memories) -> Owner:
    """Every kind of thing that a store keeps."""
    ann, bob = service.owner("agent:ann"), service.owner("agent:bob")
    ann.remember(
        "a gate \N{GRINNING FACE} with \u2028 and\ttabs", key="full", request_key="r1", aspects=["semantic", "procedural"],
        basis="told", confidence=0.875, salience=0.25, occurred_at=NOON, due_at=NOON + dt.timedelta(microseconds=1),
        valid_from=dt.datetime(1, 1, 1, tzinfo=dt.UTC), valid_to=dt.datetime(9999, 12, 31, tzinfo=dt.UTC),
        sources=["doc:gates", "https://example.org/?a=b"], facets={"colour": ["red", "green"], "übrig": "ja"},
        tier="redacted", surface="a gate", episode="walk", reviewer="rita",
    )  # fmt: skip
    ann.remember("glue is what pat likes", key="glue", subjects=["pat"], sources=["doc:gates"], request_key="r2")
    ann.remember("pat and sam met at the harbour", key="both", subjects=["pat", "sam"], derived_from=["glue"])
    ann.remember("plain bricks", key="plain", facets={"made of": "clay"}, tier="private")
    ann.remember("walls", key="walls", supersedes=["full"], derived_from=["full", "glue"])
    ann.contradict("glue", "walls", claim=["both", "glue"], reason="harbour or not")
    ann.associate(["glue", "both", "walls"], "trip", facets={"to": "the harbour"})
    ann.associate(["full", "walls"], "trip")
    ann.dissociate(["full", "walls"], "trip")
    ann.forget("both", reason="saffron")
    ann.believe("pat", "city", "Riga", valid_from=NOON - dt.timedelta(days=9))
    ann.believe("pat", "city", "Oslo", sources=["doc:letter"])
    ann.believe("pat", "likes", "saffron", many=True)
    ann.believe("pat", "likes", "SAFFRON", many=True, sources=["doc:again"])
    ann.reinforce("walls")
    ann.consolidate(half_life=dt.timedelta(days=1))
    ann.remember("joe was here", key="gone", subjects=["joe"])
    ann.erase("full", confirm=True)
    bob.remember("bob about kim", key="glue", subjects=["kim"])
    service.consent("pat", ["team", "press"])
    service.withdraw("joe", "as asked")
    service.withdraw("kim")
    service.consent("kim", ["team"])
    bob.remember("bob about kim, anew", key="anew", subjects=["kim"])
    service.consent("nobody spoken of", [])
    return ann


def there_revision(service: Memories) -> int:
    """Of ann, who has one commit more where words were lost."""
    return service.owner("agent:ann").stats().revision


def compared(store: Store) -> dict[str, Any]:
    """All that a store tells, but for its name, its saved indexes, and what is counted for those."""
    held = contents_of(store, refs=REFS)
    del held["incarnation"]
    held["fences"] = {fence: value for fence, value in held["fences"].items() if fence.kind != "pieces"}
    for owner in held["held"].values():
        del owner["pieces"], owner["covered"]
    return held


def test_a_backup_restored_and_backed_up_again_is_the_same_bytes(
    case: StoreCase, into: StoreCase, tmp_path: Path, stack: ExitStack
) -> None:
    store, service = opened(stack, case, tmp_path / "a")
    live(service)
    told = service.backup(tmp_path / "first")
    other, there = opened(stack, into, tmp_path / "b", first=1_000_000)

    restored = there.restore(tmp_path / "first", keyring=keyring_of(store))
    again = there.backup(tmp_path / "second")

    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert told.digest == again.digest
    assert (restored.redacted, restored.dropped, restored.withdrawn, restored.missing) == (0, 0, (), ())
    assert (restored.owners, restored.subjects) == (2, 5)
    assert compared(other) == compared(store)
    assert keyring_of(other) == keyring_of(store)
    for name in ("agent:ann", "agent:bob"):
        recalled, before = there.owner(name).recall("harbour"), service.owner(name).recall("harbour")
        assert recalled.hits == before.hits
        assert there.owner(name).stats() == service.owner(name).stats()


def test_words_about_subjects_are_in_no_byte_of_a_backup(case: StoreCase, tmp_path: Path, stack: ExitStack) -> None:
    _, service = opened(stack, case, tmp_path / "a")
    live(service)

    told = service.backup(tmp_path / "first")

    data = (tmp_path / "first").read_bytes()
    assert b"plain bricks" in data
    assert not [word for word in SECRET_WORDS if word in data.lower()]
    assert told.sealed > 5


def test_without_the_keyring_the_redacted_form_comes_back_and_says_so(
    case: StoreCase, into: StoreCase, tmp_path: Path, stack: ExitStack
) -> None:
    _, service = opened(stack, case, tmp_path / "a")
    ann = live(service)
    told = service.backup(tmp_path / "first")
    other, there = opened(stack, into, tmp_path / "b", first=1_000_000)

    restored = there.restore(tmp_path / "first")

    assert restored.redacted == told.sealed
    assert restored.missing == ("kim", "pat", "sam")
    assert restored.withdrawn == ()
    assert restored.dropped == 2
    assert there.owner("agent:ann").why("plain") == attrs.evolve(ann.why("plain"), revision=there_revision(there))
    lost = there.owner("agent:ann").why("both")
    assert (lost.memory.status, lost.memory.content, lost.withdrawal) == (Status.WITHDRAWN, "", "complete")
    assert lost.memory.derived_from == ("glue",)
    assert [event.operation for event in lost.history] == ["remember", "forget", "restore"]
    assert not any(event.reason for event in lost.history)
    assert [hit.memory.key for hit in there.owner("agent:ann").recent(k=100)] == ["plain"]
    with other.view() as view:
        assert {subject.ref: subject.audiences for subject in view.all_subjects()}["pat"] == ("press", "team")


def test_who_was_withdrawn_since_stays_so_whatever_is_restored(
    case: StoreCase, into: StoreCase, tmp_path: Path, stack: ExitStack
) -> None:
    store, service = opened(stack, case, tmp_path / "a")
    live(service)
    service.backup(tmp_path / "first")
    service.withdraw("pat")
    other, there = opened(stack, into, tmp_path / "b", first=1_000_000)

    restored = there.restore(tmp_path / "first", keyring=keyring_of(store))

    assert (restored.withdrawn, restored.missing) == (("pat",), ())
    with other.view() as view:
        pat = view.subjects(["pat"])["pat"]
    assert (pat.state, pat.audiences) == ("withdrawn", ())
    assert there.owner("agent:ann").why("both").withdrawal == "complete"
    assert keyring_of(other).destroyed == keyring_of(store).destroyed
    there.backup(tmp_path / "second")
    again, third = opened(stack, into, tmp_path / "c", first=2_000_000)
    third.restore(tmp_path / "second", keyring=keyring_of(other))
    assert compared(again) == compared(other)


def _but_keys(told: dict[str, Any]) -> dict[Any, int]:
    return {fence: value for fence, value in told["fences"].items() if fence.kind != "keys"}


def test_a_copy_holds_all_that_it_was_copied_from(
    case: StoreCase, into: StoreCase, tmp_path: Path, stack: ExitStack
) -> None:
    store, service = opened(stack, case, tmp_path / "a")
    live(service)
    other, there = opened(stack, into, tmp_path / "b", first=1_000_000)

    copied = service.copy(there)
    back = there.copy(opened(stack, case, tmp_path / "c", first=2_000_000)[1])

    assert copied == back
    # Its keys are its own: none until they are needed.
    ours, theirs = compared(store), compared(other)
    assert {**ours, "fences": _but_keys(ours)} == {**theirs, "fences": _but_keys(theirs)}
    assert keyring_of(other).keys == {}
