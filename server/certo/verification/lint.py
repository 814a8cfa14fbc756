"""Judging a candidate by the project's own linter."""

from __future__ import annotations

from certo.sandbox.executor import Executor, Interpreter
from certo.verification.options import ToolOptions
from certo.verification.tool_verdict import judge_by_tool
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Verdict


class LintVerifier:
    """Passes a candidate in which the project's linter finds nothing that it did not find in the base text."""

    def __init__(self, executor: Executor, interpreter: Interpreter, options: ToolOptions) -> None:
        self._executor = executor
        self._interpreter = interpreter
        self._options = options

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "lint"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        return await judge_by_tool(
            self.name,
            candidate,
            problem,
            executor=self._executor,
            interpreter=self._interpreter,
            options=self._options,
        )
