"""A language model from Python: text or a value of a type, the raw text or an error, and its price."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from certo import LLM, RetryStrategy, SlidingWindow, wait
from certo.llm.prompt import Message
from certo.vocabulary.errors import AttemptsFailed, BadSetting, ModelFailed
from support.models.scripted_answers import Answers, reply

pytestmark = pytest.mark.acceptance(5, 7, 101, 103)


class Town(BaseModel):
    """What is asked for here."""

    name: str
    people: int


async def test_text_goes_on_with_a_conversation() -> None:
    model = Answers([reply("Ulm."), reply("120000.")])
    llm = LLM(model, system="Be short.")
    first = await llm("Which town?")
    second = await llm("How many people?", after=first.conversation)
    assert (first.value, second.text, second.is_valid) == ("Ulm.", "120000.", True)
    roles = [message.role for message in second.conversation]
    assert roles == ["system", "user", "assistant", "user", "assistant"]
    assert second.last_message == Message(role="assistant", text="120000.")
    assert (second.usage.input_tokens, second.calls) == (10, 1)


async def test_model_is_asked_until_value_fits() -> None:
    llm = LLM(Answers([reply("Ulm"), reply('{"name": "Ulm", "people": 1}')]), output_schema=Town)
    answer = await llm("Which town?")
    assert answer.value == Town(name="Ulm", people=1)
    assert [each.error for each in answer.tries] == ["it holds no JSON", ""]


async def test_call_overrides_schema_and_retries() -> None:
    """A call may ask for something else and as often as it likes."""
    model = Answers([reply("no")])
    llm = LLM(model, output_schema=Town, retry_strategy=RetryStrategy(max_iterations=2, num_candidates=1))
    answer = await llm("How many?", output_schema={"type": "integer"}, retry_strategy=RetryStrategy(max_iterations=3))
    assert (answer.is_valid, answer.value, answer.text, len(model.asked)) == (False, None, "no", 3)


async def test_no_fit_raises_with_every_attempt() -> None:
    """When no answer fits that may be an error with every attempt."""
    llm = LLM(Answers([reply("no", dollars=0.1)]), output_schema=Town, on_failure="raise")
    with pytest.raises(
        AttemptsFailed, match="gave no answer that fits in 7 attempts; the last: it holds no JSON"
    ) as failed:
        await llm("Which town?")
    assert len(failed.value.attempts) == 7
    assert {attempt.reply.text for attempt in failed.value.attempts} == {"no"}
    assert failed.value.spent.input_tokens == 70


async def test_long_conversation_is_shortened() -> None:
    model = Answers([reply("yes")])
    llm = LLM(model, system="Be short.", compact=SlidingWindow(window_size=3))
    conversation = ()
    for number in range(4):
        conversation = (await llm(f"question {number}", after=conversation)).conversation
    assert [message.text for message in model.asked[-1].messages] == ["Be short.", "question 2", "yes", "question 3"]


async def test_unknown_model_name_is_refused() -> None:
    with pytest.raises((BadSetting, ModelFailed)):
        await LLM("no-such-provider:model")("Hello?")


def test_asked_from_synchronous_programs() -> None:
    """It can be asked from a program that is not asynchronous."""
    assert wait(LLM(Answers([reply("Hello.")]))("Hello?")).value == "Hello."
