"""Measures of an edit: its size, the run time of its tests, and new lint."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from certo.edits.alignment import changed_tokens
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Report


class EditSize:
    """Prices a candidate by the tokens it adds or removes, in the target and in other files; white space is free."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Count the tokens that differ between the target before and after, and the lines of other files that do."""
        span, grown = problem.target.span, len(candidate.text) - len(problem.text)
        value = changed_tokens(problem.text[span.start : span.end], candidate.text[span.start : span.end + grown])
        hunks = [hunk for change in candidate.elsewhere for hunk in change.hunks]
        value += sum(changed_tokens("".join(hunk.removed), "".join(hunk.added)) for hunk in hunks)
        besides = " and in other files" if candidate.elsewhere else ""
        return Cost(value=float(value), unit="tokens", source=f"tokens added or removed in the target{besides}")


class RunTime:
    """Prices a candidate by the total run time of its tests in seconds; nothing is run again."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Add up the seconds of the tests in the report.

        Raises:
            ValueError: No test was run on the candidate.
        """
        measured = [verdict.tests.seconds for verdict in report.verdicts if verdict.tests is not None]
        if not measured:
            raise ValueError("no test was run on it that could have been timed")
        return Cost(value=sum(measured), unit="seconds", source="seconds its tests took")


Lint: TypeAlias = Callable[[Candidate, Problem], Awaitable[tuple[Finding, ...]]]
"""Runs the project's linter on a candidate; returns the findings that the base text does not have."""


class NewLint:
    """Prices a candidate by the number of a linter's new findings."""

    def __init__(self, lint: Lint) -> None:
        self._lint = lint

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Count the linter's new findings."""
        found = await self._lint(candidate, problem)
        return Cost(value=float(len(found)), unit="findings", source="findings that are new to the linter")
