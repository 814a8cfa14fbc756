"""The editor configurations are used: the journeys of `tests/e2e` load three, and the server that Helix names starts.

Helix is no package of Debian, so a client that needs nothing else runs the command of its configuration.
"""

from __future__ import annotations

import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from support.projects.demo_project import copy_demo_project, run_line

EXAMPLES = Path(__file__).parents[2] / "examples"
JOURNEYS = Path(__file__).parents[1] / "e2e"


def test_each_configuration_is_used() -> None:
    journeys = "".join(path.read_text(encoding="utf-8") for path in JOURNEYS.glob("test_editors_*.py"))
    loaded = {path.name for path in (EXAMPLES / "editors").iterdir() if f'CONFIGURATIONS / "{path.name}"' in journeys}
    assert {path.name for path in (EXAMPLES / "editors").iterdir()} == loaded
    assert loaded == {"neovim.lua", "eglot.el", "ale.vim", "helix.toml"}


@pytest.mark.slow
def test_the_server_that_helix_names_repairs(tmp_path: Path) -> None:
    configuration = tomllib.loads((EXAMPLES / "editors" / "helix.toml").read_text(encoding="utf-8"))
    [language] = configuration["language"]
    [name] = language["language-servers"]
    server = configuration["language-server"][name]
    client = [sys.executable, str(EXAMPLES / "client" / "repair.py"), "till/coins.py", "change"]
    project = copy_demo_project(tmp_path)
    code, printed = run_line(shlex.join([*client, server["command"], *server["args"]]), project)
    assert language["name"] == "python"
    assert code == 0, printed
    assert "while due >= coin" in (project / "till/coins.py").read_text(encoding="utf-8")
