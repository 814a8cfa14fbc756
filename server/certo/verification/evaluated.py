"""What came of a candidate as one of the six outcomes of code that is run, for whoever is to mend it."""

from __future__ import annotations

import re

from certo.verification.evaluation import CodeError, CodeOutcome, Evaluation, RanTest
from certo.verification.hearing import was_cut_short
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.verdict import Finding, Report, Verdict

_RAISED = re.compile(
    r"([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Group))\b:?\s*(.*)", re.DOTALL
)
"""The words of a test that name an exception first."""


def evaluated(candidate: Candidate, report: Report) -> Evaluation:
    """A candidate's report as an Evaluation: AgentTools' outcomes, with what the first objecting check says as errors.

    Text that does not parse, tests that take too long, and all that fails otherwise are told apart; a check that runs
    no tests and objects is an error of its own kind.
    """
    failure = report.failure
    if failure is None:
        return Evaluation(code=candidate.text, outcome=CodeOutcome.SUCCESS)
    if failure.verifier == "syntax":
        return Evaluation(
            code=candidate.text, outcome=CodeOutcome.FAILED_PARSE, error=_error_of(failure, "SyntaxError")
        )
    if any(was_cut_short(finding.message) for finding in failure.findings):
        error = CodeError(kind="TimeoutError", words=_words(failure))
        return Evaluation(code=candidate.text, outcome=CodeOutcome.FAILED_TIMEOUT, error=error)
    if failure.tests is None:
        error = _error_of(failure, f"The check `{failure.verifier}`")
        return Evaluation(code=candidate.text, outcome=CodeOutcome.FAILED_EVAL, error=error)
    passed = tuple(RanTest(name="", how="passed") for _ in range(failure.tests.passed))
    wrong = tuple(_test_of(finding) for finding in failure.findings)
    return Evaluation(code=candidate.text, outcome=CodeOutcome.FAILED_EVAL, tests=(*passed, *wrong))


def _error_of(verdict: Verdict, kind: str) -> CodeError:
    lines = tuple(finding.line for finding in verdict.findings if finding.line is not None)
    return CodeError(kind=kind, words=_words(verdict), lines=lines)


def _words(verdict: Verdict) -> str:
    return "\n".join(finding.message for finding in verdict.findings)


def _test_of(finding: Finding) -> RanTest:
    """A test that a finding speaks of: its id stands before the first colon and blank."""
    name, _, words = finding.message.partition(": ")
    raised = _RAISED.match(words)
    kind, said = (raised[1].rpartition(".")[2], raised[2]) if raised else ("AssertionError", words)
    error = CodeError(kind=kind, words=said, lines=(finding.line,) if finding.line is not None else ())
    return RanTest(name=name, how="failed" if kind == "AssertionError" else "error", error=error)
