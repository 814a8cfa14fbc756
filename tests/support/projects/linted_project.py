"""A project with its own linters, stated as a problem whose tools were tried on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from certo.verification.options import ToolOptions
from certo.verification.tools.toolbox import Toolbox
from certo.verification.tools.verifiers import LintVerifier, TypesVerifier, with_tools
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Baseline, BaselineRun, Problem
from certo.vocabulary.verdict import Verdict
from support.projects.projects import Project, own_interpreter, write_project

SHOP = """\
import os
from prices import tax


def total(prices: list[int]) -> int:
    return len(prices)


late: int = "not a number"
"""
"""A document with an import that nobody uses, a wrong type below the target, and a target without either."""

PRICES = "def tax(price: int) -> int:\n    return price // 5\n"


class Tooled:
    """A project in a folder, and the verdicts of its tools on candidates for the function `total` of its `shop.py`."""

    def __init__(self, root: Path, files: dict[str, str], *, text: str = SHOP, options: ToolOptions | None = None):
        write_project(root, {"shop.py": text, "prices.py": PRICES, **files})
        self.project = Project(root, "shop.py", "total", interpreter=own_interpreter())
        self.options = options or ToolOptions()
        self.said: list[str] = []
        self.own: Path | None = None

    @property
    def toolbox(self) -> Toolbox:
        """Return the tools, none of them kept ready."""
        return Toolbox(
            executor=self.project.executor,
            interpreter=self.project.interpreter,
            options=self.options,
            own=self.own,
        )

    async def problem(self) -> Problem:
        """Return the problem, with the tools that can judge."""
        return await with_tools(self.stated(), self.toolbox, self.said.append)

    def stated(self, *tools: str) -> Problem:
        """Return the problem, with untried tools."""
        return replace(self.project.problem(Baseline()), baseline_run=BaselineRun(tools=tools))

    def candidate(self, new: str, old: str = "len(prices)") -> Candidate:
        """Another body for the target."""
        return self.project.candidate(old, new)

    def with_text(self, text: str) -> Candidate:
        """Return a candidate with a whole text, which need not come from any edits."""
        return replace(self.candidate("0"), text=text)

    async def types(self, candidate: Candidate, problem: Problem, toolbox: Toolbox | None = None) -> Verdict:
        """Return the verdict of the verifier of types."""
        return await TypesVerifier(toolbox or self.toolbox).judge(candidate, problem)

    async def lint(self, candidate: Candidate, problem: Problem, toolbox: Toolbox | None = None) -> Verdict:
        """Return the verdict of the verifier of lint."""
        return await LintVerifier(toolbox or self.toolbox).judge(candidate, problem)
