"""Links: whatever they hold, of which kinds they are, how they end, and what they tie to what."""

import itertools
from typing import Final

import pytest

from reminisce.domain.changes import Change, EndLink, PutLink
from reminisce.domain.records import Link, LinkKind, Member, Tie
from reminisce.errors import ConflictError
from reminisce.ports.store import Store
from reminisce.testing.contents import contents_of
from reminisce.testing.promises import promise
from reminisce.testing.suite.values import AWKWARD
from reminisce.testing.writing import ALICE, BOB, next_commit, put, write


def _pair(name: str, newer: str, older: str, since: int = 1, kind: LinkKind = LinkKind.SUPERSESSION) -> Link:
    return Link(name, kind, (Member("newer", newer), Member("older", older)), since)


LONG: Final = 1_250
"""Longer than two of the chunks that any store of ours reads at once."""

ASSOCIATION: Final = Link(
    "of three",
    LinkKind.ASSOCIATION,
    (Member("member", "a"), Member("member", "b"), Member("member", "c")),
    1,
    label="same trip",
    facets=(("place", "Riga"), ("place", "R\u012bga"), ("with", "nobody")),
)
CONTRADICTION: Final = Link(
    "of two sides",
    LinkKind.CONTRADICTION,
    (Member("side", "a"), Member("side", "b"), Member("claim", "c")),
    1,
    reason="both cannot be",
)
PAIR: Final = _pair("of two", "a", "b")
LINKS: Final = (ASSOCIATION, PAIR, CONTRADICTION)


def _fill(store: Store, *links: Link) -> None:
    write(store, ALICE, *(put(ALICE, key, 1, ordinal=place) for place, key in enumerate("abcd")))
    write(store, ALICE, *(PutLink(ALICE, link) for link in links))


def _links(store: Store, key: str, owner: str = ALICE) -> list[Link]:
    with store.view() as view:
        return list(view.links(owner, [key]).get(key, ()))


def _ended(link: Link, until: int, resolution: str | None) -> Link:
    return Link(link.name, link.kind, link.members, link.since, until, link.label, link.facets, link.reason, resolution)


@promise("snapshot.links")
@pytest.mark.parametrize("link", LINKS, ids=[link.name for link in LINKS])
def test_a_link_comes_back_to_each_of_its_members_as_it_was_put(store: Store, link: Link) -> None:
    _fill(store, link)

    with store.view() as view:
        found = view.links(ALICE, "abcd")

    assert {key: list(links) for key, links in found.items()} == {member.key: [link] for member in link.members}
    assert all(type(held.kind) is LinkKind for links in found.values() for held in links)


@promise("snapshot.links", "links.end")
@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_any_text_of_a_link_comes_back_character_by_character(store: Store, text: str) -> None:
    link = Link(
        text,
        LinkKind.ASSOCIATION,
        (Member(text, "a"), Member("member", "b")),
        1,
        label=text,
        facets=((text, text), ("z", text)),
        reason=text,
    )
    _fill(store, link)
    assert _links(store, "a") == [link]

    write(store, ALICE, EndLink(ALICE, text, 3, text))

    assert _links(store, "a") == _links(store, "b") == [_ended(link, 3, text)]


@promise("snapshot.links")
def test_a_link_of_a_memory_with_itself_is_told_once(store: Store) -> None:
    link = Link("self", LinkKind.CONTRADICTION, (Member("side", "a"), Member("side", "a"), Member("claim", "a")), 1)
    _fill(store, link)

    assert _links(store, "a") == [link]


@promise("snapshot.links")
def test_links_of_the_kinds_asked_for_only_are_told(store: Store) -> None:
    _fill(store, *LINKS)

    with store.view() as view:
        by_kind = {kind: view.links(ALICE, ["a", "d"], kinds=[kind]) for kind in LinkKind}
        several = view.links(ALICE, ["a"], kinds=[LinkKind.CONTRADICTION, LinkKind.SUPERSESSION])
        none = view.links(ALICE, ["a"], kinds=[])

    assert {kind: list(links["a"]) for kind, links in by_kind.items() if links} == {link.kind: [link] for link in LINKS}
    assert all(set(links) <= {"a"} for links in by_kind.values())
    assert [link.name for link in several["a"]] == ["of two", "of two sides"]
    assert dict(none) == {}


@promise("links.end")
@pytest.mark.parametrize("resolution", [None, "it was the other Riga"])
def test_a_link_that_is_ended_stays_and_says_when_and_why(store: Store, resolution: str | None) -> None:
    _fill(store, *LINKS)

    write(store, ALICE, EndLink(ALICE, "of two sides", 3, resolution))

    ended = _ended(CONTRADICTION, 3, resolution)
    assert _links(store, "a") == [PAIR, ASSOCIATION, ended] or _links(store, "a") == [ASSOCIATION, PAIR, ended]
    assert _links(store, "b") == _links(store, "a")
    assert _links(store, "c") == [ASSOCIATION, ended]


@promise("links.end")
def test_ending_a_link_touches_no_namesake_of_another_owner(store: Store) -> None:
    _fill(store, PAIR)
    write(store, BOB, put(BOB, "a", 1), put(BOB, "b", 1, ordinal=1), PutLink(BOB, PAIR))

    write(store, ALICE, EndLink(ALICE, "of two", 3))

    assert _links(store, "a", BOB) == [PAIR]
    with store.view() as view:
        ties = {owner: view.ties(owner, ["a"], LinkKind.SUPERSESSION, "newer") for owner in (ALICE, BOB)}
    assert {owner: list(found["a"]) for owner, found in ties.items()} == {
        ALICE: [Tie("b", 1, 3)],
        BOB: [Tie("b", 1, None)],
    }


@promise("links.end", "commit.conflict", "commit.whole")
@pytest.mark.parametrize("name", ["unknown", "ended already", "of bob"])
def test_a_link_that_is_not_in_force_cannot_be_ended(store: Store, name: str) -> None:
    _fill(store, PAIR, _pair("ended already", "b", "c"))
    write(store, BOB, put(BOB, "a", 1), put(BOB, "b", 1, ordinal=1), PutLink(BOB, _pair("of bob", "a", "b")))
    write(store, ALICE, EndLink(ALICE, "ended already", 3, "why"))
    before = contents_of(store)
    commit = next_commit(
        store, ALICE, EndLink(ALICE, "of two", 4), EndLink(ALICE, name, 4, "again"), put(ALICE, "e", 4)
    )

    with pytest.raises(ConflictError):
        store.commit(commit)

    assert contents_of(store) == before


@promise("links.end", "commit.order")
def test_one_commit_may_put_a_link_and_end_it_but_not_twice(store: Store) -> None:
    _fill(store)
    changes: list[Change] = [PutLink(ALICE, PAIR), EndLink(ALICE, "of two", 3, "at once")]

    with pytest.raises(ConflictError):
        store.commit(next_commit(store, ALICE, *changes, EndLink(ALICE, "of two", 3, "again")))
    assert _links(store, "a") == []
    write(store, ALICE, *changes)

    assert _links(store, "a") == _links(store, "b") == [_ended(PAIR, 3, "at once")]


@promise("links.end", "commit.conflict")
def test_the_name_of_a_link_that_is_ended_is_not_free_again(store: Store) -> None:
    _fill(store, PAIR)
    write(store, ALICE, EndLink(ALICE, "of two", 3))

    with pytest.raises(ConflictError):
        write(store, ALICE, PutLink(ALICE, _pair("of two", "c", "d", 4)))

    assert _links(store, "a") == [_ended(PAIR, 3, None)]
    assert _links(store, "c") == []


@promise("snapshot.ties")
def test_ties_lead_from_each_end_to_the_other(store: Store) -> None:
    _fill(store, _pair("one", "c", "b", 1), _pair("two", "c", "a", 2), _pair("three", "d", "a", 2))

    with store.view() as view:
        newer = view.ties(ALICE, "abcd", LinkKind.SUPERSESSION, "newer")
        older = view.ties(ALICE, "abcd", LinkKind.SUPERSESSION, "older")

    # By the key at the far end, whenever the links were made.
    assert {key: list(ties) for key, ties in newer.items()} == {
        "c": [Tie("a", 2, None), Tie("b", 1, None)],
        "d": [Tie("a", 2, None)],
    }
    assert {key: list(ties) for key, ties in older.items()} == {
        "a": [Tie("c", 2, None), Tie("d", 2, None)],
        "b": [Tie("c", 1, None)],
    }


@promise("snapshot.ties")
def test_ties_are_told_for_their_kind_and_role_only(store: Store) -> None:
    _fill(store, PAIR, _pair("succession", "a", "c", 2, LinkKind.SUCCESSION))

    with store.view() as view:
        assert list(view.ties(ALICE, ["a"], LinkKind.SUPERSESSION, "newer")["a"]) == [Tie("b", 1, None)]
        assert list(view.ties(ALICE, ["a"], LinkKind.SUCCESSION, "newer")["a"]) == [Tie("c", 2, None)]
        assert dict(view.ties(ALICE, ["a"], LinkKind.DERIVATION, "newer")) == {}
        assert dict(view.ties(ALICE, ["a"], LinkKind.SUPERSESSION, "older")) == {}
        assert dict(view.ties(ALICE, ["a"], LinkKind.SUPERSESSION, "source")) == {}
        assert dict(view.ties(BOB, ["a"], LinkKind.SUPERSESSION, "newer")) == {}


@promise("snapshot.ties", "links.end")
def test_ties_of_a_link_that_is_ended_say_until_when_it_held(store: Store) -> None:
    _fill(store, PAIR, _pair("other", "a", "c", 2))

    write(store, ALICE, EndLink(ALICE, "of two", 3, "why"))

    with store.view() as view:
        assert list(view.ties(ALICE, ["a"], LinkKind.SUPERSESSION, "newer")["a"]) == [
            Tie("b", 1, 3),
            Tie("c", 2, None),
        ]
        assert list(view.ties(ALICE, ["b"], LinkKind.SUPERSESSION, "older")["b"]) == [Tie("a", 1, 3)]


@promise("snapshot.ties")
def test_links_of_more_than_two_or_of_one_role_tie_nothing(store: Store) -> None:
    two = Link("of two members", LinkKind.ASSOCIATION, (Member("member", "a"), Member("member", "b")), 1)
    three = Link(
        "of three roles", LinkKind.DERIVATION, (Member("derived", "a"), Member("source", "b"), Member("source", "c")), 1
    )
    _fill(store, *LINKS, two, three)

    with store.view() as view:
        found = {
            (kind, role): view.ties(ALICE, "abcd", kind, role)
            for kind in LinkKind
            for role in ("member", "side", "claim", "derived", "source", "newer", "older")
        }

    assert {place: {key: list(held) for key, held in ties.items()} for place, ties in found.items() if ties} == {
        (LinkKind.SUPERSESSION, "newer"): {"a": [Tie("b", 1, None)]},
        (LinkKind.SUPERSESSION, "older"): {"b": [Tie("a", 1, None)]},
    }


@promise("snapshot.all-links")
def test_every_link_of_an_owner_is_told_by_the_bytes_of_its_name(store: Store) -> None:
    names = ["B", "a", "\u00e9", "\uffee", "\U0001f600", *(f"link {number:04}" for number in range(LONG))]
    links = {
        name: _pair(name, "a", "b", kind=kind) for name, kind in zip(names, itertools.cycle(LinkKind), strict=False)
    }
    _fill(store, *links.values())
    write(
        store,
        BOB,
        *(put(BOB, key, 1, ordinal=place) for place, key in enumerate("ab")),
        PutLink(BOB, _pair("B", "a", "b")),
    )
    write(store, ALICE, EndLink(ALICE, "B", 3, "why not"))

    with store.view() as view:
        held = list(view.all_links(ALICE))

    assert held == [links[name] if name != "B" else _ended(links[name], 3, "why not") for name in sorted(names)]
