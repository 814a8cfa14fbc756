"""Prompts and answers as text that can be kept: the key of a prompt, and an answer as JSON and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from certo.llm.prompt import Finish, Message, Prompt, Reply

_REPLY: TypeAdapter[Reply] = TypeAdapter(Reply)


def content_key(model: str, prompt: Prompt) -> str:
    """What tells a question from every other: the model and all of the prompt that bears on the answer, hashed.

    Whether it is asked in the background does not.
    """
    asked = {**asdict(prompt), "background": False, "messages": messages_as_json(prompt.messages)}
    # What was kept before there were embeddings, and efforts, has the key that it had.
    if not prompt.embedding:
        del asked["embedding"]
    if not prompt.sampling.effort:
        del asked["sampling"]["effort"]
    content = {"model": model, "prompt": asked}
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def messages_as_json(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages as JSON objects; one without images says nothing of them."""
    told = map(asdict, messages)
    return [{name: value for name, value in each.items() if name != "images" or value} for each in told]


def reply_as_json(reply: Reply) -> dict[str, Any]:
    """An answer as a JSON object."""
    written: dict[str, Any] = {**_REPLY.dump_python(reply, mode="json"), "finish": reply.finish.name.lower()}
    return written


def reply_from_json(written: Any) -> Reply:
    """Read an answer back.

    Raises:
        ValueError: it is no answer.
    """
    if not isinstance(written, dict):
        raise ValueError(f"an answer is an object, not {type(written).__name__}")
    names = {finish.name.lower(): finish.value for finish in Finish}
    return _REPLY.validate_python({**written, "finish": names.get(str(written.get("finish")))})
