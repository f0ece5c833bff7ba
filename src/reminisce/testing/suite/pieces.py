"""Saved pieces of an owner's index: opaque bytes under numbers."""

from typing import Final

from reminisce.domain.changes import Change, Commit, DropPieces, PutPiece
from reminisce.domain.records import Piece
from reminisce.ports.store import Store
from reminisce.testing.promises import promise
from reminisce.testing.writing import ALICE, BOB, fresh_id, remember

PIECES: Final = (Piece(2, 5, bytes(range(256)) * 64), Piece(10, 9, b""), Piece(11, 7, b"\0"))


def _do(store: Store, *changes: Change) -> None:
    # Pieces leave the owner's revision alone, so that recalling never waits for saving.
    store.commit(Commit(id=fresh_id(), changes=changes))


def _save(store: Store) -> None:
    remember(store, ALICE, "of alice")
    remember(store, BOB, "of bob")
    _do(store, *(PutPiece(ALICE, piece) for piece in reversed(PIECES)), PutPiece(BOB, Piece(2, 1, b"of bob")))


@promise("snapshot.pieces")
def test_pieces_come_back_by_number(store: Store) -> None:
    _save(store)

    with store.view() as view:
        assert tuple(view.pieces(ALICE)) == PIECES
        assert tuple(view.pieces(BOB)) == (Piece(2, 1, b"of bob"),)


@promise("snapshot.covered")
def test_what_is_covered_is_the_furthest_that_a_piece_reaches(store: Store) -> None:
    _save(store)

    with store.view() as view:
        assert [view.covered(owner) for owner in (ALICE, BOB, "agent:nobody")] == [9, 1, 0]


@promise("pieces.drop")
def test_pieces_are_dropped_by_number(store: Store) -> None:
    _save(store)

    _do(store, DropPieces(ALICE, (10, 2, 99)))

    with store.view() as view:
        assert tuple(view.pieces(ALICE)) == PIECES[2:]
        assert view.covered(ALICE) == 7
        assert len(view.pieces(BOB)) == 1


@promise("pieces.drop")
def test_all_pieces_of_one_owner_are_dropped(store: Store) -> None:
    _save(store)

    _do(store, DropPieces(ALICE))

    with store.view() as view:
        assert tuple(view.pieces(ALICE)) == ()
        assert view.covered(ALICE) == 0
        assert len(view.pieces(BOB)) == 1


@promise("pieces.drop")
def test_dropping_no_numbers_drops_nothing(store: Store) -> None:
    _save(store)

    _do(store, DropPieces(ALICE, ()))

    with store.view() as view:
        assert tuple(view.pieces(ALICE)) == PIECES


@promise("pieces.drop", "commit.order")
def test_a_piece_may_take_the_number_of_one_dropped_before_it(store: Store) -> None:
    _save(store)

    merged = Piece(2, 9, b"merged")

    _do(store, DropPieces(ALICE, (2, 10, 11)), PutPiece(ALICE, merged))

    with store.view() as view:
        assert tuple(view.pieces(ALICE)) == (merged,)


@promise("pieces.drop", "commit.order")
def test_dropping_all_reaches_what_the_same_commit_put_before_it(store: Store) -> None:
    _save(store)

    last = Piece(13, 9, b"after")

    _do(store, PutPiece(ALICE, Piece(12, 9, b"before")), DropPieces(ALICE), PutPiece(ALICE, last))

    with store.view() as view:
        assert tuple(view.pieces(ALICE)) == (last,)
