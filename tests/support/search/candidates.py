"""Hand-made candidates, reports and attempts."""

from __future__ import annotations

from pathlib import Path

from certo.generation.generator import Ask, Attempt
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem, Target
from certo.vocabulary.text import Span
from certo.vocabulary.verdict import Finding, Report, Ruling, TestEvidence, Verdict

HALF = "def half(n):\n    return n\n"


def problem(root: Path = Path("/project"), *, goal: Goal = Goal.REPAIR, text: str = HALF) -> Problem:
    """Return a problem about a function `half` that fills the whole text, with one red test."""
    target = Target(
        qualname="half",
        span=Span(0, len(text.rstrip("\n"))),
        body=Span(text.index("return"), len(text.rstrip("\n"))),
        line=1,
        signature="def half(n):",
    )
    red = KnownTest(id="tests/test_half.py::test_half", ruling=Ruling.FAILED, message="assert 4 == 2")
    return Problem(root=root, path="half.py", text=text, target=target, goal=goal, baseline=Baseline(tests=(red,)))


def passing_tests(*, passed: int = 1, touched: bool | None = True) -> Verdict:
    """Return the verdict of the verifier of tests on a candidate that passes them."""
    evidence = TestEvidence(collected=passed, ran=passed, passed=passed, failed=0, skipped=0, touched=touched)
    return Verdict(verifier="tests", ruling=Ruling.PASSED, tests=evidence)


def failing_tests(message: str = "assert 4 == 2") -> Verdict:
    """Return the verdict of the verifier of tests on a candidate that fails one."""
    evidence = TestEvidence(collected=1, ran=1, passed=0, failed=1, skipped=0, touched=True)
    return Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message=message),), tests=evidence)


def attempt(ask: Ask, *, passes: bool) -> Attempt:
    """Return an attempt that passed or not, named by the place in the strategy that asked for it."""
    name = f"{ask.slot}.{ask.attempt}"
    origin = Origin(generator="planned", slot=ask.slot, attempt=ask.attempt)
    verdict = passing_tests() if passes else failing_tests()
    return Attempt(
        candidate=Candidate(id=name, edits=(), text=name, origin=origin),
        report=Report(candidate_id=name, verdicts=(verdict,)),
    )
