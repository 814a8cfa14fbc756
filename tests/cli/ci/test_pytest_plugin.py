"""The plug-in of pytest shows verified repairs of failing tests, changes no file, and costs nothing if not used."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

import certo
from support.projects.bare_environment import bare_python

ADD = "def add(a: int, b: int) -> int:\n    return a - b\n"
TESTS = """\
import pytest

from calc import add


def test_add():
    assert add(1, 2) == 3


@pytest.mark.parametrize("n", [1, 2])
def test_more(n):
    assert add(n, n) == 2 * n


def test_never():
    assert False
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a faulty function, three tests that show it, and one that nothing repairs."""
    root = tmp_path / "calc"
    root.mkdir()
    (root / "calc.py").write_text(ADD, encoding="utf-8")
    (root / "test_calc.py").write_text(TESTS, encoding="utf-8")
    (root / "pyproject.toml").touch()
    return root


@pytest.fixture(scope="module")
def with_certo(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path for modules of an environment that has certo and what it needs, and none of our plug-ins of pytest."""
    place = tmp_path_factory.mktemp("packages")
    plugins = {each.name for each in importlib.metadata.distributions() if each.entry_points.select(group="pytest11")}
    unwanted = {name.replace("-", "_") for name in plugins}
    for each in Path(anyio.__file__).parents[1].iterdir():
        if each.suffix != ".dist-info" or each.name.partition("-")[0] not in unwanted:
            (place / each.name).symlink_to(each)
    return os.pathsep.join([str(Path(certo.__file__).parents[1]), str(place)])


def run(root: Path, with_certo: str, *words: str) -> str:
    """Run pytest with the plug-in, as another process, and return what it prints."""
    environment = {**os.environ, "XDG_STATE_HOME": str(root.parent / "state"), "PYTHONPATH": with_certo}
    ran = subprocess.run(
        [str(bare_python()), "-m", "pytest", "-p", "certo.pytest_plugin", "-p", "no:cacheprovider", *words],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    return ran.stdout + ran.stderr


def test_repair_is_shown_and_not_applied(project: Path, with_certo: str) -> None:
    said = run(project, with_certo, "--certo", "--certo-seconds", "240", "-k", "test_add or test_more")
    assert "certo: verified repairs, not applied" in said
    assert "-    return a - b\n+    return a + b" in said
    assert "test_calc.py::test_add: this change makes it pass" in said
    assert "test_calc.py::test_more: the repair for test_calc.py::test_add" in said
    assert "3 failed" in said
    assert (project / "calc.py").read_text(encoding="utf-8") == ADD


@pytest.mark.slow
def test_failure_without_repair_is_told(project: Path, with_certo: str) -> None:
    assert "test_calc.py::test_never: " in run(project, with_certo, "--certo", "-k", "test_never")


@pytest.mark.slow
def test_workers_of_xdist_search_nothing(project: Path, with_certo: str) -> None:
    said = run(project, with_certo, "--certo", "-p", "xdist.plugin", "-n", "2", "-k", "test_add")
    assert said.count("certo: verified repairs, not applied") == 1
    assert "+    return a + b" in said


def test_budget_that_is_over_is_told(project: Path, with_certo: str) -> None:
    said = run(project, with_certo, "--certo", "--certo-seconds", "1")
    assert "3 more failing, but the 1 s of --certo-seconds are over" in said


def test_nothing_is_said_without_the_option(project: Path, with_certo: str) -> None:
    assert "certo:" not in run(project, with_certo)


def test_plugin_costs_nothing_when_off() -> None:
    """It loads itself and the names of certo; neither anything of certo's nor of others'."""
    program = (
        "import sys, importlib; before = set(sys.modules); import certo.pytest_plugin as plugin;"
        "plugin.pytest_configure(type('C', (), {'getoption': lambda self, name: False})());"
        "print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert set(ran.stdout.split()) <= {"certo", "certo.pytest_plugin", "__future__"}
