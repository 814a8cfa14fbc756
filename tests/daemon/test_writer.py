"""Messages to clients that read slowly, late or never."""

from __future__ import annotations

import os
from collections.abc import Iterator

import anyio
import pytest

from certo.daemon.writer import MAX_BACKLOG, Outbox


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


async def test_slow_readers_get_everything_in_order(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    frames = [b"%d;" % number * 5_000 for number in range(50)]
    lost: list[None] = []
    outbox = Outbox(writing, lost=lambda: lost.append(None))
    received = b""
    async with anyio.create_task_group() as group:
        group.start_soon(outbox.drain)
        for frame in frames:
            outbox.write(frame)
        while len(received) < sum(map(len, frames)):
            await anyio.wait_readable(reading)
            received += os.read(reading, 3_000)
        await outbox.flush()
        group.cancel_scope.cancel()
    assert received == b"".join(frames)
    assert not lost


async def test_long_backlog_is_reported_once_and_dropped(pipe: tuple[int, int]) -> None:
    lost: list[None] = []
    outbox = Outbox(pipe[1], lost=lambda: lost.append(None))
    for _ in range(3):
        outbox.write(bytes(MAX_BACKLOG))
    await outbox.flush()
    assert lost == [None]


async def test_closing_leaves_the_stream_as_it_was(pipe: tuple[int, int]) -> None:
    outbox = Outbox(pipe[1], lost=lambda: None)
    assert not os.get_blocking(pipe[1])
    outbox.close()
    assert os.get_blocking(pipe[1])
