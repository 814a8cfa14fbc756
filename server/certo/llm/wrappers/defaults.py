"""A model wrapper that fills in the configured sampling parameters where a prompt has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from certo.llm.model import ChatModel, ignore_text
from certo.llm.options import ModelOptions
from certo.llm.prompt import Delta, Prompt, Reply, Sampling

_UNSAID = Sampling().max_tokens


class DefaultedModel:
    """A ChatModel with the temperature and answer limit of its options."""

    def __init__(self, model: ChatModel, options: ModelOptions, *, background: bool = False) -> None:
        """Fill in the options; with `background`, every prompt gives way to foreground ones."""
        self._model = model
        self._options = options
        self._background = background

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the answer to the prompt with defaults filled in."""
        sampling, options = prompt.sampling, self._options
        if sampling.temperature is None:
            sampling = replace(sampling, temperature=options.temperature)
        if sampling.max_tokens == _UNSAID and options.max_tokens is not None:
            sampling = replace(sampling, max_tokens=options.max_tokens)
        background = prompt.background or self._background
        return await self._model.answer(replace(prompt, sampling=sampling, background=background), heard=heard)
