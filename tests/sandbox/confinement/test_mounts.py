"""The mounts of a bubblewrap run: no place twice, and nothing that nobody asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from certo.sandbox.confinement.visible_files import mounts, mounts_order, outermost
from certo.sandbox.executor import Interpreter
from support.sandbox.stage import Stage


def test_places_within_others_are_left_to_those(tmp_path: Path) -> None:
    inner = tmp_path / "project" / ".venv"
    inner.mkdir(parents=True)
    assert outermost([inner, tmp_path / "project", Path("/usr/lib"), tmp_path / "gone"]) == [tmp_path / "project"]


def test_nothing_is_mounted_to_be_written_to(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    work = stage.work("", overlay={"one.py": "value = 1\n"})
    shown = mounts(work, Path("/scratch"))
    root = str(stage.root)
    project = shown.index(root)
    assert shown[project - 1 : project + 2] == ["--ro-bind", root, root]
    assert not {"--bind", "--tmpfs", "--dev-bind"} & set(shown)
    assert shown[-6:-2] == ["--remount-ro", "/dev", "--remount-ro", "/"]


def test_writable_places_are_limited_memory(
    tmp_path: Path,
) -> None:
    """The overlay is laid over each name of the project."""
    stage = Stage(tmp_path)
    link = tmp_path / "link"
    link.symlink_to(stage.root)
    work = replace(stage.work(""), root=link)
    order = mounts_order(work, Path("/scratch"), replace(work.limits, memory_mebibytes=7), {"gone.py": None})
    assert order["places"] == ["/dev/shm", "/tmp", "/scratch/home", "/scratch/tmp"]
    assert order["mebibytes"] == 7
    assert order["files"] == {"gone.py": None}
    assert 0 < order["inodes"] <= 100_000
    assert order["roots"] == [str(link), str(stage.root)]


def test_linked_interpreters_are_mounted_with_links(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    real = tmp_path / "real" / "python"
    real.parent.mkdir()
    real.write_text("")
    middle, first = tmp_path / "middle", tmp_path / "first"
    middle.symlink_to("real/python")
    first.symlink_to(middle)
    python = Interpreter(executable=first, version=(3, 11, 0), readable=(), why="a test")
    shown = mounts(stage.work("", interpreter=python), Path("/scratch"))
    assert {str(first), str(middle), str(real)} <= set(shown)
