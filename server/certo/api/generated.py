"""What a search for code ends with: the code, the evidence, and what else had passed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from certo.api.calling import Code
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.standing import Standing
from certo.vocabulary.truth import NoTruthValue
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(NoTruthValue):
    """A candidate that passed every check: its code, the text of the function alone, and the evidence."""

    ask_for: ClassVar[str] = ".verified"

    candidate_id: str
    code: Code
    source: str
    report: Report
    verified: bool
    cost: Cost
    standing: Standing = field(default=Standing())

    @property
    def is_rival(self) -> bool:
        """True if it acts otherwise than the best, or was not compared with it."""
        return self.standing.rival_of is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried(NoTruthValue):
    """A candidate as it was judged: the change it makes as a diff, the evidence, and its place in the strategy."""

    ask_for: ClassVar[str] = ".error"

    candidate_id: str
    diff: str
    report: Report
    slot: int
    attempt: int
    cost: Cost | None

    @property
    def error(self) -> str:
        """Why it did not pass, in a line; nothing when it did."""
        verdict = self.report.failure
        if verdict is None:
            return ""
        return f"{verdict.verifier}: {'; '.join(finding.message for finding in verdict.findings)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated(NoTruthValue):
    """Code that passed every check.

    `passed` are all candidates that did, the best first: verified before not verified, then those as which more others
    act, then the cheapest, then the earliest. `tried` are all that were judged, in the order in which they came.
    `spent` is what the search took. `cached` says that nothing was asked for, since the same had been wanted before.
    """

    ask_for: ClassVar[str] = ".verified"

    name: str
    outcome: Outcome
    passed: tuple[Passed, ...]
    tried: tuple[Tried, ...]
    spent: Spent
    cached: bool = False

    @property
    def rivals(self) -> tuple[Passed, ...]:
        """Those that passed too and act otherwise than the best, or were not compared with it; see their `standing`."""
        return tuple(each for each in self.passed if each.is_rival)

    @property
    def best(self) -> Passed:
        """The candidate that won."""
        return self.passed[0]

    @property
    def source(self) -> str:
        """The text of the function."""
        return self.best.source

    @property
    def report(self) -> Report:
        """The evidence for it."""
        return self.best.report

    @property
    def verified(self) -> bool:
        """Whether some example or test ran the function and everything passed; never so without any."""
        return self.best.verified

    @property
    def cost(self) -> Cost:
        """What it costs, lower being better."""
        return self.best.cost
