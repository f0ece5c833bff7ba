"""
Reading and writing descriptors that other processes share, without blocking the event loop.

The descriptors stay in whatever mode they came in: O_NONBLOCK belongs to the open file, not to the descriptor, so that
setting it here would set it for the client, for a terminal's shell and for our own stderr. No thread reads either: one
that waits in read(2) cannot be cancelled, keeps a process from ending, and would steal a host's input afterwards.
"""

import os
import select
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio
import anyio.lowlevel

READ_SIZE = 64 * 1024
"""Bytes of one read. What a pipe holds on Linux, so that more would seldom bring more."""


async def read(fd: int) -> bytes:
    """
    The next bytes of *fd*, at most `READ_SIZE`; none at its end.

    Raises:
        OSError: If it cannot be read.
    """
    while True:
        await anyio.lowlevel.checkpoint()
        await _until_ready(fd, select.POLLIN, anyio.wait_readable)
        with suppress(BlockingIOError):
            return os.read(fd, READ_SIZE)


async def write(fd: int, data: bytes) -> None:
    """
    Write all of *data* to *fd*. If cancelled, a part of it may have been written.

    Raises:
        OSError: If it cannot be written; a ConnectionError if nobody is left to read it.
    """
    rest = memoryview(data)
    while rest:
        await _until_ready(fd, select.POLLOUT, anyio.wait_writable)
        with suppress(BlockingIOError):
            # A pipe that is ready takes PIPE_BUF bytes without blocking (poll(2)), and promises nothing about more.
            rest = rest[os.write(fd, rest[: select.PIPE_BUF]) :]


async def until_abandoned(fd: int) -> None:
    """
    Return when nobody is left to read what is written to *fd*.

    Returns never for what cannot tell: a file, a terminal, a socket that is read from as well.
    """
    mode = os.fstat(fd).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        # Nothing is ever read from here. It turns readable because an end that was closed wakes every kind of wait.
        await anyio.wait_readable(fd)
        if _ready(fd, 0):
            return
    await anyio.sleep_forever()


async def _until_ready(fd: int, event: int, wait: Callable[[int], Awaitable[None]]) -> None:
    # poll(2) first: epoll, on which the event loop waits, refuses regular files and the null device.
    if not _ready(fd, event):
        await wait(fd)


def _ready(fd: int, event: int) -> bool:
    """Whether *event*, an error or a hang-up is there on *fd* now. With 0, whether one of the latter two is."""
    poll = select.poll()
    poll.register(fd, event)
    return bool(poll.poll(0))
