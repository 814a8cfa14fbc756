"""Ollama's native chat API: one line of JSON per piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar

from certo.llm.http.model import Event
from certo.llm.http.transport import BodyFraming
from certo.llm.prompt import Finish, Message, Prompt, Usage
from certo.llm.streamed_reply import StreamedReply, number
from certo.vocabulary.records import dataclass

BASE_URL = "http://127.0.0.1:11434"
"""Ollama's default address."""

SMALLEST_CONTEXT = 4096
"""Minimum context length, in tokens, to request."""

CHARACTERS_PER_TOKEN = 3
"""Estimate of ASCII characters per token, below the average for code so that the context is rather too large.

In other scripts each byte of UTF-8 may be a token. If the context is too small, Ollama silently drops the beginning of
the prompt, and with it the instructions.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaFormat:
    """Request and response format of Ollama; `extra` is merged into every body."""

    extra: Mapping[str, Any] = field(default_factory=dict)

    framing: ClassVar[BodyFraming] = BodyFraming.LINES
    last_word: ClassVar[str | None] = None
    optional: ClassVar[frozenset[str]] = frozenset()  # it passes over the options a model does not have

    def lacks(self, prompt: Prompt, /) -> str:
        """Return the features Ollama lacks: it fetches no images from the web."""
        remote = any(not image.base64 for message in prompt.messages for image in message.images)
        return "fetch images from the web; give it the image itself" if remote else ""

    def path(self, model: str, prompt: Prompt, /) -> str:  # noqa: ARG002 - it is in the body
        """Return the path of the chat or embedding endpoint."""
        return "/api/embed" if prompt.embedding else "/api/chat"

    def headers(self, key: str, /) -> Mapping[str, str]:
        """Return the key, which only servers behind a proxy or in the cloud need."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def body(self, model: str, prompt: Prompt, /, *, without: frozenset[str]) -> dict[str, Any]:
        """Return the request body; its context holds prompt and answer, since Ollama cuts longer ones silently."""
        if prompt.embedding:
            return {"model": model, "input": [message.text for message in prompt.messages], **self.extra}
        sampling = prompt.sampling
        needed = _tokens(prompt) + sampling.max_tokens
        options: dict[str, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "num_predict": sampling.max_tokens,
            "stop": list(sampling.stop) or None,
            # A context of another size makes Ollama load the model anew, hence the few sizes there are.
            "num_ctx": 1 << (needed - 1).bit_length() if needed > SMALLEST_CONTEXT else None,
        }
        body: dict[str, Any] = {
            "model": model,
            "messages": [_turn(message) for message in prompt.messages],
            "stream": True,
            "options": {name: value for name, value in options.items() if value is not None and name not in without},
        }
        if prompt.schema is not None:
            body["format"] = dict(prompt.schema)
        return {**body, **self.extra}

    def take(self, event: Event, answer: StreamedReply, /) -> None:
        """Add one line, or all vectors, to the answer; thinking text is ignored."""
        answer.name(event.get("model"))
        if "embeddings" in event:
            answer.add_vectors(event["embeddings"])
            answer.usage = Usage(input_tokens=number(event.get("prompt_eval_count")), output_tokens=0)
            return
        text = (event.get("message") or {}).get("content")
        if text:
            answer.add(text)
        if event.get("done"):
            answer.finish = Finish.CUT if event.get("done_reason") == "length" else Finish.COMPLETE
            answer.over = True
            if "eval_count" in event or "prompt_eval_count" in event:
                answer.usage = Usage(
                    input_tokens=number(event.get("prompt_eval_count")), output_tokens=number(event.get("eval_count"))
                )


def _turn(message: Message) -> dict[str, Any]:
    images = {"images": [image.base64 for image in message.images]} if message.images else {}
    return {"role": message.role, "content": message.text, **images}


def _tokens(prompt: Prompt) -> int:
    """Return an upper estimate of the tokens of a prompt."""
    text = "".join(message.text for message in prompt.messages)
    plain = len(text.encode("ascii", "ignore"))
    return plain // CHARACTERS_PER_TOKEN + len(text.encode("utf-8", "replace")) - plain
