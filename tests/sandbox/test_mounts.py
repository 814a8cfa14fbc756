"""What a bubblewrap run is shown: no place twice, and nothing that nobody asked for."""

from __future__ import annotations

from pathlib import Path

from certo.sandbox.executor import Interpreter
from certo.sandbox.mounts import mounts
from certo.sandbox.visible import outermost
from support.stage import Stage


def test_places_within_others_are_left_to_those(tmp_path: Path) -> None:
    inner = tmp_path / "project" / ".venv"
    inner.mkdir(parents=True)
    assert outermost([inner, tmp_path / "project", Path("/usr/lib"), tmp_path / "gone"]) == [tmp_path / "project"]


def test_the_project_is_read_only_and_an_overlaid_file_lies_over_it(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.write({"one.py": ""})
    work = stage.work("", overlay={"one.py": "value = 1\n", "new.py": "", "../outside.py": ""})
    (tmp_path / "outside.py").write_text("")
    shown = mounts(work, Path("/scratch"))
    root = str(stage.root)
    project, file = shown.index(root), shown.index(f"{root}/one.py")
    assert shown[project - 1 : project + 2] == ["--ro-bind", root, root]
    assert shown[file - 2 : file + 1] == ["--ro-bind", "/scratch/overlay/0", f"{root}/one.py"]
    assert project < file
    assert not [word for word in shown if word.endswith(("new.py", "outside.py"))]
    assert "--bind" not in shown


def test_an_interpreter_that_is_a_chain_of_links_is_shown_link_by_link(tmp_path: Path) -> None:
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
