"""Settings of texts written by language models: candidates, and lessons of searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MAX_RETRIES = 10
"""Maximum number of retries for lessons in settings, since these may be foreign and calls cost money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationOptions:
    """Models that write candidates, the variation of their answers, and the content of their prompts.

    Parallel lanes take the entries of `models`, `temperatures` and `hints` in turn; an empty list means the default.
    `prompts` is a directory of the project with prompts that replace certo's. `context_tokens` bounds the file and the
    tests in a prompt, each; `related_tokens` code from elsewhere in the project, `memory_tokens` knowledge of earlier
    searches and of the project's files, `conversation_tokens` a whole prompt with all earlier tries.
    """

    models: tuple[str, ...] = ()
    temperatures: tuple[float, ...] = ()
    hints: tuple[str, ...] = ()
    prompts: str = ""
    context_tokens: int = 4000
    related_tokens: int = 3000
    memory_tokens: int = 700
    conversation_tokens: int = 24000

    def __post_init__(self) -> None:
        for temperature in self.temperatures:
            if not 0 <= temperature <= 2:
                raise ValueError(f"generation.temperatures must be from 0 to 2, not {temperature}")
        for name in ("context_tokens", "related_tokens", "memory_tokens"):
            if getattr(self, name) < 0:
                raise ValueError(f"generation.{name} must be at least 0, not {getattr(self, name)}")
        if self.conversation_tokens < 200:
            raise ValueError(f"generation.conversation_tokens must be at least 200, not {self.conversation_tokens}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOptions:
    """Model that writes lessons after a search, and its retries.

    With `model` None no model is asked, because that costs a call per search. An unusable answer is requested
    `repo_memory_max_retries` times more; after that, `repo_memory_failure_policy` decides if the problem is reported or
    the search fails. Both names are Kapso's.
    """

    model: str | None = None
    repo_memory_failure_policy: Literal["warn", "fail"] = "warn"
    repo_memory_max_retries: int = 2

    def __post_init__(self) -> None:
        if not 0 <= self.repo_memory_max_retries <= MAX_RETRIES:
            raise ValueError(
                f"memory.repo_memory_max_retries must be from 0 to {MAX_RETRIES}, not {self.repo_memory_max_retries}"
            )
