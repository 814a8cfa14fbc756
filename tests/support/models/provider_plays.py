"""The actions of a model's other side on any wire, and its observations of the client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

import anyio

from certo.llm.model import ChatModel
from certo.llm.prompt import Finish, Message, Prompt, Usage


class Fault(Enum):
    """A way of not answering."""

    REFUSED = "refused"
    """For a reason that stays, such as a wrong key."""
    BUSY = "busy"
    """For now, for RETRY_SECONDS."""
    BROKEN_OFF = "broken off"
    """Some of the answer comes, and then no more."""


RETRY_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """One answer: its pieces, each after `gap` seconds, and its end."""

    pieces: tuple[str, ...] = ("def f():", "\n    return 1\n")
    gap: float = 0.0
    finish: Finish = Finish.COMPLETE
    usage: Usage | None = field(default_factory=lambda: Usage(input_tokens=7, output_tokens=5, cached_tokens=0))
    fault: Fault | None = None

    @property
    def text(self) -> str:
        """The whole answer."""
        return "".join(self.pieces)


FOREVER = Play(pieces=("once",) * 100, gap=1000.0)
"""An answer that never gets as far as its first piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it arrived at the other side."""

    messages: tuple[tuple[str, str], ...]
    max_tokens: int
    schema: Mapping[str, Any] | None


class Witness:
    """Observations of the other side: every question, and the number of clients that left before the end."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.left = 0
        self._news = anyio.Event()

    def see(self, asked: Asked) -> None:
        """Note a question."""
        self.asked.append(asked)
        self._tell()

    def miss(self) -> None:
        """Count a client that left."""
        self.left += 1
        self._tell()

    async def until(self, *, asked: int = 0, left: int = 0) -> None:
        """Wait until so many have asked and left."""
        with anyio.fail_after(500):
            while len(self.asked) < asked or self.left < left:
                await self._news.wait()

    def _tell(self) -> None:
        self._news.set()
        self._news = anyio.Event()


class Stage(Protocol):
    """A setting for one kind of model: its other side performs the given plays, in the order of the questions."""

    witness: Witness

    def model(self, *plays: Play) -> ChatModel:
        """Return a model with these plays for answers."""
        ...


def ask(text: str = "write f", **more: Any) -> Prompt:
    """Return a prompt of one question."""
    return Prompt(messages=(Message(role="user", text=text),), **more)
