"""Erasing: what is left of a memory, and that nothing else of it answers any more."""

from typing import Any, Final

import attrs
import pytest

from reminisce.domain.changes import AddHistory, EraseMemory, PutLink, PutMemory, SetFields
from reminisce.domain.erasure import without_words
from reminisce.domain.memory import Cause, Erased, Memory, folded, sameness
from reminisce.domain.records import Event, Link, LinkKind, Member, Outline, Record, Tie
from reminisce.domain.values import Status
from reminisce.errors import ConflictError
from reminisce.ports.store import Store
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import NOON
from reminisce.testing.promises import promise
from reminisce.testing.suite.values import AWKWARD, EVERYTHING, standing
from reminisce.testing.writing import ALICE, BOB, next_commit, put, write

CAUSES: Final = (
    Erased(Cause.ERASE),
    Erased(Cause.WITHDRAWAL, "person:1", 7),
    Erased(Cause.WITHDRAWAL, 'p\u00e9 "q",:', 2**40),
    Erased(Cause.PURGE),
)
BY: Final = CAUSES[1]
EVENTS: Final = tuple(
    Event(revision, NOON, "test", status, "somebody", f"the reason of {revision}")
    for revision, status in ((1, Status.HELD), (2, Status.ACTIVE))
)


def _full(owner: str = ALICE) -> PutMemory:
    """A memory that holds something wherever one can, with what reinforcements cited."""
    change = standing(put(owner, revision=1, **EVERYTHING))
    return attrs.evolve(change, memory=attrs.evolve(change.memory, further_sources=("doc:c",)))


def _filled(store: Store, change: PutMemory) -> Memory:
    memory = change.memory
    write(store, memory.owner, change, *(AddHistory(memory.owner, memory.key, event) for event in EVENTS))
    return memory


def _erase(store: Store, memory: Memory, by: Erased = BY) -> Memory:
    left = without_words(memory, by)
    write(store, memory.owner, EraseMemory(left))
    return left


@promise("memory.erase", "snapshot.memories", "snapshot.outlines", "snapshot.records", "snapshot.in_order")
@pytest.mark.parametrize("by", CAUSES, ids=["erase", "withdrawal", "odd subject", "purge"])
def test_an_erased_memory_is_told_as_what_is_left_of_it(store: Store, by: Erased) -> None:
    memory = _filled(store, _full())

    left = _erase(store, memory, by)

    with store.view() as view:
        assert view.memories(ALICE, ["all"]) == {"all": left}
        assert view.outlines(ALICE, ["all"]) == {"all": Outline.of(left)}
        assert list(view.in_order(ALICE)) == [left]
        assert [record.memory for record in view.records(ALICE)] == [left]
        held = view.memories(ALICE, ["all"])["all"]
        assert (type(held.status), type(held.erased and held.erased.cause)) == (Status, Cause)


@promise("memory.erase")
@pytest.mark.parametrize("revived", [False, True], ids=["as it was", "made anew by name"])
def test_nothing_that_was_said_finds_an_erased_memory(store: Store, revived: bool) -> None:
    memory = _filled(store, _full())
    assert memory.fact is not None
    fact = (memory.fact.subject, memory.fact.attribute, folded(memory.fact.value))

    _erase(store, memory)
    if revived:
        # Others of that owner do not bring it back.
        write(store, ALICE, put(ALICE, "another", 3))

    with store.view() as view:
        assert dict(view.holders(ALICE, [sameness(memory.given)])) == {}
        assert dict(view.requests(ALICE, ["request-1"])) == {}
        assert dict(view.citing(ALICE, ["doc:a", "doc:b", "doc:c"])) == {}
        assert list(view.facts(ALICE, fact[0])) == []
        assert list(view.facts(ALICE, fact[0], attribute=fact[1])) == []
        assert list(view.facts(ALICE, fact[0], attribute=fact[1], value=fact[2])) == []
        assert list(view.facts(ALICE, fact[0], since=NOON)) == []
        assert dict(view.valued(ALICE, [fact[1]])) == {}


@promise("memory.erase", "snapshot.history")
def test_a_history_is_left_without_its_reasons(store: Store) -> None:
    memory = _filled(store, _full())
    bare = tuple(attrs.evolve(event, reason=None) for event in EVENTS)

    left = _erase(store, memory)

    with store.view() as view:
        assert {key: tuple(events) for key, events in view.history(ALICE, ["all"]).items()} == {"all": bare}
        assert list(view.records(ALICE)) == [Record(left, bare)]


@promise("memory.erase", "commit.order")
def test_of_one_commit_only_the_reasons_before_the_erasure_go(store: Store) -> None:
    memory = _filled(store, _full())
    before, after = (Event(2, NOON, name, Status.WITHDRAWN, "somebody", name) for name in ("before", "after"))

    write(
        store,
        ALICE,
        AddHistory(ALICE, "all", before),
        EraseMemory(without_words(memory, BY)),
        AddHistory(ALICE, "all", after),
    )

    with store.view() as view:
        reasons = [event.reason for event in view.history(ALICE, ["all"])["all"]]
    assert reasons == [None, None, None, "after"]


@promise("memory.erase", "commit.order")
def test_one_commit_may_make_a_memory_and_erase_it(store: Store) -> None:
    change = _full()
    left = without_words(change.memory, BY)

    write(store, ALICE, change, *(AddHistory(ALICE, "all", event) for event in EVENTS), EraseMemory(left))

    with store.view() as view:
        assert view.memories(ALICE, ["all"]) == {"all": left}
        assert dict(view.holders(ALICE, [change.digest])) == {}
        assert dict(view.citing(ALICE, ["doc:a", "doc:c"])) == {}
        assert [event.reason for event in view.history(ALICE, ["all"])["all"]] == [None, None]


@promise("memory.erase", "snapshot.about")
def test_an_erased_memory_is_still_about_whom_what_is_left_of_it_is_about(store: Store) -> None:
    memory = _filled(store, _full())
    assert memory.subjects == ("person:1", "person:2", "person:3")

    _erase(store, attrs.evolve(memory, subjects=("person:2",)))

    with store.view() as view:
        about = {ref: list(view.about(ref, limit=9)) for ref in memory.subjects}
    assert about == {"person:1": [], "person:2": [(ALICE, "all")], "person:3": []}


@promise("memory.erase")
def test_what_others_say_alike_stays(store: Store) -> None:
    memory = _filled(store, _full())
    twin = attrs.evolve(memory, key="twin", ordinal=1, request_key=None)
    write(store, ALICE, PutMemory(twin, sameness(twin.given)), AddHistory(ALICE, "twin", EVENTS[0]))
    write(store, BOB, _full(BOB))

    _erase(store, memory)

    with store.view() as view:
        assert view.memories(ALICE, ["twin"]) == {"twin": twin}
        for owner, key in ((ALICE, "twin"), (BOB, "all")):
            digest = sameness(twin.given)
            assert {name: list(keys) for name, keys in view.holders(owner, [digest]).items()} == {digest: [key]}
            assert {name: list(keys) for name, keys in view.citing(owner, ["doc:a", "doc:c"]).items()} == {
                "doc:a": [key],
                "doc:c": [key],
            }
            assert [line.key for line in view.facts(owner, "person:2", attribute="lives in")] == [key]
            assert dict(view.valued(owner, ["lives in"])) == {"lives in": True}
        assert view.requests(BOB, ["request-1"]) == {"request-1": "all"}
        assert view.history(ALICE, ["twin"])["twin"][0].reason == EVENTS[0].reason


@promise("memory.erase", "commit.conflict")
def test_a_request_key_is_free_again_when_its_memory_is_erased(store: Store) -> None:
    memory = _filled(store, _full())

    write(store, ALICE, EraseMemory(without_words(memory, BY)), put(ALICE, "next", 2, request_key="request-1"))

    with store.view() as view:
        assert view.requests(ALICE, ["request-1"]) == {"request-1": "next"}


@promise("memory.erase", "commit.conflict", "commit.whole")
def test_the_key_of_an_erased_memory_is_never_free_again(store: Store) -> None:
    memory = _filled(store, _full())
    _erase(store, memory)
    before = contents_of(store, told=[memory])

    with pytest.raises(ConflictError):
        write(store, ALICE, put(ALICE, "all", 3))

    assert contents_of(store, told=[memory]) == before


@promise("memory.erase", "snapshot.valued")
def test_an_attribute_that_only_an_erased_memory_used_may_be_used_otherwise(store: Store) -> None:
    memory = _filled(store, _full())
    _erase(store, memory)

    one = {"subject": "person:9", "attribute": "lives in", "value": "Riga", "many": False}
    write(store, ALICE, put(ALICE, "one", 3, fact=one, subjects=["person:9"]))

    with store.view() as view:
        assert dict(view.valued(ALICE, ["lives in"])) == {"lives in": False}


@promise("memory.erase")
def test_erasing_what_is_erased_changes_nothing_but_by_what(store: Store) -> None:
    memory = _filled(store, _full())
    left = _erase(store, memory)

    again = _erase(store, left, Erased(Cause.PURGE))

    assert again == attrs.evolve(left, erased=Erased(Cause.PURGE))
    with store.view() as view:
        assert view.memories(ALICE, ["all"]) == {"all": again}


@promise("memory.erase", "snapshot.links", "snapshot.ties")
def test_links_of_an_erased_memory_stay_until_they_are_dropped(store: Store) -> None:
    memory = _filled(store, _full())
    link = Link("from", LinkKind.DERIVATION, (Member("derived", "child"), Member("source", "all")), 2)
    write(store, ALICE, put(ALICE, "child", 2), PutLink(ALICE, link))

    _erase(store, memory)

    with store.view() as view:
        assert {key: list(links) for key, links in view.links(ALICE, ["all", "child"]).items()} == {
            "all": [link],
            "child": [link],
        }
        ties = view.ties(ALICE, ["all"], LinkKind.DERIVATION, "source")
        assert {key: list(held) for key, held in ties.items()} == {"all": [Tie("child", 2, None)]}


@promise("memory.erase", "fields.set")
def test_what_is_in_force_of_an_erased_memory_may_still_change(store: Store) -> None:
    left = _erase(store, _filled(store, _full()))

    write(store, ALICE, SetFields(ALICE, "all", {"subjects": ("person:2",), "uses": 9}))

    with store.view() as view:
        assert view.memories(ALICE, ["all"]) == {"all": attrs.evolve(left, subjects=("person:2",), uses=9)}
        assert list(view.about("person:1", limit=9)) == []


@promise("memory.erase")
@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_any_text_goes(store: Store, text: str) -> None:
    memory = attrs.evolve(
        put(ALICE, "k", 1).memory,
        given=attrs.evolve(put(ALICE, "k", 1, subjects=[text[:9]]).memory.given, content=text, sources=(text,)),
        subjects=(text[:9],),
        request_key=text,
        further_sources=(f"{text}.",),
    )
    write(store, ALICE, PutMemory(memory, sameness(memory.given)))

    left = _erase(store, memory)

    with store.view() as view:
        assert view.memories(ALICE, ["k"]) == {"k": left}
        assert dict(view.holders(ALICE, [sameness(memory.given)])) == {}
        assert dict(view.citing(ALICE, [text, f"{text}."])) == {}
        assert dict(view.requests(ALICE, [text])) == {}
        assert list(view.about(text[:9], limit=9)) == [(ALICE, "k")]


@promise("memory.erase", "commit.whole")
@pytest.mark.parametrize("key", ["absent", "of bob"])
def test_what_is_not_there_cannot_be_erased_and_nothing_else_of_the_commit_is(store: Store, key: str) -> None:
    memory = _filled(store, _full())
    write(store, BOB, put(BOB, "of bob", 1))
    before = contents_of(store, told=[memory])
    gone = without_words(put(ALICE, key, 1).memory, BY)
    commit = next_commit(store, ALICE, EraseMemory(without_words(memory, BY)), EraseMemory(gone))

    with pytest.raises(ConflictError):
        store.commit(commit)

    assert contents_of(store, told=[memory]) == before


@promise("memory.erase", "commit.survives")
def test_an_erased_memory_is_erased_when_the_store_is_opened_again(durable: Any) -> None:
    store = durable()
    memory = _filled(store, _full())
    _erase(store, memory)
    before = contents_of(store, told=[memory])
    store.close()

    assert contents_of(durable(), told=[memory]) == before
