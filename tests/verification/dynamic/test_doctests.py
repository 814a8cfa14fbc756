"""Candidates judged by the target's own doctest examples: real projects, real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.verification.dynamic.suite_verifiers import DoctestsVerifier
from certo.verification.options import TestOptions
from certo.vocabulary.verdict import Ruling, TestEvidence, Verdict
from support.projects.projects import Project, write_project

SUMS = '''\
from .names import ERROR


def share(total, people):
    """Share.

    >>> share(6, 3)
    2
    >>> share(7, 2)
    3
    >>> share(7, 0)
    Traceback (most recent call last):
    ValueError: nobody
    """
    if not people:
        raise ERROR("nobody")
    return total / people
'''


@pytest.fixture
def project(tmp_path: Path) -> Project:
    write_project(
        tmp_path, {"src/pkg/__init__.py": "", "src/pkg/names.py": "ERROR = ValueError\n", "src/pkg/sums.py": SUMS}
    )
    return Project(tmp_path, "src/pkg/sums.py", "share", TestOptions(seconds=1.0, total_seconds=20.0))


async def judged(project: Project, old: str, new: str) -> tuple[Verdict, TestEvidence]:
    problem = project.problem(await project.baseline())
    verifier = DoctestsVerifier(project.harnesses)
    verdict = await verifier.judge(project.candidate(old, new), problem)
    assert verdict.verifier == verifier.name == "doctests"
    assert verdict.tests is not None
    return verdict, verdict.tests


async def test_a_repair_passes_with_all_the_evidence(project: Project) -> None:
    verdict, evidence = await judged(project, "total / people", "total // people")
    assert verdict.ruling is Ruling.PASSED
    assert verdict.findings == ()
    assert evidence == TestEvidence(
        collected=3,
        ran=3,
        passed=3,
        failed=0,
        skipped=0,
        newly_passing=2,
        touched=True,
        isolation=project.executor.isolation,
    )


async def test_time_of_examples_is_told(project: Project) -> None:
    """An example takes its time, however late the kernel writes down that a process had to wait before it."""
    waiting = SUMS.replace(">>> share(6, 3)", ">>> import time; time.sleep(0.5)\n    >>> share(6, 3)")
    waits = Project(write_project(project.root, {project.path: waiting}), project.path, "share")
    _, evidence = await judged(waits, "total / people", "total // people")
    assert evidence.seconds > 0


async def test_a_wrong_answer_is_quoted(project: Project) -> None:
    verdict, evidence = await judged(project, "total / people", "total - people")
    assert verdict.ruling is Ruling.FAILED
    assert [finding.message for finding in verdict.findings] == [
        "doctest:share:7: share(6, 3) gave 3, not 2",
        "doctest:share:9: share(7, 2) gave 5, not 3",
    ]
    assert (evidence.passed, evidence.failed) == (1, 2)


async def test_an_exception_lost_or_gained_is_quoted(project: Project) -> None:
    verdict, _evidence = await judged(project, 'raise ERROR("nobody")\n    return total / people', "return 1 / 0")
    assert [finding.message for finding in verdict.findings] == [
        "doctest:share:7: share(6, 3) gave nothing, not 2",
        "doctest:share:9: share(7, 2) gave nothing, not 3",
        "doctest:share:11: share(7, 0) raised ZeroDivisionError: division by zero, not ValueError: nobody",
    ]


@pytest.mark.slow
async def test_a_hang_is_said(project: Project) -> None:
    verdict, _evidence = await judged(project, "return total / people", "while True: pass")
    assert verdict.findings[0].message == "doctest:share:7: share(6, 3) did not end within 1 s"


@pytest.mark.slow
async def test_a_hang_instead_of_exception_is_reported(project: Project) -> None:
    verdict, _evidence = await judged(project, 'raise ERROR("nobody")', "while True: pass")
    assert verdict.findings[-1].message == "doctest:share:11: share(7, 0) did not end within 1 s"


async def test_the_candidates_docstring_does_not_count(project: Project) -> None:
    verdict, _evidence = await judged(project, "    2\n", "    2.0\n")
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == "doctest:share:7: share(6, 3) gave 2.0, not 2"


async def test_lines_that_move_keep_the_examples_names(project: Project) -> None:
    verdict, evidence = await judged(
        project,
        SUMS[SUMS.index("def share") :].rstrip(),
        SUMS[SUMS.index("def share") :]
        .rstrip()
        .replace("(total, people)", "(\n    total,\n    people,\n)")
        .replace("total / people", "total // people"),
    )
    assert verdict.ruling is Ruling.PASSED
    assert evidence.touched is True


async def test_import_errors_are_quoted(project: Project) -> None:
    verdict, _evidence = await judged(project, "def share(total, people):", "def share(total, people=no_such_name):")
    assert verdict.ruling is Ruling.FAILED
    assert "NameError: name 'no_such_name' is not defined" in verdict.findings[0].message
