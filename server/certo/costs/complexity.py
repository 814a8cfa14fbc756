"""The complexity cost: the cognitive complexity of the target."""

from __future__ import annotations

import ast

from complexipy import code_complexity

from certo.edits.source import parse
from certo.edits.target import definition_of
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report


class CognitiveComplexity:
    """Prices a candidate by the target's cognitive complexity (G. Ann Campbell, 2018), as complexipy counts it."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Count in the target; in the whole text, where it has no such function.

        Raises:
            ValueError: The text is too deeply nested for complexipy.
        """
        found = definition_of(candidate.text, problem.target)
        # Unparsed from its tree, the target has no comments that tell complexipy to skip code.
        source = ast.unparse(parse(candidate.text) if found is None else found.node)
        counted = code_complexity(source, check_script=True, no_ignore=True, with_plans=False).complexity
        return Cost(value=float(counted), unit="points", source="points of cognitive complexity")
