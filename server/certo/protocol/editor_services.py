"""The editor's own model on the wire: what certo asks of it, and how the editor answers."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from certo.protocol.wire import Wire

ASK = "certo/model/ask"
"""Our request: a `ModelQuestion`, answered by a `ModelAnswer`, or by an error with a `ModelRefusal` as its data."""

DELTA = "certo/model/delta"
"""The editor's notification: a `ModelDelta`."""


class ModelTurn(Wire):
    """One turn of the conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


class ModelSampling(Wire):
    """Parameters for the model's sampling; null leaves one to the editor."""

    temperature: float | None
    top_p: float | None
    seed: int | None
    max_tokens: int
    stop: tuple[str, ...]


class ModelQuestion(Wire):
    """A question to a model. `token` goes with every piece of the answer; `model` is empty for the preferred one."""

    token: str
    model: str
    messages: tuple[ModelTurn, ...]
    sampling: ModelSampling
    json_schema: dict[str, Any] | None = Field(alias="schema")
    schema_name: str


class ModelDelta(Wire):
    """A piece of an answer, in the order it is written."""

    token: str
    text: str


class ModelUsage(Wire):
    """The tokens of a question and its answer."""

    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cached_tokens: int = Field(default=0, ge=0)


class ModelAnswer(Wire):
    """The end of an answer. `text` is the whole of it, for an editor that has told no pieces."""

    finish: Literal["complete", "cut", "filtered"] = "complete"
    model: str = ""
    text: str = ""
    usage: ModelUsage | None = None


class ModelRefusal(Wire):
    """Why there is no answer: `transient` when asking again may help, after `retryAfter` seconds if that is known."""

    transient: bool = False
    retry_after: float | None = Field(default=None, ge=0)


SECRET = "certo/secret"
"""Our request: a `SecretQuestion`, answered by a `SecretAnswer`."""


class SecretQuestion(Wire):
    """The key of a provider, by the name that it would have as an environment variable."""

    provider: str
    name: str


class SecretAnswer(Wire):
    """The key, or null where the storage has none and the user gives none."""

    secret: str | None = Field(default=None, repr=False)
