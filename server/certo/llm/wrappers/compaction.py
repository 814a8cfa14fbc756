"""Shortening a conversation before it is sent: a window that slides, or a summary of what has left it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Message, Prompt, Reply, tokens_of_text
from certo.vocabulary.errors import BadSetting


class Compaction(Protocol):
    """A way of shortening conversations. What it gives is a conversation again: it ends with the same user's turn."""

    async def compact(self, messages: Sequence[Message], /) -> tuple[Message, ...]:
        """The conversation as it is to be sent."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SlidingWindow:
    """Keeps the last `window_size` turns, and fewer where that would begin in the middle: a user's turn comes first.

    The system's messages are kept besides, unless `keep_system` says not to.
    """

    window_size: int = 10
    keep_system: bool = True

    def __post_init__(self) -> None:
        if self.window_size < 1:
            raise BadSetting(f"SlidingWindow.window_size must be at least 1, not {self.window_size}")

    async def compact(self, messages: Sequence[Message], /) -> tuple[Message, ...]:
        """The conversation as it is to be sent."""
        system, _, kept = parted(messages, self.window_size)
        return (*(system if self.keep_system else ()), *kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Keeps the last `window_size` turns and has `llm` sum up those before them, when all take over `most_tokens`.

    The summary stands with the system's messages. It is made of everything before the window each time, so it never
    sums up a summary.
    """

    llm: ChatModel
    window_size: int = 10
    most_tokens: int = 8000

    def __post_init__(self) -> None:
        for name in ("window_size", "most_tokens"):
            if getattr(self, name) < 1:
                raise BadSetting(f"Summary.{name} must be at least 1, not {getattr(self, name)}")

    async def compact(self, messages: Sequence[Message], /) -> tuple[Message, ...]:
        """The conversation as it is to be sent.

        Raises:
            ModelFailed, BudgetExhausted: the model did not sum it up.
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
    """The system's messages, the turns before the window, and those in it, of which a user's comes first."""
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
        """Answer a prompt; see `ChatModel`."""
        messages = await self.compaction.compact(prompt.messages)
        return await self.model.answer(replace(prompt, messages=messages), heard=heard)
