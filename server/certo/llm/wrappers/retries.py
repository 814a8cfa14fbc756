"""A model that is asked again when that may help: only after failures that pass, later each time, and not for ever."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import anyio

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply
from certo.vocabulary.errors import ModelFailed

MAX_WAIT = 60.0
"""Seconds. A provider that wants to be left alone for longer is not waited for: the user is told instead."""

_FACTOR = 2.0


class Retrying:
    """A ChatModel that asks again, up to so many tries in all.

    Before the second try it waits `first_seconds`, before each further one twice as long, each time cut by up to half
    at random so that those who failed together do not come back together. A provider that says when to come back is
    not asked before.
    """

    def __init__(self, model: ChatModel, *, tries: int, first_seconds: float = 0.5) -> None:
        self._model = model
        self._tries = tries
        self._first_seconds = first_seconds

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Ask until there is an answer, or no reason to hope for one; the text starts over with each try.

        Raises:
            ModelFailed: the last failure, with how often it was tried.
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
    """The failure as the user is to read it, with how often it was met and how long the next try would have to wait."""
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
