"""Connections, rate limits and keys that all searches of one session share for language models."""

from __future__ import annotations

import importlib
from contextlib import AsyncExitStack
from copy import copy
from dataclasses import field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import anyio

from certo.llm.editor import AskClient, EditorModel
from certo.llm.http.endpoint import Endpoint
from certo.llm.keys import AskEditor, Keys
from certo.llm.model import ChatModel
from certo.llm.options import ModelOptions
from certo.llm.providers import PROVIDERS, ModelName
from certo.llm.wrappers.cached import AnswerFiles
from certo.llm.wrappers.rate_limit import RateLimiter
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from certo.llm.http.opener import Opener


@dataclass(slots=True, kw_only=True)
class _Routes:
    """Open resources and rate limits, created when the first model is asked."""

    open: AsyncExitStack = field(default_factory=AsyncExitStack)
    opener: Opener | None = None
    paces: dict[tuple[str, str], tuple[tuple[int | None, ...], RateLimiter]] = field(default_factory=dict)


class Connections:
    """Connections to every provider for the lifetime of a session; an async context manager that closes them.

    Nothing is imported, opened or looked for before a model is asked, so a session that asks none pays for none.
    """

    def __init__(self, keys: Keys, *, cache: Path, editor: AskClient | None = None) -> None:
        """Find keys with `keys` and cache answers below `cache`; `editor` serves the editor's own model."""
        self.keys = keys
        self._editor = editor
        self.answers = AnswerFiles(cache / "answers")
        self._ways = _Routes()

    def lent(self, ask_editor: AskEditor | None, editor: AskClient | None) -> Connections:
        """Return a view that shares connections, rate limits and answers but uses one editor's keys and model."""
        lent = copy(self)
        lent.keys = self.keys.lent(ask_editor)
        lent._editor = editor
        return lent

    async def __aenter__(self) -> Self:
        await self._ways.open.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ways.opener = None
        with anyio.CancelScope(shield=True):
            await self._ways.open.__aexit__(kind, error, traceback)

    def pace(self, name: ModelName, options: ModelOptions) -> RateLimiter:
        """Return the rate limiter that all searches share for a provider; a new one if its settings have changed."""
        limits = (options.max_concurrency, options.requests_per_minute, options.tokens_per_minute)
        place = (name.provider, options.base_url or "")
        if place not in self._ways.paces or self._ways.paces[place][0] != limits:
            pace = RateLimiter(
                concurrency=options.max_concurrency,
                requests_per_minute=options.requests_per_minute,
                tokens_per_minute=options.tokens_per_minute,
            )
            self._ways.paces[place] = (limits, pace)
        return self._ways.paces[place][1]

    def of_editor(self, name: ModelName, options: ModelOptions, group: str) -> EditorModel:
        """Return the editor's own model; error messages name its settings `group`.

        Raises:
            BadSetting: There is no editor here.
        """
        if self._editor is None:
            raise BadSetting(f"{group}.name = {name}: there is no editor here to ask; name a model with its provider")
        return EditorModel(self._editor, name.model, seconds=options.seconds, group=group)

    async def reach(self, name: ModelName, options: ModelOptions, group: str) -> ChatModel:
        """Return the model at its provider, with its key; error messages name its settings `group`.

        Raises:
            BadSetting: The key cannot be found, or the address is invalid.
        """
        provider = PROVIDERS[name.provider]
        wanted = key_wanted(name, options)
        key = await self.keys.find(provider.name, wanted) if wanted else None
        if wanted and key is None:
            raise BadSetting(
                f"{name} needs a key, and there is none: put it in {self.keys.places(wanted)}; never in a settings file"
            )
        endpoint = Endpoint(
            provider=provider.name,
            base_url=options.base_url or provider.base_url,
            key=key.secret.reveal() if key is not None else "",
            key_source=key.source if key is not None else "",
            group=group,
            seconds=options.seconds,
            stall_seconds=options.stall_seconds,
        )
        if self._ways.opener is None:
            # Importing the HTTP client takes a tenth of a second, which only searches that ask a model over HTTP should
            # pay.
            self._ways.opener = importlib.import_module("certo.llm.http.opener").Opener(self._ways.open)
        return await self._ways.opener.open(
            endpoint, name.model, provider.format, api_version=options.api_version or ""
        )


def key_wanted(name: ModelName, options: ModelOptions) -> str:
    """Return the name of the key a model needs, empty if it needs none.

    The provider's own key is sent only to the provider's own address, or to the configured one for providers that have
    no public address. For any other address the settings must name the key.
    """
    provider = PROVIDERS.get(name.provider)
    if provider is None:
        return ""
    elsewhere = bool(provider.base_url and options.base_url)
    return options.key_variable or ("" if elsewhere else provider.key_variable)
