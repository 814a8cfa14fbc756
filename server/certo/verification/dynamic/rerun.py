"""One rerun of the baseline's tests on a candidate: each of them must run once, and nothing else."""

from __future__ import annotations

from certo.sandbox.executor import Ending, Finished
from certo.verification.dynamic.harness import Harness, Selection, run_program
from certo.verification.dynamic.results import CaseResult, RunResults
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict

MAX_FINDINGS = 10
"""The number of findings that are given in full."""


async def rerun(
    verifier: str,
    program: str,
    harness: Harness,
    candidate: Candidate,
    known: tuple[KnownTest, ...],
    *,
    set_aside: tuple[KnownTest, ...] = (),
) -> Verdict:
    """Run the baseline's tests of one kind on a candidate, and return a verdict.

    A class of tests that is `set_aside`, because it could not be collected before either, is no reason against it.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    if not known:
        finding = Finding(message="no test of this kind reaches the target, so there is nothing to judge by")
        return Verdict(verifier=verifier, ruling=Ruling.UNDECIDED, findings=(finding,))
    ids = tuple(test.id for test in known)
    paths = tuple(dict.fromkeys(name.partition("::")[0] for name in ids))
    results = RunResults()
    finished = await run_program(
        program,
        harness.with_files_of(candidate),
        candidate.text,
        Selection(paths=paths, ids=ids),
        results,
        seconds=harness.options.total_seconds,
    )
    findings = _objections(known, results, finished, {(test.id, test.message) for test in set_aside})
    if results.stopped:
        total = harness.options.total_seconds
        findings.append(Finding(message=f"the tests did not end within {total:g} s together (tests.total_seconds)"))
    return Verdict(
        verifier=verifier,
        ruling=Ruling.FAILED if findings else Ruling.PASSED,
        findings=bounded(findings),
        seconds=finished.seconds,
        tests=_evidence(known, results, harness, finished),
    )


def _objections(
    known: tuple[KnownTest, ...], results: RunResults, finished: Finished, uncollected_before: set[tuple[str, str]]
) -> list[Finding]:
    """Return the reasons against passing: failing tests first, then tests not run, then trouble of the run itself."""
    told = [(test, results.tests.get(test.id)) for test in known]
    red = [
        Finding(message=f"{test.id}: {now.message}" if now.message else f"{test.id} failed", line=now.line)
        for test, now in told
        if now is not None and now.ruling is Ruling.FAILED
    ]
    skipped = [
        Finding(message=f"{test.id} was skipped, though it ran before")
        for test, now in told
        if now is not None and now.ruling is Ruling.UNDECIDED and test.ruling is not Ruling.UNDECIDED
    ]
    if results.running is not None:
        red.append(Finding(message=f"{results.running} {results.how_it_was_killed(finished)}"))
    # Of a file with tests to run, only a part can be as it was before; the rest of it is judged test by test.
    broken = [
        Finding(message=f"{path} could not be run: {said}")
        for path, said in results.uncollected.items()
        if "::" not in path or (path, said) not in uncollected_before
    ]
    missing = [
        Finding(message=f"{test.id} was not run again")
        for test, now in told
        if now is None and test.id != results.running
    ]
    return red + skipped + broken + missing + _irregularities(known, results, finished, quiet=bool(red or broken))


def _irregularities(
    known: tuple[KnownTest, ...], results: RunResults, finished: Finished, *, quiet: bool
) -> list[Finding]:
    """Return findings about the run itself; if `quiet`, only those that the tests' own findings do not explain."""
    findings = []
    expected = sorted(test.id for test in known)
    if sorted(results.collected) != expected and not quiet:
        findings.append(f"{len(results.collected)} tests were collected where there were {len(expected)} before")
    if set(results.tests) - set(expected):
        findings.append("the run reported tests that were not asked for")
    if results.nonsense:
        findings.append("the run sent messages that no test run sends")
    if results.suite_status not in (None, 0, 1):
        findings.append(f"pytest itself did not end well, with status {results.suite_status}")
    if finished.ending is not Ending.EXITED:
        findings.append(f"the test run {finished.ending.value}")
    elif not finished.complete and not quiet:
        findings.append(f"the test run ended before its end, with exit status {finished.status}")
    elif finished.status != 0 and not quiet:
        findings.append(f"the test run ended with exit status {finished.status}")
    return [Finding(message=message) for message in findings]


def bounded(findings: list[Finding]) -> tuple[Finding, ...]:
    """Return the first findings and the number of the others, as no one reads hundreds at once."""
    more = len(findings) - MAX_FINDINGS
    rest = [Finding(message=f"and {more} more")] if more > 0 else []
    return (*findings[:MAX_FINDINGS], *rest)


def _evidence(known: tuple[KnownTest, ...], results: RunResults, harness: Harness, finished: Finished) -> TestEvidence:
    told = [(test, results.tests[test.id]) for test in known if test.id in results.tests]

    def count(ruling: Ruling) -> int:
        return sum(1 for _test, now in told if now.ruling is ruling)

    passed = {test.id for test, now in told if now.ruling is Ruling.PASSED}
    failing = {test.id for test, now in told if now.ruling is Ruling.FAILED} | {results.running}

    return TestEvidence(
        collected=len(known),
        ran=len(told),
        passed=count(Ruling.PASSED),
        failed=count(Ruling.FAILED),
        skipped=count(Ruling.UNDECIDED),
        newly_passing=sum(1 for test, now in told if test.ruling is Ruling.FAILED and now.ruling is Ruling.PASSED),
        seconds=round(sum(now.seconds for _test, now in told), 4),
        touched=_touched([now for _test, now in told]),
        isolation=harness.executor.isolation_under(harness.policy),
        cold=harness.cold or finished.cold,
        failing=tuple(test.id for test in known if test.id in failing),
        unrun=tuple(test.id for test in known if test.id not in passed | failing),
    )


def _touched(told: list[CaseResult]) -> bool | None:
    """True if a test executed a changed line, and None if no test was reported.

    A test that was skipped halfway, or failed as expected, does not count, whatever it executed before.
    """
    return any(test.touched for test in told if test.ruling is not Ruling.UNDECIDED) if told else None
