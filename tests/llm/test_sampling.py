"""Several answers to one question come at once, and one that fails leaves the others alone."""

from __future__ import annotations

import pytest

from certo.llm.sampling import samples
from certo.vocabulary.errors import BudgetExhausted, ModelFailed
from support.models.scripted_answers import Answers, question, reply


async def test_samples_are_asked_concurrently_and_numbered():
    model = Answers([reply()])
    assert len(await samples(model, question(sample=2), 4)) == 4
    assert sorted(prompt.sample for prompt in model.asked) == [2, 3, 4, 5]
    assert model.most_active == 4


async def test_a_failure_replaces_only_its_sample():
    answers = await samples(Answers([reply("a"), ModelFailed("down"), reply("c")]), question(), 3)
    assert [getattr(answer, "text", "failed") for answer in answers] == ["a", "failed", "c"]


async def test_a_spent_budget_ends_all_samples():
    with pytest.raises(BudgetExhausted):
        await samples(Answers([reply(), BudgetExhausted("spent")]), question(), 3)
