"""Prompts for language models, and their replies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Any, Literal

from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image: a URL on the web, or a `data:` URL with the image in base64."""

    url: str = field(repr=False)

    @property
    def media_type(self) -> str:
        """Media type of an embedded image, such as `image/png`; empty for one on the web."""
        return self.url[len("data:") :].partition(";")[0] if self.url.startswith("data:") else ""

    @property
    def base64(self) -> str:
        """Base64 text of an embedded image; empty for one on the web."""
        return self.url.partition(",")[2] if self.url.startswith("data:") else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool that a model may call: its name, its purpose for the model, and the JSON schema of its arguments."""

    name: str
    purpose: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A call of a tool, as a model wrote it: `arguments` should be a JSON object, and may be anything."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation. A prompt begins with system messages, if any; then user and assistant take turns.

    The `images` of a user's turn are looked at with its text; a provider that cannot look says so. An assistant's turn
    with `uses` of tools is followed by one message of the role "tool" for each, which `answers` the use of that id.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    images: tuple[Image, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Sampling parameters; None leaves a value to the server.

    `max_tokens` bounds one answer, thinking included. `seed` is omitted for servers that take none. `effort` is the
    reasoning effort in the provider's words, sent to OpenAI-compatible servers that accept it.
    """

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int = 4096
    stop: tuple[str, ...] = ()
    effort: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One prompt to a model.

    `schema` is the JSON schema that the answer must follow, None for free text, and `schema_name` its name, an
    identifier. `sample` numbers several answers to the same prompt from 0, so that a cache or recording tells them
    apart. A prompt in the `background` gives way to others. If it `repeats`, other prompts begin with the same messages
    up to the first of the user, and a provider that caches only on request is asked to cache these. With `embedding`,
    the answer is not text but one vector per message: a JSON list of lists of numbers, in the messages' order.
    `tools` are for models that call tools, others are not told of them. With `must_answer`, none of them may be called
    any more.
    """

    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    schema: Mapping[str, Any] | None = None
    schema_name: str = "answer"
    sample: int = 0
    background: bool = False
    repeats: bool = False
    embedding: bool = False
    tools: tuple[ToolSpec, ...] = ()
    must_answer: bool = False

    @property
    def has_images(self) -> bool:
        """True if any message has an image."""
        return any(message.images for message in self.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A piece of a streamed answer: `text` starts at character `at`.

    A repeated request starts again at 0, so `answer[:at] + text` is always the current text.
    """

    text: str
    at: int


class Finish(Enum):
    """Reason why an answer ended; the values are words for the user."""

    COMPLETE = "complete"
    CUT = "cut off at the limit of tokens"
    FILTERED = "withheld by the provider"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Token counts of an answer.

    Of the `input_tokens`, `cached_tokens` were read from the provider's cache, and `stored_tokens` were written to it
    at a surcharge.
    """

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    stored_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A whole answer.

    `model` is the name the server reports. `usage` is None if the server reports none, `dollars` if the price is
    unknown. `calls` counts the requests sent for it, failed ones included. An answer with `uses` of tools goes on when
    it is told their results.
    """

    text: str
    finish: Finish
    model: str
    usage: Usage | None = None
    dollars: float | None = None
    calls: int = 1
    uses: tuple[ToolUse, ...] = ()


BYTES_PER_TOKEN = 3.5
"""Estimated bytes of UTF-8 per token.

English code has about this many in the tokenizers of the large providers; text in other scripts has both more bytes and
more tokens per character.
"""

MIN_CACHED_TOKENS = 1024
"""Minimum length of a prompt's beginning that the caches of large providers keep."""

TOKENS_PER_MESSAGE = 4
"""Tokens that a provider adds to each message for its role."""

TOKENS_PER_IMAGE = 1600
"""Approximate maximum of tokens per image; large providers scale down bigger ones."""


def tokens_of_text(text: str) -> int:
    """Return the estimated number of tokens of a text."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def is_worth_caching(prompt: Prompt) -> bool:
    """True if a prompt repeats, and its beginning is long enough for the caches of providers."""
    return prompt.repeats and tokens_of_prompt(prompt) >= MIN_CACHED_TOKENS


def tokens_of_prompt(prompt: Prompt) -> int:
    """Return the estimated number of input tokens of a prompt, its schema and tools included."""
    spoken = sum(tokens_of_text(message.text) + TOKENS_PER_MESSAGE for message in prompt.messages)
    spoken += sum(tokens_of_text(use.name + use.arguments) for message in prompt.messages for use in message.uses)
    spoken += sum(tokens_of_text(f"{tool.name}{tool.purpose}{dict(tool.parameters)}") for tool in prompt.tools)
    spoken += TOKENS_PER_IMAGE * sum(len(message.images) for message in prompt.messages)
    return spoken + (tokens_of_text(str(dict(prompt.schema))) if prompt.schema is not None else 0)
