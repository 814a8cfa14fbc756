"""Judging a candidate by the project's own linter."""

from __future__ import annotations

from certo.verification.tool_verdict import judge_by_tool
from certo.verification.toolbox import Toolbox
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Verdict


class LintVerifier:
    """Passes a candidate in which the project's linter finds nothing that it did not find in the base text."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "lint"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        return await judge_by_tool(self.name, candidate, problem, self._toolbox)
