"""A model that is made ready when it is first asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from certo.llm.model import ChatModel, unheard
from certo.llm.prompt import Delta, Prompt, Reply


class Late:
    """A ChatModel whose making waits until somebody asks it: it takes a key, for which a user may have to be asked."""

    def __init__(self, name: str, make: Callable[[], Awaitable[ChatModel]]) -> None:
        self._name = name
        self._make = make
        self._making = anyio.Lock()
        self._made: ChatModel | None = None

    @property
    def name(self) -> str:
        """The name that the model will have."""
        return self._name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = unheard) -> Reply:
        """Make the model if it is not there yet, and ask it; raises what its making does."""
        model = await self.ready()
        return await model.answer(prompt, heard=heard)

    async def ready(self) -> ChatModel:
        """Make the model if it is not there yet, without asking it; raises what its making does."""
        async with self._making:
            if self._made is None:
                self._made = await self._make()
            return self._made
