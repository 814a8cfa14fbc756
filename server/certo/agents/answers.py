"""Structured answers of the tools that the wire models of other clients do not have."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from certo.protocol.values import OutcomeWord, Report, Spent, Standing
from certo.protocol.wire import Wire


class FoundCandidate(Wire):
    """A candidate that passed: its diff and evidence. `digest` vouches for the verdict, for `certo check`."""

    candidate_id: str
    verified: bool
    diff: str
    evidence: Report
    standing: Standing
    digest: str = ""


class TriedCandidate(Wire):
    """A candidate that did not pass, and the first reason."""

    candidate_id: str
    error: str


class SearchAnswer(Wire):
    """The result of a search. `candidates` are those that passed, the best first, `tried` all that were judged.

    `applied` is the candidate that was written to the files, null if none was; then `reason` says why, if it was asked
    for.
    """

    type: Literal["search"] = "search"
    search_id: str
    path: str
    qualname: str
    outcome: OutcomeWord
    verified: bool
    reason: str = ""
    candidates: tuple[FoundCandidate, ...] = ()
    failures: tuple[TriedCandidate, ...] = ()
    tried: int
    spent: Spent
    applied: str | None = None


class Explanation(Wire):
    """A search or a candidate in words, as Markdown."""

    type: Literal["explanation"] = "explanation"
    search_id: str
    candidate_id: str
    text: str = Field(description="Markdown")


class AppliedAnswer(Wire):
    """The file that was changed, relative to the root."""

    type: Literal["applied"] = "applied"
    search_id: str
    path: str
