"""A search keeps to its budget of language models, and knows how much of it is spent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.costs.measures import EditSize
from certo.generation.generator import Ask, Declined, Proposal
from certo.generation.scripted import indented
from certo.llm.ledger import Ledger
from certo.llm.model import ChatModel
from certo.llm.wrappers.budgeted import Budgeted
from certo.llm.wrappers.prices import Price, Priced
from certo.search.budget import BudgetGuard
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.cost import Budget, Cost
from certo.vocabulary.errors import BudgetExhausted
from certo.vocabulary.events import BudgetSpent, Event, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import TextEdit
from support.models.scripted_answers import Answers, question, reply
from support.search.candidates import problem
from support.search.text_verifiers import Wants

pytestmark = pytest.mark.acceptance(58, 70, 103)

PRICE = Price(input=100.0, cached=10.0, output=1000.0)
WRONG = "def half(n):\n    return n - {}"
RIGHT = "def half(n):\n    return n // 2"


class Writer:
    """A generator that proposes what a model answers, and declines when the answer says nothing."""

    name = "writer"

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @asynccontextmanager
    async def open(self, asked: Problem, say: Callable[[str], None], /) -> AsyncIterator[Writer]:
        self._problem = asked
        yield self

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        prompt = replace(question(), sample=ask.slot * 10 + ask.attempt)
        answer = await self._model.answer(prompt)
        if not answer.text:
            return Declined(reason="the model said nothing")
        target = self._problem.target
        return Proposal(edits=(TextEdit(target.span, indented(answer.text, target, self._problem.text)),))


async def run(
    *texts: str,
    budget: Budget | None = None,
    price: Price | None = PRICE,
    cost_model: object | None = None,
    **retry: object,
) -> tuple[list[Event], Answers]:
    events: list[Event] = []
    budget = budget or Budget()
    ledger = Ledger(budget)
    answers = Answers([reply(text, read=10, written=5) for text in texts])
    parts = Parts(
        generator=Writer(Budgeted(Priced(answers, price), ledger, price)),
        strategy=Retry(RetryOptions(**retry)),
        pipeline=Pipeline(verifiers=(Wants("// 2"),)),
        cost_model=cost_model or EditSize(),
    )
    with anyio.fail_after(100):
        await search(problem(), parts=parts, budget=budget, emitter=EventEmitter("s1", events.append), ledger=ledger)
    return events, answers


def last(events: list[Event]) -> SearchStopped:
    assert isinstance(events[-1], SearchStopped)
    return events[-1]


async def test_calls_are_capped():
    """The reason names the setting."""
    events, answers = await run(*(WRONG.format(n) for n in range(1, 9)), budget=Budget(calls=3))
    assert len(answers.asked) == 3
    assert last(events).outcome is Outcome.BUDGET_SPENT
    assert last(events).reason == "search.calls = 3 does not cover one more call of scripted:one"
    assert last(events).spent.calls == 3


async def test_best_candidate_is_kept_at_the_cap():
    """The reason says that more was wanted."""
    options = {"select": "cheapest", "first_try": False, "num_candidates": 3, "max_iterations": 3}
    texts = (RIGHT, *(WRONG.format(n) for n in range(1, 9)))
    events, answers = await run(*texts, budget=Budget(calls=4), **options)
    assert len(answers.asked) == 4
    assert last(events).outcome is Outcome.SOLVED
    assert last(events).winner is not None
    assert "search.calls = 4" in last(events).reason


async def test_dollars_and_tokens_are_checked_before_calls():
    for budget, setting in ((Budget(dollars=0.25), "search.dollars = 0.25"), (Budget(tokens=150), "search.tokens")):
        events, answers = await run(*(WRONG.format(n) for n in range(1, 99)), budget=budget, max_iterations=99)
        assert 1 <= len(answers.asked) < 99
        assert setting in last(events).reason
        assert (last(events).spent.dollars or 0) <= 0.25
        assert last(events).spent.tokens <= 15 * len(answers.asked)


async def test_every_result_has_usage_and_cost():
    """Those of successful searches have them too."""
    events, _ = await run(WRONG.format(1), RIGHT, num_candidates=1)
    spent = last(events).spent
    assert last(events).outcome is Outcome.SOLVED
    assert (last(events).reason, spent.calls, spent.tokens, spent.dollars) == ("", 2, 30, 0.012)
    told = [event.spent.calls for event in events if isinstance(event, BudgetSpent)]
    assert told == [1, 2]


async def test_unknown_price_stays_unknown():
    """A proposal without a candidate is counted."""
    events, _ = await run("", price=None, num_candidates=1)
    assert [event.spent.dollars for event in events if isinstance(event, BudgetSpent)] == [None]
    assert (last(events).spent.calls, last(events).spent.candidates) == (1, 0)


async def test_unpayable_costs_lose_no_passing_candidate():
    class Dear:
        async def price(self, *_: object) -> Cost:
            raise BudgetExhausted("nothing is left for the judges")

    events, _ = await run(RIGHT, cost_model=Dear())
    winner = last(events).winner
    assert winner is not None
    assert (winner.cost.known, winner.cost.source) == (
        False,
        "not priced: BudgetExhausted: nothing is left for the judges",
    )


@given(
    st.integers(1, 100),
    st.lists(st.tuples(st.booleans(), st.floats(0, 5)), max_size=40),
)
def test_progress_follows_the_most_used_part(candidates: int, steps: list):
    """It is a percentage, and it never falls."""
    guard, seconds, before = BudgetGuard(Budget(candidates=candidates, seconds=50)), 0.0, 0.0
    for grants, more in steps:
        if grants:
            guard.grant()
        seconds += more
        now = guard.progress(guard.spent(seconds))
        share = max(guard.spent(seconds).candidates / candidates, seconds / 50)
        assert now == pytest.approx(min(100, 100 * share), abs=0.01)
        assert now >= before
        before = now
