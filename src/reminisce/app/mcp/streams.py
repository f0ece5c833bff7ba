"""The process's standard streams, taken for the protocol so that nothing else can write into it."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from attrs import frozen

_FIRST_PRIVATE = 3
"""Lowest number of a private descriptor. 0 to 2 are free when a process is started without them, but never ours."""


@frozen
class Wire:
    """Two descriptors that belong to the protocol alone; children of the process do not inherit them."""

    stdin: int
    stdout: int


@contextmanager
def private_wire(
    stdin_fd: int = 0, stdout_fd: int = 1, stderr_fd: int = 2, *, give_back: bool = True
) -> Iterator[Wire]:
    """
    Move a client's streams to private descriptors for as long as the context lasts.

    Meanwhile *stdin_fd* reads as empty, and what is written to *stdout_fd* goes to *stderr_fd*, by whatever means:
    print, a logging handler made long ago, C code, a child process. So does text that was still buffered for
    *stdout_fd* when the context began. If *stderr_fd* is closed, it goes nowhere.

    Args:
        give_back:
            Whether the streams are as before when the context ends. A host wants that. Our own command does not: its
            exit handlers run later, and their words must not reach the client either.

    Yields:
        The private descriptors. In place of a *stdin_fd* that is closed, one that refuses to be read.

    Raises:
        OSError: If *stdout_fd* is closed.
    """
    wire_out = _duplicate(stdout_fd)
    with_input = _is_open(stdin_fd)
    wire_in = _duplicate(stdin_fd) if with_input else _open_null(os.O_WRONLY)
    _divert(stdin_fd, stdout_fd, stderr_fd)
    printed = sys.stdout
    swapped = _leads_to(printed, stdout_fd)
    if swapped:
        _flush(printed)
        # The descriptor alone would do for the client. But stderr escapes what it cannot encode, where a print to
        # stdout raises in a small locale, and it does not sit on its lines until the end.
        sys.stdout = sys.stderr
    try:
        yield Wire(wire_in, wire_out)
    finally:
        if give_back:
            if swapped:
                sys.stdout = printed
                _flush(printed)
            _flush_c()
            _move(wire_out, stdout_fd)
            if with_input:
                _move(wire_in, stdin_fd)
            else:
                os.close(wire_in)
                os.close(stdin_fd)


def _divert(stdin_fd: int, stdout_fd: int, stderr_fd: int) -> None:
    null = _open_null(os.O_RDWR)
    os.dup2(null, stdin_fd)
    os.dup2(stderr_fd if _is_open(stderr_fd) else null, stdout_fd)
    os.close(null)


def _duplicate(fd: int) -> int:
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE)


def _move(private: int, fd: int) -> None:
    os.dup2(private, fd)
    os.close(private)


def _open_null(flags: int) -> int:
    opened = os.open(os.devnull, flags)
    null = _duplicate(opened)
    os.close(opened)
    return null


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def _leads_to(stream: TextIO | None, fd: int) -> bool:
    """Whether *stream* writes to *fd*. A host, or a test runner, may have put anything in the place of sys.stdout."""
    try:
        return stream is not None and stream.fileno() == fd
    except (AttributeError, OSError, ValueError):
        return False


def _flush(stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # stderr is full or closed: nothing is owed to a stray print
        stream.flush()


def _flush_c() -> None:
    """Empty the buffers of C code, which would otherwise be emptied into the client's stream once it is back."""
    import ctypes  # only a host needs it, and our command starts faster without

    ctypes.CDLL(None).fflush(None)
