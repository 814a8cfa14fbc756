"""Judging a candidate by a criterion in plain language, which a language model is asked about."""

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
"""How many of the judges' reasons are passed on; those against a candidate come first."""


class CriterionVerifier:
    """Passes a candidate that meets a criterion, and says how the votes fell and why.

    Answers of no use count as too few votes, and fail it. Where nobody answered at all, nothing was judged: that is the
    provider's fault and not the candidate's, so it is undecided, says what the provider said, and passes nothing. So it
    is with a criterion that breaks.
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
            BudgetExhausted: the budget does not grant the calls that the decision needs.
            BadRequest: the model cannot be asked as the settings have it.
        """
        try:
            decision = await self._gate.decide(seen(candidate, problem, self._sees))
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
