"""A candidate that the user wanted changed is not let through again."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.verification.static.feedback import FeedbackVerifier
from certo.vocabulary.guidance import Guidance
from certo.vocabulary.problem import Baseline
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project
from support.search.user_remarks import remark

SOURCE = "def share(total, people):\n    return total // people\n"


@pytest.mark.parametrize(
    ("new", "ruling"),
    [
        ("total / people", Ruling.FAILED),
        ("(total  /  people)  # each", Ruling.FAILED),
        ("total / (", Ruling.PASSED),
        ("people / total", Ruling.PASSED),
    ],
)
async def test_layout_and_comments_make_no_other_candidate(tmp_path: Path, new: str, ruling: Ruling) -> None:
    seen = remark(SOURCE, "total // people", "total / people", feedback="Round it.")
    rejected = remark(SOURCE, "total // people", "people", rejected=True)
    write_project(tmp_path, {"sums.py": SOURCE})
    project = Project(tmp_path, "sums.py", "share", guidance=Guidance(remarks=(seen, rejected)))
    problem = project.problem(Baseline())
    verdict = await FeedbackVerifier().judge(project.candidate("total // people", new), problem)
    assert verdict.verifier == "feedback"
    assert verdict.ruling is ruling
    said = f"it is the same as candidate {seen.candidate.id}, which was to be changed: Round it."
    assert [finding.message for finding in verdict.findings] == ([said] if ruling is Ruling.FAILED else [])
    again = await FeedbackVerifier().judge(rejected.candidate, problem)
    assert again.findings[0].message == f"it is the same as candidate {rejected.candidate.id}, which was rejected"


async def test_unparsable_rejected_candidates_compare_by_text(tmp_path: Path) -> None:
    broken = remark(SOURCE, "total // people", "total / (")
    write_project(tmp_path, {"sums.py": SOURCE})
    project = Project(tmp_path, "sums.py", "share", guidance=Guidance(remarks=(broken,)))
    verdict = await FeedbackVerifier().judge(broken.candidate, project.problem(Baseline()))
    assert verdict.ruling is Ruling.FAILED
