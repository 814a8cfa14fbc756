"""Models reached over HTTP through one session's connections; importing this module imports the HTTP client."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import field

from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import Format, HttpModel
from certo.llm.http.ollama import OllamaFormat
from certo.llm.http.openai import openai_format
from certo.llm.http.transport import Transport
from certo.llm.providers import FormatName
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class _Asked:
    """Identity of a model: every value that affects how it is asked."""

    endpoint: tuple[object, ...] = field(repr=False)  # the key is among it
    model: str
    format: FormatName
    api_version: str


class Opener:
    """Creates each HTTP model once, so that it keeps the parameters its server was found to reject."""

    def __init__(self, stack: AsyncExitStack) -> None:
        """Create models whose connections are closed with `stack`."""
        self._stack = stack
        self._transport: Transport | None = None
        self._made: dict[_Asked, HttpModel] = {}

    async def open(self, endpoint: Endpoint, model: str, format_: FormatName, *, api_version: str = "") -> HttpModel:
        """Return the named model at an endpoint."""
        if self._transport is None:
            self._transport = await self._stack.enter_async_context(Transport())
        known = (
            endpoint.provider,
            endpoint.base_url,
            endpoint.key,
            endpoint.key_source,
            endpoint.group,
            endpoint.seconds,
            endpoint.stall_seconds,
        )
        asked = _Asked(known, model, format_, api_version)
        if asked not in self._made:
            self._made[asked] = HttpModel(self._transport, endpoint, model, _format(format_, endpoint, api_version))
        return self._made[asked]


def _format(name: FormatName, endpoint: Endpoint, api_version: str) -> Format:
    if name == "anthropic":
        return AnthropicFormat()
    if name == "ollama":
        return OllamaFormat()
    return openai_format(endpoint.base_url, api_version=api_version)
