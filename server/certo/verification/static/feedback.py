"""Verifier of novelty: rejects candidates equal to one that the user has rejected or commented on."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from certo.edits.target import definition_of
from certo.verification.static.one_by_one import one_by_one
from certo.verification.static.text_verdict import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.guidance import Remark
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict


class FeedbackVerifier:
    """Fails a candidate that differs from a commented one only in comments and layout.

    A candidate that the user `rejected` before over the same text is failed by its id, with the reason.
    """

    def __init__(self, rejected: Mapping[str, str] | None = None) -> None:
        self._rejected = rejected or {}

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "feedback"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Compare the candidate with those that have comments in the problem."""
        return await read_verdict(self.name, candidate, lambda: self._objections(candidate, problem))

    def _objections(self, candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
        note = self._rejected.get(candidate.id)
        told = _objections(candidate, problem)
        # Feedback given to this search names the candidate; remembered feedback is for searches that were given none.
        if told or note is None:
            return told
        said = "the user has rejected this very change before"
        return (Finding(message=f"{said}: {note}" if note else said),)


def _objections(candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
    meaning = _meaning(candidate, problem)
    same = [each for each in problem.guidance.remarks if _meaning(each.candidate, problem) == meaning]
    return tuple(Finding(message=_said(each)) for each in same[-1:])


def _meaning(candidate: Candidate, problem: Problem) -> str:
    """Return the syntax trees of the functions that may be changed as text; the source itself if it does not parse."""
    try:
        found = [definition_of(each.text, about.target) for each, about in one_by_one(candidate, problem)]
    except SyntaxError:
        found = [None]
    return "\n".join(candidate.text if each is None else ast.dump(each.node) for each in found)


def _said(remark: Remark) -> str:
    """Return the user's reaction to a candidate, in words for a user and a language model."""
    what = "was rejected" if remark.rejected else "was to be changed"
    said = f"it is the same as candidate {remark.candidate.id}, which {what}"
    return f"{said}: {remark.feedback}" if remark.feedback else said
