"""Bytes into lines, whatever pieces they arrive in, without ever holding a line that is too long."""

from collections.abc import Iterator

from attrs import define, field

MAX_LINE = 1024 * 1024
"""
Bytes of one line, its ending not counted. Our choice (spec §10): sixteen times the largest content a memory may have,
so that no call within the limits of the schemas comes near it, even with every character escaped.
"""


@define(eq=False)
class LineSplitter:
    """
    Cuts a stream of bytes at its newlines. `\\r\\n` counts as `\\n`; a lone `\\r` does not end a line.

    A line is bytes without its ending, maybe empty. A line over `MAX_LINE` comes out as None, once, as soon as it is
    known to be too long; the rest of it is dropped as it arrives. Between two pieces at most `MAX_LINE + 1` bytes
    are held.
    """

    _held: bytearray = field(factory=bytearray, init=False)
    _dropping: bool = field(default=False, init=False)

    def feed(self, piece: bytes) -> Iterator[bytes | None]:
        """The lines that *piece* completes, in order, with a None for each that grew too long. Read it to its end."""
        *ends, rest = piece.split(b"\n")
        for end in ends:
            yield from self._hold(end)
            if not self._dropping:
                yield self._take()
            self._dropping = False
        yield from self._hold(rest)

    def finish(self) -> Iterator[bytes]:
        """The line that the end of input leaves without a newline, if there is one."""
        if self._held:
            yield self._take()

    def _hold(self, part: bytes) -> Iterator[None]:
        if self._dropping:
            return
        self._held += part
        # A carriage return at the limit may belong to the ending; only the next byte can tell.
        if len(self._held) - self._held.endswith(b"\r") > MAX_LINE:
            self._held.clear()
            self._dropping = True
            yield None

    def _take(self) -> bytes:
        line = bytes(self._held).removesuffix(b"\r")
        self._held.clear()
        return line
