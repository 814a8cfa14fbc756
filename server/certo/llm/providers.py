"""Providers of models: addresses, formats and key names; and parsing of model names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

FormatName = Literal["openai", "anthropic", "ollama"]

_WITH_TOOLS = frozenset({"openai", "anthropic"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One provider: its address and the name of its key, each empty if it has none.

    `prefixes` are beginnings of model names that no other provider uses.
    """

    name: str
    format: FormatName
    base_url: str = ""
    key_variable: str = ""
    prefixes: tuple[str, ...] = ()


_KNOWN = (
    Provider(
        name="openai",
        format="openai",
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        prefixes=("gpt-", "chatgpt-", "o1", "o3", "o4"),
    ),
    Provider(
        name="anthropic",
        format="anthropic",
        base_url="https://api.anthropic.com",
        key_variable="ANTHROPIC_API_KEY",
        prefixes=("claude-",),
    ),
    Provider(name="ollama", format="ollama", base_url="http://127.0.0.1:11434"),
    Provider(name="azure", format="openai", key_variable="AZURE_OPENAI_API_KEY"),
    Provider(
        name="gemini",
        format="openai",
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key_variable="GEMINI_API_KEY",
        prefixes=("gemini-",),
    ),
    Provider(name="groq", format="openai", base_url="https://api.groq.com/openai/v1", key_variable="GROQ_API_KEY"),
    Provider(
        name="mistral",
        format="openai",
        base_url="https://api.mistral.ai/v1",
        key_variable="MISTRAL_API_KEY",
        prefixes=("mistral-", "codestral-"),
    ),
    Provider(
        name="deepseek",
        format="openai",
        base_url="https://api.deepseek.com/v1",
        key_variable="DEEPSEEK_API_KEY",
        prefixes=("deepseek-",),
    ),
    Provider(
        name="openrouter",
        format="openai",
        base_url="https://openrouter.ai/api/v1",
        key_variable="OPENROUTER_API_KEY",
    ),
)

PROVIDERS: Mapping[str, Provider] = {provider.name: provider for provider in _KNOWN}
"""The providers certo knows by name. Any other compatible server is `openai` with its own address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    """A model's provider and its name there."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" if self.model else self.provider


OTHERS = ("scripted", "editor")
"""Names accepted in place of a provider: a script with answers, and the editor's own models."""


def calls_tools(name: str) -> bool:
    """True if the provider of a model, by its name `provider:model`, speaks a format in which models call tools."""
    provider = PROVIDERS.get(name.partition(":")[0])
    return provider is not None and provider.format in _WITH_TOOLS


def read_model_name(words: str, *, setting: str = "model.name") -> ModelName:
    """Parse `provider:model`; for a model alone, find the provider by its prefix.

    Raises:
        BadSetting: There is no such provider, no model is named, or several providers are possible.
    """
    provider, colon, model = (part.strip() for part in words.partition(":"))
    if colon and model and (provider in PROVIDERS or provider in OTHERS):
        return ModelName(provider=provider, model=model)
    if not colon and provider in OTHERS and provider != "scripted":
        return ModelName(provider=provider, model="")
    meant = [known.name for known in _KNOWN if words.startswith(known.prefixes)]
    if len(meant) == 1 and not colon:
        return ModelName(provider=meant[0], model=words.strip())
    known = ", ".join([*PROVIDERS, *OTHERS])
    if provider in PROVIDERS or provider in OTHERS:
        raise BadSetting(f"{setting} = {words!r} names no model; write {provider}:MODEL")
    if colon:
        raise BadSetting(f"{setting} = {words!r}: there is no provider {provider!r}; known: {known}")
    raise BadSetting(
        f"{setting} = {words!r} does not say whose model it is; write PROVIDER:{words.strip() or 'MODEL'}, "
        f"with one of {known}"
    )
