"""The process's standard streams: UTF-8 both ways, whatever the locale says."""

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO, TextIO, cast

from reminisce.domain.limits import BYTES
from reminisce.errors import InvalidError

__all__ = ["content_of", "give_up", "path_of", "standard_input", "text_of", "utf8_streams"]


def _utf8(stream: TextIO | None) -> TextIO | None:
    buffer = getattr(stream, "buffer", None)
    if stream is None or buffer is None:
        return stream
    # Escapes what no UTF-8 can carry, such as a stray byte in a path; in JSON that very escape means the same character.
    return io.TextIOWrapper(buffer, "utf-8", "backslashreplace", line_buffering=stream.isatty())


@contextlib.contextmanager
def utf8_streams() -> Iterator[None]:
    """
    Let everything that is printed within leave as UTF-8, then give the streams back as they were.

    Raises:
        BrokenPipeError: Nobody reads them any more.
    """
    kept = sys.stdout, sys.stderr
    for stream in kept:
        if stream is not None:
            stream.flush()
    ours = [_utf8(stream) for stream in kept]
    sys.stdout, sys.stderr = cast("list[TextIO]", ours)
    try:
        yield
        for stream in ours:
            if stream is not None:
                stream.flush()
    finally:
        sys.stdout, sys.stderr = kept
        for mine, stream in zip(ours, kept, strict=True):
            if isinstance(mine, io.TextIOWrapper) and mine is not stream:
                # Detaching flushes first, and an error of that was met above or hides a better one.
                with contextlib.suppress(OSError, ValueError):
                    mine.detach()


def give_up() -> None:
    """Send what is still buffered for a reader that left to nowhere, or the interpreter complains at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (AttributeError, OSError, ValueError):
                with contextlib.suppress(AttributeError, OSError, ValueError):
                    os.dup2(null, stream.fileno())
    finally:
        os.close(null)


def text_of(word: str) -> str:
    """
    A word of the command line or the environment as UTF-8, where the locale was too small to read it so.

    What is no UTF-8 either stays as it is: the library refuses it, by the name of its field.
    """
    try:
        return word.encode("utf-8", "surrogateescape").decode()
    except UnicodeError:
        return word


def path_of(word: str) -> str:
    """The path that such a word names: the same bytes, as this process writes paths."""
    try:
        return os.fsdecode(word.encode("utf-8", "surrogateescape"))
    except UnicodeError:
        return word


def standard_input(field: str) -> BinaryIO:
    """
    The bytes of standard input.

    Raises:
        InvalidError: There is none; names *field*.
    """
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        raise InvalidError.of(field, "no_input", "is read from standard input, which is closed")
    return cast("BinaryIO", buffer)


def content_of(file: BinaryIO, *, ended: bool) -> str:
    """
    A memory's text from a file.

    Args:
        ended: Take off its last line end, where it has one.

    Raises:
        InvalidError: It is no UTF-8, or longer than any memory.
    """
    most = BYTES["content"]
    data = file.read(most + len("\r\n") + 1)
    if ended and data.endswith(b"\n"):
        data = data.removesuffix(b"\n").removesuffix(b"\r")
    if len(data) > most:
        raise InvalidError.of("content", "too_large", f"must be at most {most} bytes of UTF-8")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidError.of("content", "not_utf8", "must be UTF-8") from None
