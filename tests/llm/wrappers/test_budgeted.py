"""A search's budget of language models is checked before each call."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.llm.ledger import Expense, Ledger
from certo.llm.prompt import Usage
from certo.llm.wrappers.budgeted import Budgeted, most_of
from certo.llm.wrappers.prices import Price, Priced, listed_price
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BudgetExhausted, ModelFailed
from support.models.scripted_answers import Answers, question, reply

pytestmark = pytest.mark.acceptance(70, 103)

PRICE = Price(input=1.0, cached=0.1, output=10.0)


async def test_calls_over_budget_are_not_sent():
    """The sentence names the setting."""
    model, ledger = Answers(), Ledger(Budget(calls=2))
    budgeted = Budgeted(model, ledger, PRICE)
    for _ in range(2):
        await budgeted.answer(question())
    with pytest.raises(BudgetExhausted, match=r"search\.calls = 2 does not cover one more call of scripted:one"):
        await budgeted.answer(question())
    assert len(model.asked) == 2
    assert "search.calls" in ledger.exhausted


async def test_calls_possibly_over_budget_are_not_sent():
    """They might take too many tokens or dollars."""
    for budget in (Budget(tokens=100), Budget(dollars=0.001)):
        model, ledger = Answers(), Ledger(budget)
        with pytest.raises(
            BudgetExhausted, match=r"search\.(tokens = 100|dollars = 0\.001) does not .* come to [\d.]+ "
        ):
            await Budgeted(model, ledger, PRICE).answer(question())
        assert model.asked == []


async def test_calls_wait_for_reserved_tokens():
    """A call that fits only when another takes less than it might waits for it."""
    ledger = Ledger(Budget(tokens=200))
    model = Answers([reply(read=10, written=5)])
    budgeted = Budgeted(model, ledger, None)
    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(budgeted.answer, question())
    assert (len(model.asked), model.most_active, ledger.taken.tokens) == (4, 1, 60)


async def test_expenses_are_what_the_server_reports():
    ledger = Ledger(Budget())
    await Budgeted(Priced(Answers([reply(read=1000, written=100, calls=3)]), PRICE), ledger, PRICE).answer(question())
    assert ledger.taken == Expense(calls=3, tokens=1100, dollars=pytest.approx(0.002))
    spent = ledger.spent(candidates=1, seconds=1.0)
    assert (spent.calls, spent.tokens, spent.dollars) == (3, 1100, 0.002)


async def test_an_unknown_price_makes_totals_unknown():
    """Tokens that nobody counted are estimated."""
    ledger = Ledger(Budget())
    await Budgeted(Answers(), ledger, PRICE).answer(question())
    await Budgeted(Answers([reply("seven chars", usage=None)]), ledger, None).answer(question())
    assert ledger.taken.dollars is None
    assert ledger.taken.tokens > 15


async def test_cancelled_calls_cost_and_failed_do_not():
    """Both count as calls."""
    ledger = Ledger(Budget())
    with pytest.raises(ModelFailed):
        await Budgeted(Answers([ModelFailed("busy")]), ledger, PRICE).answer(question())
    assert ledger.taken == Expense(calls=1)

    async def never(_):
        await anyio.sleep_forever()

    with anyio.move_on_after(0.01):
        await Budgeted(Answers([never]), ledger, PRICE).answer(question())
    assert ledger.taken.calls == 2
    assert ledger.taken.tokens > 0
    assert ledger.taken.dollars > 0


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=30), st.integers(0, 400))
def test_the_tokens_taken_never_exceed_the_budget(answers, cap):
    async def spend() -> Ledger:
        ledger = Ledger(Budget(tokens=cap))
        prompt = question(max_tokens=40)
        most = most_of(prompt, None).tokens
        for read, written in answers:
            model = Answers([reply(read=min(read, most - 40), written=written)])
            try:
                await Budgeted(model, ledger, None).answer(prompt)
            except BudgetExhausted:
                break
        return ledger

    assert anyio.run(spend).taken.tokens <= cap


def test_cached_tokens_cost_less():
    usage = Usage(input_tokens=1_000_000, output_tokens=100_000, cached_tokens=400_000)
    assert PRICE.of(usage) == pytest.approx(0.6 + 0.04 + 1.0)


def test_the_price_table_knows_model_editions():
    """It has no price for other models."""
    known = listed_price("openai", "gpt-5-mini")
    assert known is not None
    assert listed_price("openai", "gpt-5-mini-2025-08-07") == known
    assert listed_price("anthropic", "claude-sonnet-4-5-20250929") == listed_price("anthropic", "claude-sonnet-4-5")
    assert listed_price("openai", "gpt-5-mini-turbo") is None
    assert listed_price("elsewhere", "gpt-5-mini") is None


async def test_unknown_price_or_usage_gives_no_dollars():
    """A price that the reply names itself counts."""
    assert (await Priced(Answers(), None).answer(question())).dollars is None
    assert (await Priced(Answers([reply(usage=None)]), PRICE).answer(question())).dollars is None
    assert (await Priced(Answers([reply(dollars=7.0)]), PRICE).answer(question())).dollars == 7.0
