"""Changes of a project's files, as they are told while it is watched."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import anyio
import pytest

from certo.project import file_watch
from certo.project.file_watch import file_changes, python_files
from support.projects.projects import write_project


@pytest.mark.parametrize("kernel_tells", [True, False])
async def test_each_change_is_told(tmp_path: Path, kernel_tells: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_watch, "LOOK_SECONDS", 0.0)
    if not kernel_tells:
        monkeypatch.setattr(file_watch.sys, "platform", "other")
    root = write_project(tmp_path / "shop", {"till.py": "", ".venv/pyvenv.cfg": "", ".venv/lib.py": ""})
    with anyio.fail_after(60):
        async with aclosing(file_changes(root)) as changes:  # type: ignore[type-var]  # an asynchronous generator
            await anext(changes)
            before = python_files(root)
            assert list(before) == [root / "till.py"]
            for path in ("till.py", "new/deeper/basket.py", ".pytest_cache/v/cache/lastfailed"):
                write_project(root, {path: "x = 1\n"})
                await anext(changes)
            # In a folder that was new a moment ago.
            write_project(root, {"new/deeper/basket.py": "x = 22\n"})
            await anext(changes)
    now = python_files(root)
    assert set(now) == {root / "till.py", root / "new/deeper/basket.py"}
    assert now[root / "till.py"] != before[root / "till.py"]
