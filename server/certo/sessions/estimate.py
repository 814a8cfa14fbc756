"""Estimates of the language model costs of a search: its prompts are built and measured, but not sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from certo.generation.adviser import Adviser
from certo.generation.generator import Ask
from certo.generation.model.generator import QUESTIONS
from certo.generation.model.look_up_conversation import AT_ONCE
from certo.generation.model.look_ups import SHARE
from certo.llm.ledger import Expense
from certo.llm.model import ChatModel, ignore_text
from certo.llm.models import Chosen, ModelChoice
from certo.llm.prompt import Delta, Prompt, Reply, Sampling, Usage, tokens_of_prompt, tokens_of_text
from certo.llm.providers import calls_tools
from certo.llm.wrappers.budgeted import most_of
from certo.llm.wrappers.defaults import DefaultedModel
from certo.search.second_opinion import FEW_TESTS
from certo.sessions.assembly.criteria import in_force
from certo.sessions.assembly.models import choice_of
from certo.sessions.assembly.parts import generator_of
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest, state_problem
from certo.sessions.persistence.project_context import uses_project_context
from certo.settings.schema import Settings
from certo.strategies.estimate import StrategyEstimate, estimate_strategy
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BudgetExhausted
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

JUDGE_TOKENS = 600
"""What a judge is told besides the criterion and the code."""

IDEAS_TOKENS = 500
"""How long an answer with ideas usually is."""

JUDGEMENT_TOKENS = 150
"""How long a judge's answer usually is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The language model costs of a search: `likely` if the first answer passes, `most` in the worst case.

    With few tests, a second answer is likely too.
    Calls that fail and are tried again take no tokens and are not among them. `models` are those that it asks, as they
    are shown; `tries` how often a candidate may be asked for. `cap` names the part of the budget that would end the
    search before it took the most.
    """

    models: tuple[str, ...]
    tries: int
    likely: Expense
    most: Expense
    cap: str


async def estimate(resolved: ResolvedRequest, world: ExecutionContext, say: Callable[[str], None]) -> Estimate:
    """State the problem, make the prompts that would be sent first, and count what can follow.

    Raises:
        BadSetting: a model that would be asked is not set up as it should be.
        BrokenWorld: the tests cannot be run here.
    """
    settings = resolved.settings
    problem = await state_problem(resolved, world, say)
    measuring = _Measuring(choice_of(settings))
    recollection = _Room() if uses_project_context(settings) else None
    generator = generator_of(settings, world.executor, world.interpreter, measuring, recollection=recollection)
    expected = strategy_estimate(settings)
    if generator.name == "model":
        async with generator.open(problem, say) as proposer:
            for slot in range(expected.branches):
                try:
                    await proposer.propose(Ask(slot=slot))
                except BudgetExhausted:
                    continue  # What it would have sent has been measured.
            wish = expected.first_idea_request
            if wish is not None and isinstance(proposer, Adviser):
                written = len(measuring.asked)
                with suppress(BudgetExhausted):
                    await proposer.ideas(wish)
                measuring.advising = measuring.asked[written:]
                del measuring.asked[written:]
    return _summed(settings, expected, problem, measuring)


class _Room:
    """A project context that fills all the room it is given, as the map of a real project would."""

    async def text(self, problem: Problem, characters: int, /) -> str:  # noqa: ARG002 - whatever the problem is
        """As much text as there is room for."""
        return "x" * characters


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """A prompt that would have been sent."""

    chosen: Chosen
    prompt: Prompt

    def most(self, tokens: int) -> Expense:
        """The most that a call takes with a prompt of so many tokens, or of its own if that is longer."""
        return _expense(self.chosen, max(tokens, tokens_of_prompt(self.prompt)), self.prompt.sampling.max_tokens)


class _Measuring:
    """Models that measure what they are asked and send nothing."""

    def __init__(self, choice: ModelChoice) -> None:
        self.choice = choice
        self.asked: list[_Measured] = []
        self.advising: list[_Measured] = []

    def named(self, name: str = "", /) -> ChatModel:
        """The model of that name, measured; raises what the models themselves do."""
        chosen = self.choice.choose(name)
        return DefaultedModel(_Unsent(chosen, self.asked), chosen.options)


class _Unsent:
    """One model that notes what it is asked."""

    def __init__(self, chosen: Chosen, asked: list[_Measured]) -> None:
        self._chosen = chosen
        self._asked = asked

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._chosen.shown

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:  # noqa: ARG002 - nothing is heard
        """Note the prompt.

        Raises:
            BudgetExhausted: always; nothing may be sent.
        """
        self._asked.append(_Measured(chosen=self._chosen, prompt=prompt))
        raise BudgetExhausted("the prompt was measured and not sent")


def _summed(settings: Settings, expected: StrategyEstimate, problem: Problem, measuring: _Measuring) -> Estimate:
    """Put together what writing candidates takes, and what judging them does."""
    asked, tries = measuring.asked, expected.attempts
    target = tokens_of_text(problem.text[problem.target.span.start : problem.target.span.end])
    likely, most = Expense(), Expense()
    if asked:
        first = asked[:1] if expected.first_alone else asked
        likely = sum((_expense(one.chosen, tokens_of_prompt(one.prompt), 2 * target) for one in first), likely)
        if expected.confirms and len(first) == 1 and len(problem.baseline.tests) < FEW_TESTS:
            likely = _times(likely, 2)
        longest, rounds = settings.generation.conversation_tokens, _look_up_rounds(settings, asked)
        # What was looked up stays in the conversation.
        room = longest + rounds * AT_ONCE * (longest // SHARE)
        dearest = max((one.most(room) for one in asked), key=_dearness)
        most = sum((most_of(one.prompt, one.chosen.price) for one in first), most)
        most += _times(dearest, max(0, tries * (QUESTIONS + rounds) - len(first)))
    if measuring.advising:
        longest = settings.generation.conversation_tokens
        for one in measuring.advising:
            likely += _expense(one.chosen, tokens_of_prompt(one.prompt), IDEAS_TOKENS)
        dearest = max((one.most(longest) for one in measuring.advising), key=_dearness)
        most += _times(dearest, expected.max_idea_requests)
    criteria = in_force(settings.criteria)
    judges = {name: measuring.choice.choose(options.model) for name, options in criteria.items()}
    for name, options in criteria.items():
        read = JUDGE_TOKENS + target + tokens_of_text(options.expression)
        likely += _times(_expense(judges[name], read, JUDGEMENT_TOKENS), options.samples)
        longest_answer = judges[name].options.max_tokens or Sampling().max_tokens
        judged = min(tries, settings.search.candidates)
        most += _times(_expense(judges[name], 2 * read, longest_answer), options.samples * judged)
    told = (*asked, *measuring.advising)
    names = dict.fromkeys([*(one.chosen.shown for one in told), *(judge.shown for judge in judges.values())])
    return Estimate(models=tuple(names), tries=tries, likely=likely, most=most, cap=_cap(settings.search.budget, most))


def _look_up_rounds(settings: Settings, asked: Sequence[_Measured]) -> int:
    """Return how often a model may look things up while it writes one candidate, each time by a further call."""
    may_look = any(calls_tools(one.chosen.shown) for one in asked)
    return settings.generation.look_ups if may_look else 0


def strategy_estimate(settings: Settings) -> StrategyEstimate:
    """Return the most work that the strategy of a search can make with these settings."""
    search = settings.search
    return estimate_strategy(search.strategy, getattr(settings, search.strategy, None), search.candidates)


def _dearness(expense: Expense) -> tuple[float, int]:
    return expense.dollars or 0.0, expense.tokens


def _expense(chosen: Chosen, read: int, written: int) -> Expense:
    usage = Usage(input_tokens=read, output_tokens=written)
    dollars = chosen.price.of(usage) if chosen.price is not None else None
    return Expense(calls=1, tokens=read + written, dollars=dollars)


def _times(expense: Expense, number: int) -> Expense:
    dollars = None if expense.dollars is None else expense.dollars * number
    return Expense(calls=expense.calls * number, tokens=expense.tokens * number, dollars=dollars)


def _cap(budget: Budget, most: Expense) -> str:
    """The parts of the budget that do not cover the most, with their values."""
    amounts: tuple[tuple[str, float | None, float | None], ...] = (
        ("calls", budget.calls, most.calls),
        ("tokens", budget.tokens, most.tokens),
        ("dollars", budget.dollars, most.dollars),
    )
    return ", ".join(
        f"search.{name} = {cap:g}" for name, cap, amount in amounts if cap is not None and amount and amount > cap
    )
