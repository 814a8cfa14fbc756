"""A conversation about one candidate in which the model may look things up before it answers."""

from __future__ import annotations

from dataclasses import replace

from certo.generation.generator import Ask, LookUp
from certo.generation.model.answer_stream import AnswerReader, DraftReader, followed
from certo.generation.model.look_ups import TOOLS, LookUps
from certo.generation.model.prompts import PromptBuilder
from certo.llm.model import ChatModel
from certo.llm.prompt import Message, Prompt, Reply
from certo.llm.providers import calls_tools

AT_ONCE = 4
"""Maximum number of look-ups that a model is given at a time."""


class Conversation:
    """Asks one model for one candidate. What it has looked up stays in the conversation until the candidate is there.

    It may look things up `rounds` times in all, if its provider has tool calling. Each time is a call of the model, so
    the budget of the search counts it.
    """

    def __init__(self, model: ChatModel, ask: Ask, looking: LookUps, prompting: PromptBuilder, rounds: int) -> None:
        self._model = model
        self._ask = ask
        self._looking = looking
        self._prompting = prompting
        self._may_look = rounds > 0 and calls_tools(model.name)
        self._rounds = rounds
        self._seen: list[Message] = []
        self._number = 0

    async def answer(self, prompt: Prompt) -> Reply:
        """Return the model's answer to a prompt, after it was given what it asked for.

        Raises:
            ModelFailed: The model did not answer.
            BudgetExhausted: The budget allows no more calls.
        """
        while True:
            drafting = DraftReader(problem=self._prompting.problem, model=self._model.name, tell=self._ask.drafting)
            hearing = AnswerReader(model=self._model.name, tell=self._ask.hearing)
            reply = await followed(self._model, self._with_tools(prompt), hearing, drafting)
            hearing.end()
            if not reply.uses or not self._may_look or self._rounds == 0:
                return reply
            self._rounds -= 1
            await self._look(reply)

    def go_on(self, said: tuple[Message, ...]) -> bool:
        """Add further messages behind what was looked up; return False if nothing was looked up."""
        if self._seen:
            self._seen += said
        return bool(self._seen)

    def _with_tools(self, prompt: Prompt) -> Prompt:
        if not self._may_look:
            return prompt
        messages = (*prompt.messages, *self._seen)
        return replace(prompt, messages=messages, tools=TOOLS, must_answer=self._rounds == 0)

    async def _look(self, reply: Reply) -> None:
        self._seen.append(Message(role="assistant", text=reply.text, uses=reply.uses))
        for place, use in enumerate(reply.uses):
            # Each use has to be answered, or the provider refuses the conversation.
            too_many = f"error: only {AT_ONCE} look-ups are answered at a time"
            result = await self._looking.answer(use) if place < AT_ONCE else too_many
            self._number += 1
            self._ask.looking(
                LookUp(
                    model=self._model.name,
                    number=self._number,
                    tool=use.name,
                    arguments=use.arguments,
                    result=result,
                )
            )
            self._seen.append(Message(role="tool", text=result, answers=use.id))
