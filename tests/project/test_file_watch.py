"""Changes of a project's files, as they are told while it is watched."""

from __future__ import annotations

import ctypes
import errno
import shutil
import sys
from contextlib import aclosing, closing
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest

from certo.project import file_watch
from certo.project.file_watch import file_changes, python_files
from certo.vocabulary.errors import BadRequest
from support.projects.projects import write_project


@pytest.fixture(params=[True, False], ids=["told", "looking"])
def _kernel_tells(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_watch, "LOOK_SECONDS", 0.0)
    if not request.param:
        monkeypatch.setattr(file_watch.sys, "platform", "other")


@pytest.mark.usefixtures("_kernel_tells")
async def test_each_change_is_told(tmp_path: Path) -> None:
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


@pytest.mark.usefixtures("_kernel_tells")
@pytest.mark.parametrize("is_replaced", [True, False])
async def test_folder_that_is_gone_is_told(tmp_path: Path, is_replaced: bool) -> None:
    root = write_project(tmp_path / "shop", {"till.py": ""})
    with anyio.fail_after(60):
        async with aclosing(file_changes(root)) as changes:  # type: ignore[type-var]  # an asynchronous generator
            await anext(changes)
            if is_replaced:
                root.rename(tmp_path / "former")
                write_project(root, {"till.py": ""})
            else:
                shutil.rmtree(root)
            with pytest.raises(BadRequest, match="was deleted, moved or replaced"):
                await anext(changes)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells of changes on Linux alone")
def test_other_files_do_not_count(tmp_path: Path) -> None:
    told = file_watch._Inotify.opened()
    assert told is not None
    with closing(told):
        assert told.watch(iter([tmp_path]))
        for name, counts in (("server.log", False), ("till.py", True), ("nodeids", False), ("lastfailed", True)):
            (tmp_path / name).write_text("")
            assert told.take() is counts
        (tmp_path / "new").mkdir()
        assert told.take()
        assert not told.take()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells of changes on Linux alone")
async def test_unwatched_folder_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        ctypes.set_errno(errno.ENOSPC)
        return -1

    kernel = ctypes.CDLL(None, use_errno=True)
    full = SimpleNamespace(inotify_init1=kernel.inotify_init1, inotify_add_watch=refuse)
    monkeypatch.setattr(file_watch.ctypes, "CDLL", lambda *_, **__: full)
    monkeypatch.setattr(file_watch, "LOOK_SECONDS", 0.0)
    said: list[str] = []
    with anyio.fail_after(60):
        async with aclosing(file_changes(tmp_path, said.append)) as changes:  # type: ignore[type-var]  # as above
            for _ in range(3):
                await anext(changes)
    assert ["max_user_watches" in each for each in said] == [True]
