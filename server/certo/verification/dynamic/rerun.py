"""Judging a candidate by the baseline's own tests: all of them, each once, and nothing else."""

from __future__ import annotations

from certo.sandbox.executor import Ending, Finished
from certo.verification.dynamic.harness import Harness, Selection, run_program
from certo.verification.dynamic.results import CaseResult, RunResults
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.verdict import Finding, Ruling, TestEvidence, Verdict

MAX_FINDINGS = 10
"""How many findings are given in full."""


async def rerun(
    verifier: str, program: str, ground: Harness, candidate: Candidate, known: tuple[KnownTest, ...]
) -> Verdict:
    """Run the tests of the baseline that `program` runs on a candidate, in a process of its own, and rule.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    if not known:
        finding = Finding(message="no test of this kind reaches the target, so there is nothing to judge by")
        return Verdict(verifier=verifier, ruling=Ruling.UNDECIDED, findings=(finding,))
    ids = tuple(test.id for test in known)
    paths = tuple(dict.fromkeys(name.partition("::")[0] for name in ids))
    hearing = RunResults()
    finished = await run_program(
        program,
        ground.under(candidate),
        candidate.text,
        Selection(paths=paths, ids=ids),
        hearing,
        seconds=ground.options.total_seconds,
    )
    findings = _objections(known, hearing, finished)
    return Verdict(
        verifier=verifier,
        ruling=Ruling.FAILED if findings else Ruling.PASSED,
        findings=bounded(findings),
        seconds=finished.seconds,
        tests=_evidence(known, hearing, ground, finished),
    )


def _objections(known: tuple[KnownTest, ...], hearing: RunResults, finished: Finished) -> list[Finding]:
    """Return all that keeps the candidate from passing: red tests first, then tests not run, then a run gone wrong."""
    told = [(test, hearing.tests.get(test.id)) for test in known]
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
    if hearing.running is not None:
        red.append(Finding(message=f"{hearing.running} {hearing.how_it_was_killed(finished)}"))
    broken = [Finding(message=f"{path} could not be run: {said}") for path, said in hearing.uncollected.items()]
    missing = [
        Finding(message=f"{test.id} was not run again")
        for test, now in told
        if now is None and test.id != hearing.running
    ]
    return red + skipped + broken + missing + _irregularities(known, hearing, finished, quiet=bool(red or broken))


def _irregularities(
    known: tuple[KnownTest, ...], hearing: RunResults, finished: Finished, *, quiet: bool
) -> list[Finding]:
    """Return what is wrong with the run itself; when `quiet`, only what the tests' own findings do not explain."""
    findings = []
    expected = sorted(test.id for test in known)
    if sorted(hearing.collected) != expected and not quiet:
        findings.append(f"{len(hearing.collected)} tests were collected where there were {len(expected)} before")
    if set(hearing.tests) - set(expected):
        findings.append("tests were told of that nobody asked for")
    if hearing.nonsense:
        findings.append("the run told things that no test run tells")
    if hearing.suite_status not in (None, 0, 1):
        findings.append(f"pytest itself did not end well, with status {hearing.suite_status}")
    if hearing.stopped:
        findings.append("the tests did not end in the time there is for all of them")
    if finished.ending is not Ending.EXITED:
        findings.append(f"the test run {finished.ending.value}")
    elif not finished.complete and not quiet:
        findings.append(f"the test run ended before its end, with exit status {finished.status}")
    elif finished.status != 0 and not quiet:
        findings.append(f"the test run ended with exit status {finished.status}")
    return [Finding(message=message) for message in findings]


def bounded(findings: list[Finding]) -> tuple[Finding, ...]:
    """The first of many findings, and how many more there are: nobody acts on hundreds at once."""
    more = len(findings) - MAX_FINDINGS
    rest = [Finding(message=f"and {more} more")] if more > 0 else []
    return (*findings[:MAX_FINDINGS], *rest)


def _evidence(known: tuple[KnownTest, ...], hearing: RunResults, ground: Harness, finished: Finished) -> TestEvidence:
    told = [(test, hearing.tests[test.id]) for test in known if test.id in hearing.tests]

    def count(ruling: Ruling) -> int:
        return sum(1 for _test, now in told if now.ruling is ruling)

    passed = {test.id for test, now in told if now.ruling is Ruling.PASSED}
    failing = {test.id for test, now in told if now.ruling is Ruling.FAILED} | {hearing.running}

    return TestEvidence(
        collected=len(known),
        ran=len(told),
        passed=count(Ruling.PASSED),
        failed=count(Ruling.FAILED),
        skipped=count(Ruling.UNDECIDED),
        newly_passing=sum(1 for test, now in told if test.ruling is Ruling.FAILED and now.ruling is Ruling.PASSED),
        seconds=round(sum(now.seconds for _test, now in told), 4),
        touched=_touched([now for _test, now in told]),
        isolation=ground.executor.isolation_under(ground.policy),
        cold=ground.cold or finished.cold,
        failing=tuple(test.id for test in known if test.id in failing),
        unrun=tuple(test.id for test in known if test.id not in passed | failing),
    )


def _touched(told: list[CaseResult]) -> bool | None:
    """Whether a test was seen to execute a changed line; without any account of a test nothing was seen either way.

    A test that was skipped on its way, or failed as it was expected to, shows nothing, whatever it executed before.
    """
    return any(test.touched for test in told if test.ruling is not Ruling.UNDECIDED) if told else None
