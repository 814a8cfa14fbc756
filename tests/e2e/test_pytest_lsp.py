"""The main job through a client that nobody here wrote: pytest-lsp's, in a session of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.projects.bare_environment import bare_environ

JOURNEY = Path(__file__).parent / "with_pytest_lsp"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("editors", "passed"),
    [("neovim", "1 passed"), pytest.param("visual_studio_code or emacs", "2 passed", marks=pytest.mark.slow)],
)
def test_the_main_job_in_three_editors(editors: str, passed: str) -> None:
    pytest_ = [sys.executable, "-m", "pytest", "-c", JOURNEY / "pytest.ini"]
    command = [*pytest_, JOURNEY / "journey.py", "-q", "-k", editors]
    ran = subprocess.run(
        command, cwd=JOURNEY, env=bare_environ(), capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert passed in ran.stdout
