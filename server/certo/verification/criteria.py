"""Verifier for a plain-language criterion, judged by a language model."""

from __future__ import annotations

from collections.abc import Sequence

from certo.criteria.aggregation import Decision
from certo.criteria.criterion import Gate
from certo.criteria.prompts import Field, seen
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadRequest, BudgetExhausted
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict

_REASONS = 5
"""Maximum number of judges' reasons passed on; those against a candidate come first."""


class CriterionVerifier:
    """Passes a candidate that meets a criterion; the findings give the votes and their reasons.

    Unusable answers count as too few votes and fail it. If no judge answered at all, the verdict is undecided and
    quotes the provider, because the candidate is not to blame. The same applies to a criterion that raises.
    """

    def __init__(self, gate: Gate, sees: Sequence[Field] = ("code",)) -> None:
        self._gate = gate
        self._sees = tuple(sees)

    @property
    def name(self) -> str:
        """The name of the criterion."""
        return self._gate.name

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Put one candidate to the vote.

        Raises:
            BudgetExhausted: The budget does not cover the calls for the decision.
            BadRequest: The model cannot be asked with these settings.
        """
        try:
            decision = await self._gate.judged(seen(candidate, problem, self._sees))
        except (BudgetExhausted, BadRequest):
            raise
        except Exception as error:  # noqa: BLE001 - a criterion may be anyone's; what it raised is told as a finding
            finding = Finding(message=f"{self.name} raised {type(error).__name__}: {error}")
            return Verdict(verifier=self.name, ruling=Ruling.UNDECIDED, findings=(finding,))
        return Verdict(verifier=self.name, ruling=_ruling(decision), findings=_findings(decision), votes=decision.votes)


def _ruling(decision: Decision) -> Ruling:
    if decision.passed:
        return Ruling.PASSED
    return Ruling.FAILED if decision.heard else Ruling.UNDECIDED


def _findings(decision: Decision) -> tuple[Finding, ...]:
    """Return the votes and their reasons; without a usable vote, the error of the provider comes first."""
    counted, reasons = (decision.message,), decision.reasons[:_REASONS]
    said = (*counted, *reasons) if decision.heard else (*reasons, *counted)
    return tuple(Finding(message=message) for message in said if message)
