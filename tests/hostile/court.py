"""Where candidates are judged: the real verifier of tests over a real executor, under short limits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from certo.edits.target import ByName, find_target
from certo.project.interpreter import find_interpreter
from certo.sandbox.executor import Executor, Finished, Interpreter, Message, Policy, Work
from certo.verification.baseline import take_baseline
from certo.verification.grounds import FreshGrounds
from certo.verification.options import TestOptions
from certo.verification.tests import TestsVerifier
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.problem import Baseline, Goal, Problem
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Verdict

UNHURRIED = TestOptions(seconds=20.0, total_seconds=60.0)
"""For candidates that have to pass, however busy the machine is."""

HURRIED = TestOptions(seconds=0.7, total_seconds=2.0)
"""For candidates that are to be stopped."""

_WALL_SECONDS, _CPU_SECONDS = 3.0, 2.0


class ShortLeash:
    """An executor whose runs end sooner than they ask for; what they would do with more time is all the same."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    @property
    def isolation(self) -> str:
        """How runs under the strictest policy are confined."""
        return self._executor.isolation

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given."""
        return self._executor.policies

    def isolation_under(self, policy: Policy, /) -> str:
        """How runs under `policy` are confined."""
        return self._executor.isolation_under(policy)

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
class Court:
    """Judges candidates for `path`, wherever the project stands; the baseline is the same in each copy of it."""

    executor: Executor
    interpreter: Interpreter
    path: str
    qualname: str
    baseline: Baseline

    def problem(self, root: Path) -> Problem:
        """What is asked, in the copy of the project at `root`."""
        text = (root / self.path).read_text(encoding="utf-8")
        return Problem(
            root=root,
            path=self.path,
            text=text,
            target=find_target(text, ByName(self.qualname), path=self.path),
            goal=Goal.REPAIR,
            baseline=self.baseline,
        )

    async def judge(self, text: str, root: Path, *, hurried: bool = True) -> Verdict:
        """Judge the candidate whose whole file is `text`."""
        problem = self.problem(root)
        executor = ShortLeash(self.executor) if hurried else self.executor
        verifier = TestsVerifier(
            FreshGrounds(executor=executor, interpreter=self.interpreter, options=HURRIED if hurried else UNHURRIED)
        )
        candidate = Candidate(
            id=candidate_id(problem.text, text),
            edits=(TextEdit(Span(0, len(problem.text)), text),),
            text=text,
            origin=Origin(generator="a hostile one"),
        )
        return await verifier.judge(candidate, problem)


async def open_court(executor: Executor, python: Path, root: Path, path: str, *qualnames: str) -> Court:
    """Take the baseline of the project at `root`: of all tests that reach any of the functions `qualnames`."""
    interpreter = await find_interpreter(root, chosen=str(python), environ={})
    text = (root / path).read_text(encoding="utf-8")
    baselines = [
        await take_baseline(
            root=root,
            path=path,
            text=text,
            target=find_target(text, ByName(qualname), path=path),
            interpreter=interpreter,
            executor=executor,
            unsaved={},
            options=UNHURRIED,
        )
        for qualname in qualnames
    ]
    tests = {test.id: test for baseline in baselines for test in baseline.tests}
    return Court(
        executor=executor,
        interpreter=interpreter,
        path=path,
        qualname=qualnames[0],
        baseline=replace(baselines[0], tests=tuple(tests.values())),
    )
