"""Answers in which a model calls tools, as providers stream them in two formats."""

from __future__ import annotations

import json
from typing import Any

from support.models.model_server import Page, anthropic_pieces, chunk, event, openai_pieces, page_of
from support.models.provider_plays import Play


def using(pieces: Any, *uses: tuple[str, dict[str, Any]]) -> Page:
    """Return the response in which a model says a word, and then calls tools with these arguments."""
    return Page(pieces=tuple(_anthropic(uses) if pieces is anthropic_pieces else _openai(uses)))


def answering(pieces: Any, text: str) -> Page:
    """Return the response with a text."""
    return page_of(Play(pieces=(text,)), pieces)


def results_in(body: dict[str, Any]) -> list[str]:
    """Return the results of tools that a request tells the model, in either format."""
    told = [turn["content"] for turn in body["messages"] if turn["role"] == "tool"]
    for turn in body["messages"]:
        blocks = turn["content"] if isinstance(turn["content"], list) else []
        told += [block["content"] for block in blocks if block["type"] == "tool_result"]
    return told


def _openai(uses: tuple[tuple[str, dict[str, Any]], ...]) -> list[bytes]:
    told = [event(chunk("Hm."))]
    for number, (name, arguments) in enumerate(uses):
        written = json.dumps(arguments)
        head = {"index": number, "id": f"call_{number}", "type": "function", "function": {"name": name}}
        parts = [head, *({"index": number, "function": {"arguments": part}} for part in (written[:5], written[5:]))]
        told += [event(chunk(delta={"tool_calls": [part]})) for part in parts]
    end = openai_pieces(Play())[1]
    return [*told, event(chunk(finish_reason="tool_calls")), *end[1:]]


def _anthropic(uses: tuple[tuple[str, dict[str, Any]], ...]) -> list[bytes]:
    begun, end = anthropic_pieces(Play(pieces=("Hm.",)))
    told: list[dict[str, Any]] = []
    for number, (name, arguments) in enumerate(uses, start=2):
        written = json.dumps(arguments)
        head = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        told.append({"type": "content_block_start", "index": number, "content_block": head})
        for part in (written[:5], written[5:]):
            delta = {"type": "input_json_delta", "partial_json": part}
            told.append({"type": "content_block_delta", "index": number, "delta": delta})
        told.append({"type": "content_block_stop", "index": number})
    told.append({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 5}})
    return [*begun, end[0], *(event(one, one["type"]) for one in told), end[-1]]
