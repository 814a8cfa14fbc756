"""Flaky tests: tests of the baseline that are set aside because their result changes when they run again.

A test that fails once and passes on the very same text would accept any candidate as a repair. The reruns have only
the tests that candidates are judged by, so they also reveal a test that fails only after tests that are no longer run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import anyio

from certo.concurrency import gather_until
from certo.sandbox.process.slots import processors
from certo.verification.dynamic.harness import Harness, Selection, run_program, some_cases
from certo.verification.dynamic.results import CaseResult, RunResults, was_cut_short
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.verdict import Ruling

MAX_RERUN_SECONDS = 5.0
"""The time that all tests together may have taken to be run again, as the user is waiting."""

RERUNS_OF_PASSING_TESTS = 2
"""The number of reruns if all tests pass although the user asks for a repair."""


def should_rerun(
    harness: Harness, known: Sequence[CaseResult], killed: Sequence[str], *, recheck_green: bool = False
) -> bool:
    """True if the `known` tests are to run again to find flaky ones: always all of pytest's tests, or none.

    If all of them pass, they run again only with `recheck_green`. Part of the tests would not do, since a test may
    depend on the ones before it: so nothing is rerun if a test ended its process (`killed`), or if all tests together
    take long. A hole has no passing tests yet.
    """
    if harness.target.is_hole or not (_is_red(known) or recheck_green):
        return False
    again = {case.id for case in known if "::" in case.id}
    return bool(again) and again.isdisjoint(killed) and sum(case.seconds for case in known) <= MAX_RERUN_SECONDS


async def flaky_tests(
    harness: Harness, known: Sequence[CaseResult], warm: Harness | None = None
) -> tuple[frozenset[str], int]:
    """Return the ids of tests in `known` whose result changes when they run again.

    With them, return the number of warm runs in which every test had the result that it is known by.

    With a `warm` harness they run twice at once, which is quicker than one run in a fresh process. A test whose result
    differs in both of these may depend on the prepared process; then a fresh process decides.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    # Three runs are compared: the baseline's, and two warm ones that are equal but for chance. Where those two agree
    # and differ from the baseline, the prepared process may be the reason, which only a fresh one can tell.
    first = {case.id: case.ruling for case in known if "::" in case.id}
    found: frozenset[str] = frozenset()
    if warm is not None:
        again = [partial(_rulings, warm, first)] * 2
        once, twice = (await gather_until(again, lambda _: False)).values()
        found = _differing(once, twice)
        if once.keys() == twice.keys() == first.keys() and _differing(first, once) <= found:
            return found, 0 if found else len(again)
    for _ in range(1 if _is_red(known) else RERUNS_OF_PASSING_TESTS):
        found |= _differing(first, await _rulings(harness, first))
    return found, 0


def _is_red(known: Sequence[CaseResult]) -> bool:
    return any(case.ruling is Ruling.FAILED for case in known)


async def _rulings(harness: Harness, tests: Mapping[str, Ruling]) -> dict[str, Ruling]:
    """Return the results of another run, by test id; tests that it does not report are left out."""
    results = RunResults()
    selection = Selection(paths=files_of(tests), ids=tuple(tests))
    seconds = harness.options.total_seconds
    await run_program("suite", harness, harness.base, selection, results, seconds=seconds)
    return {name: results.tests[name].ruling for name in tests if name in results.tests}


def _differing(one: Mapping[str, Ruling], other: Mapping[str, Ruling]) -> frozenset[str]:
    both = {name: {one[name], other[name]} for name in one.keys() & other.keys()}
    return frozenset(name for name, rulings in both.items() if rulings == {Ruling.FAILED, Ruling.PASSED})


RUNS_BEFORE = 4
"""The number of runs in which failing tests have to fail on the original text, once in a search.

The reruns of the baseline are among them if they started from prepared processes, as these do.
"""

MAX_EARLY_SECONDS = 0.25
"""The time that all tests together may take to be rerun before there is a candidate, for there may be none."""

RUNS_WITH = 2
"""The number of further runs in which each candidate has to pass them."""


MAX_CASES = 50
"""The number of passing cases of a parametrized test that are rerun beside the failing ones, as most are alike."""


class FlakinessCheck:
    """Reruns failing tests before a pass counts; on the original text of a problem they run once and are remembered."""

    def __init__(self) -> None:
        self._lock = anyio.Lock()
        self._problem: Problem | None = None
        self._before: frozenset[str] = frozenset()

    async def before(
        self, harness: Harness, problem: Problem, seconds: float, *, early: bool = False
    ) -> frozenset[str]:
        """Return the ids of pytest tests, failing at the baseline, that pass in another run on the original text.

        `seconds` is the time that all tests of the baseline take. If that is long, only the files with failing tests
        run again, once. An `early` one has no candidate waiting yet, so it leaves a processor to the search for one.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        again, red, often = _to_rerun(problem, seconds)
        async with self._lock:
            if self._problem is not problem:
                self._before = frozenset()
                # Of a hole no test passes anyway.
                if red and not problem.target.is_hole:
                    runs = min(RUNS_BEFORE, max(1, often)) - problem.baseline_run.reruns
                    at_once = max(1, processors() - 1) if early else max(0, runs)
                    self._before = await _standing(harness, problem.text, again, red, Ruling.PASSED, runs, at_once)
                self._problem = problem
        return self._before

    async def flaky(self, harness: Harness, candidate: Candidate, problem: Problem, seconds: float) -> frozenset[str]:
        """Return the ids of pytest tests, failing at the baseline, whose result changes on the same text.

        `seconds` is the time that all tests take. If that is long, none runs again with the candidate.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        # Both directions count: a test that once passes on the original text would accept any candidate, and one that
        # once fails with the candidate may have passed by chance before.
        before = await self.before(harness, problem, seconds)
        again, red, often = _to_rerun(problem, seconds)
        if before or not red:
            return before
        runs = min(RUNS_WITH, often)
        theirs = harness.with_files_of(candidate)
        return await _standing(theirs, candidate.text, again, red, Ruling.FAILED, runs, runs)


def _to_rerun(problem: Problem, seconds: float) -> tuple[tuple[str, ...], frozenset[str], int]:
    """Return the tests to rerun, those of them that failed at the baseline, and how often there is time for it."""
    usual = [test for test in problem.baseline.tests if not test.is_doctest and not was_cut_short(test.message)]
    red = frozenset(test.id for test in usual if test.ruling is Ruling.FAILED)
    green = {test.id for test in some_cases([test for test in usual if test.id not in red], MAX_CASES)}
    known = [test for test in usual if test.id in red or test.id in green]
    if len(known) < len(usual):
        seconds *= _seconds(known) / max(_seconds(usual), 0.001)
    often = int(MAX_RERUN_SECONDS / max(seconds, 0.001))
    return _again(known, red, whole=often > 0), red, often


def _seconds(tests: Sequence[KnownTest]) -> float:
    return sum(test.seconds for test in tests)


def _again(known: Sequence[KnownTest], red: frozenset[str], *, whole: bool) -> tuple[str, ...]:
    """Return the tests to rerun: all, as they may depend on each other, or else the files with failing ones."""
    files = {name.partition("::")[0] for name in red}
    return tuple(test.id for test in known if whole or test.id.partition("::")[0] in files)


async def _standing(
    harness: Harness, text: str, ids: tuple[str, ...], red: frozenset[str], ruling: Ruling, runs: int, at_once: int
) -> frozenset[str]:
    """Return the `red` tests with this ruling in one of `runs`, `at_once` of them concurrently, until one has some."""
    room = anyio.Semaphore(at_once)

    async def once() -> frozenset[str]:
        results = RunResults()
        selection = Selection(paths=files_of(ids), ids=ids)
        async with room:
            await run_program("suite", harness, text, selection, results, seconds=harness.options.total_seconds)
        return red.intersection(name for name, case in results.tests.items() if case.ruling is ruling)

    found = await gather_until([once] * runs, lambda found: any(found.values()))
    return frozenset().union(*found.values())
