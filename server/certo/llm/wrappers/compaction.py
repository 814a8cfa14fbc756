"""Shortening of a conversation before it is sent: a sliding window, or a summary of older turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Message, Prompt, Reply, tokens_of_text
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass


class Compaction(Protocol):
    """A way of shortening conversations. The result is a conversation that ends with the same user message."""

    async def compact(self, messages: Sequence[Message], /) -> tuple[Message, ...]:
        """Return the conversation as it is to be sent."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SlidingWindow:
    """Keeps the last `window_size` turns, or fewer so that the window begins with a user message.

    System messages are kept in addition, unless `keep_system` is False.
    """

    window_size: int = 10
    keep_system: bool = True

    def __post_init__(self) -> None:
        if self.window_size < 1:
            raise BadSetting(f"SlidingWindow.window_size must be at least 1, not {self.window_size}")

    async def compact(self, messages: Sequence[Message], /) -> tuple[Message, ...]:
        """Return the conversation as it is to be sent."""
        system, _, kept = parted(messages, self.window_size)
        return (*(system if self.keep_system else ()), *kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Keeps the last `window_size` turns and has `llm` summarize the earlier ones if all exceed `most_tokens`.

    The summary is placed with the system messages. It is made anew from everything before the window each time, so it
    never summarizes a summary.
    """

    llm: ChatModel
    window_size: int = 10
    most_tokens: int = 8000

    def __post_init__(self) -> None:
        for name in ("window_size", "most_tokens"):
            if getattr(self, name) < 1:
                raise BadSetting(f"Summary.{name} must be at least 1, not {getattr(self, name)}")

    async def compact(self, messages: Sequence[Message], /) -> tuple[Message, ...]:
        """Return the conversation as it is to be sent.

        Raises:
            ModelFailed, BudgetExhausted: The model gave no summary.
        """
        system, left_out, kept = parted(messages, self.window_size)
        if not left_out or sum(tokens_of_text(message.text) for message in messages) <= self.most_tokens:
            return tuple(messages)
        told = "\n\n".join(f"{message.role}: {message.text}" for message in left_out)
        wanted = (
            "Sum up this conversation for someone who has to go on with it: what was asked, what was decided, and what "
            f"is still open. Keep names, numbers and code that matter.\n\n{told}"
        )
        reply = await self.llm.answer(Prompt(messages=(Message(role="user", text=wanted),)))
        summary = Message(role="system", text=f"What was said before, in short:\n{reply.text.strip()}")
        return (*system, summary, *kept)


def parted(
    messages: Sequence[Message], window_size: int
) -> tuple[tuple[Message, ...], tuple[Message, ...], tuple[Message, ...]]:
    """Return system messages, turns before the window, and turns in it, which begin with a user message."""
    system = tuple(message for message in messages if message.role == "system")
    turns = tuple(message for message in messages if message.role != "system")
    start = max(0, len(turns) - window_size)
    while start < len(turns) - 1 and turns[start].role != "user":
        start += 1
    return system, turns[:start], turns[start:]


@dataclass(frozen=True, slots=True)
class Compacted:
    """A model whose prompts are shortened before they are sent."""

    model: ChatModel
    compaction: Compaction

    @property
    def name(self) -> str:
        """Provider and model, as shown to the user."""
        return self.model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the answer to the shortened prompt; see `ChatModel`."""
        messages = await self.compaction.compact(prompt.messages)
        return await self.model.answer(replace(prompt, messages=messages), heard=heard)
