"""How many tokens a prompt will take, before anybody has counted them: by the length of its text."""

from __future__ import annotations

import math

from certo.llm.prompt import Prompt

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
