"""Names that an evaluator of a plug-in is written with."""

from __future__ import annotations

from certo.plugins import register
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem

__all__ = [
    "Candidate",
    "Problem",
    "register",
]
