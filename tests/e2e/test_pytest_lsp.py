"""The main job through a client that nobody here wrote: pytest-lsp's, in a session of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

JOURNEY = Path(__file__).parent / "with_pytest_lsp"


def test_the_main_job_in_three_editors():
    command = [sys.executable, "-m", "pytest", "-c", JOURNEY / "pytest.ini", JOURNEY / "journey.py", "-q"]
    ran = subprocess.run(command, cwd=JOURNEY, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout
