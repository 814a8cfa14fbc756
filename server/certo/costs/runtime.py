"""The time a candidate's tests took, as its report has it."""

from __future__ import annotations

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report


class RunTime:
    """Prices a candidate by how many seconds its tests took together; nothing is run for it again."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Add up the seconds of the tests in the report.

        Raises:
            ValueError: no test was run on the candidate.
        """
        measured = [verdict.tests.seconds for verdict in report.verdicts if verdict.tests is not None]
        if not measured:
            raise ValueError("no test was run on it that could have been timed")
        return Cost(value=sum(measured), unit="seconds", source="seconds its tests took")
