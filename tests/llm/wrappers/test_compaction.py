"""Shorter conversations: a window that keeps the system's messages, a summary, and a count of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.llm.prompt import Message, Prompt
from certo.llm.wrappers.compaction import Compacted, SlidingWindow, Summary
from certo.vocabulary.errors import BadSetting
from support.models.scripted_answers import Answers, reply

pytestmark = pytest.mark.acceptance(43)

SYSTEM = Message(role="system", text="Be short.")


def turns(count: int) -> tuple[Message, ...]:
    return tuple(Message(role="user" if n % 2 == 0 else "assistant", text=f"turn {n}") for n in range(count))


@given(half=st.integers(0, 8), window=st.integers(1, 20))
async def test_a_window_is_the_conversations_end(half: int, window: int) -> None:
    """The system's message stays, and a user's turn comes first."""
    messages = (SYSTEM, *turns(2 * half + 1))
    sent = await SlidingWindow(window_size=window).compact(messages)
    assert sent[0] == SYSTEM
    assert sent[1].role == "user"
    assert sent[1:] == messages[-len(sent) + 1 :]
    assert len(sent) - 1 <= window


async def test_the_system_may_go_too() -> None:
    assert await SlidingWindow(window_size=1, keep_system=False).compact((SYSTEM, *turns(3))) == turns(3)[-1:]


async def test_long_conversations_are_summarised() -> None:
    model = Answers([reply("They took turns.")])
    summary = Summary(llm=model, window_size=2, most_tokens=10)
    sent = await summary.compact((SYSTEM, *turns(5)))
    assert [message.role for message in sent] == ["system", "system", "user"]
    assert "They took turns." in sent[1].text
    assert "assistant: turn 3" in model.asked[0].messages[0].text
    assert "turn 4" not in model.asked[0].messages[0].text
    assert await Summary(llm=model, window_size=2, most_tokens=100).compact(turns(5)) == turns(5)
    assert len(model.asked) == 1


async def test_a_model_may_have_its_prompts_shortened() -> None:
    model = Answers()
    await Compacted(model, SlidingWindow(window_size=1)).answer(Prompt(messages=turns(5), sample=3))
    assert (model.asked[0].messages, model.asked[0].sample) == (turns(5)[-1:], 3)


@pytest.mark.parametrize("wrong", [lambda: SlidingWindow(window_size=0), lambda: Summary(llm=Answers(), most_tokens=0)])
def test_a_size_of_nothing_is_refused(wrong: object) -> None:
    with pytest.raises(BadSetting, match="must be at least 1, not 0"):
        wrong()
