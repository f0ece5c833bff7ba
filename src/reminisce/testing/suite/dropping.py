"""What is removed as if it had never been: links, subjects, and subjects' keys but for their ids."""

from typing import Final

import pytest

from reminisce.domain.changes import (
    Advance,
    Change,
    DestroyKey,
    DropLink,
    DropSubject,
    EndLink,
    Fence,
    FenceKind,
    PutLink,
    PutSubject,
    PutSubjectKey,
)
from reminisce.domain.records import (
    Link,
    LinkKind,
    Member,
    Subject,
    SubjectKey,
    SubjectState,
    Tie,
    Withdrawal,
)
from reminisce.errors import ConflictError
from reminisce.ports.store import Store
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import NOON
from reminisce.testing.promises import promise
from reminisce.testing.suite.links import LINKS
from reminisce.testing.writing import ALICE, BOB, next_commit, put, write

PAIR: Final = Link("pair", LinkKind.DERIVATION, (Member("derived", "a"), Member("source", "b")), 1)
SELF: Final = Link("self", LinkKind.CONTRADICTION, (Member("side", "a"), Member("side", "a"), Member("claim", "a")), 1)
DROPPED: Final = (*LINKS, PAIR, SELF)

_SUBJECT: Final = Fence(FenceKind.SUBJECT, "person:1")

WITHDRAWN: Final = tuple(
    Subject(
        "person:1",
        ("friends",) if state is SubjectState.OPEN else (),
        state,
        (
            Withdrawal(3, NOON, "library", None, NOON),
            Withdrawal(2**40, NOON, "anna@example.org", 'a "reason", \u00e9 \U0001f600', None),
        ),
    )
    for state in SubjectState
)

KEYS: Final = tuple(
    SubjectKey(f"{number:032x}", ref, bytes(range(number, number + 32)))
    for number, ref in ((3, "person:1"), (1, "person:\u00e9"), (2, 'p "q",'))
)


def _linked(store: Store, owner: str = ALICE) -> None:
    write(store, owner, *(put(owner, key, 1, ordinal=place) for place, key in enumerate("abcd")))
    write(store, owner, *(PutLink(owner, link) for link in DROPPED))


def _names(store: Store, owner: str, keys: str = "abcd") -> dict[str, set[str]]:
    with store.view() as view:
        return {key: {link.name for link in links} for key, links in view.links(owner, keys).items()}


@promise("links.drop")
@pytest.mark.parametrize("ended", [False, True], ids=["in force", "ended"])
@pytest.mark.parametrize("link", DROPPED, ids=[link.name for link in DROPPED])
def test_a_link_that_is_dropped_is_told_by_nobody(store: Store, link: Link, ended: bool) -> None:
    _linked(store)
    _linked(store, BOB)
    of_bob, before = _names(store, BOB), _names(store, ALICE)
    if ended:
        write(store, ALICE, EndLink(ALICE, link.name, 3, "why"))

    write(store, ALICE, DropLink(ALICE, link.name))

    left = {key: names - {link.name} for key, names in before.items()}
    assert _names(store, ALICE) == {key: names for key, names in left.items() if names}
    assert _names(store, BOB) == of_bob
    with store.view() as view:
        for kind, role in ((LinkKind.DERIVATION, "derived"), (LinkKind.SUPERSESSION, "newer")):
            ties = view.ties(ALICE, ["a"], kind, role)
            expected = {} if link.kind is kind else {"a": [Tie("b", 1, None)]}
            assert {key: list(held) for key, held in ties.items()} == expected


@promise("links.drop", "commit.order")
def test_the_name_of_a_dropped_link_is_as_if_it_had_never_been(store: Store) -> None:
    _linked(store)
    other = Link("pair", LinkKind.ASSOCIATION, (Member("member", "c"), Member("member", "d")), 3)

    write(store, ALICE, DropLink(ALICE, "pair"), PutLink(ALICE, other))

    with store.view() as view:
        assert other in view.links(ALICE, ["c"])["c"]
        assert "pair" not in {link.name for link in view.links(ALICE, ["a"])["a"]}


@promise("links.drop", "commit.conflict", "commit.whole")
@pytest.mark.parametrize("name", ["absent", "of bob", "pair"], ids=["absent", "of another owner", "dropped already"])
def test_a_link_that_is_not_there_cannot_be_dropped(store: Store, name: str) -> None:
    _linked(store)
    write(store, BOB, put(BOB, "a", 1), put(BOB, "b", 1, ordinal=1))
    write(store, BOB, PutLink(BOB, Link("of bob", PAIR.kind, PAIR.members, 2)))
    before = contents_of(store)
    commit = next_commit(store, ALICE, DropLink(ALICE, "pair"), put(ALICE, "e", 3), DropLink(ALICE, name))

    with pytest.raises(ConflictError):
        store.commit(commit)

    assert contents_of(store) == before


@promise("subjects.put", "snapshot.subjects")
@pytest.mark.parametrize("subject", WITHDRAWN, ids=[subject.state for subject in WITHDRAWN])
def test_a_subject_comes_back_with_its_state_and_withdrawals(store: Store, subject: Subject) -> None:
    write(store, ALICE, PutSubject(Subject("person:1", ("friends",))))

    write(store, ALICE, PutSubject(subject))

    with store.view() as view:
        [held] = view.subjects(["person:1"]).values()
    assert held == subject
    assert type(held.state) is SubjectState
    assert all(type(one.opening) is int for one in held.withdrawals)


def _advanced(store: Store, *changes: Change, fence: Fence = _SUBJECT, seen: int = 0, to: int = 7) -> None:
    store.commit(next_commit(store, ALICE, *changes, advances=[Advance(fence, seen, to)]))


@promise("subjects.drop", "snapshot.fences")
def test_a_subject_that_is_dropped_is_gone_with_its_fence(store: Store) -> None:
    other = Fence(FenceKind.SUBJECT, "person:2")
    _advanced(store, PutSubject(WITHDRAWN[3]))
    _advanced(store, PutSubject(Subject("person:2")), fence=other)

    write(store, ALICE, DropSubject("person:1"))

    with store.view() as view:
        assert view.subjects(["person:1", "person:2"]) == {"person:2": Subject("person:2")}
        assert view.fences([_SUBJECT, other]) == {_SUBJECT: 0, other: 7}


@promise("subjects.drop")
def test_a_subject_that_is_dropped_loses_the_fence_that_the_same_commit_claims(store: Store) -> None:
    _advanced(store, PutSubject(WITHDRAWN[3]))

    _advanced(store, DropSubject("person:1"), seen=7, to=8)

    with store.view() as view:
        assert view.fences([_SUBJECT]) == {_SUBJECT: 0}
        assert dict(view.subjects(["person:1"])) == {}


@promise("subjects.drop")
def test_dropping_a_subject_that_is_not_there_changes_nothing(store: Store) -> None:
    _advanced(store, PutSubject(WITHDRAWN[3]))

    write(store, ALICE, DropSubject("person:9"))

    with store.view() as view:
        assert view.subjects(["person:1"]) == {"person:1": WITHDRAWN[3]}


@promise("subjects.drop", "commit.order")
def test_a_subject_may_be_made_anew_when_it_was_dropped(store: Store) -> None:
    _advanced(store, PutSubject(WITHDRAWN[3]))
    write(store, ALICE, DropSubject("person:1"))

    _advanced(store, PutSubject(Subject("person:1", ("work",))), to=9)

    with store.view() as view:
        assert view.subjects(["person:1"]) == {"person:1": Subject("person:1", ("work",))}
        assert view.fences([_SUBJECT]) == {_SUBJECT: 9}


def _keyed(store: Store) -> None:
    write(store, ALICE, *map(PutSubjectKey, KEYS))


@promise("keys.put", "snapshot.subject-keys", "snapshot.keyring")
def test_keys_come_back_by_subject_and_all_of_them_by_id(store: Store) -> None:
    _keyed(store)

    with store.view() as view:
        held = view.subject_keys([*(key.ref for key in KEYS), "person:9"])
        there, destroyed = view.keyring()
    assert held == {key.ref: key for key in KEYS}
    assert all(type(key.key) is bytes for key in held.values())
    assert (list(there), list(destroyed)) == (sorted(KEYS, key=lambda key: key.id), [])


@promise("keys.destroy", "snapshot.keyring", "snapshot.subject-keys")
def test_of_a_destroyed_key_the_id_is_left(store: Store) -> None:
    _keyed(store)

    write(store, ALICE, DestroyKey("person:1"), DestroyKey("person:\u00e9"))

    with store.view() as view:
        assert view.subject_keys([key.ref for key in KEYS]) == {KEYS[2].ref: KEYS[2]}
        there, destroyed = view.keyring()
    assert (list(there), list(destroyed)) == ([KEYS[2]], [KEYS[1].id, KEYS[0].id])


@promise("keys.destroy")
def test_destroying_a_key_that_is_not_there_changes_nothing(store: Store) -> None:
    _keyed(store)
    write(store, ALICE, DestroyKey("person:1"))

    write(store, ALICE, DestroyKey("person:1"), DestroyKey("person:9"))

    with store.view() as view:
        there, destroyed = view.keyring()
    assert (len(there), list(destroyed)) == (2, [KEYS[0].id])


@promise("keys.put", "keys.destroy", "commit.order")
def test_a_subject_may_have_a_new_key_when_the_old_one_is_destroyed(store: Store) -> None:
    _keyed(store)
    new = SubjectKey("f" * 32, "person:1", bytes(32))

    write(store, ALICE, DestroyKey("person:1"), PutSubjectKey(new))

    with store.view() as view:
        assert view.subject_keys(["person:1"]) == {"person:1": new}
        assert list(view.keyring()[1]) == [KEYS[0].id]


@promise("keys.put", "commit.conflict", "commit.whole")
@pytest.mark.parametrize(
    ("name", "ref"),
    [("f" * 32, "person:1"), (KEYS[0].id, "person:9"), (KEYS[1].id, "person:9"), (KEYS[1].id, "person:\u00e9")],
    ids=["second key", "id of another", "id destroyed", "destroyed and its own"],
)
def test_a_key_needs_a_subject_without_one_and_an_id_of_its_own(store: Store, name: str, ref: str) -> None:
    _keyed(store)
    write(store, ALICE, DestroyKey("person:\u00e9"))
    before = contents_of(store, refs=[key.ref for key in KEYS])
    commit = next_commit(store, ALICE, put(ALICE, "k", 3), PutSubjectKey(SubjectKey(name, ref, bytes(32))))

    with pytest.raises(ConflictError):
        store.commit(commit)

    assert contents_of(store, refs=[key.ref for key in KEYS]) == before
