"""Judges whether a candidate is one that the user has seen already, and wanted otherwise."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from certo.edits.target import definition_of
from certo.verification.static.text_verdict import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.guidance import Remark
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict


class FeedbackVerifier:
    """Fails what differs from a candidate that was remarked on in nothing but comments and layout.

    So it does with one that a user has `rejected` before over the same text, by its id, with the reason.
    """

    def __init__(self, rejected: Mapping[str, str] | None = None) -> None:
        self._rejected = rejected or {}

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "feedback"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Compare the candidate with those of the problem's remarks."""
        return await read_verdict(self.name, candidate, lambda: self._objections(candidate, problem))

    def _objections(self, candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
        note = self._rejected.get(candidate.id)
        told = _objections(candidate, problem)
        # What this search was told of a candidate names it; what is remembered is for searches that were told nothing.
        if told or note is None:
            return told
        said = "the user has rejected this very change before"
        return (Finding(message=f"{said}: {note}" if note else said),)


def _objections(candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
    meaning = _meaning(candidate, problem)
    same = [each for each in problem.guidance.remarks if _meaning(each.candidate, problem) == meaning]
    return tuple(Finding(message=_said(each)) for each in same[-1:])


def _meaning(candidate: Candidate, problem: Problem) -> str:
    """The target as Python reads it; its text, where Python cannot."""
    try:
        definition = definition_of(candidate.text, problem.target)
    except SyntaxError:
        definition = None
    return candidate.text if definition is None else ast.dump(definition.node)


def _said(remark: Remark) -> str:
    """Return what happened to a candidate, in words for a user and a language model."""
    what = "was rejected" if remark.rejected else "was to be changed"
    said = f"it is the same as candidate {remark.candidate.id}, which {what}"
    return f"{said}: {remark.feedback}" if remark.feedback else said
