"""Tests put to the test: those that pass whatever the target does are no evidence for what it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.sandbox.executor import Interpreter
from certo.verification.evidence import EvidenceVerifier
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects import Project, own_interpreter, write_project
from support.small import HONEST, WEAK, Small

TELLING = {
    *("equality", "raises", "prints", "sorts in place", "an initialiser", "a property", "an asynchronous generator"),
    *("a context", "cached", "a property of all", "a test case", "a mock", "an example that raises"),
}
"""The honest projects that are tried each time; the others take minutes together."""


def as_parameter(small: Small) -> object:
    """Return a project as a parameter under its name."""
    return pytest.param(small, id=small.name, marks=() if small.name in TELLING else pytest.mark.slow)


async def judged(root: Path, small: Small, interpreter: Interpreter | None = None) -> Verdict:
    """What is said of the evidence for the target of a small project as it is."""
    write_project(root, {"m.py": small.code, **({"test_m.py": small.tests} if small.tests else {})})
    project = Project(root, "m.py", small.target, interpreter=interpreter or own_interpreter())
    problem = project.problem(await project.baseline())
    assert {test.ruling for test in problem.baseline.tests} == {Ruling.PASSED}, problem.baseline.tests
    candidate = Candidate(id="own", edits=(), text=project.text, origin=Origin(generator="user"))
    return await EvidenceVerifier(project.grounds).judge(candidate, problem)


@pytest.mark.parametrize("small", WEAK, ids=[small.name for small in WEAK])
async def test_a_test_that_passes_whatever_the_target_does_is_no_evidence(small: Small, tmp_path: Path) -> None:
    verdict = await judged(tmp_path, small)
    assert verdict.ruling is Ruling.PASSED
    assert verdict.dependence is not None
    assert verdict.dependence.noticed == 0
    assert verdict.dependence.reason == f"no test depends on what {small.target} returns"
    assert verdict.dependence.idle
    assert verdict.findings[0].message.startswith(verdict.dependence.idle[0])


@pytest.mark.parametrize("small", [*map(as_parameter, HONEST)])
async def test_a_test_that_looks_at_what_the_target_does_is_evidence(small: Small, tmp_path: Path) -> None:
    verdict = await judged(tmp_path, small)
    assert verdict.dependence is not None
    assert (verdict.ruling, verdict.dependence.idle, verdict.dependence.reason) == (Ruling.PASSED, (), "")
    assert verdict.dependence.noticed >= 1


GREEN = "def f(n):\n    n = int(n)\n    return n * 2\n"
EQUALITY = "from m import f\n\ndef test_it():\n    assert f(2) == 4\n"


async def changed(root: Path, new: str, *, code: str = GREEN, old: str = "    n = int(n)\n") -> Verdict:
    """What is said of the evidence for a candidate, where one test asks for f(2)."""
    write_project(root, {"m.py": code, "test_m.py": EQUALITY})
    project = Project(root, "m.py", "f")
    problem = project.problem(await project.baseline())
    return await EvidenceVerifier(project.grounds).judge(project.candidate(old, new), problem)


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        ("    n = int(n)\n    if __debug__ and n > 100:\n        n = 0\n", "lines 3–4"),
        ("    n = int(n)\n    unused = [n]\n", "line 3"),
        ("    if n > 100:\n        n = 0\n    n = int(n)\n", "lines 2–3"),
    ],
    ids=["a dead branch", "a name that nobody reads", "a case that no test has"],
)
async def test_changed_lines_that_no_test_misses_are_not_verified(new: str, lines: str, tmp_path: Path) -> None:
    verdict = await changed(tmp_path, new)
    assert verdict.dependence is not None
    assert verdict.dependence.noticed == 1
    assert verdict.dependence.reason == f"no test depends on the changed {lines}"


async def test_changed_lines_that_a_test_misses_are_verified(tmp_path: Path) -> None:
    verdict = await changed(tmp_path, "    return n + n", old="    return n * 2")
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")


async def test_a_repair_that_turns_a_red_assertion_green_depends_on_its_lines(tmp_path: Path) -> None:
    verdict = await changed(tmp_path, "    return n * 2", code=GREEN.replace("* 2", "* 3"), old="    return n * 3")
    assert verdict.dependence is not None
    assert (verdict.dependence.noticed, verdict.dependence.reason) == (1, "")
