"""A language model as Python sees it: asked with a text, it answers with a text or with a value of a type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from certo.api.contextual_model import ContextualModel
from certo.api.tools import Tool
from certo.llm.model import ChatModel
from certo.llm.prompt import Message, Sampling
from certo.llm.wrappers.compaction import Compaction
from certo.vocabulary.errors import AttemptsFailed

if TYPE_CHECKING:
    from types import ModuleType

    from certo.api.strategy import RetryStrategy
    from certo.llm.typed.typed_answer import Answered

OnFailure = Literal["text", "raise"]
"""What comes of a question that no answer fits: one that is not valid and has the raw text, or AttemptsFailed."""


class LLM(ContextualModel):
    """A language model, with what is always asked of it.

    `model` is `provider:model`, a name of the settings, or any ChatModel. `output_schema` is what answers have to be:
    a pydantic model, another type, or a JSON schema; text when not given. `retry_strategy` says how often to ask for
    an answer that fits, `on_failure` what to do when none does. `compact` shortens what is sent of a long conversation.

    It is a ChatModel itself, so it can judge as a criterion's `llm` and write code as a runtime's.
    """

    def __init__(
        self,
        model: str | ChatModel,
        *,
        output_schema: Any = None,
        retry_strategy: RetryStrategy | None = None,
        system: str = "",
        sampling: Sampling = Sampling(),  # noqa: B008 - a frozen value
        on_failure: OnFailure = "text",
        compact: Compaction | None = None,
    ) -> None:
        super().__init__(model)
        self._shape = _questions().AnswerType(output_schema) if output_schema is not None else None
        self._strategy = retry_strategy
        self._system = system
        self._sampling = sampling
        self._on_failure = on_failure
        self._compact = compact

    async def __call__(
        self,
        content: str,
        *,
        after: Sequence[Message] = (),
        output_schema: Any = None,
        retry_strategy: RetryStrategy | None = None,
    ) -> Answered:
        """Ask, going on with the conversation `after` where there is one; `answer.conversation` is how it stands then.

        Raises:
            AttemptsFailed: no answer fits, and `on_failure` says to raise; it has every attempt.
            ModelFailed, BudgetExhausted: no attempt was answered at all.
        """
        shape = self._shape if output_schema is None else _questions().AnswerType(output_schema)
        opening = after or ((Message(role="system", text=self._system),) if self._system else ())
        messages = (*opening, Message(role="user", text=content))
        answer: Answered = await _questions().answered(
            self,
            messages,
            shape,
            layers=(retry_strategy, self._strategy),
            sampling=self._sampling,
            compact=self._compact,
        )
        if not answer.is_valid and self._on_failure == "raise":
            raise AttemptsFailed(
                f"{self.name} gave no answer that fits in {len(answer.tries)} attempts; the last: {answer.error}",
                attempts=answer.tries,
                spent=answer.usage,
            )
        return answer

    def as_tool(self, name: str = "llm", *, stand_in: Callable[..., Any] | None = None) -> Tool:
        """Return the model as a tool of generated code: `llm(content, output_schema=None)` returns an answer's value.

        While code is verified no model is asked; `stand_in` answers there, a function of the same parameters.
        """

        async def ask(content: str, output_schema: Any = None) -> Any:
            """Ask a language model; with a JSON schema, the answer is a value of that schema."""
            answer = await self(content, output_schema=output_schema)
            if not answer.is_valid:
                raise ValueError(f"no answer fits: {answer.error}")
            return answer.value

        ask.__name__ = name
        return Tool(ask, outside=True, stand_in=stand_in, is_model=True)


def _questions() -> ModuleType:
    """Return the module that asks; imported by name, because many programs only name a model at first."""
    return import_module("certo.api.questions")
