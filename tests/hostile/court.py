"""Judging of candidates as in a search: by tests, then for forgery, then for evidence."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from certo.edits.target import ByName, find_target
from certo.project.ignored_files import ignored_files
from certo.project.interpreter import find_interpreter
from certo.sandbox.executor import Executor, ExecutorWrapper, Finished, Interpreter, Message, Work
from certo.verification.dynamic.baseline import BaselineRequest, take_baseline
from certo.verification.dynamic.evidence import EvidenceVerifier
from certo.verification.dynamic.flaky import FlakinessCheck
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import FreshHarnesses, HarnessSource, LeftOutTests, warm_harnesses
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.options import TestOptions
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.problem import Baseline, BaselineRun, Goal, Problem
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Finding, Ruling, Verdict

UNHURRIED = TestOptions(seconds=20.0, total_seconds=60.0)
"""For candidates that have to pass, however busy the machine is."""

HURRIED = TestOptions(seconds=0.7, total_seconds=2.0)
"""For candidates that are to be stopped."""

_WALL_SECONDS, _CPU_SECONDS = 2.5, 1.0


class ShortLeash(ExecutorWrapper):
    """An executor that shortens the time limits of runs; more time would change nothing."""

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """An executor whose runs like this one start warm."""
        return self._executor.warmed(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end; see `Executor`."""
        limits = replace(
            work.limits,
            wall_seconds=min(_WALL_SECONDS, work.limits.wall_seconds),
            cpu_seconds=min(_CPU_SECONDS, work.limits.cpu_seconds),
        )
        return await self._executor.run(replace(work, limits=limits), tell)


@dataclass(frozen=True, kw_only=True)
class Hurrying:
    """The same harnesses with short time limits."""

    harnesses: HarnessSource

    @property
    def flakiness(self) -> FlakinessCheck:
        """The check for failing tests that are flaky."""
        return self.harnesses.flakiness

    async def of(self, problem: Problem, /) -> Harness:
        """Return the harness for the tests of `problem`."""
        harness = await self.harnesses.of(problem)
        return replace(harness, executor=ShortLeash(harness.executor), options=HURRIED)

    async def confirming(self, problem: Problem, /) -> Harness:
        """Return the harness for the confirming run of `problem`."""
        harness = await self.harnesses.confirming(problem)
        return replace(harness, executor=ShortLeash(harness.executor), options=HURRIED)

    async def left_out(self, problem: Problem, /) -> LeftOutTests:
        """Return the left-out tests that a candidate has to pass."""
        return await self.harnesses.left_out(problem)


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The verdicts in order, up to the first objection."""

    verdicts: tuple[Verdict, ...]

    @property
    def accepted(self) -> bool:
        """True if the candidate would be shown as verified: all passed it, and some test depends on the target."""
        reasons = [verdict.dependence.reason for verdict in self.verdicts if verdict.dependence is not None]
        return all(verdict.ruling is Ruling.PASSED for verdict in self.verdicts) and not any(reasons)

    @property
    def rejected(self) -> bool:
        """True if one of them rejected it; an undecided one does not."""
        return any(verdict.ruling is Ruling.FAILED for verdict in self.verdicts)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        return tuple(finding for verdict in self.verdicts for finding in verdict.findings)

    @property
    def by_tests(self) -> Verdict:
        """The verdict of the tests alone."""
        return self.verdicts[0]

    @property
    def by_tests_accepted(self) -> bool:
        """True if the tests alone accept it."""
        return self.by_tests.ruling is Ruling.PASSED

    @property
    def ran_warm(self) -> bool:
        """True if the tests started from the prepared process."""
        return self.by_tests.tests is not None and not self.by_tests.tests.cold

    @property
    def assurance(self) -> str:
        """The checks that the last verifier to name any put the candidate to; empty if none did."""
        named = [verdict.assurance for verdict in self.verdicts if verdict.assurance]
        return named[-1] if named else ""


@dataclass(frozen=True, kw_only=True)
class Court:
    """Judges candidates for one problem, one after another with the same harnesses."""

    executor: Executor
    problem: Problem
    harnesses: HarnessSource
    several_targets: bool = False

    async def judge(self, text: str, *, hurried: bool = True) -> Judgement:
        """Judge the candidate whose whole file is `text`."""
        harnesses: HarnessSource = Hurrying(harnesses=self.harnesses) if hurried else self.harnesses
        base = self.problem.text
        candidate = Candidate(
            id=candidate_id(base, text),
            edits=(TextEdit(Span(0, len(base)), text),),
            text=text,
            origin=Origin(generator="a hostile one"),
        )
        verdicts = [await TestsVerifier(harnesses).judge(candidate, self.problem)]
        if verdicts[0].ruling is Ruling.PASSED:
            verdicts.append(await ForgeryVerifier(harnesses).judge(candidate, self.problem))
        forged = verdicts[-1].verifier != "forgery" or verdicts[-1].ruling is not Ruling.PASSED
        # Mutants are made of the problem's one target, and the tests of other functions need not notice them.
        if not forged and not self.several_targets:
            verdicts.append(await EvidenceVerifier(harnesses).judge(candidate, self.problem))
        return Judgement(verdicts=tuple(verdicts))


async def open_court(executor: Executor, python: Path, root: Path, path: str, *qualnames: str) -> Court:
    """Take the baseline of the project at `root`: of all tests that reach any of the functions `qualnames`.

    Every run gets a process that has run nothing before.
    """
    interpreter = await find_interpreter(root, chosen=str(python), environ={})
    text = (root / path).read_text(encoding="utf-8")
    baseline, run = await _baseline(executor, interpreter, root, path, qualnames)
    problem = Problem(
        root=root,
        path=path,
        text=text,
        target=find_target(text, ByName(qualnames[0]), path=path),
        goal=Goal.REPAIR,
        baseline=baseline,
        baseline_run=run,
    )
    harnesses = FreshHarnesses(executor=executor, interpreter=interpreter, options=UNHURRIED)
    return Court(executor=executor, problem=problem, harnesses=harnesses, several_targets=len(qualnames) > 1)


@asynccontextmanager
async def warmed(cold: Court) -> AsyncIterator[Court]:
    """A court for the same problem, in which all runs start from one zygote, where they can."""
    assert isinstance(cold.harnesses, FreshHarnesses)
    async with warm_harnesses(cold.harnesses, cold.problem) as harnesses:
        await harnesses.of(cold.problem)
        yield replace(cold, harnesses=harnesses)


async def _baseline(
    executor: Executor, interpreter: Interpreter, root: Path, path: str, qualnames: tuple[str, ...]
) -> tuple[Baseline, BaselineRun]:
    text = (root / path).read_text(encoding="utf-8")
    hidden = await ignored_files(root, os.environ)
    baselines = [
        await take_baseline(
            Harness(
                root=root,
                path=path,
                base=text,
                target=find_target(text, ByName(qualname), path=path),
                unsaved={},
                interpreter=interpreter,
                executor=executor,
                options=UNHURRIED,
                hidden=hidden,
            ),
            BaselineRequest(),
        )
        for qualname in qualnames
    ]
    tests = {test.id: test for baseline, _ in baselines for test in baseline.tests}
    baseline, run = baselines[0]
    return replace(baseline, tests=tuple(tests.values())), run
