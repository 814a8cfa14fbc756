"""What is asked of a language model, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture to look at: an address on the web, or a `data:` address that has the picture itself in base64."""

    url: str = field(repr=False)

    @property
    def media_type(self) -> str:
        """What kind of picture it has in itself, such as `image/png`; empty for one on the web."""
        return self.url[len("data:") :].partition(";")[0] if self.url.startswith("data:") else ""

    @property
    def base64(self) -> str:
        """The picture that it has in itself; empty for one on the web."""
        return self.url.partition(",")[2] if self.url.startswith("data:") else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation. A prompt begins with system messages, if any; then user and assistant take turns.

    The `images` of a user's turn are looked at with its text; a provider that cannot look says so.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a model is to choose its words; None leaves it to the server.

    `max_tokens` bounds one answer, thinking included. A server that takes no `seed` is not sent one. `effort` is how
    hard to think, in the provider's words; it goes to servers that speak like OpenAI's, as long as they take it.
    """

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int = 4096
    stop: tuple[str, ...] = ()
    effort: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a model.

    `schema` is the JSON schema the answer has to follow, and `schema_name` what it describes, in one identifier; None
    for free text. `sample` counts the answers wanted to the same question from 0, so that a cache or a recording keeps
    them apart. `background` lets every prompt that is not go first. With `embedding`, what is wanted is no words but a
    vector for the text of each message: the answer is a list of lists of numbers in JSON, in the messages' order.
    """

    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    schema: Mapping[str, Any] | None = None
    schema_name: str = "answer"
    sample: int = 0
    background: bool = False
    embedding: bool = False

    @property
    def has_images(self) -> bool:
        """Whether there is anything to look at."""
        return any(message.images for message in self.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """Some text of an answer that is still being written: `text` goes where the answer has `at` characters.

    A model that has to be asked again starts over at 0; whoever keeps `answer[:at] + text` always has what stands.
    """

    text: str
    at: int


class Finish(Enum):
    """Why an answer ended; the values are words for the user."""

    COMPLETE = "complete"
    CUT = "cut off at the limit of tokens"
    FILTERED = "withheld by the provider"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an answer took, in tokens; `cached_tokens` are those of `input_tokens` the provider had read before."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A whole answer.

    `model` is what the server says answered. `usage` is None where the server does not tell, `dollars` where the price
    is not known. `calls` are the requests that were sent for it, those that failed included.
    """

    text: str
    finish: Finish
    model: str
    usage: Usage | None = None
    dollars: float | None = None
    calls: int = 1


BYTES_PER_TOKEN = 3.5
"""So many bytes of UTF-8 make one token. Code in English takes about so many in the tokenizers of the large providers,
and text in other scripts, which has more bytes for each character, takes more tokens for each character too."""

TOKENS_PER_MESSAGE = 4
"""What a provider adds to each message to say whose it is."""

TOKENS_PER_IMAGE = 1600
"""About what an image takes at most, for the large providers make a larger one smaller before they look at it."""


def tokens_of_text(text: str) -> int:
    """About how many tokens a text takes."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def tokens_of_prompt(prompt: Prompt) -> int:
    """About how many tokens are read for a prompt, its schema included."""
    spoken = sum(tokens_of_text(message.text) + TOKENS_PER_MESSAGE for message in prompt.messages)
    spoken += TOKENS_PER_IMAGE * sum(len(message.images) for message in prompt.messages)
    return spoken + (tokens_of_text(str(dict(prompt.schema))) if prompt.schema is not None else 0)
