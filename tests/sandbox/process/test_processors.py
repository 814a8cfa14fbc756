"""The processors to use: those a container grants, not those of the machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from certo.sandbox.process.slots import processors

OURS = len(os.sched_getaffinity(0))


@pytest.fixture
def cgroups(tmp_path: Path) -> Path:
    place = tmp_path / "cgroups"
    (place / "user/shell").mkdir(parents=True)
    (place / "cpu,cpuacct/box").mkdir(parents=True)
    return place


def belongs_to(tmp_path: Path, lines: str) -> Path:
    """Return a file in which the kernel says which control groups a process is in."""
    path = tmp_path / "membership"
    path.write_text(lines)
    return path


def test_without_quota_the_affinity_counts(tmp_path: Path, cgroups: Path) -> None:
    (cgroups / "user/cpu.max").write_text("max 100000\n")
    (cgroups / "cpu,cpuacct/box/cpu.cfs_quota_us").write_text("-1\n")
    (cgroups / "cpu,cpuacct/box/cpu.cfs_period_us").write_text("100000\n")
    assert processors(belongs_to(tmp_path, "3:cpu,cpuacct:/box\n0::/user/shell\n"), cgroups) == OURS
    assert processors(tmp_path / "nowhere", cgroups) == OURS


@pytest.mark.parametrize(("quota", "share"), [(100_000, 1), (50_000, 1), (199_000, 1), (100_000_000, OURS)])
def test_a_quota_of_any_group_above_counts(tmp_path: Path, cgroups: Path, quota: int, share: int) -> None:
    (cgroups / "user/shell/cpu.max").write_text("max 100000\n")
    (cgroups / "user/cpu.max").write_text(f"{quota} 100000\n")
    assert processors(belongs_to(tmp_path, "0::/user/shell\n"), cgroups) == min(OURS, share)


def test_a_version_1_quota_counts_too(tmp_path: Path, cgroups: Path) -> None:
    (cgroups / "cpu,cpuacct/cpu.cfs_quota_us").write_text("150000\n")
    (cgroups / "cpu,cpuacct/cpu.cfs_period_us").write_text("100000\n")
    # A container may not see its own group, only what its quota is.
    assert processors(belongs_to(tmp_path, "3:cpu,cpuacct:/not/seen\n0::/\n"), cgroups) == 1


def test_it_counts_here() -> None:
    assert 1 <= processors() <= OURS
