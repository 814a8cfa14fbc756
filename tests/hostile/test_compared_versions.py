"""Versions that hide a difference do not pass for the other one."""

from __future__ import annotations

from pathlib import Path

from behaviour.test_version_comparison import subject_of
from certo.behaviour.version_comparison import ComparisonBudget, VersionComparison, compare_versions
from certo.vocabulary.text import TextEdit
from hostile.attacks.comparing import COMPARED, COMPARING

BUDGET = ComparisonBudget(calls=30, seconds=60.0, is_other_reference=False)


async def compared(root: Path, *texts: str) -> VersionComparison:
    """Compare functions with the honest one."""
    subject = subject_of(root, "double", COMPARED)
    return await compare_versions(subject, [[TextEdit(subject.target.span, text)] for text in texts], budget=BUDGET)


async def test_no_version_hides_a_difference(tmp_path: Path) -> None:
    """All at once, each in its process; one that is not told apart has to be said to be unconfirmed or unanswered."""
    honest = "def double(n: int):\n    return n + n\n"
    found = await compared(tmp_path, honest, *(row.text for row in COMPARING))
    assert not found.trouble
    assert (found.versions[0].differences, found.versions[0].compared > 20) == ((), True)
    rows = zip(COMPARING, found.versions[1:], strict=True)
    hidden = [row.name for row, one in rows if not (one.differences or one.unanswered or one.unconfirmed)]
    assert hidden == []
