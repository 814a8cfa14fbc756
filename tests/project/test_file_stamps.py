"""A change in a project is seen, and files of others are not looked at."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from certo.project import file_stamps
from certo.project.file_stamps import look_at_files
from support.projects.projects import write_project


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path, {"one.py": "1", "two.py": "2", "sub/data.json": "{}", ".git/HEAD": "main"})


def keep_its_time(root: Path) -> None:
    """Change a file, and let it look as old and as long as before."""
    before = (root / "two.py").stat()
    (root / "two.py").write_text("3")
    os.utime(root / "two.py", ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "two.py").write_text("22"),
        lambda root: (root / "three.py").write_text(""),
        lambda root: (root / "two.py").unlink(),
        lambda root: (root / "two.py").rename(root / "three.py"),
        lambda root: (root / "sub" / "data.json").write_text("[]"),
        lambda root: (root / ".env").write_text(""),
        pytest.param(keep_its_time, marks=pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such time")),
    ],
)
async def test_a_change_is_seen(root: Path, change: Callable[[Path], object]) -> None:
    before = await look_at_files(root, apart_from=root / "one.py")
    assert (await look_at_files(root, apart_from=root / "one.py")).are_as(before)
    change(root)
    assert not (await look_at_files(root, apart_from=root / "one.py")).are_as(before)


@pytest.mark.parametrize("name", ["one.py", ".git/HEAD", ".two.py.swp", "two.py~", "__pycache__/two.pyc"])
async def test_files_that_no_test_reads_are_ignored(root: Path, name: str) -> None:
    before = await look_at_files(root, apart_from=root / "one.py")
    write_project(root, {name: "changed"})
    assert (await look_at_files(root, apart_from=root / "one.py")).are_as(before)


async def test_of_too_many_nothing_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_stamps, "MAX_FILES", 2)
    before = await look_at_files(root, apart_from=root / "elsewhere.py")
    assert not before.are_as(before)
