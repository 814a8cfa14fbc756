"""Every model we have keeps the models' contract.

A loser's connection is closed and the server sees it, and any server that speaks like OpenAI's will do.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import anyio
import pytest

from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import Format, HttpModel
from certo.llm.http.ollama import OllamaFormat
from certo.llm.http.openai import OpenAIFormat
from certo.llm.http.transport import Transport
from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply
from certo.llm.scripted import ScriptedModel, ScriptedReply
from contracts.chat_model import ChatModelContract
from support.models.editor_with_model import editor_stage
from support.models.model_server import (
    ModelServer,
    Page,
    Pieces,
    anthropic_pieces,
    model_server,
    ollama_pieces,
    openai_pieces,
    page_of,
)
from support.models.provider_plays import RETRY_SECONDS, Asked, Fault, Play, Stage, Witness

pytestmark = pytest.mark.acceptance(4, 105)


class ServedStage:
    """A model behind a real server on loopback."""

    def __init__(self, server: ModelServer, transport: Transport, format_: Format, pieces: Pieces, path: str) -> None:
        self.witness: Witness = server.witness
        self._server = server
        self._transport = transport
        self._format = format_
        self._pieces = pieces
        self._path = path

    def model(self, *plays: Play) -> ChatModel:
        """Return a model whose server plays so."""
        pages = iter([page_of(play, self._pieces) for play in plays])
        self._server.answering = lambda _: next(pages)
        provider = type(self._format).__name__.removesuffix("Format").lower()
        endpoint = Endpoint(provider=provider, base_url=self._server.url + self._path, key="sk-test-canary-key")
        return HttpModel(self._transport, endpoint, "small", self._format)


async def served(format_: Format, pieces: Pieces, path: str = "") -> AsyncIterator[Stage]:
    """Yield a stage for one format."""
    async with model_server(lambda _: Page()) as server, Transport() as transport:
        yield ServedStage(server, transport, format_, pieces, path)


class TestOpenAI(ChatModelContract):
    """Chat completions."""

    @pytest.fixture
    async def stage(self) -> AsyncIterator[Stage]:
        async for stage in served(OpenAIFormat(), openai_pieces, "/v1"):
            yield stage


class TestAzure(ChatModelContract):
    """The same below a deployment."""

    @pytest.fixture
    async def stage(self) -> AsyncIterator[Stage]:
        async for stage in served(OpenAIFormat(api_version="2024-10-21"), openai_pieces):
            yield stage


class TestAnthropic(ChatModelContract):
    """Messages."""

    @pytest.fixture
    async def stage(self) -> AsyncIterator[Stage]:
        async for stage in served(AnthropicFormat(), anthropic_pieces):
            yield stage


class TestOllama(ChatModelContract):
    """Lines of JSON."""

    tells_filtered = False

    @pytest.fixture
    async def stage(self) -> AsyncIterator[Stage]:
        async for stage in served(OllamaFormat(), ollama_pieces):
            yield stage


class Witnessed:
    """A model whose questions are noted where they are put, for one that has no other side."""

    def __init__(self, model: ChatModel, witness: Witness) -> None:
        self._model = model
        self._witness = witness

    @property
    def name(self) -> str:
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        turns = tuple((message.role, message.text) for message in prompt.messages)
        self._witness.see(Asked(messages=turns, max_tokens=prompt.sampling.max_tokens, schema=prompt.schema))
        try:
            return await self._model.answer(prompt, heard=heard)
        except anyio.get_cancelled_exc_class():
            self._witness.miss()
            raise


def line_of(play: Play) -> ScriptedReply:
    """Return the line of a script that a play is."""
    failure = None if play.fault is None else play.fault.value
    return ScriptedReply(
        text=() if play.fault in {Fault.BUSY, Fault.REFUSED} else play.pieces,
        gap_seconds=play.gap,
        finish=play.finish.name.lower(),
        input_tokens=None if play.usage is None else play.usage.input_tokens,
        output_tokens=None if play.usage is None else play.usage.output_tokens,
        failure=failure,
        transient=play.fault is not Fault.REFUSED,
        retry_after=RETRY_SECONDS if play.fault is Fault.BUSY else None,
    )


class ScriptedStage:
    """A model that has a script."""

    def __init__(self) -> None:
        self.witness = Witness()

    def model(self, *plays: Play) -> ChatModel:
        return Witnessed(ScriptedModel([line_of(play) for play in plays]), self.witness)


class TestScripted(ChatModelContract):
    """The script that is shipped."""

    @pytest.fixture
    async def stage(self) -> Stage:
        return ScriptedStage()


class TestEditor(ChatModelContract):
    """The editor's own, behind the daemon's protocol."""

    @pytest.fixture
    async def stage(self) -> AsyncIterator[Stage]:
        async with editor_stage() as stage:
            yield stage
