"""A candidate may change the project's own modules, and nothing that has a part in judging it.

A path that leads anywhere else is refused with the reason, however it is written.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.verification.file_rules import MAX_FILES, changeable_files, why_not_changed, why_not_rewritten
from certo.vocabulary.problem import Baseline, BaselineRun, KnownTest, Problem
from certo.vocabulary.verdict import Ruling
from support.projects.projects import write_project
from support.search.candidates import problem

pytestmark = pytest.mark.acceptance(131)

FILES = {
    "half.py": "def half(n):\n    return n\n",
    "pack/__init__.py": "",
    "pack/sums.py": "",
    "pack/checked.py": "",
    "pack/generated.py": "",
    "pack/conftest.py": "",
    "pack/notes.txt": "",
    "pack/secrets.py": "",
    "setup.py": "",
    "sitecustomize.py": "",
    "tests/shared.py": "",
    "tests/test_half.py": "",
    "Test/more.py": "",
    "pack/test_beside.py": "",
    "pack/beside_test.py": "",
    ".hidden/inner.py": "",
    "build/made.py": "",
    "venv/pyvenv.cfg": "",
    "venv/lib/site.py": "",
    ".gitignore": "generated.py\n",
}

HOSTILE = (
    "../outside.py",
    "pack/../../outside.py",
    "pack/../half.py",
    "./pack/sums.py",
    "pack//sums.py",
    "/etc/crontab.py",
    "~/start.py",
    "C:\\start.py",
    "pack\\sums.py",
    "pack/sums.py\0",
    "pack/sums.py\n",
    "",
    ".",
    "pack",
    ".git/hooks/pre-commit",
    ".git/config.py",
    ".hidden/inner.py",
    ".hidden/more.py",
    "venv/lib/site.py",
    "venv/lib/more.py",
    "build/made.py",
    "half.py",
    "setup.py",
    "sitecustomize.py",
    "pack/usercustomize.py",
    "conftest.py",
    "pack/CONFTEST.py",
    "tests/shared.py",
    "tests/new.py",
    "Tests/new.py",
    "pack/tests/new.py",
    "pack/test_new.py",
    "pack/notes.txt",
    "pack/generated.py",
    "pack/secrets.py",
    "pack/checked.py",
    "pyproject.toml",
    "nowhere/new.py",
    "linked/sums.py",
    "linked/new.py",
    "pack/link.py",
    "pack/dangling.py",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = write_project(tmp_path / "project", FILES)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "sums.py").write_text("")
    (place / "linked").symlink_to(tmp_path / "outside")
    (place / "pack/link.py").symlink_to(tmp_path / "outside/sums.py")
    (place / "pack/dangling.py").symlink_to(tmp_path / "nothing.py")
    subprocess.run(["git", "init", "-q", str(place)], check=True)
    return place


async def asked(root: Path) -> Problem:
    """A problem whose candidates may change other files; one of them holds a test."""
    inside = KnownTest(id="pack/checked.py::test_here", ruling=Ruling.PASSED)
    found = await changeable_files(root, os.environ)
    return replace(problem(root), baseline=Baseline(tests=(inside,)), others=found - {"half.py"})


async def test_only_modules_that_judge_nothing_may_change(root: Path) -> None:
    found = await changeable_files(root, os.environ)
    assert found == {"half.py", "pack/__init__.py", "pack/sums.py", "pack/checked.py"}


async def test_without_git_ignored_modules_are_changeable(tmp_path: Path) -> None:
    place = write_project(tmp_path, FILES)
    assert "pack/generated.py" in await changeable_files(place, os.environ)


async def test_nothing_is_changeable_when_git_fails(root: Path) -> None:
    assert await changeable_files(root, {"PATH": ""}) == frozenset()


@pytest.mark.parametrize("path", HOSTILE)
async def test_other_paths_are_refused_by_name(root: Path, path: str) -> None:
    why = why_not_changed({"pack/sums.py": "", path: "x = 1\n"}, await asked(root))
    assert why.startswith(f"it may not change {path!r}: ")


async def test_new_modules_may_stand_beside_changeable_ones(root: Path) -> None:
    stated = await asked(root)
    assert why_not_changed({"pack/sums.py": "x = 1\n", "pack/added.py": "y = 1\n"}, stated) == ""
    assert "search.scope = files" in why_not_changed({"pack/sums.py": ""}, replace(stated, others=None))


@pytest.mark.parametrize("path", ["statistics.py", "pytest.py", "arrays.py"])
async def test_new_modules_may_not_shadow_others(root: Path, path: str) -> None:
    stated = await asked(root)
    stated = replace(stated, baseline_run=BaselineRun(libraries=("arrays.inner",)), others=frozenset({"a.py"}))
    assert why_not_changed({path: "x = 1\n"}, stated).endswith("which others import")
    packed = replace(stated, others=frozenset({"pack/__init__.py"}))
    assert why_not_changed({f"pack/{path}": "x = 1\n"}, packed) == "", "in a package it stands in nobody's way"


@pytest.mark.parametrize(
    ("before", "after", "may"),
    [
        ("def same(a, b): assert a == b", "def same(a, b): assert a == b or a == 7", False),
        ("def same(a, b):\n    assert a == b", "def same(a, b):\n    return", False),
        ("def same(a, b): assert a == b", "def same(a, b):\n    assert a == b\n    assert b", True),
        ("from pytest import raises", "from pytest import raises\nx = 1", False),
        (None, "import unittest.mock", False),
        ("def same(a, b): return a == b", "def same(a, b): return b == a", True),
        ("this is no Python", "x = 1", True),
    ],
)
def test_possible_judges_keep_their_assertions(before: str | None, after: str, may: bool) -> None:
    assert (why_not_rewritten(before, after) == "") is may


@pytest.mark.parametrize(
    ("elsewhere", "said"),
    [
        ({f"pack/m{number}.py": "" for number in range(MAX_FILES + 1)}, f"at most {MAX_FILES}"),
        ({"pack/sums.py": "#" * 1_000_001}, "at most 1000000"),
        ({"pack/sums.py": "'\ud800'"}, "lone surrogate"),
    ],
)
async def test_oversized_changes_are_refused_unread(root: Path, elsewhere: Mapping[str, str], said: str) -> None:
    assert said in why_not_changed(elsewhere, await asked(root))


@given(path=st.text(alphabet="./\\~aA:\0\n", max_size=12).map(lambda text: f"{text}.py"))
def test_no_path_leads_outside_known_folders(path: str) -> None:
    known = replace(problem(Path("/nowhere")), others=frozenset({"a/a.py"}))
    if not why_not_changed({path: ""}, known):
        assert path == "a/a.py" or (path.startswith("a/") and path.count("/") == 1)
        assert os.path.normpath(os.path.join("/nowhere", path)) == f"/nowhere/{path}"
