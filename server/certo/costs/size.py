"""The size of an edit: what a reader has to read again."""

from __future__ import annotations

import difflib
import re

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report

_TOKEN = re.compile(r"\w+|[^\w\s]")


class EditSize:
    """Prices a candidate by how many tokens of the target it adds or removes; white space costs nothing."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Count the tokens that differ between the target before and after."""
        span, grown = problem.target.span, len(candidate.text) - len(problem.text)
        before = _TOKEN.findall(problem.text[span.start : span.end])
        after = _TOKEN.findall(candidate.text[span.start : span.end + grown])
        matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
        kept = sum(block.size for block in matcher.get_matching_blocks())
        return Cost(
            value=float(len(before) + len(after) - 2 * kept),
            unit="tokens",
            source="tokens added or removed in the target",
        )
