"""Judging a candidate by the pytest tests of the baseline."""

from __future__ import annotations

from certo.sandbox.executor import Executor, Interpreter
from certo.verification.options import TestOptions
from certo.verification.rerun import rerun
from certo.verification.running import Ground
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Verdict


class TestsVerifier:
    """Passes a candidate on which all pytest tests of the baseline are green, those that were red included."""

    __test__ = False  # not a test class, whatever its name makes pytest think

    def __init__(self, executor: Executor, interpreter: Interpreter, options: TestOptions) -> None:
        self._executor = executor
        self._interpreter = interpreter
        self._options = options

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "tests"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        ground = Ground.of(problem, self._executor, self._interpreter, self._options)
        known = tuple(test for test in problem.baseline.tests if not test.is_doctest)
        return await rerun(self.name, "suite", ground, candidate, known)
