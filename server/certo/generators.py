"""Names that a generator of a plug-in is written with."""

from __future__ import annotations

from certo.generation.generator import Ask, Attempt, Declined, Generator, GeneratorContext, Proposal, Proposer
from certo.plugins import register
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import Span, TextEdit

__all__ = [
    "Ask",
    "Attempt",
    "Declined",
    "Generator",
    "GeneratorContext",
    "Problem",
    "Proposal",
    "Proposer",
    "Span",
    "TextEdit",
    "register",
]
