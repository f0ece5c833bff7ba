"""Subjects, and the memories about them."""

from itertools import pairwise

import pytest

from reminisce.domain.changes import Fence, FenceKind, PutSubject
from reminisce.domain.records import Subject
from reminisce.errors import ConflictError
from reminisce.ports.store import Store
from reminisce.testing.promises import promise
from reminisce.testing.writing import ALICE, BOB, consent, consent_change, next_commit, put, remember, write

LONG = 1_250
"""Longer than two of the chunks that any store of ours reads at once."""

_PERSON = Fence(FenceKind.SUBJECT, "person:1")


@promise("snapshot.subjects")
def test_a_subject_comes_back_as_it_was_put(store: Store) -> None:
    subjects = [Subject("person:1", ("friends", "work")), Subject("person:\u00e9", ()), Subject("p", ('a "b"', "c,d"))]
    write(store, ALICE, *map(PutSubject, subjects))

    with store.view() as view:
        assert view.subjects([*(subject.ref for subject in subjects), "other"]) == {s.ref: s for s in subjects}


@promise("snapshot.all-subjects")
def test_every_subject_is_told_by_the_bytes_of_its_reference(store: Store) -> None:
    refs = ["B", "a", "\u00e9", "\uffee", "\U0001f600", *(f"person:{number:04}" for number in range(LONG))]
    write(store, ALICE, *(PutSubject(Subject(ref, ("work",))) for ref in refs))

    with store.view() as view:
        assert list(view.all_subjects()) == [Subject(ref, ("work",)) for ref in sorted(refs)]


@promise("subjects.put")
def test_putting_a_subject_again_replaces_it(store: Store) -> None:
    write(store, ALICE, PutSubject(Subject("person:1", ("friends",))), PutSubject(Subject("other", ("friends",))))

    write(store, BOB, PutSubject(Subject("person:1", ("work",))))

    with store.view() as view:
        assert view.subjects(["person:1", "other"]) == {
            "person:1": Subject("person:1", ("work",)),
            "other": Subject("other", ("friends",)),
        }


@promise("snapshot.about")
def test_memories_about_a_subject_are_told_by_owner_and_key(store: Store) -> None:
    # By the bytes of UTF-8: B before a before é, and what UTF-16 would put before U+FFEE comes after it.
    expected = [
        (owner, key) for owner in ("agent:B", ALICE, BOB) for key in ("B", "a", "\u00e9", "\uffee", "\U0001f600")
    ]
    for owner, key in reversed(expected):
        remember(store, owner, f"words {key}", key=key, subjects=["person:1"])
    remember(store, ALICE, "of another", subjects=["person:2"])

    with store.view() as view:
        assert list(view.about("person:1", limit=100)) == expected


@promise("snapshot.about")
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_pages_of_memories_about_a_subject_have_no_seams(store: Store, limit: int) -> None:
    expected = [(owner, f"k{number}") for owner in (ALICE, BOB) for number in range(3)]
    for owner, key in expected:
        remember(store, owner, f"words {key}", key=key, subjects=["person:1"])

    with store.view() as view:
        pages: list[list[tuple[str, str]]] = [list(view.about("person:1", limit=limit))]
        while pages[-1] and len(pages) <= len(expected):
            pages.append(list(view.about("person:1", after=pages[-1][-1], limit=limit)))

    assert [pair for page in pages for pair in page] == expected
    assert all(len(page) <= limit for page in pages)


@promise("snapshot.about")
def test_a_page_may_begin_after_a_memory_that_is_not_there(store: Store) -> None:
    for key in ("a", "c"):
        remember(store, BOB, f"words {key}", key=key, subjects=["person:1"])

    with store.view() as view:
        assert list(view.about("person:1", after=(BOB, "b"), limit=9)) == [(BOB, "c")]
        assert list(view.about("person:1", after=(ALICE, "z"), limit=9)) == [(BOB, "a"), (BOB, "c")]
        assert list(view.about("person:1", after=("agent:z", ""), limit=9)) == []


@promise("fences.exclusive")
def test_a_first_mention_makes_the_subject_with_an_epoch(store: Store) -> None:
    remember(store, ALICE, "something", subjects=["person:1"])

    with store.view() as view:
        assert view.subjects(["person:1"]) == {"person:1": Subject("person:1")}
        assert view.fences([_PERSON])[_PERSON] > 0


@promise("fences.exclusive")
def test_a_write_about_a_person_planned_before_a_consent_moved_loses(store: Store) -> None:
    remember(store, ALICE, "something", subjects=["person:1"])
    with store.view() as view:
        seen = view.fences([_PERSON])[_PERSON]
    planned = next_commit(store, ALICE, put(ALICE, "late", 2, subjects=["person:1"]), requires=[(_PERSON, seen)])
    consent(store, "person:1", "friends")

    with pytest.raises(ConflictError):
        store.commit(planned)

    with store.view() as view:
        assert [key for _, key in view.about("person:1", limit=9)] != ["late"]
        assert dict(view.memories(ALICE, ["late"])) == {}


@promise("fences.exclusive")
def test_writers_about_one_person_do_not_stop_one_another(store: Store) -> None:
    consent(store, "person:1", "friends")
    with store.view() as view:
        seen = view.fences([_PERSON])[_PERSON]
    commits = [
        next_commit(store, owner, put(owner, "k", 1, subjects=["person:1"]), requires=[(_PERSON, seen)])
        for owner in (ALICE, BOB)
    ]

    for commit in commits:
        store.commit(commit)

    with store.view() as view:
        assert list(view.about("person:1", limit=9)) == [(ALICE, "k"), (BOB, "k")]


@promise("fences.exclusive")
def test_of_two_consents_planned_at_once_the_second_loses(store: Store) -> None:
    first, second = (consent_change(store, "person:1", audience) for audience in ("friends", "work"))
    store.commit(first)

    with pytest.raises(ConflictError):
        store.commit(second)

    with store.view() as view:
        assert view.subjects(["person:1"]) == {"person:1": Subject("person:1", ("friends",))}


@promise("fences.exclusive")
def test_every_consent_moves_the_subject_and_the_stores_number_of_consents(store: Store) -> None:
    fences = [_PERSON, Fence(FenceKind.CONSENTS)]
    seen = []
    for audiences in ((), ("friends",), ("work",), ()):
        consent(store, "person:1", *audiences)
        with store.view() as view:
            standing = view.fences(fences)
        seen.append([standing[fence] for fence in fences])

    assert all(one < two for before, after in pairwise(seen) for one, two in zip(before, after, strict=True))
