"""The model contract: one question in, text as it is written, one whole answer out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, Protocol

from certo.llm.prompt import Delta, Prompt, Reply
from certo.vocabulary.errors import BadSetting


def ignore_text(delta: Delta, /) -> None:
    """Listen to nothing: for whoever wants the whole answer only."""


class ChatModel(Protocol):
    """A language model that can be asked, by several tasks at once.

    Cancelling `answer` closes what it holds open at the provider within 10 ms. An answer that the provider did not
    finish is an error, never a short answer; one that was cut at the limit of tokens says so in its `finish`.
    """

    @property
    def name(self) -> str:
        """Provider and model, as shown to the user: `openai:gpt-5-mini`."""
        ...

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Answer a prompt, telling `heard` the text as it comes.

        Raises:
            ModelFailed: the provider did not answer; the message names provider, setting and value.
            BudgetExhausted: the budget does not grant this call; nothing was sent.
        """
        ...


class Models(Protocol):
    """The models that the settings name."""

    def named(self, name: str = "", /) -> ChatModel:
        """The model the settings have under this name, or that `provider:model` says; the empty name is the default.

        Raises:
            BadSetting: there is no such model, provider or key; the message says which setting to give.
        """
        ...


class NoModels:
    """Knows no model, and says which setting would name one."""

    def named(self, name: str = "", /) -> NoReturn:
        """Find nothing.

        Raises:
            BadSetting: always.
        """
        wanted = f"the language model {name!r}" if name else "a language model"
        raise BadSetting(f"{wanted} was asked for, and no model is set up here; name one in model.name")
