"""OpenAI's chat completions, and whoever speaks like it: Azure, OpenRouter, vLLM, llama.cpp, LM Studio and more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal
from urllib.parse import quote, urlsplit

from certo.llm.http.model import Event
from certo.llm.http.transport import BodyFraming
from certo.llm.prompt import Finish, Message, Prompt, Usage
from certo.llm.streamed_reply import StreamedReply, number

BASE_URL = "https://api.openai.com/v1"
"""OpenAI's own address."""

_FINISHES = {"length": Finish.CUT, "content_filter": Finish.FILTERED}
"""What else than complete an answer can be; servers have many words for that."""

_OWN_HOSTS = ("api.openai.com", ".openai.azure.com", ".cognitiveservices.azure.com")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIFormat:
    """How chat completions are asked for and told.

    With an `api_version` the path and the key's header are those of Azure's dated versions, where the model is the name
    of the deployment. `token_limit` is what the server calls the bound of an answer, and `extra` goes into every body.
    """

    api_version: str = ""
    token_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    extra: Mapping[str, Any] = field(default_factory=dict)

    framing: ClassVar[BodyFraming] = BodyFraming.EVENTS
    last_word: ClassVar[str | None] = "[DONE]"
    optional: ClassVar[frozenset[str]] = frozenset(
        {"temperature", "top_p", "seed", "max_tokens", "max_completion_tokens", "stream_options", "reasoning_effort"}
    )

    def lacks(self, prompt: Prompt, /) -> str:  # noqa: ARG002 - it has all there is
        """Nothing."""
        return ""

    def path(self, model: str, prompt: Prompt, /) -> str:
        """Where to ask."""
        wanted = "embeddings" if prompt.embedding else "chat/completions"
        if not self.api_version:
            return f"/{wanted}"
        version = quote(self.api_version, safe="")
        return f"/openai/deployments/{quote(model, safe='')}/{wanted}?api-version={version}"

    def headers(self, key: str, /) -> Mapping[str, str]:
        """The key, where it is looked for."""
        if not key:
            return {}
        return {"api-key": key} if self.api_version else {"authorization": f"Bearer {key}"}

    def body(self, model: str, prompt: Prompt, /, *, without: frozenset[str]) -> dict[str, Any]:
        """The question; a limit of tokens that goes by the other name is given by that."""
        if prompt.embedding:
            return {"model": model, "input": [message.text for message in prompt.messages], **self.extra}
        limits = [self.token_limit, *sorted({"max_tokens", "max_completion_tokens"} - {self.token_limit})]
        limit = next((name for name in limits if name not in without), None)
        sampling = prompt.sampling
        wished: dict[str, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "stop": list(sampling.stop) or None,
            "reasoning_effort": sampling.effort or None,
            "stream_options": {"include_usage": True},
        }
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": message.role, "content": _content(message)} for message in prompt.messages],
            "stream": True,
            **{name: value for name, value in wished.items() if value is not None and name not in without},
        }
        if limit is not None:
            body[limit] = sampling.max_tokens
        if prompt.schema is not None:
            schema = {"name": prompt.schema_name, "schema": dict(prompt.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return {**body, **self.extra}

    def take(self, event: Event, answer: StreamedReply, /) -> None:
        """Take in one chunk: text of the first choice, why it ended, or the usage that comes last; or all vectors."""
        answer.name(event.get("model"))
        if "data" in event:
            told = sorted(event["data"], key=lambda each: each.get("index", 0))
            answer.add_vectors([each["embedding"] for each in told])
        for choice in event.get("choices") or ():
            if choice.get("index", 0) == 0:
                _take_choice(choice, answer)
        usage = event.get("usage")
        if usage:
            details = usage.get("prompt_tokens_details") or {}
            answer.usage = Usage(
                input_tokens=number(usage.get("prompt_tokens")),
                output_tokens=number(usage.get("completion_tokens")),
                cached_tokens=number(details.get("cached_tokens")),
            )


def _content(message: Message) -> str | list[dict[str, Any]]:
    """What a turn says, and what is to be looked at with it."""
    if not message.images:
        return message.text
    images = [{"type": "image_url", "image_url": {"url": image.url}} for image in message.images]
    return [{"type": "text", "text": message.text}, *images]


def _take_choice(choice: Event, answer: StreamedReply) -> None:
    delta = choice.get("delta") or {}
    if isinstance(text := delta.get("content"), str):
        answer.add(text)
    if delta.get("refusal"):  # its words are about the question, and no answer to it
        answer.finish = Finish.FILTERED
    if choice.get("finish_reason") and answer.finish is not Finish.FILTERED:
        answer.finish = _FINISHES.get(choice["finish_reason"], Finish.COMPLETE)


def openai_format(base_url: str, *, api_version: str = "", extra: Mapping[str, Any] | None = None) -> OpenAIFormat:
    """The format for an address: OpenAI itself no longer takes the limit of tokens by the name all others know."""
    host = urlsplit(base_url).hostname or ""
    own = host.endswith(_OWN_HOSTS)
    return OpenAIFormat(
        api_version=api_version, token_limit="max_completion_tokens" if own else "max_tokens", extra=extra or {}
    )
