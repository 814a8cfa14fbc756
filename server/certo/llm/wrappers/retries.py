"""A model wrapper that retries transient failures with growing delays."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import anyio

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply
from certo.vocabulary.errors import ModelFailed

MAX_WAIT = 60.0
"""Maximum delay in seconds. If a provider asks for a longer one, the user is told instead."""

_FACTOR = 2.0


class Retrying:
    """A ChatModel that retries up to a number of tries in all.

    The delay is `first_seconds` before the second try and doubles each time, reduced at random by up to half so that
    clients that failed together do not retry together. A provider's own retry time is respected.
    """

    def __init__(self, model: ChatModel, *, tries: int, first_seconds: float = 0.5) -> None:
        self._model = model
        self._tries = tries
        self._first_seconds = first_seconds

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the answer, retrying after transient failures; the streamed text starts over with each try.

        Raises:
            ModelFailed: The last failure, with the number of tries.
        """
        wait, tried = self._first_seconds, 0
        while True:
            tried += 1
            try:
                reply = await self._model.answer(prompt, heard=heard)
            except ModelFailed as failed:
                at_least = failed.retry_after or 0.0
                if not failed.transient or tried >= self._tries or at_least > MAX_WAIT:
                    raise _told(failed, tried) from failed
                await anyio.sleep(max(at_least, wait * random.uniform(0.5, 1.0)))
                wait = min(wait * _FACTOR, MAX_WAIT)
            else:
                return replace(reply, calls=reply.calls + tried - 1)


def _told(failed: ModelFailed, tried: int) -> ModelFailed:
    """Return the failure for the user, with the number of tries and the delay that the next one would need."""
    wait = failed.retry_after or 0.0
    notes = [f"tried {tried} times"] if tried > 1 else []
    notes += [f"it wants to be left alone for {wait:.0f} s"] if wait > MAX_WAIT else []
    if not notes:
        return failed
    return ModelFailed(
        f"{failed} ({'; '.join(notes)})",
        transient=failed.transient,
        retry_after=failed.retry_after,
        received=failed.received,
        status=failed.status,
    )
