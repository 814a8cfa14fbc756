"""State that a test shares with the candidate besides its arguments, read from the test's code."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from certo_worker.apart.shared_state import PATCHES, SHARES, copied_state


def item(root: Path, source: str) -> SimpleNamespace:
    """Return the used part of a pytest item whose test is the function `test` of `source`."""
    path = root / "test_it.py"
    names: dict[str, object] = {}
    exec(compile(source, str(path), "exec"), names)
    return SimpleNamespace(function=names["test"], fspath=path, fixturenames=())


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def test(): assert double(2) == 4", ""),
        ("def test():\n    x = [1]\n    x.append(2)\n    assert x", ""),
        ("def test(): random.seed(4)", PATCHES),
        ("def test(): settings.DEBUG = True", PATCHES),
        ("def test(): [setattr(settings, 'DEBUG', each) for each in (1, 2)]", PATCHES),
    ],
)
def test_changes_by_a_test_are_read_off(source: str, why: str, tmp_path: Path) -> None:
    assert copied_state(item(tmp_path, source), str(tmp_path), str(tmp_path / "mod.py")) == why


def test_shared_modules_count_unless_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = item(tmp_path, "def test(): assert double(2) == 4")
    (tmp_path / "__init__.py").touch()
    for name, counts in (("__init__", False), ("mod", False), ("other_test", False), ("unsaved", True)):
        module = ModuleType(name)
        module.__file__ = str(tmp_path / f"{name}.py")
        monkeypatch.setitem(sys.modules, f"state_{name}", module)
        why = copied_state(plain, str(tmp_path), str(tmp_path / "mod.py"))
        assert why == (SHARES if counts else "")


def test_modules_are_looked_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each failing test asks for the state that it shares, and a suite may have thousands of them."""
    plain = item(tmp_path, "def test(): assert double(2) == 4")
    asked: list[object] = []

    def realpath(path: str) -> str:
        asked.append(path)
        return path

    monkeypatch.setattr(os.path, "realpath", realpath)
    counts = []
    for _ in range(2):
        assert copied_state(plain, str(tmp_path), str(tmp_path / "mod.py")) == ""
        counts.append(len(asked))
        asked.clear()
    assert counts[1] < 10 < counts[0]
