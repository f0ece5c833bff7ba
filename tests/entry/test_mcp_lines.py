"""Cutting bytes into lines."""

from hypothesis import given
from hypothesis import strategies as st

from reminisce.app.mcp.lines import MAX_LINE, LineSplitter

PIECES = st.lists(st.binary(max_size=12) | st.sampled_from([b"\n", b"\r", b"\r\n", b"{}"]), max_size=20)


def lines_of(*pieces: bytes) -> list[bytes | None]:
    splitter = LineSplitter()
    return [line for piece in pieces for line in splitter.feed(piece)] + list(splitter.finish())


@given(PIECES)
def test_how_the_bytes_are_cut_into_pieces_changes_nothing(pieces: list[bytes]) -> None:
    assert lines_of(*pieces) == lines_of(b"".join(pieces))


@given(st.lists(st.binary().map(lambda line: line.replace(b"\n", b"").removesuffix(b"\r"))))
def test_lines_come_back_as_they_were_joined(lines: list[bytes]) -> None:
    assert lines_of(b"".join(line + b"\n" for line in lines)) == lines
    assert lines_of(b"".join(line + b"\r\n" for line in lines)) == lines


def test_a_last_line_needs_no_newline() -> None:
    assert lines_of(b"a\nb") == [b"a", b"b"]
    assert lines_of(b"a\n") == [b"a"]


def test_a_lone_carriage_return_ends_nothing() -> None:
    assert lines_of(b"a\rb\n") == [b"a\rb"]


def test_the_longest_line_is_kept_whichever_way_it_ends() -> None:
    longest = b"x" * MAX_LINE

    assert lines_of(longest + b"\n") == [longest]
    assert lines_of(longest + b"\r", b"\n") == [longest]
    assert lines_of(longest) == [longest]


def test_one_byte_more_is_too_long() -> None:
    longest = b"x" * MAX_LINE

    assert lines_of(longest + b"x\nnext\n") == [None, b"next"]
    assert lines_of(longest + b"\r", b"\r\n") == [None]


def test_a_line_is_too_long_before_its_end_is_seen() -> None:
    splitter = LineSplitter()

    assert list(splitter.feed(b"x" * (MAX_LINE + 1))) == [None]
    assert list(splitter.feed(b"x" * MAX_LINE)) == []
    assert list(splitter.feed(b"\nnext\n")) == [b"next"]
