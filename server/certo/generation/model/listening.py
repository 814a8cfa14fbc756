"""Listening to an answer: those who follow it hear in time what was written, also while the model pauses."""

from __future__ import annotations

import anyio

from certo.generation.model.drafting import Drafting
from certo.generation.model.hearing import Hearing
from certo.llm.model import ChatModel
from certo.llm.prompt import Delta, Prompt, Reply
from certo.sandbox.crew import side_by_side
from certo.vocabulary.errors import CertoError


async def followed(model: ChatModel, prompt: Prompt, *followers: Hearing | Drafting) -> Reply:
    """Have a model answer, with followers that hear the text as it comes, and catch up when no more comes.

    Raises:
        ModelFailed: it did not answer.
        BudgetExhausted: nothing is left to ask it with.
    """
    news = anyio.Event()

    def heard(delta: Delta) -> None:
        for each in followers:
            each.hear(delta)
        news.set()

    async def catch_up() -> None:
        nonlocal news
        while True:
            with anyio.move_on_after(min(each.patience for each in followers)):
                await news.wait()
            news = anyio.Event()
            for each in followers:
                each.catch_up()

    outcome: Reply | CertoError
    async with side_by_side() as group:
        group.start_soon(catch_up)
        try:
            outcome = await model.answer(prompt, heard=heard)
        except CertoError as error:
            # Kept out of the group, which would hand it on wrapped.
            outcome = error
        group.cancel_scope.cancel()
    if isinstance(outcome, CertoError):
        raise outcome
    return outcome
