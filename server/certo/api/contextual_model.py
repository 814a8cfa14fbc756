"""A model that is asked on the account in force; to name one loads little, to ask it what asking takes."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply


def as_model(given: str | ChatModel | None) -> ChatModel | None:
    """Return a model that was given by its name, or as it is."""
    return ContextualModel(given) if isinstance(given, str) else given


class ContextualModel:
    """A model that is asked on the account in force; `model` is a ChatModel, or the name of one."""

    def __init__(self, model: str | ChatModel) -> None:
        self._model = model

    @property
    def asked(self) -> str | ChatModel:
        """The model, or its name."""
        return self._model

    @property
    def name(self) -> str:
        """Provider and model, as shown to the user."""
        return self._model if isinstance(self._model, str) else self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Answer one prompt as it is; see `ChatModel`."""
        # Imported by name: accounts bring providers, prices and settings, and many programs only name a model at first.
        async with import_module("certo.api.model_context").working() as account:
            reply: Reply = await account.answer(self._model, prompt, heard=heard)
            return reply
