"""Options of what language models write: candidates, and the lessons of searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MAX_RETRIES = 10
"""How often settings may have a model asked again what a search taught: they may be a stranger's, and cost money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationOptions:
    """The models that write candidates, how their answers are made to differ, and what their prompts show.

    Parallel lines of tries take the entries of `models`, `temperatures` and `hints` in turn; an empty list leaves the
    model, its temperature and the prompt to their defaults. `prompts` is a directory of the project with prompts to use
    in place of those that come with certo. `context_tokens` bounds the file and the tests that a prompt shows,
    each; `related_tokens` code from elsewhere in the project, `memory_tokens` what is known of the project from earlier
    searches and by its files, `conversation_tokens` a whole prompt with all past tries.
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
    """The model that writes down lessons after a search, and the retries when its answer is of no use.

    `model` is who is asked; where it is None nobody is, for that costs a call of each search. An answer of no use is
    asked for `repo_memory_max_retries` times more. Then, by `repo_memory_failure_policy`, that is said and no more, or
    the search has failed; both are named as Kapso names them.
    """

    model: str | None = None
    repo_memory_failure_policy: Literal["warn", "fail"] = "warn"
    repo_memory_max_retries: int = 2

    def __post_init__(self) -> None:
        if not 0 <= self.repo_memory_max_retries <= MAX_RETRIES:
            raise ValueError(
                f"memory.repo_memory_max_retries must be from 0 to {MAX_RETRIES}, not {self.repo_memory_max_retries}"
            )
