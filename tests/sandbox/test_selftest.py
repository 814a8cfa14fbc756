"""The self-test tells a sandbox that holds from one that does not."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.confinement.kernel_features import NO_WALLS, KernelFeatures
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.selftest import attempt_all
from support.sandbox.stage import OURS


async def test_nothing_works_behind_the_walls(tmp_path: Path) -> None:
    attempts = await attempt_all(LocalExecutor(SandboxOptions()), OURS, tmp_path)
    assert len(attempts) == 17
    assert not [attempt for attempt in attempts if attempt.worked]


async def test_a_deep_temporary_directory_is_deep_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    attempts = await attempt_all(LocalExecutor(SandboxOptions()), OURS, tmp_path)
    assert len(attempts) == 17
    assert not [attempt for attempt in attempts if attempt.worked]


@pytest.mark.bubblewrap
@pytest.mark.parametrize("landlock", [6, 0])
async def test_nothing_works_in_bubblewrap(tmp_path: Path, landlock: int) -> None:
    walls = KernelFeatures(landlock=landlock, seccomp=True)
    executor = BubblewrapExecutor(SandboxOptions(), await find_bubblewrap(), walls)
    attempts = await attempt_all(executor, OURS, tmp_path)
    assert len(attempts) == 17
    assert not [attempt for attempt in attempts if attempt.worked]


async def test_everything_works_without_walls_and_nothing_stays(tmp_path: Path) -> None:
    attempts = await attempt_all(LocalExecutor(SandboxOptions(), NO_WALLS), OURS, tmp_path)
    assert [attempt.worked for attempt in attempts] == [True] * 17
    assert os.listdir(tmp_path) == []
