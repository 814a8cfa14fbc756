"""Names that a check of a plug-in is written with."""

from __future__ import annotations

from certo.plugins import register
from certo.verification.verifier import Verifier
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict

__all__ = [
    "Candidate",
    "Finding",
    "Problem",
    "Ruling",
    "Verdict",
    "Verifier",
    "register",
]
