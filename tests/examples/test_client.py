"""The smallest client repairs and writes functions of the demo project, and is built on the standard library alone."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from support.cli.command import environment
from support.projects.demo_project import copy_demo_project

CLIENT = Path(__file__).parents[2] / "examples" / "client" / "repair.py"


def run_client(project: Path, file: str, function: str) -> subprocess.CompletedProcess[str]:
    """Run the client in a project, with the server that is under test."""
    words = (sys.executable, CLIENT, file, function, sys.executable, "-m", "certo", "serve")
    return subprocess.run(
        words,
        cwd=project,
        env=environment(project.parent),
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )


def test_it_needs_the_standard_library_alone() -> None:
    tree = ast.parse(CLIENT.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name.partition(".")[0] for node in imports for name in imported(node)}
    assert names <= sys.stdlib_module_names


def imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]


@pytest.mark.usual_cases("repair")
@pytest.mark.parametrize(
    ("file", "function", "line"),
    [
        ("till/coins.py", "change", "        while due >= coin:"),
        ("till/basket.py", "loyalty_points", "    return 2 * (pence // 100)"),
    ],
    ids=["repair", "stub"],
)
def test_the_file_has_the_verified_result(file: str, function: str, line: str, tmp_path: Path) -> None:
    project = copy_demo_project(tmp_path)
    before = (project / file).read_text(encoding="utf-8").splitlines()
    ran = run_client(project, file, function)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    after = (project / file).read_text(encoding="utf-8").splitlines()
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [line]
    assert f"+{line}" in ran.stdout


@pytest.mark.slow
def test_nothing_is_written_without_a_winner(tmp_path: Path) -> None:
    """`total` passes its tests, so there is nothing to repair."""
    project = copy_demo_project(tmp_path)
    before = (project / "till/basket.py").read_bytes()
    ran = run_client(project, "till/basket.py", "total")
    assert ran.returncode == 1
    assert (project / "till/basket.py").read_bytes() == before


def test_wrong_name_ends_with_the_servers_sentence(tmp_path: Path) -> None:
    ran = run_client(copy_demo_project(tmp_path), "till/coins.py", "none")
    assert ran.returncode == 1
    assert "there is no function 'none'" in ran.stderr
