"""A model is asked again after transient failures only, with backoff and Retry-After."""

from __future__ import annotations

import anyio
import pytest

from certo.llm.wrappers.retries import MAX_WAIT, Retrying
from certo.vocabulary.errors import BudgetExhausted, ModelFailed
from support.models.scripted_answers import Answers, busy, question, reply

pytestmark = pytest.mark.acceptance(73)


async def test_transient_failures_are_retried_and_counted():
    model = Answers([busy(), busy(status=500), reply("at last")])
    answer = await Retrying(model, tries=4, first_seconds=0.001).answer(question())
    assert (answer.text, answer.calls) == ("at last", 3)


async def test_lasting_failures_are_raised_at_once():
    model = Answers([ModelFailed("wrong key", status=401)])
    with pytest.raises(ModelFailed, match=r"^wrong key$"):
        await Retrying(model, tries=4, first_seconds=0.001).answer(question())
    assert len(model.asked) == 1


async def test_the_last_failure_counts_the_tries():
    model = Answers([busy(0.0)])
    with pytest.raises(ModelFailed, match=r"no more calls for now \(tried 3 times\)") as caught:
        await Retrying(model, tries=3, first_seconds=0.001).answer(question())
    assert len(model.asked) == 3
    assert (caught.value.status, caught.value.transient, caught.value.retry_after) == (429, True, 0.0)


async def test_retry_after_is_respected():
    """A wait that is too long ends the tries."""
    model = Answers([busy(3600), reply()])
    with pytest.raises(ModelFailed, match=r"\(it wants to be left alone for 3600 s\)"):
        await Retrying(model, tries=4, first_seconds=0.001).answer(question())
    assert len(model.asked) == 1
    model = Answers([busy(MAX_WAIT), reply()])
    with anyio.move_on_after(0.05) as waited:
        await Retrying(model, tries=4, first_seconds=0.001).answer(question())
    assert waited.cancelled_caught
    assert len(model.asked) == 1


async def test_a_spent_budget_is_not_retried():
    model = Answers([BudgetExhausted("spent")])
    with pytest.raises(BudgetExhausted):
        await Retrying(model, tries=4, first_seconds=0.001).answer(question())
    assert len(model.asked) == 1
