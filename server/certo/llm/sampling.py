"""Several answers to one question, all asked for at once."""

from __future__ import annotations

from dataclasses import replace

from certo.concurrency import side_by_side
from certo.llm.model import ChatModel
from certo.llm.prompt import Prompt, Reply
from certo.vocabulary.errors import CertoError, ModelFailed


async def samples(model: ChatModel, prompt: Prompt, number: int, /) -> tuple[Reply | ModelFailed, ...]:
    """Ask a model the same question `number` times at once; the answers come in the order of their sample numbers.

    The samples count from the prompt's own. One that fails is its failure and leaves the others alone.

    Raises:
        CertoError: whatever is not the failure of one call, such as a budget that is used up; the rest is cancelled.
    """
    answers: list[Reply | ModelFailed | None] = [None] * number
    stopped: list[CertoError] = []

    async def ask(place: int) -> None:
        try:
            answers[place] = await model.answer(replace(prompt, sample=prompt.sample + place))
        except ModelFailed as failed:
            answers[place] = failed
        except CertoError as error:
            # Kept out of the group, which would hand it on wrapped.
            stopped.append(error)
            group.cancel_scope.cancel()

    async with side_by_side() as group:
        for place in range(number):
            group.start_soon(ask, place)
    if stopped:
        raise stopped[0]
    return tuple(answer for answer in answers if answer is not None)
