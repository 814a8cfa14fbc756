"""`certo demo`, whole: the first command of a new user."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from certo.cli.demo import EXAMPLE, choices, leave_out_plugins
from support.cli.command import certo


@pytest.mark.slow
def test_demo_repairs_implements_and_keeps_if_asked(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    kept = tmp_path / "kept"
    # A temporary folder's name may be only so long, for sockets are made in it.
    here = tmp_path_factory.mktemp("here")
    ran = certo(here, "demo", "--keep", str(kept), TMPDIR=str(here))
    assert ran.code == 0, ran.err
    assert ran.out.count("VERIFIED") == 2
    assert "NOT VERIFIED" not in ran.out
    assert "certo generate FILE::FUNCTION" in ran.err
    assert (kept / "till" / "coins.py").exists()
    assert list(here.iterdir()) == []


def test_the_demo_needs_no_python_but_ours() -> None:
    """Another one on the path may load plug-ins into pytest that take longer than the search; a named one is used."""
    assert choices({"PATH": "/usr/bin"})["interpreter"] == sys.executable
    assert "interpreter" not in choices({"CERTO_INTERPRETER": "/usr/bin/python3"})


def test_the_demo_loads_no_plugins(tmp_path: Path) -> None:
    """The Python that runs these tests has some, which pytest lists before anything else."""
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_bytes((EXAMPLE / "pyproject.toml").read_bytes())
    assert "\nplugins: " in _collected(tmp_path)
    leave_out_plugins(pyproject)
    assert "\nplugins: " not in _collected(tmp_path)


def _collected(root: Path) -> str:
    pytest_run = [sys.executable, "-m", "pytest", "--collect-only"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    said = subprocess.run(pytest_run, cwd=root, env=plain, capture_output=True, text=True, check=False).stdout
    assert "no tests collected" in said
    return said


def test_existing_folder_is_not_written_to(tmp_path: Path) -> None:
    ran = certo(tmp_path, "demo", "--keep", str(tmp_path))
    assert ran.code == 2
    assert str(tmp_path) in ran.err
    assert list(tmp_path.iterdir()) == []
