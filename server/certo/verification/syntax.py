"""Judges whether a candidate is Python, and whether it changes nothing but the target."""

from __future__ import annotations

import warnings

from certo.edits.patch import apply_edits, within
from certo.edits.source import BOM, parse
from certo.verification.static import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict


class SyntaxVerifier:
    """Passes a candidate that compiles, and whose edits lie within the target and make the text it claims."""

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "syntax"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Compile the candidate's text, without running any of it."""
        return read_verdict(self.name, candidate, lambda: _objections(candidate, problem))


def _objections(candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
    if not within(candidate.edits, problem.target.span):
        return (Finding(message=f"an edit lies outside {problem.target.qualname}; only the target may be changed"),)
    try:
        made = apply_edits(problem.text, candidate.edits)
    except ValueError as error:
        return (Finding(message=f"the edits cannot be made: {error}"),)
    if made != candidate.text:
        return (Finding(message="the candidate's text is not what its edits make of the document"),)
    parse(candidate.text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Parsing alone would let through a `return` outside a function, a name that is both global and a parameter,
        # and all else that only the compiler's later passes refuse.
        compile(candidate.text.removeprefix(BOM), problem.path, "exec", dont_inherit=True)
    return ()
