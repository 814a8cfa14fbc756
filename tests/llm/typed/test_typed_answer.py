"""Structured output: one try, then lines with their own failures, of which one wins."""

from __future__ import annotations

from itertools import pairwise

import anyio
import pytest
from pydantic import BaseModel

from certo.llm.prompt import Finish, Message, Prompt, Reply, Sampling
from certo.llm.typed.answer_type import AnswerType
from certo.llm.typed.typed_answer import AnswerAttempts, ask_for
from certo.vocabulary.errors import BudgetExhausted, ModelFailed
from support.models.scripted_answers import Answers, reply

QUESTION = (Message(role="user", text="How many are there?"),)


class Count(BaseModel):
    """The type of answer that is asked for here."""

    number: int


GOOD = reply('{"number": 3}', dollars=0.5)


@pytest.mark.acceptance(2, 103)
async def test_a_fitting_first_answer_ends_it() -> None:
    model = Answers([GOOD])
    answer = await ask_for(model, QUESTION, AnswerType(Count), tries=AnswerAttempts())
    assert (answer.value, answer.is_valid, len(model.asked)) == (Count(number=3), True, 1)
    assert (answer.calls, answer.dollars) == (1, 0.5)
    assert answer.usage is not None
    assert answer.last_message == Message(role="assistant", text='{"number": 3}')
    assert model.asked[0].schema == AnswerType(Count).schema


@pytest.mark.acceptance(2, 5, 103)
async def test_lines_start_after_a_failed_try() -> None:
    """They start all at once; with no success the answer is the raw text and every attempt."""
    model = Answers([reply("three"), reply("four"), reply("five"), reply("six")])
    answer = await ask_for(model, QUESTION, AnswerType(Count), tries=AnswerAttempts(max_iterations=2, num_candidates=3))
    assert (answer.is_valid, answer.value, answer.text) == (False, None, "three")
    assert model.most_active == 3
    assert [(each.slot, each.attempt) for each in answer.tries] == [(0, 0), (0, 1), (1, 1), (2, 1)]
    assert answer.error == "it holds no JSON"
    assert answer.usage is not None
    assert answer.usage.input_tokens == 40


@pytest.mark.acceptance(1)
async def test_the_defaults_allow_seven_calls() -> None:
    model = Answers([reply("no")])
    answer = await ask_for(model, QUESTION, AnswerType(Count), tries=AnswerAttempts())
    assert len(model.asked) == len(answer.tries) == 7


@pytest.mark.acceptance(2)
async def test_without_first_try_all_lines_start() -> None:
    model = Answers([reply("no")])
    await ask_for(
        model, QUESTION, AnswerType(Count), tries=AnswerAttempts(max_iterations=1, num_candidates=4, first_try=False)
    )
    assert (len(model.asked), model.most_active) == (4, 4)


@pytest.mark.acceptance(3)
async def test_the_first_success_cancels_the_others() -> None:
    started, cancelled = [anyio.Event(), anyio.Event()], []

    async def slow(prompt: Prompt) -> Reply:
        next(event for event in started if not event.is_set()).set()
        try:
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            cancelled.append(prompt.sample)
            raise
        return GOOD

    async def quick(prompt: Prompt) -> Reply:
        for event in started:
            await event.wait()
        return GOOD

    model = Answers([reply("no"), slow, quick, slow])
    answer = await ask_for(model, QUESTION, AnswerType(Count), tries=AnswerAttempts())
    assert answer.value == Count(number=3)
    assert len(cancelled) == 2
    assert model.active == 0


@pytest.mark.acceptance(6)
async def test_each_line_sees_only_its_failures() -> None:
    """No turn is empty, and roles alternate."""
    model = Answers([reply("one"), reply("two"), reply(""), reply("three"), reply("four")])
    await ask_for(model, QUESTION, AnswerType(Count), tries=AnswerAttempts(max_iterations=3, num_candidates=2))
    first, left, right, left_again, right_again = (prompt.messages for prompt in model.asked)
    assert [message.role for message in first] == ["system", "user"]
    assert left == right
    assert [message.text for message in left][2] == "one"
    assert "it holds no JSON" in left[3].text
    assert [message.text for message in left_again if message.role == "assistant"] == ["one", "two"]
    assert [message.text for message in right_again if message.role == "assistant"] == ["one"]
    assert "it is empty" in right_again[-1].text
    for messages in (left_again, right_again):
        assert all(message.text.strip() for message in messages)
        roles = [message.role for message in messages if message.role != "system"]
        assert all(role != following for role, following in pairwise(roles))


async def test_no_two_answers_are_asked_for_alike() -> None:
    model = Answers([reply("no")])
    await ask_for(model, QUESTION, AnswerType(Count), tries=AnswerAttempts(), sampling=Sampling(seed=10))
    assert len({prompt.sample for prompt in model.asked}) == 7
    assert len({prompt.sampling.seed for prompt in model.asked}) == 7


async def test_an_unanswered_line_ends_alone() -> None:
    model = Answers([reply("no"), ModelFailed("away"), GOOD, ModelFailed("away")])
    answer = await ask_for(model, QUESTION, AnswerType(Count), tries=AnswerAttempts())
    assert answer.is_valid


async def test_a_model_that_never_answers_raises() -> None:
    with pytest.raises(ModelFailed, match="wrong key"):
        await ask_for(Answers([ModelFailed("wrong key")]), QUESTION, AnswerType(Count), tries=AnswerAttempts())
    with pytest.raises(BudgetExhausted):
        await ask_for(Answers([BudgetExhausted("spent")]), QUESTION, AnswerType(Count), tries=AnswerAttempts())


async def test_only_transient_failures_are_retried() -> None:
    busy = Answers([ModelFailed("busy", transient=True), GOOD])
    assert (await ask_for(busy, QUESTION, AnswerType(Count), tries=AnswerAttempts())).is_valid
    refused = Answers([ModelFailed("wrong key"), GOOD])
    with pytest.raises(ModelFailed):
        await ask_for(refused, QUESTION, AnswerType(Count), tries=AnswerAttempts())
    assert len(refused.asked) == 1


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (reply('{"number": 3', finish=Finish.CUT), "cut off at the limit of tokens"),
        (reply("", finish=Finish.FILTERED), "withheld"),
        (reply("  "), "empty"),
    ],
)
async def test_an_answer_that_is_none_says_why(bad: Reply, words: str) -> None:
    answer = await ask_for(Answers([bad]), QUESTION, AnswerType(Count), tries=AnswerAttempts(max_iterations=1))
    assert not answer.is_valid
    assert words in answer.error


async def test_empty_text_is_asked_for_again() -> None:
    model = Answers([reply(""), reply("Hello.")])
    answer = await ask_for(model, QUESTION, tries=AnswerAttempts(num_candidates=1))
    assert (answer.value, answer.is_valid, len(model.asked)) == ("Hello.", True, 2)


@pytest.mark.acceptance(103)
async def test_usage_is_unknown_if_once_missing() -> None:
    model = Answers([reply("no"), reply('{"number": 1}', usage=None)])
    answer = await ask_for(model, QUESTION, AnswerType(Count), tries=AnswerAttempts(num_candidates=1))
    assert (answer.usage, answer.dollars) == (None, None)
