"""Settings of texts written by language models: candidates, and lessons of searches."""

from __future__ import annotations

from typing import Literal

from certo.llm.options import SCRIPT_RESERVED, is_no_script
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

MAX_RETRIES = 10
"""Maximum number of retries for lessons in settings, since these may be foreign and calls cost money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationOptions:
    """The models that write candidates, how their answers are made to differ, and the size of their prompts."""

    models: tuple[str, ...] = option(
        (),
        "For the generator `model`: the language models that write candidates. Parallel lanes take them in turn. "
        "Empty: the default model.",
        reserved=SCRIPT_RESERVED,
        project_may=is_no_script,
    )
    temperatures: tuple[float, ...] = option(
        (),
        "The sampling temperatures of candidates. Parallel lanes take them in turn. Empty: the model's own.",
        at_least=0,
        at_most=2,
    )
    hints: tuple[str, ...] = option(
        (), "Sentences added to the prompt. Parallel lanes take them in turn, so that their candidates differ."
    )
    prompts: str = option(
        "",
        "A directory of the project with prompts that replace certo's own (`certo prompts`). Empty: certo's own are "
        "used.",
    )
    context_tokens: int = option(
        4000,
        "The most tokens of the target's file that a prompt shows, and the most tokens of the tests.",
        at_least=0,
    )
    related_tokens: int = option(
        3000,
        "The most tokens of related code that a prompt shows: definitions that the target uses, and calls of it. "
        "0: certo looks for none.",
        at_least=0,
    )
    memory_tokens: int = option(
        700,
        "The most tokens of knowledge about the project that a prompt shows, from its files and from earlier searches "
        "(`certo memory`). 0: none, and no file is read for it.",
        at_least=0,
    )
    look_ups: int = option(
        3,
        "How often a model may look something up while it writes one candidate: read files of the project, find "
        "definitions and callers, run an expression or a test. Each time is a further call of the model. For providers "
        "with tool calling only. 0: never.",
        at_least=0,
        at_most=20,
    )
    conversation_tokens: int = option(
        24000, "The most tokens of a whole prompt, all past candidates included.", at_least=200
    )

    def __post_init__(self) -> None:
        check_bounds(self, "generation")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOptions:
    """The model that writes down lessons after a search, and the retries after an unusable answer.

    The names of the last two are Kapso's.
    """

    model: str | None = option(
        None,
        "The language model that is asked at the end of each search what the search taught about the project. Not set: "
        "none is asked. Claims that quote text which is not in the files are dropped.",
        reserved=SCRIPT_RESERVED,
        project_may=is_no_script,
    )
    repo_memory_failure_policy: Literal["warn", "fail"] = option(
        "warn", "If the model gives no usable answer: `warn` reports it, `fail` makes the search fail."
    )
    repo_memory_max_retries: int = option(
        2, "How often the model is asked again after an unusable answer.", at_least=0, at_most=MAX_RETRIES
    )

    def __post_init__(self) -> None:
        check_bounds(self, "memory")
