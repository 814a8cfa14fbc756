"""A model behind a test's own server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import Format, HttpModel
from certo.llm.http.openai import OpenAIFormat
from certo.llm.http.transport import Transport
from support.models.model_server import Answering, ModelServer, Page, model_server

KEY = "sk-canary-0123456789"

CHAT = OpenAIFormat()


@asynccontextmanager
async def served(
    answering: Answering | Page, format_: Format = CHAT, *, name: str = "small", provider: str = "openai", **more: Any
) -> AsyncIterator[tuple[HttpModel, ModelServer]]:
    """Yield a model in a format whose server gives this answer to every question; `more` is about its endpoint."""
    answer = answering if callable(answering) else lambda _: answering
    async with model_server(answer) as server, Transport() as transport:
        endpoint = Endpoint(provider=provider, base_url=server.url, key=KEY, key_source="OPENAI_API_KEY", **more)
        yield HttpModel(transport, endpoint, name, format_), server
