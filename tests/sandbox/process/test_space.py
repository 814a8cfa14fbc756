"""A run's use of the disk is found by looking."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import pytest

from certo.sandbox.process.scratch import scratch, until_full


def many_files(place: Path) -> None:
    for number in range(400):
        (place / str(number)).write_bytes(b"")


def many_directories(place: Path) -> None:
    (place / "/".join(map(str, range(400)))).mkdir(parents=True)


def one_large_file(place: Path) -> None:
    (place / "large").write_bytes(bytes(3 << 20))


def links_that_lead_round(place: Path) -> None:
    os.symlink(place, place / "round")


def a_file_with_holes(place: Path) -> None:
    with open(place / "holes", "wb") as file:
        file.truncate(1 << 40)


def a_closed_directory(place: Path) -> None:
    (place / "closed").mkdir(mode=0)


@pytest.mark.parametrize("place", ["home", "tmp"])
@pytest.mark.parametrize("fill", [many_files, many_directories, one_large_file])
async def test_too_much_is_seen(fill: Callable[[Path], None], place: str) -> None:
    async with scratch() as directory:
        fill(directory / place)
        with anyio.fail_after(100):
            await until_full(directory, files=300, mebibytes=2)


async def test_resting_process_is_looked_at_too() -> None:
    async with scratch() as directory:
        (directory / "home" / "kept").write_bytes(bytes(1 << 20))
        with anyio.fail_after(100):
            async with anyio.create_task_group() as group:
                group.start_soon(partial(until_full, directory, files=300, mebibytes=2, rests=True))
                await anyio.sleep(1.0)  # meanwhile it has come to rest
                one_large_file(directory / "home")


@pytest.mark.parametrize("fill", [links_that_lead_round, a_file_with_holes, a_closed_directory])
async def test_small_use_is_tolerated_until_more(fill: Callable[[Path], None]) -> None:
    async with scratch() as directory:
        fill(directory / "tmp")
        (directory / "overlay" / "ours").write_bytes(bytes(3 << 20))
        with anyio.move_on_after(0.5) as clock:
            await until_full(directory, files=300, mebibytes=2)
        assert clock.cancelled_caught
        one_large_file(directory / "home")
        with anyio.fail_after(100):
            await until_full(directory, files=300, mebibytes=2)
