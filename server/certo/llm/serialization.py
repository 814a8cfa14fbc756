"""Serialization of prompts and answers: the key of a prompt, and answers as JSON and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from certo.llm.prompt import Finish, Message, Prompt, Reply


@cache
def _reply() -> TypeAdapter[Reply]:
    """Return what writes and reads answers; it takes long to make, and is needed for kept answers only."""
    return TypeAdapter(Reply)


def content_key(model: str, prompt: Prompt) -> str:
    """Return a hash of the model and every part of the prompt that affects the answer.

    Its priority, and whether its beginning is worth caching, are left out.
    """
    asked = {**asdict(prompt), "background": False, "messages": messages_as_json(prompt.messages)}
    del asked["repeats"]
    # Fields added later are left out at their defaults, so that older entries keep their keys.
    for name in ("embedding", "tools", "must_answer"):
        if not asked[name]:
            del asked[name]
    if not prompt.sampling.effort:
        del asked["sampling"]["effort"]
    content = {"model": model, "prompt": asked}
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def messages_as_json(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return messages as JSON objects; what they do not have is omitted."""
    told = map(asdict, messages)
    return [{name: value for name, value in each.items() if name in ("role", "text") or value} for each in told]


def reply_as_json(reply: Reply) -> dict[str, Any]:
    """Return an answer as a JSON object."""
    written: dict[str, Any] = {**_reply().dump_python(reply, mode="json"), "finish": reply.finish.name.lower()}
    if not reply.uses:
        del written["uses"]
    return written


def reply_from_json(written: Any) -> Reply:
    """Return the answer read from JSON.

    Raises:
        ValueError: It is no answer.
    """
    if not isinstance(written, dict):
        raise ValueError(f"an answer is an object, not {type(written).__name__}")
    names = {finish.name.lower(): finish.value for finish in Finish}
    return _reply().validate_python({**written, "finish": names.get(str(written.get("finish")))})
