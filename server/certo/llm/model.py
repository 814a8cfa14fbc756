"""Contract of language models: takes a prompt, streams text and returns one whole answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, Protocol

from certo.llm.prompt import Delta, Prompt, Reply
from certo.vocabulary.errors import BadSetting


def ignore_text(delta: Delta, /) -> None:
    """Ignore streamed text, for callers that want only the whole answer."""


class ChatModel(Protocol):
    """A language model that several tasks can ask at once.

    Cancelling `answer` closes its connection to the provider within 10 ms. An answer that the provider did not finish
    is an error, never a short answer; one cut at the token limit says so in its `finish`.
    """

    @property
    def name(self) -> str:
        """Provider and model, as shown to the user: `openai:gpt-5-mini`."""
        ...

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the answer to a prompt and pass text to `heard` as it arrives.

        Raises:
            ModelFailed: The provider did not answer; the message names provider, setting and value.
            BudgetExhausted: The budget does not cover this call; nothing was sent.
        """
        ...


class Models(Protocol):
    """The models that the settings name."""

    def named(self, name: str = "", /) -> ChatModel:
        """Return the model with this name in the settings, or the one `provider:model` names; "" is the default.

        Raises:
            BadSetting: There is no such model, provider or key; the message names the setting to give.
        """
        ...


class NoModels:
    """A set of no models, whose error names the setting to give."""

    def named(self, name: str = "", /) -> NoReturn:
        """Raise an error in every case.

        Raises:
            BadSetting: Always.
        """
        wanted = f"the language model {name!r}" if name else "a language model"
        raise BadSetting(f"{wanted} was asked for, and no model is set up here; name one in model.name")
