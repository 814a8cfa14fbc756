"""A model with given answers, to put wrappers around."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio

from certo.llm.model import ignore_text
from certo.llm.prompt import Delta, Finish, Message, Prompt, Reply, Sampling, Usage
from certo.vocabulary.errors import ModelFailed

Answering = Reply | Exception | Callable[[Prompt], Awaitable[Reply]]


@dataclass
class Answers:
    """Gives one answer after the other, the last one for ever; counts simultaneous questions and keeps them all."""

    answers: list[Answering] = field(default_factory=lambda: [reply()])
    name: str = "scripted:one"
    asked: list[Prompt] = field(default_factory=list)
    active: int = 0
    most_active: int = 0

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Take the next answer."""
        self.asked.append(prompt)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        try:
            await anyio.lowlevel.checkpoint()
            if isinstance(answer, Exception):
                raise answer
            if not isinstance(answer, Reply):
                answer = await answer(prompt)
            if answer.text:
                heard(Delta(text=answer.text, at=0))
            return answer
        finally:
            self.active -= 1


def reply(text: str = "42", *, read: int = 10, written: int = 5, **fields: object) -> Reply:
    """Return a whole answer with its usage."""
    usage = Usage(input_tokens=read, output_tokens=written)
    return Reply(**{"text": text, "finish": Finish.COMPLETE, "model": "one", "usage": usage, **fields})


def question(text: str = "What is six times seven?", **fields: object) -> Prompt:
    """Return a prompt of one message."""
    sampling = Sampling(max_tokens=fields.pop("max_tokens", 100))
    return Prompt(**{"messages": (Message(role="user", text=text),), "sampling": sampling, **fields})


def busy(retry_after: float | None = None, *, status: int = 429) -> ModelFailed:
    """Return the error of a provider that is asked too much."""
    return ModelFailed("scripted takes no more calls for now", transient=True, retry_after=retry_after, status=status)
