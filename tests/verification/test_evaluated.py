"""A candidate's report as one of five outcomes, in the words that its mender is told."""

from __future__ import annotations

import pytest

from certo.verification.code_evaluation import CodeOutcome, evaluated, score_feedback
from certo.verification.code_feedback import code_feedback
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.verdict import Finding, Report, Ruling, TestEvidence, Verdict

pytestmark = pytest.mark.acceptance(97, 98)

CODE = Candidate(id="c", edits=(), text="import x\n\ndef f(n):\n    return sqrt(n)\n", origin=Origin(generator="g"))


def report(verifier: str, *findings: Finding, passed: int | None = None) -> Report:
    tests = None
    if passed is not None:
        tests = TestEvidence(collected=3, ran=3, passed=passed, failed=3 - passed, skipped=0, touched=True)
    before = Verdict(verifier="signature", ruling=Ruling.PASSED)
    verdict = Verdict(verifier=verifier, ruling=Ruling.FAILED, findings=findings, tests=tests)
    return Report(candidate_id="c", verdicts=(before, verdict))


def test_what_passed_is_a_success():
    passed = Report(candidate_id="c", verdicts=(Verdict(verifier="tests", ruling=Ruling.PASSED),))
    assert evaluated(CODE, passed).outcome is CodeOutcome.SUCCESS


def test_unparsable_text_has_its_own_outcome():
    found = evaluated(CODE, report("syntax", Finding(message="'(' was never closed", line=4)))
    assert (found.outcome, score_feedback(found)) == (CodeOutcome.FAILED_PARSE, 1)
    said = code_feedback(found)
    assert said.startswith("**Parsing Error Detected:** SyntaxError: '(' was never closed")
    assert "- line 4: `return sqrt(n)`" in said
    assert "**Tip:**" in said


@pytest.mark.parametrize("words", ["did not end within 2 s", "did not end within 0.5 s"])
def test_time_outs_have_their_own_outcome(words: str):
    found = evaluated(CODE, report("tests", Finding(message=f"test_x.py::test_f {words}"), passed=1))
    assert found.outcome is CodeOutcome.FAILED_TIMEOUT
    assert "Evaluation timed out" in code_feedback(found)


def test_each_failed_test_is_listed():
    findings = (
        Finding(message="test_x.py::test_f: NameError: name 'sqrt' is not defined", line=4),
        Finding(message="test_x.py::test_g: assert 3 == 2"),
    )
    found = evaluated(CODE, report("tests", *findings, passed=1))
    assert (found.outcome, score_feedback(found)) == (CodeOutcome.FAILED_EVAL, 10 + 1 - 1 - 2)
    said = code_feedback(found)
    assert "Of 3 tests 1 passed, 1 failed, and 1 had an error." in said
    assert "- `test_x.py::test_f` at line 4, `return sqrt(n)`: NameError: name 'sqrt' is not defined" in said
    assert "from math import sqrt" in said


def test_static_checks_object_by_name():
    found = evaluated(CODE, report("types", Finding(message="int is no str", line=4), Finding(message="no")))
    assert found.outcome is CodeOutcome.FAILED_EVAL
    assert "The check `types`: int is no str\nno" in code_feedback(found)
