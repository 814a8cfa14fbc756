"""Fixer: one candidate, criticised and improved in rounds until it passes."""

from __future__ import annotations

from typing import Literal

from certo.generation.generator import Ask, Attempt
from certo.generation.prompt_templates import named_template
from certo.search.strategy import Bench
from certo.strategies.estimate import StrategyEstimate
from certo.verification.code_evaluation import evaluated
from certo.verification.code_feedback import code_feedback
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

FEEDBACK_CHARACTERS = 2000
"""The length of the feedback in a round: more than AgentTools' 512, because it has the output of a project's tests."""

_MEANT = "The whole program is, here, the whole function that you were asked for."


@dataclass(frozen=True, slots=True, kw_only=True)
class FixerOptions:
    """The number of repairs after the first candidate, and the prompt for them."""

    num_rounds: int = option(3, "Repairs after the first candidate.", at_least=0)
    template: Literal["CodeFixerRCI", "CodeFixerShort", "CodeFixerTiny"] = option(
        "CodeFixerRCI",
        "The prompt for a repair: `CodeFixerRCI` asks for a critique first; `CodeFixerShort` and `CodeFixerTiny` are "
        "shorter.",
    )

    def __post_init__(self) -> None:
        check_bounds(self, "fixer")


def estimate(options: FixerOptions, candidates: int) -> StrategyEstimate:
    """Return the most work that one search can make."""
    return StrategyEstimate(attempts=min(candidates, 1 + options.num_rounds))


class Fixer:
    """AgentTools' AICodeFixer over candidates: recursive criticism and improvement (Kim, Baldi and McAleer 2023).

    There is one branch. In each round the generator is told the result of its last candidate, as one of five outcomes,
    and is asked to criticise it before it corrects it. The first candidate that passes ends the search. A generator
    that reads no words, such as the built-in one, makes its next candidate in each round.
    """

    name = "fixer"

    def __init__(self, options: FixerOptions) -> None:
        self._options = options
        self._template = named_template(options.template)

    async def pursue(self, bench: Bench, /) -> None:
        """Make the first attempt, then rounds until a candidate passes or there are no more."""
        bench.advice.need("fixer criticises candidates in words")
        past: tuple[Attempt, ...] = ()
        for number in range(1 + self._options.num_rounds):
            made = await bench.attempt(Ask(attempt=number, past=past, said=self._said(past)))
            if bench.exhausted or (made is not None and made.report.passed):
                return
            if made is not None:
                past = (*past, made)

    def _said(self, past: tuple[Attempt, ...]) -> str:
        """Return the feedback on the last candidate; empty before there is one."""
        if not past:
            return ""
        evaluation = evaluated(past[-1].candidate, past[-1].report)
        feedback = code_feedback(evaluation, max_length=FEEDBACK_CHARACTERS)
        return f"{self._template.text(len(past) - 1, feedback=feedback)}\n\n{_MEANT}"
