"""How many things a linter newly finds in a candidate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Report

Lint: TypeAlias = Callable[[Candidate, Problem], Awaitable[tuple[Finding, ...]]]
"""Lets the project's linter read a candidate, and returns what it finds that it did not find in the base text."""


class NewLint:
    """Prices a candidate by the number of a linter's new findings."""

    def __init__(self, lint: Lint) -> None:
        self._lint = lint

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Count the linter's new findings."""
        found = await self._lint(candidate, problem)
        return Cost(value=float(len(found)), unit="findings", source="findings that are new to the linter")
