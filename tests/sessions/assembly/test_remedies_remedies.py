"""The commands that put pytest where the project will find it, and extras of certo's where certo runs."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from certo.sandbox.executor import Interpreter
from certo.sessions.assembly.remedies import own_remedy, pytest_remedy
from support.projects.environments import make_environment

if TYPE_CHECKING:
    from pathlib import Path


def interpreter(executable: Path) -> Interpreter:
    return Interpreter(executable=executable, version=(3, 11, 0), readable=(), why="")


def test_pytest_is_installed_by_the_environments_tool(tmp_path: Path) -> None:
    python = make_environment(tmp_path / "my env")
    assert pytest_remedy(tmp_path, interpreter(python)) == f"'{python}' -m pip install pytest"
    with (tmp_path / "my env" / "pyvenv.cfg").open("a") as configuration:
        configuration.write("uv = 0.5.0\n")
    assert pytest_remedy(tmp_path, interpreter(python)) == f"uv pip install --python '{python}' pytest"


def test_pytest_stays_out_of_system_python(tmp_path: Path) -> None:
    remedy = pytest_remedy(tmp_path, interpreter(tmp_path / "usr" / "bin" / "python3"))
    place = tmp_path / ".venv"
    assert remedy == f"{tmp_path}/usr/bin/python3 -m venv {place} && {place}/bin/python -m pip install pytest"


def test_extras_go_to_certos_own_interpreter() -> None:
    """An extra of certo goes to the interpreter that runs it."""
    words = shlex.split(own_remedy("tools"))
    assert sys.executable in words
    assert words[-1] == "certo[tools]"
