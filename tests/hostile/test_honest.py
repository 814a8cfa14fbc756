"""Honest programs get the verdict that plain pytest gives, whichever executor runs them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from certo.sandbox.executor import Executor, Policy
from certo.vocabulary.verdict import Ruling
from hostile.court import open_court
from hostile.honest import HONEST_PROGRAMS, Honest
from support.projects import write_project


def plain_pytest(python: Path, root: Path) -> bool:
    """Whether the project's tests pass where nothing watches over them."""
    command = [str(python), "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(root)]
    ran = subprocess.run(command, cwd=root, env=dict(os.environ), capture_output=True, check=False, timeout=60)
    return ran.returncode == 0


@pytest.mark.parametrize("honest", [pytest.param(each, id=each.name) for each in HONEST_PROGRAMS])
async def test_an_honest_program(honest: Honest, executor: Executor, python: Path, tmp_path: Path) -> None:
    files = {
        "program.py": honest.program,
        "test_program.py": honest.tests,
        "pyproject.toml": "[tool.pytest.ini_options]\n",
    }
    root = write_project(tmp_path / "project", files)
    court = await open_court(executor, python, root, "program.py", "answer")
    text = (root / "program.py").read_text(encoding="utf-8")
    assert plain_pytest(python, root)
    verdict = await court.judge(text + "\n\n# A candidate.\n", root, hurried=False)
    if honest.needs_namespaces and Policy.LOOPBACK not in executor.policies:
        # What there is of these is the user's, and closed: such tests are red at the baseline already, and a candidate
        # that they alone would judge does not pass. That is less than plain pytest gives, and never more.
        assert court.baseline.passing == ()
        assert verdict.ruling is not Ruling.PASSED
        return
    assert verdict.ruling is Ruling.PASSED, verdict.findings
    assert verdict.tests is not None
    assert verdict.tests.passed == verdict.tests.collected == len(court.baseline.tests) > 0
    worse = await court.judge(text + "\n\ndef answer():\n    return 41\n", root, hurried=False)
    assert worse.ruling is Ruling.FAILED
