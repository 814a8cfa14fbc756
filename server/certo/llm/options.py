"""The options of a language model."""

from __future__ import annotations

from collections.abc import Sequence

from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

SCRIPT_RESERVED = "choose a file that certo reads"
"""Completes "a project's file may not …" for a model whose answers are read from a file."""

_SERVER_RESERVED = "choose the server your code and your key are sent to"
_PRICE_RESERVED = "say what a model costs you"


def is_no_script(names: str | Sequence[str] | None) -> bool:
    """True if no model that is named here is a script, which is a file to read answers from."""
    every = (names or "",) if isinstance(names, str | None) else names
    return all(name.partition(":")[0].strip() != "scripted" for name in every)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """A language model: its name and place, how it is asked, how often, and for how much."""

    name: str = option(
        "",
        "The language model, as `provider:model`: `openai:gpt-5-mini`, `anthropic:claude-sonnet-4-5`, `ollama:qwen3`. "
        "Empty: none.",
        reserved=SCRIPT_RESERVED,
        project_may=is_no_script,
    )
    base_url: str | None = option(
        None,
        "The address of a server other than the provider's own, such as `http://127.0.0.1:8080/v1`.",
        owner="user",
        reserved=_SERVER_RESERVED,
    )
    key_variable: str | None = option(
        None,
        "The name of the model's key in the environment, the editor's secret storage and the keyring; never the key "
        "itself. Not set: the provider's usual name at its own address, none elsewhere.",
        owner="user",
        reserved="choose which of your keys is sent",
    )
    api_version: str | None = option(
        None, "For Azure: the dated version of its API.", owner="user", reserved=_SERVER_RESERVED
    )
    temperature: float | None = option(
        None, "The sampling temperature, unless certo chooses one. Not set: the server's default.", at_least=0
    )
    max_tokens: int | None = option(
        None, "The most tokens of one answer, thinking included, unless certo chooses. Not set: 4096.", at_least=1
    )
    seconds: float = option(300.0, "Seconds that one call may take.", above=0)
    stall_seconds: float = option(
        60.0,
        "Seconds without any part of an answer after which a call fails; the wait for its first word counts too.",
        above=0,
    )
    tries: int = option(
        4, "Attempts for one answer, the first included. certo tries again if a failure may be temporary.", at_least=1
    )
    max_concurrency: int = option(
        16,
        "Calls to the provider at the same time. certo makes fewer while the provider reports too many requests.",
        at_least=1,
    )
    requests_per_minute: int | None = option(
        None, "Calls to the provider that may begin in one minute. Not set: no limit.", at_least=1
    )
    tokens_per_minute: int | None = option(
        None,
        "Tokens that may be sent to the provider and requested from it in one minute. Not set: no limit.",
        at_least=1,
    )
    input_dollars: float | None = option(
        None,
        "The model's price in dollars for a million tokens that it reads. Not set: the provider's list price.",
        at_least=0,
        owner="user",
        reserved=_PRICE_RESERVED,
    )
    cached_dollars: float | None = option(
        None,
        "The price in dollars for a million tokens that the provider has read before.",
        at_least=0,
        owner="user",
        reserved=_PRICE_RESERVED,
    )
    output_dollars: float | None = option(
        None,
        "The price in dollars for a million tokens that the model writes.",
        at_least=0,
        owner="user",
        reserved=_PRICE_RESERVED,
    )
    cache: bool = option(
        False, "Keep answers in the user's cache directory, and use them again if the same is asked again."
    )

    def __post_init__(self) -> None:
        check_bounds(self, "model")
        self._check_together()
        self._check_key_variable()

    def _check_together(self) -> None:
        """Raise ValueError if options contradict each other."""
        if (self.input_dollars is None) != (self.output_dollars is None):
            raise ValueError("model.input_dollars and model.output_dollars belong together: set both or neither")
        if self.cached_dollars is not None and self.input_dollars is None:
            raise ValueError("model.cached_dollars is of no use without model.input_dollars and model.output_dollars")

    def _check_key_variable(self) -> None:
        """Refuse a text that is no name of a variable, without repeating it: it may be the key."""
        if self.key_variable is None:
            return
        if not self.key_variable.isidentifier():
            raise ValueError("model.key_variable must be the name of a variable, such as OPENAI_API_KEY, not a key")
        if self.key_variable.upper().startswith("CERTO_"):
            raise ValueError("model.key_variable must not begin with CERTO_: variables that do are settings")
