"""Honest programs get the verdict that plain pytest gives, whichever executor runs them, through both tiers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from certo.sandbox.executor import Executor, Policy
from certo.vocabulary.verdict import Ruling
from hostile.court import open_court, warmed
from hostile.honest import HONEST_PROGRAMS, Honest
from support.projects.projects import write_project


def plain_pytest(python: Path, root: Path) -> bool:
    """True if the project's tests pass under plain pytest."""
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
    text = (root / "program.py").read_text(encoding="utf-8")
    assert plain_pytest(python, root)
    async with warmed(await open_court(executor, python, root, "program.py", "answer")) as court:
        judgement = await court.judge(text + "\n\n# A candidate.\n", hurried=False)
        worse = await court.judge(text + "\n\ndef answer():\n    return 41\n", hurried=False)
    known = court.problem.baseline
    if honest.needs_namespaces and Policy.LOOPBACK not in executor.policies:
        # What there is of these is the user's, and closed: such tests are red at the baseline already, and a candidate
        # that they alone would judge does not pass. That is less than plain pytest gives, and never more.
        assert known.passing == ()
        assert not judgement.accepted
        return
    assert judgement.accepted, judgement.findings
    assert judgement.ran_warm is (Policy(known.policy) is Policy.STRICT), judgement.by_tests.tests
    assert judgement.assurance.startswith(honest.assurance), judgement.assurance
    tests = judgement.by_tests.tests
    assert tests is not None
    assert tests.passed == tests.collected == len(known.tests) > 0
    assert worse.by_tests.ruling is Ruling.FAILED
