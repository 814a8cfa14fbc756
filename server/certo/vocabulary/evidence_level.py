"""Levels of evidence: how far the tests of a verified candidate tell it from a wrong one."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue


class EvidenceLevel(Enum):
    """The level of evidence for a verified candidate; each value is the word for the user."""

    STRONG = "strong"
    FAIR = "fair"
    WEAK = "weak"


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedEvidence(NoTruthValue):
    """The level of the evidence for a verified candidate, and why.

    `reasons` are clauses such as "2 other behaviours pass these tests". `call` is one on which every candidate that
    passes and behaves differently gives another result, so that the right one would settle whether this candidate is
    right; empty if no call is known to tell it from all of them.
    """

    ask_for: ClassVar[str] = ".level"

    level: EvidenceLevel
    reasons: tuple[str, ...] = ()
    call: str = ""
