"""Questions to a language model as Python asks them, tried again until an answer fits; loaded when one is asked."""

from __future__ import annotations

from collections.abc import Sequence

from certo.api.model_context import working
from certo.api.strategy import RetryStrategy, merged
from certo.llm.model import ChatModel
from certo.llm.prompt import Message, Sampling
from certo.llm.typed.answer_type import AnswerType
from certo.llm.typed.typed_answer import Answered, ask_for
from certo.llm.wrappers.compaction import Compaction


async def answered(
    model: ChatModel,
    messages: tuple[Message, ...],
    shape: AnswerType | None,
    *,
    layers: Sequence[RetryStrategy | None],
    sampling: Sampling,
    compact: Compaction | None,
) -> Answered:
    """Return what a model answers on the account in force; `layers` say how often to ask, the strongest first.

    Raises:
        ModelFailed, BudgetExhausted: no attempt was answered at all.
    """
    strategy = merged(RetryStrategy, *layers)
    async with working():
        sent = await compact.compact(messages) if compact is not None else messages
        return await ask_for(model, sent, shape, tries=strategy.tries, sampling=sampling)
