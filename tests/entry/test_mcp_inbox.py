"""In what order messages reach the server, and when reading stops."""

import anyio
import pytest
from mcp.shared.message import ServerMessageMetadata
from mcp_types import JSONRPCNotification, JSONRPCRequest

from reminisce.app.mcp.inbox import RESUME_BYTES, RESUME_LINES, STOP_BYTES, STOP_LINES, Inbox


def a_request(request_id: int | str) -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=request_id, method="x")


def a_notice(method: str = "n") -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method=method)


def a_cancel(request_id: object) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params={"requestId": request_id})


async def settled() -> None:
    pass


async def next_of(inbox: Inbox) -> object:
    message = (await inbox.receive()).message
    return message.id if isinstance(message, JSONRPCRequest) else getattr(message, "method", None)


def test_messages_come_in_order_while_a_slot_is_free() -> None:
    async def main() -> list[object]:
        inbox = Inbox(settled)
        for message in (a_request(1), a_notice("a"), a_request(2), a_notice("b")):
            inbox.put(message, 1)
        return [await next_of(inbox) for _ in range(4)]

    assert anyio.run(main) == [1, "a", 2, "b"]


def test_notifications_pass_requests_that_wait_for_a_slot() -> None:
    async def main() -> list[object]:
        inbox = Inbox(settled, slots=1)
        for message in (a_request(1), a_request(2), a_notice("a"), a_notice("b")):
            inbox.put(message, 1)
        came = [await next_of(inbox) for _ in range(3)]
        inbox.release()
        return [*came, await next_of(inbox)]

    assert anyio.run(main) == [1, "a", "b", 2]


@pytest.mark.parametrize("name", [2, "2"], ids=repr)
def test_a_cancel_takes_out_the_request_that_waits(name: object) -> None:
    async def main() -> list[object]:
        inbox = Inbox(settled, slots=1)
        for message in (a_request(1), a_request(2), a_request(3), a_cancel(name)):
            inbox.put(message, 10)
        assert (inbox.waiting_lines, inbox.waiting_bytes) == (2, 20)
        came = [await next_of(inbox)]
        inbox.release()
        return [*came, await next_of(inbox)]

    assert anyio.run(main) == [1, 3]


@pytest.mark.parametrize("name", [1, 9, None, True, {}], ids=repr)
def test_any_other_cancel_is_left_to_the_server(name: object) -> None:
    async def main() -> list[object]:
        inbox = Inbox(settled, slots=1)
        inbox.put(a_request(1), 1)
        came = [await next_of(inbox)]
        inbox.put(a_cancel(name), 1)
        return [*came, await next_of(inbox)]

    assert anyio.run(main) == [1, "notifications/cancelled"]


def test_the_stream_ends_when_the_input_has_and_every_request_is_answered() -> None:
    async def main() -> None:
        inbox = Inbox(settled)
        inbox.put(a_request(1), 1)
        await inbox.receive()
        inbox.end()
        async with anyio.create_task_group() as group:
            ended = anyio.Event()

            async def wait_for_the_end() -> None:
                async for _ in inbox:
                    pass
                ended.set()

            group.start_soon(wait_for_the_end)
            await anyio.wait_all_tasks_blocked()
            assert not ended.is_set()
            inbox.release()
        assert ended.is_set()

    anyio.run(main)


def test_a_request_that_is_never_answered_tells_so_and_cannot_ask_back() -> None:
    async def main() -> None:
        inbox = Inbox(settled)
        inbox.put(a_request(1), 1)

        metadata = (await inbox.receive()).metadata

        assert isinstance(metadata, ServerMessageMetadata)
        assert metadata.on_request_unanswered is settled
        assert not metadata.can_send_request

    anyio.run(main)


@pytest.mark.parametrize(
    ("size", "stop", "resume"),
    [(1, STOP_LINES, RESUME_LINES), (64 * 1024, STOP_BYTES // (64 * 1024), RESUME_BYTES // (64 * 1024))],
    ids=["lines", "bytes"],
)
def test_reading_stops_above_one_mark_and_resumes_at_another(size: int, stop: int, resume: int) -> None:
    async def main() -> None:
        inbox = Inbox(settled, slots=stop + 1)
        for number in range(stop):
            inbox.put(a_request(number), size)
        await inbox.room()
        inbox.put(a_request(stop), size)
        async with anyio.create_task_group() as group:
            resumed = anyio.Event()

            async def wait_for_room() -> None:
                await inbox.room()
                resumed.set()

            group.start_soon(wait_for_room)
            while inbox.waiting_lines > resume + 1:
                await inbox.receive()
            await anyio.wait_all_tasks_blocked()
            assert not resumed.is_set()
            await inbox.receive()
        assert resumed.is_set()

    anyio.run(main)
