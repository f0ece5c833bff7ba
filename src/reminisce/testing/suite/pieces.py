"""Saved pieces of an owner's index: opaque bytes under numbers."""

from typing import Final

import pytest

from reminisce.domain.changes import Change, Commit, DropPieces, PutPiece
from reminisce.domain.records import Piece
from reminisce.ports.store import Store
from reminisce.testing.promises import promise
from reminisce.testing.writing import ALICE, BOB, fresh_id, remember

PIECES: Final = (Piece(2, 5, bytes(range(256)) * 64), Piece(10, 9, b""), Piece(11, 7, b"\0"))


def _do(store: Store, *changes: Change) -> None:
    # Pieces leave the owner's revision alone, so that recalling never waits for saving.
    store.commit(Commit(id=fresh_id(), changes=changes))


@pytest.fixture
def saved(store: Store) -> Store:
    """A store in which two owners have pieces."""
    remember(store, ALICE, "of alice")
    remember(store, BOB, "of bob")
    _do(store, *(PutPiece(ALICE, piece) for piece in reversed(PIECES)), PutPiece(BOB, Piece(2, 1, b"of bob")))
    return store


@promise("snapshot.pieces")
def test_pieces_come_back_by_number(saved: Store) -> None:
    with saved.view() as view:
        assert tuple(view.pieces(ALICE)) == PIECES
        assert tuple(view.pieces(BOB)) == (Piece(2, 1, b"of bob"),)


@promise("snapshot.covered")
def test_what_is_covered_is_the_furthest_that_a_piece_reaches(saved: Store) -> None:
    with saved.view() as view:
        assert [view.covered(owner) for owner in (ALICE, BOB, "agent:nobody")] == [9, 1, 0]


@promise("pieces.drop")
def test_pieces_are_dropped_by_number(saved: Store) -> None:
    _do(saved, DropPieces(ALICE, (10, 2, 99)))

    with saved.view() as view:
        assert tuple(view.pieces(ALICE)) == PIECES[2:]
        assert view.covered(ALICE) == 7
        assert len(view.pieces(BOB)) == 1


@promise("pieces.drop")
def test_all_pieces_of_one_owner_are_dropped(saved: Store) -> None:
    _do(saved, DropPieces(ALICE))

    with saved.view() as view:
        assert tuple(view.pieces(ALICE)) == ()
        assert view.covered(ALICE) == 0
        assert len(view.pieces(BOB)) == 1


@promise("pieces.drop")
def test_dropping_no_numbers_drops_nothing(saved: Store) -> None:
    _do(saved, DropPieces(ALICE, ()))

    with saved.view() as view:
        assert tuple(view.pieces(ALICE)) == PIECES


@promise("pieces.drop", "commit.order")
def test_a_piece_may_take_the_number_of_one_dropped_before_it(saved: Store) -> None:
    merged = Piece(2, 9, b"merged")

    _do(saved, DropPieces(ALICE, (2, 10, 11)), PutPiece(ALICE, merged))

    with saved.view() as view:
        assert tuple(view.pieces(ALICE)) == (merged,)


@promise("pieces.drop", "commit.order")
def test_dropping_all_reaches_what_the_same_commit_put_before_it(saved: Store) -> None:
    last = Piece(13, 9, b"after")

    _do(saved, PutPiece(ALICE, Piece(12, 9, b"before")), DropPieces(ALICE), PutPiece(ALICE, last))

    with saved.view() as view:
        assert tuple(view.pieces(ALICE)) == (last,)
