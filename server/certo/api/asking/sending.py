"""One question asked several times at once, each time as a sample of its own."""

from __future__ import annotations

from dataclasses import replace

from certo.api.account import Account
from certo.llm.model import ChatModel
from certo.llm.prompt import Prompt, Reply
from certo.llm.structured import seeded
from certo.sandbox.crew import side_by_side
from certo.vocabulary.errors import CertoError, ModelFailed


async def asked_at_once(
    account: Account, model: str | ChatModel, prompt: Prompt, number: int
) -> list[Reply | CertoError]:
    """The answers to `number` questions like `prompt`, or why there is none, in the order of asking.

    Each is a request of its own, which every provider takes and which shares what the provider keeps of the question.
    Samples count up from the prompt's own, and so do seeds, so that a cache gives no two of them the same answer. One
    that fails leaves the others alone.
    """
    outcomes: dict[int, Reply | CertoError] = {}

    async def ask(place: int) -> None:
        sample = prompt.sample + place
        try:
            reply = await account.answer(
                model, replace(prompt, sample=sample, sampling=seeded(prompt.sampling, sample))
            )
        except CertoError as error:
            outcomes[place] = error
        else:
            # An answer without a word is no turn that could be sent back with what is wrong with it.
            outcomes[place] = reply if reply.text.strip() else ModelFailed(f"{reply.model} answered without a word")

    async with side_by_side() as group:
        for place in range(number):
            group.start_soon(ask, place)
    return [outcomes[place] for place in range(number)]
