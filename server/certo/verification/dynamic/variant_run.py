"""Runs of tests in which the candidate is in another process, or all assertions are broken on purpose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace

from certo.sandbox.executor import Apart, Ending
from certo.verification.dynamic.harness import Harness, Selection, work_of
from certo.verification.dynamic.oracle_leaks import apart_from_examples, oracle_files
from certo.verification.dynamic.results import CaseResult, RunResults, was_cut_short, without_addresses
from certo.vocabulary.problem import KnownTest
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling

_MAX_RUNS = 4
"""Maximum number of runs, each of the tests for which the candidate's process was gone in the one before."""

_FOREIGN = "it handles objects that stay in the candidate's process"


@dataclass(slots=True)
class VariantRun:
    """The results (`cases`, by test id) of tests run apart or with broken assertions.

    `uncollected` has, by file, the reason and whether that is an excuse. `ended` are tests that ended their process,
    with the reason. `cut_short` says how the run itself was ended, if it was.
    """

    cases: dict[str, CaseResult] = field(default_factory=dict)
    uncollected: dict[str, tuple[str, bool]] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    cut_short: str = ""

    @property
    def hurry(self) -> str:
        """Return how a test or the run itself was cut short, if one was: it may end otherwise next time."""
        cut_short = (case.message for case in self.cases.values() if was_cut_short(case.message))
        return [*cut_short, *self.ended.values(), self.cut_short][0]

    def passed(self, test: KnownTest) -> bool:
        """True if the test passed."""
        case = self.cases.get(test.id)
        return case is not None and case.ruling is Ruling.PASSED

    def is_lost(self, test: KnownTest) -> bool:
        """True if the test was missing, although its file was collected and the run was not cut short."""
        has_result = test.id in self.cases or test.id in self.ended
        return not (has_result or self.is_uncollected(test) or self.cut_short)

    def is_uncollected(self, test: KnownTest) -> bool:
        """True if the file of the test could not be collected."""
        return _file_of(test) in self.uncollected

    def is_uncollected_like(self, other: VariantRun, test: KnownTest) -> bool:
        """True if the file of the test could not be collected in both runs, and for the same reason."""
        reasons = {without_addresses(run.trouble(test)) for run in (self, other)}
        return other.is_uncollected(test) and len(reasons) == 1

    def sites(self, test: KnownTest) -> int:
        """Return the number of broken assertions that the test executed."""
        case = self.cases.get(test.id)
        return 0 if case is None else case.sites

    def is_bare(self, test: KnownTest) -> bool:
        """True if the test failed only because it has no assertion to break."""
        case = self.cases.get(test.id)
        return case is not None and case.bare and case.ruling is Ruling.FAILED

    def deciding_operator(self, test: KnownTest) -> str:
        """Return the operator of the candidate that decided an assertion of the test, or nothing."""
        case = self.cases.get(test.id)
        return "" if case is None else case.own

    def lie(self, test: KnownTest) -> str:
        """Return the lie of the candidate's operator that was detected, or nothing."""
        case = self.cases.get(test.id)
        return "" if case is None else case.lie

    def influence(self, test: KnownTest) -> str:
        """Return the candidate's action on an object of the test that may have decided its assertions, or nothing."""
        case = self.cases.get(test.id)
        return "" if case is None else case.influence

    def excuse(self, test: KnownTest) -> str:
        """Return why a failure of the test apart says nothing about the candidate, or nothing if it does."""
        case = self.cases.get(test.id)
        if case is not None:
            return case.carried or (_FOREIGN if case.foreign else "")
        said, excused = self.uncollected.get(_file_of(test), ("", False))
        return said if excused else ""

    def trouble(self, test: KnownTest) -> str:
        """Return the message of a test that did not pass, or the reason why it has no result."""
        case = self.cases.get(test.id)
        if case is not None:
            return case.message or "it failed"
        if test.id not in self.ended and self.cut_short:
            return self.cut_short
        return self.ended.get(test.id) or self.uncollected.get(_file_of(test), ("it did not run", False))[0]


async def run_variant(
    harness: Harness, text: str, tests: Iterable[KnownTest], *, apart: bool, broken: bool
) -> VariantRun:
    """Run tests on `text`, in another process if `apart`, and with their assertions `broken` on purpose or as they are.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    run = VariantRun()
    listed = tuple(tests)
    for program, doctest in (("suite", False), ("doctest_run", True)):
        chosen = tuple(test for test in listed if test.is_doctest is doctest)
        if chosen:
            await _run(harness, text, program, chosen, run, apart=apart, broken=broken)
    return run


async def _run(
    harness: Harness,
    text: str,
    program: str,
    tests: tuple[KnownTest, ...],
    run: VariantRun,
    *,
    apart: bool,
    broken: bool,
) -> None:
    files = tuple(dict.fromkeys(_file_of(test) for test in tests))
    asked = tests
    for _ in range(_MAX_RUNS):
        selection = Selection(paths=files, ids=tuple(test.id for test in asked))
        work = work_of(program, harness, text, selection, seconds=harness.options.total_seconds)
        work = replace(work, request={**work.request, "canary": broken})
        if apart and program == "suite":
            hidden = oracle_files(harness.root, harness.path, files)
            work = replace(work, apart=Apart(files=(harness.path,), hidden=hidden))
        elif apart:
            work = apart_from_examples(work, harness.path, (test.id for test in tests))
        results = RunResults()
        finished = await harness.executor.run(work, results)
        # The candidate had no part in those that began without it, so they have no result yet.
        untried = tuple(test for test in asked if _is_alone(results.tests.get(test.id)))
        run.cases.update((name, case) for name, case in results.tests.items() if not _is_alone(case))
        for path, said in results.uncollected.items():
            run.uncollected[path] = (results.excuses.get(path) or said, path in results.excuses)
        if results.running is not None:
            run.ended[results.running] = results.how_it_was_killed(finished)
        if finished.ending is not Ending.EXITED:
            run.cut_short = f"the run {finished.ending.value}"
        # Examples run in the order of their documents, so that the same one would come before them again.
        if not untried or run.cut_short or len(untried) == len(asked) or program != "suite":
            break
        asked = untried
    if untried:
        run.cut_short = run.cut_short or "the candidate's process ended or did not answer in tests before it"


def _is_alone(case: CaseResult | None) -> bool:
    """True if a test failed that had begun when the candidate's process was gone."""
    return case is not None and case.alone and case.ruling is Ruling.FAILED


def _file_of(test: KnownTest) -> str:
    return test.id.partition("::")[0]
