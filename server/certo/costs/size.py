"""The size of an edit: what a reader has to read again."""

from __future__ import annotations

from certo.edits.size import changed_tokens
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report


class EditSize:
    """Prices a candidate by how many tokens it adds or removes, in the target and in other files; blanks are free."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Count the tokens that differ between the target before and after, and the lines of other files that do."""
        span, grown = problem.target.span, len(candidate.text) - len(problem.text)
        value = changed_tokens(problem.text[span.start : span.end], candidate.text[span.start : span.end + grown])
        hunks = [hunk for change in candidate.elsewhere for hunk in change.hunks]
        value += sum(changed_tokens("".join(hunk.removed), "".join(hunk.added)) for hunk in hunks)
        besides = " and in other files" if candidate.elsewhere else ""
        return Cost(value=float(value), unit="tokens", source=f"tokens added or removed in the target{besides}")
