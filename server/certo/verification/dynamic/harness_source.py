"""Sources of harnesses: tests run in fresh processes, or in prepared ones if that changes only their time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Protocol

import anyio

from certo.concurrency import background_tasks, gather_until
from certo.sandbox.executor import Executor, Finished, Interpreter
from certo.verification.dynamic.flaky import MAX_EARLY_SECONDS, MAX_RERUN_SECONDS, FlakinessCheck
from certo.verification.dynamic.harness import GRACE, Harness, Selection, run_past_killed, run_program, some_cases
from certo.verification.dynamic.results import (
    RunResults,
    is_late_outside,
    is_whole,
    is_whole_so_far,
    reaching_samples,
    untried,
    was_cut_short,
)
from certo.verification.dynamic.test_map import KnownTests
from certo.verification.dynamic.warm_pool import PROJECT, Preparation, WarmPool, files_of, why_not_warm
from certo.verification.options import TestOptions
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding

MAX_REMAINING_SECONDS = 3.0
"""The time that a run of left-out tests may take; tests that have not begun by then and are not known say nothing.

They are those that no name leads to the target from, and few of them execute it. Those that were tried are known to the
test map, so that the next run of this kind tries others.
"""

MAX_REMAINING_TEST_SECONDS = 1.0
"""The time that one of them may take before it says nothing either, so that a slow one leaves the others theirs."""

MAX_SHORT_BYTES = 10_000
"""The size of a test file up to which it runs as a whole in less time than it takes to find out what is needed."""

MAX_REHEARSED_CASES = 20
"""The number of failing and of passing cases of a parametrized test that are rehearsed.

Further ones hardly depend on how a process began.
"""

MAX_SHORT_FILES = 5
"""The number of test files that are short together."""

MAX_BESIDE_SECONDS = 1.0
"""The time that tests may take together that only run because others of their files execute the target."""


@dataclass(frozen=True, slots=True)
class LeftOutTests:
    """Left-out tests that a candidate has to pass: whole `files`, and further `tests` by id.

    `narrowed` says that no other test runs, even if it is in a file of tests that judge. `untried` counts tests that no
    name leads to the target from and that did not begin in time, or did not end.
    """

    files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    narrowed: bool = False
    untried: int = 0

    def __bool__(self) -> bool:
        """True if there is one."""
        return bool(self.files or self.tests)


class HarnessSource(Protocol):
    """Gives each problem its harness, and keeps what is found out once for all of its candidates."""

    @property
    def flakiness(self) -> FlakinessCheck:
        """The check for failing tests that are flaky."""
        ...

    async def of(self, problem: Problem, /) -> Harness:
        """Return the harness of `problem`."""
        ...

    async def confirming(self, problem: Problem, /) -> Harness:
        """Return the harness of the confirming run of `problem`."""
        ...

    async def left_out(self, problem: Problem, /) -> LeftOutTests:
        """Return the left-out tests that a candidate has to pass."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshHarnesses:
    """Harnesses whose every run gets a fresh process.

    If set, `pool` is where warm ones based on them are prepared, and `known_tests` the test map in which runs of
    left-out tests are recorded.
    """

    executor: Executor
    interpreter: Interpreter
    options: TestOptions
    pool: WarmPool | None = None
    known_tests: KnownTests | None = None
    flakiness: FlakinessCheck = field(default_factory=FlakinessCheck, compare=False)

    async def of(self, problem: Problem, /) -> Harness:
        """Return the harness of `problem`."""
        return Harness.of(problem, self.executor, self.interpreter, self.options)

    async def confirming(self, problem: Problem, /) -> Harness:
        """Return the harness of the confirming run of `problem`."""
        return (await self.of(problem)).under_other_conditions()

    async def left_out(self, problem: Problem, /) -> LeftOutTests:
        """Return the left-out tests that a candidate has to pass."""
        return await _find_left_out(await self.of(problem), problem, self.known_tests)


@asynccontextmanager
async def warm_harnesses(
    fresh: FreshHarnesses, problem: Problem, *, confirms: bool = True, early_seconds: float = MAX_EARLY_SECONDS
) -> AsyncIterator[HarnessSource]:
    """Yield the harnesses of one search; processes started for them end with the context, unless a pool keeps them.

    If candidates are to be confirmed, a process for the confirming run is prepared early too, and failing tests are
    rerun before there is a candidate if all tests together take no longer than `early_seconds`.
    """
    async with background_tasks() as group:
        harnesses = WarmHarnesses(fresh=fresh, problem=problem, pool=fresh.pool or WarmPool(group))
        if fresh.pool is not None:
            group.start_soon(partial(harnesses.prepare_early, confirms=confirms, early_seconds=early_seconds))
        yield harnesses


@dataclass(slots=True, kw_only=True)
class WarmHarnesses:
    """Prepares a process for the tests of `problem` when they first run, as long as results stay the same.

    This is found out by a rehearsal: the tests run on the original text in the prepared process, and must have the
    results they had in fresh processes, failures with the same messages. The first rehearsal has a prepared pytest
    session. If results differ, a second one has only the libraries imported. If they still differ, runs stay cold.
    """

    fresh: FreshHarnesses
    problem: Problem
    pool: WarmPool
    _lock: anyio.Lock = field(default_factory=anyio.Lock)
    _found: Harness | None = None
    _left_out_lock: anyio.Lock = field(default_factory=anyio.Lock)
    _left_out: LeftOutTests | None = None

    @property
    def flakiness(self) -> FlakinessCheck:
        """Return the check for flaky tests, which remembers what it has found."""
        return self.fresh.flakiness

    async def of(self, problem: Problem, /) -> Harness:
        """Return the harness of `problem`, warm only for the problem that was prepared for."""
        if problem is not self.problem:
            return await self.fresh.of(problem)
        async with self._lock:
            if self._found is None:
                self._found = await self._find(await self.fresh.of(problem))
        return self._found

    async def confirming(self, problem: Problem, /) -> Harness:
        """Return the harness of the confirming run, which starts from a process prepared under its conditions.

        There is one only if the baseline ran in a prepared process too.
        """
        cold = await self.fresh.confirming(problem)
        if problem is not self.problem or not self._uses_project_process(cold):
            return cold
        return await self._in_project_process(cold)

    async def left_out(self, problem: Problem, /) -> LeftOutTests:
        """Return the left-out tests that a candidate has to pass."""
        if problem is not self.problem:
            return await self.fresh.left_out(problem)
        async with self._left_out_lock:
            if self._left_out is None:
                harness = await self.of(problem)
                self._left_out = await _find_left_out(harness, problem, self.fresh.known_tests)
        return self._left_out

    async def prepare_early(self, *, confirms: bool, early_seconds: float) -> None:
        """Prepare while the first candidate is generated, unless there are no tests, or they would delay it.

        If candidates are to be confirmed, the failing tests are rerun on the original text as well.
        """
        tests = self.problem.baseline.tests
        seconds = sum(test.seconds for test in tests)
        if tests and seconds <= MAX_RERUN_SECONDS:
            # The first candidate to be judged raises this error again.
            with suppress(BrokenWorld):
                harness = await self.of(self.problem)
                if confirms:
                    # The left-out tests take longest, and come first.
                    early: list[Callable[[], Awaitable[object]]] = [partial(self.left_out, self.problem)]
                    early.append(self._prepare_confirming)
                    if seconds <= early_seconds:
                        early.append(partial(self.flakiness.before, harness, self.problem, seconds, early=True))
                    await gather_until(early, lambda _: False)

    async def _prepare_confirming(self) -> None:
        confirming = await self.confirming(self.problem)
        if confirming.preparation is not None:
            await run_program("suite", confirming, confirming.base, Selection(paths=()), RunResults(), seconds=GRACE)

    def _uses_project_process(self, cold: Harness) -> bool:
        is_whole = self.problem.others is not None
        return self.problem.baseline_run.prepared and not why_not_warm(replace(cold, whole_suite=is_whole))

    async def _in_project_process(self, cold: Harness) -> Harness:
        run = self.problem.baseline_run
        warm = await self.pool.harness(cold, PROJECT)
        return replace(warm, libraries=run.libraries, characters=run.characters)

    async def _find(self, cold: Harness) -> Harness:
        baseline, run = self.problem.baseline, self.problem.baseline_run
        why = why_not_warm(replace(cold, whole_suite=self.problem.others is not None))
        if why:
            return replace(cold, cold=why)
        if run.prepared:
            # The baseline ran in this process, so its results are what a rehearsal would have to show.
            return await self._in_project_process(cold)
        paths = files_of(test.id for test in baseline.tests if not test.is_doctest)
        # A prepared session has read conftest files; if these import the target, every copy would have its old code.
        for session in (False,) if run.early else (True, False):
            preparation = Preparation(paths, run.libraries, session, characters=run.characters)
            warm = await self.pool.harness(cold, preparation)
            try:
                why = await _rehearse(warm, cold, baseline.tests)
            except BaseException:
                # A cancelled rehearsal has shown nothing, so the next caller has to start afresh.
                self.pool.drop(cold, preparation)
                raise
            if not why:
                return warm
            self.pool.drop(cold, preparation)
        return replace(cold, cold=why)


async def run_remaining(
    program: str,
    harness: Harness,
    text: str,
    selection: Selection,
    results: RunResults,
    *,
    known_tests: KnownTests | None,
    brief: bool = False,
) -> Finished:
    """Run left-out tests on a text as it is, and record them in a test map if there is one.

    If they are `brief`, none may take longer than `MAX_REMAINING_TEST_SECONDS`, and one that is killed takes no other
    with it.
    """
    options = harness.options
    each = min(MAX_REMAINING_TEST_SECONDS, options.seconds) if brief else options.seconds
    harness = replace(harness, recorded=known_tests is not None, options=replace(options, seconds=each))
    seconds = min(MAX_REMAINING_SECONDS, options.total_seconds)
    run = run_past_killed if brief else run_program
    finished = await run(program, harness, text, selection, results, seconds=seconds)
    if known_tests is not None and is_whole_so_far(results, finished):
        unrun = (*selection.skip, *untried(results), *results.sampled)
        partial_files = {*results.uncollected, *files_of(unrun)}
        paths = results.paths if selection.paths is None else selection.paths
        known_tests.record(results, [path for path in paths if path not in partial_files])
    return finished


def said_of_untried(number: int) -> tuple[Finding, ...]:
    """Return what is said of a pass where tests that no name leads to the target from were not tried."""
    if not number:
        return ()
    tests = "1 test" if number == 1 else f"{number} tests"
    said = f"{tests} in which no name leads to the function; to have them judge too, name their files in tests.paths"
    return (Finding(message=f"not tried within {MAX_REMAINING_SECONDS:g} s: {said}"),)


async def _find_left_out(harness: Harness, problem: Problem, known_tests: KnownTests | None) -> LeftOutTests:
    """Run the left-out tests on the original text, and return those that candidates have to pass.

    A test that does not enter the target here does not with another body of it either. Files of tests that judge, or
    of which one executes the target, run as a whole, since tests may depend on those before them. If what runs only for
    that takes long, it does not. Of very many parameter sets of a test only the first run here: they show whether it
    executes the target.

    Raises:
        BrokenWorld: Nothing can be run at all.
    """
    judging = files_of(test.id for test in problem.baseline.tests if not test.is_doctest)
    short = tuple(path for path in problem.baseline_run.rest if path in judging and _is_short(harness.root / path))
    short = short if len(short) <= MAX_SHORT_FILES else ()
    paths = tuple(path for path in problem.baseline_run.rest if path not in short)
    if not paths:
        return LeftOutTests(short)
    results = RunResults()
    selection = Selection(paths=paths, skip=problem.baseline_run.ran, sampled=True, plain=True)
    finished = await run_remaining(
        "suite", harness, harness.base, selection, results, known_tests=known_tests, brief=True
    )
    cases = list(results.tests.values())
    whole = {*_without_all_results(paths, results, finished), *files_of(reaching_samples(results))}
    reached = [case.id for case in cases if case.reached]
    around = {*files_of(reached), *judging}.difference(whole)
    beside = (case for case in cases if not case.reached and case.id.partition("::")[0] in around)
    is_short_of_time = results.stopped or any(map(is_late_outside, cases))
    if not is_short_of_time and sum(case.seconds for case in beside) <= MAX_BESIDE_SECONDS:
        return LeftOutTests((*short, *(path for path in paths if path in whole or path in around)))
    alone = tuple(test for test in reached if test.partition("::")[0] in around)
    return LeftOutTests(
        (*short, *(path for path in paths if path in whole)), alone, narrowed=True, untried=len(untried(results))
    )


def _is_short(file: Path) -> bool:
    try:
        return file.stat().st_size <= MAX_SHORT_BYTES
    except OSError:
        return False


def _without_all_results(paths: Iterable[str], results: RunResults, finished: Finished) -> set[str]:
    """Return the files with a test that has no result, for another reason than the end of the time for all tests.

    If a test that executes the target ran out of its own time, those after it had less of that.
    """
    found = {path for path in paths if path in results.uncollected}
    hung = any(case.reached and was_cut_short(case.message) for case in results.tests.values())
    ended = finished.complete or bool(results.killed)
    if is_whole(results, finished) or (results.stopped and ended and not hung):
        return found
    unrun = files_of(test for test in results.collected if test not in results.tests)
    missed = set(paths).difference(files_of(results.collected))
    return {*found, *unrun, *missed}


async def _rehearse(warm: Harness, cold: Harness, known: tuple[KnownTest, ...]) -> str:
    """Run the tests on the original text; return why warm runs cannot be used, or nothing if results are the same."""
    for program, tests in (
        ("suite", tuple(test for test in known if not test.is_doctest)),
        ("doctest_run", tuple(test for test in known if test.is_doctest)),
    ):
        # A test that ended its process, or ran out of time, would do so again.
        tried = some_cases([test for test in tests if not was_cut_short(test.message)], MAX_REHEARSED_CASES)
        if tried and (why := await _rehearse_with(program, warm, cold, files_of(test.id for test in tests), tried)):
            return why
    return ""


async def _rehearse_with(
    program: str, warm: Harness, cold: Harness, paths: tuple[str, ...], tried: tuple[KnownTest, ...]
) -> str:
    results, finished = await _try_out(program, warm, paths, tried)
    if finished.cold:
        return finished.cold
    if not finished.complete:
        return f"in a process prepared for its tests the run {finished.ending.value}"
    told = results.tests
    changed = [test for test in tried if test.id not in told or told[test.id].ruling is not test.ruling]
    if not changed:
        changed = [test for test in tried if told[test.id].message != test.message]
        if changed:
            # Another message may mean another reason, unless it differs in each run: then it differs in a second fresh
            # run too.
            again, _ = await _try_out(program, cold, paths, tried)
            changed = [
                test for test in changed if test.id in again.tests and again.tests[test.id].message == test.message
            ]
    return f"{changed[0].id} has another result in a prepared process" if changed else ""


async def _try_out(
    program: str, harness: Harness, paths: tuple[str, ...], tried: tuple[KnownTest, ...]
) -> tuple[RunResults, Finished]:
    results = RunResults()
    selection = Selection(paths=paths, ids=tuple(test.id for test in tried))
    seconds = harness.options.total_seconds
    return results, await run_program(program, harness, harness.base, selection, results, seconds=seconds)
