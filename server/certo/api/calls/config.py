"""The settings for making a call again, and the counters of what was used up so far."""

from __future__ import annotations

import math
from dataclasses import field

from certo.generation.prompt_templates import PromptTemplate
from certo.search.node_selection import UCT, Ordering, Scoring
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass


@dataclass(slots=True, kw_only=True)
class RetryConfig:
    """The settings and the counters of one call, with the names and defaults of AgentTools.

    `calls` counts the answers there have been, over the whole life of the call, and `max_calls` bounds that; `retries`
    counts how often `airetry` had it run again, all conditions together, while `max_retries` bounds those of each
    condition alone. Calls that are given the same config share its counters; a copy of a call has its own.
    `retry_delay` is in seconds. `n_samples` answers are asked for at once in each run.

    `scoring` and `ordering` choose the answer to go on from. With `feedback_inplace` what was said of an answer and of
    those it grew from is put into the question, which is asked anew; otherwise it is the next turn of the conversation.
    `feedback_template` has the words for it, as a template or its name. `temperature` counts where neither the call nor
    the settings have one. With `catch_errors` a run that fails is told by the call's `error` instead of raised.

    Raises:
        BadSetting: a number is out of its range.
    """

    retries: int = 0
    calls: int = 0
    max_retries: int = 10
    max_calls: int = 99
    retry_delay: float = 0.0
    n_samples: int = 1
    scoring: Scoring = field(default_factory=UCT)
    ordering: Ordering = "PostOrderDFS"
    feedback_inplace: bool = False
    feedback_template: str | PromptTemplate = "FeedbackFromEvaluator"
    temperature: float | None = 0.7
    catch_errors: bool = False

    def __post_init__(self) -> None:
        for name, least in (("retries", 0), ("calls", 0), ("max_retries", 0), ("max_calls", 1), ("n_samples", 1)):
            if getattr(self, name) < least:
                raise BadSetting(f"RetryConfig.{name} must be at least {least}, not {getattr(self, name)}")
        if not (math.isfinite(self.retry_delay) and self.retry_delay >= 0):
            raise BadSetting(f"RetryConfig.retry_delay must be 0 or more seconds, not {self.retry_delay}")
        if self.temperature is not None and not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise BadSetting(f"RetryConfig.temperature must be 0 or more, not {self.temperature}")
        if self.ordering not in ("PostOrderDFS", "PreOrderDFS"):
            raise BadSetting(f"RetryConfig.ordering = {self.ordering!r}; known: PostOrderDFS, PreOrderDFS")

    @property
    def calls_left(self) -> int:
        """The number of answers that there may still be."""
        return max(0, self.max_calls - self.calls)
