"""Settings of a language model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """Name, address, sampling, limits and prices of a language model.

    `name` is `provider:model`, empty for no model. `base_url` is for a server other than the provider's own,
    `key_variable` the name of the key, never the key. `seconds` bounds one call, `stall_seconds` a pause in its stream;
    `tries` counts attempts at one answer, the first included. The three prices are in dollars per million tokens. With
    `cache`, a repeated prompt gets its earlier answer.
    """

    name: str = ""
    base_url: str | None = None
    key_variable: str | None = None
    api_version: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seconds: float = 300.0
    stall_seconds: float = 60.0
    tries: int = 4
    max_concurrency: int = 16
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    input_dollars: float | None = None
    cached_dollars: float | None = None
    output_dollars: float | None = None
    cache: bool = False

    def __post_init__(self) -> None:
        for name in ("max_tokens", "tries", "max_concurrency", "requests_per_minute", "tokens_per_minute"):
            if (amount := getattr(self, name)) is not None and amount < 1:
                raise ValueError(f"model.{name} must be at least 1, not {amount}")
        for name in ("seconds", "stall_seconds"):
            if not getattr(self, name) > 0:
                raise ValueError(f"model.{name} must be more than 0, not {getattr(self, name)}")
        for name in ("temperature", "input_dollars", "cached_dollars", "output_dollars"):
            if (amount := getattr(self, name)) is not None and amount < 0:
                raise ValueError(f"model.{name} must not be less than 0, and is {amount}")
        self._check_together()
        self._check_key_variable()

    def _check_together(self) -> None:
        """Raise ValueError if options contradict each other."""
        if (self.input_dollars is None) != (self.output_dollars is None):
            raise ValueError("model.input_dollars and model.output_dollars belong together: set both or neither")
        if self.cached_dollars is not None and self.input_dollars is None:
            raise ValueError("model.cached_dollars is of no use without model.input_dollars and model.output_dollars")

    def _check_key_variable(self) -> None:
        """Raise ValueError if it is no variable name, without repeating it: it may be the key itself."""
        if self.key_variable is None:
            return
        if not self.key_variable.isidentifier():
            raise ValueError("model.key_variable must be the name of a variable, such as OPENAI_API_KEY, not a key")
        if self.key_variable.upper().startswith("CERTO_"):
            raise ValueError("model.key_variable must not begin with CERTO_: variables that do are settings")
