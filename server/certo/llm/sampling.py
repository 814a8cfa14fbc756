"""Several answers to one prompt, requested at once."""

from __future__ import annotations

from dataclasses import replace

from certo.concurrency import side_by_side
from certo.llm.model import ChatModel
from certo.llm.prompt import Prompt, Reply
from certo.vocabulary.errors import CertoError, ModelFailed


async def samples(model: ChatModel, prompt: Prompt, number: int, /) -> tuple[Reply | ModelFailed, ...]:
    """Return `number` answers to the same prompt, requested at once, in the order of their sample numbers.

    Samples are numbered from the prompt's own. A failed one is returned as its failure and does not affect the others.

    Raises:
        CertoError: Any error that is not the failure of one call, such as an exhausted budget; the rest is cancelled.
    """
    answers: list[Reply | ModelFailed | None] = [None] * number
    stopped: list[CertoError] = []

    async def ask(place: int) -> None:
        try:
            answers[place] = await model.answer(replace(prompt, sample=prompt.sample + place))
        except ModelFailed as failed:
            answers[place] = failed
        except CertoError as error:
            # Kept out of the task group, which would wrap it in an exception group.
            stopped.append(error)
            group.cancel_scope.cancel()

    async with side_by_side() as group:
        for place in range(number):
            group.start_soon(ask, place)
    if stopped:
        raise stopped[0]
    return tuple(answer for answer in answers if answer is not None)
