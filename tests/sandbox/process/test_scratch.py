"""Scratch directories: private, gone afterwards, and swept when their daemon is dead."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from certo.sandbox.process.process_table import start_of
from certo.sandbox.process.scratch import scratch, sweep
from certo.sandbox.process.tree_removal import remove


async def test_scratch_is_private_and_removed_whole(tmp_path: Path) -> None:
    """Links in it are not followed."""
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o750)
    (outside / "file").write_text("the user's")
    async with scratch() as directory:
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        assert {path.name for path in directory.iterdir()} == {"home", "tmp", "overlay", "runs"}
        closed = directory / "tmp" / "closed"
        closed.mkdir()
        (closed / "file").write_text("left behind")
        closed.chmod(0o000)
        (directory / "tmp" / "link").symlink_to(outside)
    assert not directory.exists()
    assert (outside / "file").read_text() == "the user's"
    assert stat.S_IMODE(outside.stat().st_mode) == 0o750


async def test_it_goes_when_the_run_breaks() -> None:
    with pytest.raises(KeyError):
        async with scratch() as directory:
            raise KeyError
    assert not directory.exists()


def test_the_sweep_removes_only_dead_daemons_directories(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        dead.wait()
    own = f"certo-{os.getpid()}-{start_of(os.getpid())}-abc"
    reused = f"certo-{os.getpid()}-{start_of(os.getpid()) + 1}-abc"
    kept = [own, "certo-notes", "certo-1-x-y", "other-1-1-x"]
    for name in (*kept, f"certo-{dead.pid}-77-abc", reused):
        (tmp_path / name / "tmp").mkdir(parents=True)
    (tmp_path / f"certo-{dead.pid}-77-link").symlink_to(tmp_path / "certo-notes")
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, f"certo-{dead.pid}-77-link"])
    assert (tmp_path / "certo-notes" / "tmp").is_dir()


async def test_unremovable_directories_are_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with scratch() as directory:
        # Whoever else has taken the place of our directory: it is not ours to empty.
        (directory / "elsewhere").mkdir()
        directory.rename(directory.with_name(directory.name + "-moved"))
        directory.symlink_to(directory.with_name(directory.name + "-moved"))
    assert "could not be removed" in caplog.text
    assert (directory / "elsewhere").is_dir()
    moved = directory.readlink()
    directory.unlink()
    assert remove(moved) == ""


async def test_removal_lets_other_tasks_run() -> None:
    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            await anyio.lowlevel.checkpoint()
            turns += 1

    async with anyio.create_task_group() as group:
        async with scratch() as directory:
            for number in range(2000):
                (directory / "tmp" / f"{number % 20}").mkdir(exist_ok=True)
                (directory / "tmp" / f"{number % 20}" / f"{number}").write_bytes(b"")
            group.start_soon(take_turns)
        group.cancel_scope.cancel()
    assert turns > 5
