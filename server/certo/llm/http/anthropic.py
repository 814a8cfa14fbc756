"""Anthropic's Messages API, also spoken by compatible servers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import groupby, takewhile
from typing import Any, ClassVar

from certo.llm.http.model import Event
from certo.llm.http.transport import BodyFraming
from certo.llm.prompt import Finish, Image, Message, Prompt, ToolSpec, ToolUse, Usage, is_worth_caching
from certo.llm.streamed_reply import StreamedReply, number
from certo.vocabulary.records import dataclass

BASE_URL = "https://api.anthropic.com"
"""The address of Anthropic's own API."""

VERSION = "2023-06-01"
"""Requested API version: the last in which models that support a temperature accept one.

Requests and responses used here are the same in 2026-10-21, and every compatible server supports this version.
"""

_CACHED = "cache_control"
"""The field of a block up to which a prompt is cached; a compatible server may reject it."""

_TOOLS = "tools"
"""The field with the tools, which a compatible server may reject."""

_FINISHES = {
    "max_tokens": Finish.CUT,
    "model_context_window_exceeded": Finish.CUT,
    "refusal": Finish.FILTERED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicFormat:
    """Request and response format of the Messages API; `extra` is merged into every body."""

    extra: Mapping[str, Any] = field(default_factory=dict)

    framing: ClassVar[BodyFraming] = BodyFraming.EVENTS
    last_word: ClassVar[str | None] = None
    optional: ClassVar[frozenset[str]] = frozenset({"temperature", "top_p", _CACHED, _TOOLS})

    def lacks(self, prompt: Prompt, /) -> str:
        """Return "embeddings" for an embedding prompt: Anthropic offers none."""
        return "serve embeddings; name a model of another provider" if prompt.embedding else ""

    def path(self, model: str, prompt: Prompt, /) -> str:  # noqa: ARG002 - there is only one place
        """Return the path of the Messages endpoint."""
        return "/v1/messages"

    def headers(self, key: str, /) -> Mapping[str, str]:
        """Return the API version and, if there is one, the key."""
        return {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})

    def body(self, model: str, prompt: Prompt, /, *, without: frozenset[str]) -> dict[str, Any]:
        """Return the request body; system messages go into a separate field, and there is no seed.

        A prompt that repeats is cached up to its first message of the user, whose last block is marked for it. Writing
        to the cache costs a quarter more than reading the prompt, and reading from it a tenth.
        """
        system = [message.text for message in takewhile(lambda message: message.role == "system", prompt.messages)]
        turns = _turns(prompt.messages[len(system) :])
        if turns and _CACHED not in without and is_worth_caching(prompt):
            turns[0]["content"] = _cached(_content(prompt.messages[len(system)]))
        sampling = prompt.sampling
        wished: dict[str, Any] = {
            "system": "\n\n".join(system) or None,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "stop_sequences": list(sampling.stop) or None,
        }
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": sampling.max_tokens,
            "messages": turns,
            "stream": True,
            **{name: value for name, value in wished.items() if value is not None and name not in without},
        }
        if prompt.tools and _TOOLS not in without:
            body[_TOOLS] = list(map(_offered, prompt.tools))
            if prompt.must_answer:
                body["tool_choice"] = {"type": "none"}
        if prompt.schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(prompt.schema)}}
        return {**body, **self.extra}

    def take(self, event: Event, answer: StreamedReply, /) -> None:
        """Add one event to the answer; thinking text is ignored."""
        match event.get("type"):
            case "message_start":
                answer.name(event["message"].get("model"))
                _take_usage(event["message"].get("usage"), answer)
            case "content_block_start" if event["content_block"]["type"] == "tool_use":
                block = event["content_block"]
                answer.add_use(event["index"], use_id=block["id"], name=block["name"])
            case "content_block_delta" if event["delta"]["type"] == "input_json_delta":
                answer.add_use(event["index"], arguments=event["delta"]["partial_json"])
            case "content_block_delta" if event["delta"]["type"] == "text_delta":
                answer.add(event["delta"]["text"])
            case "message_delta":
                reason = event["delta"].get("stop_reason")
                if reason:
                    answer.finish = _FINISHES.get(reason, Finish.COMPLETE)
                _take_usage(event.get("usage"), answer)
            case "message_stop":
                answer.over = True


def _offered(tool: ToolSpec) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.purpose, "input_schema": dict(tool.parameters)}


def _turns(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the turns of user and assistant; the results of tools used at once are one turn of the user."""
    turns: list[dict[str, Any]] = []
    for role, together in groupby(messages, key=lambda message: message.role):
        if role == "tool":
            turns.append({"role": "user", "content": [_result(message) for message in together]})
        else:
            turns += [{"role": role, "content": _content(message)} for message in together]
    return turns


def _result(message: Message) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": message.answers, "content": message.text}


def _used(use: ToolUse) -> dict[str, Any]:
    try:
        given = json.loads(use.arguments or "{}")
    except (ValueError, RecursionError):
        given = {}
    return {"type": "tool_use", "id": use.id, "name": use.name, "input": given if isinstance(given, dict) else {}}


def _content(message: Message) -> str | list[dict[str, Any]]:
    """Return the content of a message, images before text."""
    if message.uses:
        said = [{"type": "text", "text": message.text}] if message.text.strip() else []
        return [*said, *map(_used, message.uses)]
    if not message.images:
        return message.text
    return [*map(_looked_at, message.images), {"type": "text", "text": message.text}]


def _cached(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the content of a message with the mark on its last block."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [*blocks[:-1], {**blocks[-1], _CACHED: {"type": "ephemeral"}}]


def _looked_at(image: Image) -> dict[str, Any]:
    if not image.base64:
        return {"type": "image", "source": {"type": "url", "url": image.url}}
    return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": image.base64}}


def _take_usage(usage: Event | None, answer: StreamedReply) -> None:
    """Read the token counts so far, which the API reports twice; cached input tokens are counted separately."""
    if not usage:
        return
    before = answer.usage or Usage(input_tokens=0, output_tokens=0)
    cached, stored = number(usage.get("cache_read_input_tokens")), number(usage.get("cache_creation_input_tokens"))
    read = number(usage.get("input_tokens")) + cached + stored
    answer.usage = Usage(
        input_tokens=read or before.input_tokens,
        output_tokens=number(usage.get("output_tokens")) or before.output_tokens,
        cached_tokens=cached if read else before.cached_tokens,
        stored_tokens=stored if read else before.stored_tokens,
    )
