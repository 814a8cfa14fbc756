"""The scratch folder of a search: trials leave nothing in it, and no other folder is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from certo_builtin.execution.allowance import Allowance
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.scratch import SCRATCH


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, variable in (("home", "HOME"), ("tmp", "TMPDIR")):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    (tmp_path / "tmp/session").mkdir()
    (tmp_path / "tmp/session/made.txt").touch()
    yield tmp_path / "tmp"
    monkeypatch.undo()
    SCRATCH.find()


def paths(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def left_by_trials(folder: Path) -> list[object]:
    """Return what each of three trials finds there, the last of which ends its process."""

    def trial(number: int) -> list[str]:
        found = paths(folder)
        (folder / f"{number}.txt").touch()
        (folder / f"session/{number}").mkdir()
        (folder / f"session/{number}/data.txt").touch()
        if number == 2:
            raise SystemExit
        return found

    return [result for _, result in each(trial, [0, 1, 2], 10.0, Allowance(60.0, 0))]


def test_trials_find_no_files_of_others(folder: Path) -> None:
    SCRATCH.find()
    before = paths(folder)
    assert left_by_trials(folder)[:2] == [before, before]
    assert paths(folder) == before == ["session", "session/made.txt"]


def test_folders_of_others_are_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    SCRATCH.find()
    left_by_trials(folder)
    assert {"0.txt", "session/1/data.txt"} <= set(paths(folder))
