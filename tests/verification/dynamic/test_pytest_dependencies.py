"""Projects that pytest itself imports, such as iniconfig: tests get another copy of them than pytest has."""

from __future__ import annotations

import shutil
from pathlib import Path

import iniconfig
import pytest

from certo.verification.dynamic.evidence import EvidenceVerifier
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, standing, write_project

DOUBLE = "\n\ndef double(x):\n    return x + 2\n"
TESTS = """\
from iniconfig import double

def test_double():
    assert double(3) == 6

def test_kept():
    assert double(2) == 4
"""
PATH = "src/iniconfig/__init__.py"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    assert iniconfig.__file__ is not None
    shutil.copytree(Path(iniconfig.__file__).parent, tmp_path / "src/iniconfig")
    text = (tmp_path / PATH).read_text(encoding="utf-8")
    write_project(tmp_path, {PATH: text + DOUBLE, "tests/test_double.py": TESTS})
    return Project(tmp_path, PATH, "double")


async def test_right_candidate_runs_apart(project: Project) -> None:
    """The original that pytest has imported there fails the test that the candidate repairs."""
    baseline = await project.baseline()
    assert list(standing(baseline).values()) == ["failed", "passed"]
    verdict = await ForgeryVerifier(project.harnesses).judge(
        project.candidate("x + 2", "x * 2"), project.problem(baseline)
    )
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())
    assert verdict.assurance == "tier 2: apart + canary"


@pytest.mark.slow
async def test_tests_notice_wrong_versions(project: Project) -> None:
    problem = project.problem(await project.baseline())
    verdict = await EvidenceVerifier(project.harnesses).judge(project.candidate("x + 2", "x * 2"), problem)
    assert verdict.ruling is Ruling.PASSED
    assert verdict.dependence is not None
    assert verdict.dependence.noticed == 2
