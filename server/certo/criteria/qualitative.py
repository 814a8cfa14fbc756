"""Qualitative criterion: a yes-or-no judgement in plain language, decided by votes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from certo.criteria.aggregation import Decision, Rule
from certo.criteria.answers import read_vote
from certo.criteria.criterion import Gate, name_after
from certo.criteria.prompts import judging, vote_question
from certo.criteria.sampling import sample, say
from certo.criteria.validation import check_counts, check_expression, check_model
from certo.llm.model import ChatModel
from certo.llm.prompt import Sampling

_SAMPLING = Sampling()


class QualitativeCriteria(Gate):
    """Decides if code meets a criterion by asking a model `num_samples` times at once.

    It passes if at least `min_pass` answers are in favour and at least `min_samples_for_aggregation` are usable; asking
    stops when no further answer can change that. Names, order and defaults of A1's parameters are unchanged. In
    addition, `name` is its name, by default the first words of the expression; `sampling` the sampling parameters; and
    `structured` makes the provider enforce the form of an answer.

    Raises:
        BadSetting: A parameter is invalid, or they contradict each other.
    """

    def __init__(
        self,
        expression: str,
        llm: ChatModel,
        num_samples: int = 1,
        min_samples_for_aggregation: int = 1,
        min_pass: int = 1,
        *,
        name: str = "",
        sampling: Sampling = _SAMPLING,
        structured: bool = True,
    ) -> None:
        check_expression(expression)
        check_model(llm)
        check_counts(num_samples, min_samples_for_aggregation=min_samples_for_aggregation, min_pass=min_pass)
        self.expression = expression
        self.llm = llm
        self.num_samples = num_samples
        self.min_samples_for_aggregation = min_samples_for_aggregation
        self.min_pass = min_pass
        self.name = name or name_after(expression)
        self.sampling = sampling
        self.structured = structured

    async def decide(self, material: str | Mapping[str, str], /) -> Decision:
        """Judge code, or several named texts.

        Raises:
            BudgetExhausted: The budget does not cover the calls for the decision.
            BadRequest: The model cannot be asked with these settings.
        """
        prompt = judging(
            self.expression,
            material,
            vote_question(),
            sampling=self.sampling,
            structured=self.structured,
        )
        rule = Rule(asked=self.num_samples, least=self.min_samples_for_aggregation, needed=self.min_pass)
        told = partial(say, self.name)
        heard = await sample(self.llm, prompt, self.num_samples, read=read_vote, decided=rule.decided, counted=told)
        votes = rule.count(heard)
        return Decision(
            passed=rule.passes(votes),
            message=rule.in_words(votes, len(heard)),
            votes=votes,
            samples=heard,
            heard=any(one.answered for one in heard),
        )
