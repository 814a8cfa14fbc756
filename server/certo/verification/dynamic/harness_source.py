"""Where the tests of one problem run: in fresh processes, or warm where that makes no difference but in time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Protocol

import anyio

from certo.concurrency import background_tasks
from certo.sandbox.executor import Executor, Finished, Interpreter
from certo.verification.dynamic.flaky import SECONDS
from certo.verification.dynamic.harness import Harness, Selection, run_program
from certo.verification.dynamic.results import RunResults, was_cut_short
from certo.verification.dynamic.warm_pool import Preparation, WarmPool, files_of, why_not_warm
from certo.verification.options import TestOptions
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import KnownTest, Problem


class HarnessSource(Protocol):
    """Knows where the tests of a problem run."""

    async def of(self, problem: Problem, /) -> Harness:
        """Where the tests of `problem` run."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshHarnesses:
    """Gives each run a process that has run nothing before; what others may start from is `kept` where it says."""

    executor: Executor
    interpreter: Interpreter
    options: TestOptions
    kept: WarmPool | None = None

    async def of(self, problem: Problem, /) -> Harness:
        """Where the tests of `problem` run."""
        return Harness.of(problem, self.executor, self.interpreter, self.options)


@asynccontextmanager
async def warm_grounds(fresh: FreshHarnesses, problem: Problem) -> AsyncIterator[HarnessSource]:
    """The grounds of one search; what is started for them ends with the context, unless it is kept elsewhere."""
    async with background_tasks() as group:
        grounds = WarmHarnesses(fresh=fresh, problem=problem, warmth=fresh.kept or WarmPool(group))
        if fresh.kept is not None:
            group.start_soon(grounds.look_ahead)
        yield grounds


@dataclass(slots=True, kw_only=True)
class WarmHarnesses:
    """Prepares a process for the tests of `problem` when they are first wanted, as far as that changes nothing.

    How far is found out by rehearsal: the tests run on the user's own text once, and have to stand as they did in fresh
    processes, the red ones with the same words. First with a session of pytest made in advance, then with no more than
    the libraries imported.
    """

    fresh: FreshHarnesses
    problem: Problem
    warmth: WarmPool
    _lock: anyio.Lock = field(default_factory=anyio.Lock)
    _found: Harness | None = None

    async def of(self, problem: Problem, /) -> Harness:
        """Where the tests of `problem` run; warm only for the problem that was prepared for."""
        if problem is not self.problem:
            return await self.fresh.of(problem)
        async with self._lock:
            if self._found is None:
                self._found = await self._find(await self.fresh.of(problem))
        return self._found

    async def look_ahead(self) -> None:
        """Prepare while the first candidate is still sought, unless the tests take so long that they are in its way."""
        if sum(test.seconds for test in self.problem.baseline.tests) <= SECONDS:
            # Whoever judges by them hears of a broken world for themselves.
            with suppress(BrokenWorld):
                await self.of(self.problem)

    async def _find(self, cold: Harness) -> Harness:
        baseline = self.problem.baseline
        why = why_not_warm(replace(cold, whole=self.problem.others is not None))
        if why:
            return replace(cold, cold=why)
        paths = files_of(test.id for test in baseline.tests if not test.is_doctest)
        for session in (False,) if baseline.early else (True, False):
            preparation = Preparation(paths, baseline.libraries, session, characters=baseline.characters)
            warm = await self.warmth.ground(cold, preparation)
            try:
                why = await _rehearse(warm, cold, baseline.tests)
            except BaseException:
                # Whoever was cancelled meanwhile has found out nothing.
                self.warmth.drop(preparation)
                raise
            if not why:
                return warm
            self.warmth.drop(preparation)
        return replace(cold, cold=why)


async def _rehearse(warm: Harness, cold: Harness, known: tuple[KnownTest, ...]) -> str:
    """Run the tests on the text as it is; why that does not do for judging, or nothing when they stand as they did."""
    for program, tests in (
        ("suite", tuple(test for test in known if not test.is_doctest)),
        ("doctest_run", tuple(test for test in known if test.is_doctest)),
    ):
        # A test that took its process with it, or all of its time, would do so again.
        tried = tuple(test for test in tests if not was_cut_short(test.message))
        if tried and (why := await _rehearse_with(program, warm, cold, files_of(test.id for test in tests), tried)):
            return why
    return ""


async def _rehearse_with(
    program: str, warm: Harness, cold: Harness, paths: tuple[str, ...], tried: tuple[KnownTest, ...]
) -> str:
    hearing, finished = await _try_out(program, warm, paths, tried)
    if finished.cold:
        return finished.cold
    if not finished.complete:
        return f"in a process prepared for its tests the run {finished.ending.value}"
    told = hearing.tests
    changed = [test for test in tried if test.id not in told or told[test.id].ruling is not test.ruling]
    if not changed:
        changed = [test for test in tried if told[test.id].message != test.message]
        if changed:
            # A red test may be red for another reason than it was; unless its words are others each time.
            again, _ = await _try_out(program, cold, paths, tried)
            changed = [
                test for test in changed if test.id in again.tests and again.tests[test.id].message == test.message
            ]
    return f"{changed[0].id} stands otherwise in a process that was prepared for it" if changed else ""


async def _try_out(
    program: str, ground: Harness, paths: tuple[str, ...], tried: tuple[KnownTest, ...]
) -> tuple[RunResults, Finished]:
    hearing = RunResults()
    selection = Selection(paths=paths, ids=tuple(test.id for test in tried))
    seconds = ground.options.total_seconds
    return hearing, await run_program(program, ground, ground.base, selection, hearing, seconds=seconds)
