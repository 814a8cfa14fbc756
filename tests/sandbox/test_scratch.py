"""Scratch directories: private, gone afterwards, and swept when their daemon is dead."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from certo.sandbox.census import start_of
from certo.sandbox.scratch import remove, scratch, sweep


def test_it_is_private_and_goes_with_all_that_was_left_in_it(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o750)
    (outside / "file").write_text("the user's")
    with scratch() as directory:
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


def test_it_goes_when_the_run_breaks() -> None:
    with pytest.raises(KeyError), scratch() as directory:
        raise KeyError
    assert not directory.exists()


def test_the_sweep_takes_what_dead_daemons_left_and_nothing_else(tmp_path: Path) -> None:
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


def test_removing_what_is_gone_is_no_error(tmp_path: Path) -> None:
    remove(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()
