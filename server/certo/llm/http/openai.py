"""OpenAI's chat completions, also spoken by Azure, OpenRouter, vLLM, llama.cpp, LM Studio and more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal
from urllib.parse import quote, urlsplit

from certo.llm.http.model import Event
from certo.llm.http.transport import BodyFraming
from certo.llm.prompt import Finish, Message, Prompt, ToolSpec, Usage
from certo.llm.streamed_reply import StreamedReply, number
from certo.vocabulary.records import dataclass

BASE_URL = "https://api.openai.com/v1"
"""The address of OpenAI's own API."""

_FINISHES = {"length": Finish.CUT, "content_filter": Finish.FILTERED}
"""Finish reasons that mean an incomplete answer."""

_TOOLS = "tools"
"""The field with the tools; a compatible server, or one of its models, may reject it."""

_OWN_HOSTS = ("api.openai.com", ".openai.azure.com", ".cognitiveservices.azure.com")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIFormat:
    """Request and response format of chat completions.

    With an `api_version`, path and key header follow Azure's dated versions, in which the model is the name of the
    deployment. `token_limit` is the server's name for the maximum length of an answer; `extra` is merged into every
    body.
    """

    api_version: str = ""
    token_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    extra: Mapping[str, Any] = field(default_factory=dict)

    framing: ClassVar[BodyFraming] = BodyFraming.EVENTS
    last_word: ClassVar[str | None] = "[DONE]"
    optional: ClassVar[frozenset[str]] = frozenset(
        {
            *("temperature", "top_p", "seed", "max_tokens", "max_completion_tokens", "stream_options"),
            *("reasoning_effort", _TOOLS),
        }
    )

    def lacks(self, prompt: Prompt, /) -> str:  # noqa: ARG002 - it has all there is
        """Return nothing: every feature is supported."""
        return ""

    def path(self, model: str, prompt: Prompt, /) -> str:
        """Return the path of the chat or embedding endpoint."""
        wanted = "embeddings" if prompt.embedding else "chat/completions"
        if not self.api_version:
            return f"/{wanted}"
        version = quote(self.api_version, safe="")
        return f"/openai/deployments/{quote(model, safe='')}/{wanted}?api-version={version}"

    def headers(self, key: str, /) -> Mapping[str, str]:
        """Return the key in the header that the server reads."""
        if not key:
            return {}
        return {"api-key": key} if self.api_version else {"authorization": f"Bearer {key}"}

    def body(self, model: str, prompt: Prompt, /, *, without: frozenset[str]) -> dict[str, Any]:
        """Return the request body; the token limit goes under the name that the server uses."""
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
            "messages": list(map(_turn, prompt.messages)),
            "stream": True,
            **{name: value for name, value in wished.items() if value is not None and name not in without},
        }
        if limit is not None:
            body[limit] = sampling.max_tokens
        if prompt.tools and _TOOLS not in without:
            body |= {_TOOLS: list(map(_offered, prompt.tools)), "tool_choice": "none" if prompt.must_answer else "auto"}
        if prompt.schema is not None:
            schema = {"name": prompt.schema_name, "schema": dict(prompt.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return {**body, **self.extra}

    def take(self, event: Event, answer: StreamedReply, /) -> None:
        """Add one chunk: text of the first choice, its finish reason or the final usage; or all vectors."""
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


def _offered(tool: ToolSpec) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.purpose, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": described}


def _turn(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.answers, "content": message.text}
    turn: dict[str, Any] = {"role": message.role, "content": _content(message)}
    if message.uses:
        turn["content"] = message.text or None
        turn["tool_calls"] = [
            {"id": use.id, "type": "function", "function": {"name": use.name, "arguments": use.arguments}}
            for use in message.uses
        ]
    return turn


def _content(message: Message) -> str | list[dict[str, Any]]:
    """Return the content of a message, with its images if it has any."""
    if not message.images:
        return message.text
    images = [{"type": "image_url", "image_url": {"url": image.url}} for image in message.images]
    return [{"type": "text", "text": message.text}, *images]


def _take_choice(choice: Event, answer: StreamedReply) -> None:
    delta = choice.get("delta") or {}
    if isinstance(text := delta.get("content"), str):
        answer.add(text)
    for place, use in enumerate(delta.get("tool_calls") or ()):
        function = use.get("function") or {}
        answer.add_use(
            use.get("index", place),
            use_id=use.get("id") or "",
            name=function.get("name") or "",
            arguments=function.get("arguments") or "",
        )
    if delta.get("refusal"):  # its words are about the question, and no answer to it
        answer.finish = Finish.FILTERED
    if choice.get("finish_reason") and answer.finish is not Finish.FILTERED:
        answer.finish = _FINISHES.get(choice["finish_reason"], Finish.COMPLETE)


def openai_format(base_url: str, *, api_version: str = "", extra: Mapping[str, Any] | None = None) -> OpenAIFormat:
    """Return the format for an address; OpenAI itself has renamed the token limit, compatible servers have not."""
    host = urlsplit(base_url).hostname or ""
    own = host.endswith(_OWN_HOSTS)
    return OpenAIFormat(
        api_version=api_version, token_limit="max_completion_tokens" if own else "max_tokens", extra=extra or {}
    )
