"""Frames on their way out."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import anyio.to_thread

from reminisce.app.mcp.outbox import Outbox

MANY = 1_000_000
"""Bytes that no pipe holds, so that writing them waits for a reader."""


@contextmanager
def a_pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for fd in (reading, writing):
        os.close(fd)


async def read_all(fd: int, size: int) -> bytes:
    read = b""
    while len(read) < size:
        read += await anyio.to_thread.run_sync(os.read, fd, size)
    return read


def test_frames_are_written_in_order_and_whole_even_if_nobody_waits_for_them() -> None:
    async def main() -> None:
        with a_pipe() as (reading, writing):
            outbox = Outbox(writing)
            written: list[str] = []
            async with anyio.create_task_group() as pumping:
                pumping.start_soon(outbox.pump)
                async with anyio.create_task_group() as putting:
                    for name in "abc":
                        putting.start_soon(outbox.put, name.encode() * MANY, lambda name=name: written.append(name))
                    await anyio.wait_all_tasks_blocked()
                    putting.cancel_scope.cancel()
                assert written == []

                assert await read_all(reading, 3 * MANY) == b"a" * MANY + b"b" * MANY + b"c" * MANY
                await outbox.drained()
                assert written == ["a", "b", "c"]
                pumping.cancel_scope.cancel()

    anyio.run(main)


def test_whoever_puts_a_frame_waits_until_it_is_written() -> None:
    async def main() -> None:
        with a_pipe() as (reading, writing):
            outbox = Outbox(writing)
            async with anyio.create_task_group() as group:
                group.start_soon(outbox.pump)
                done = anyio.Event()

                async def put() -> None:
                    await outbox.put(b"x" * MANY)
                    done.set()

                group.start_soon(put)
                await anyio.wait_all_tasks_blocked()
                assert not done.is_set()
                await read_all(reading, MANY)
                await done.wait()
                group.cancel_scope.cancel()

    anyio.run(main)


def test_nobody_waits_for_a_reader_who_has_gone() -> None:
    async def main() -> None:
        reading, writing = os.pipe()
        outbox = Outbox(writing)
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(outbox.put, b"x" * MANY)
            group.start_soon(outbox.pump)
            await anyio.wait_all_tasks_blocked()
            os.close(reading)
        await outbox.put(b"too late")
        await outbox.drained()
        assert outbox.failed.is_set()
        assert not outbox.lost
        os.close(writing)

    anyio.run(main)
