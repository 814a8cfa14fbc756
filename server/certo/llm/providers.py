"""Who serves models: their addresses, formats, and what their keys are called; and how users name a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from certo.vocabulary.errors import BadSetting

FormatName = Literal["openai", "anthropic", "ollama"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One provider: its own address and the name of its key, each empty where there is no such thing.

    `prefixes` are how the names of its models begin that nobody else has.
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
"""The providers certo knows by name. Any other server that speaks like OpenAI is `openai` with its own address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    """A model as its provider and its name there."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" if self.model else self.provider


OTHERS = ("scripted", "editor")
"""What may stand for a provider besides: a script to read the answers from, and the editor's own models."""


def read_model_name(words: str, *, setting: str = "model.name") -> ModelName:
    """Read `provider:model`; of a model alone, the provider is the one whose models are called so.

    Raises:
        BadSetting: there is no such provider, no model named, or more than one provider it might be.
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
