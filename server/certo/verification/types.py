"""Judging a candidate by the project's own type checker."""

from __future__ import annotations

from certo.verification.tool_verdict import judge_by_tool
from certo.verification.toolbox import Toolbox
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Verdict


class TypesVerifier:
    """Passes a candidate in which the project's type checker finds no error that the base text did not have."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "types"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        return await judge_by_tool(self.name, candidate, problem, self._toolbox)
