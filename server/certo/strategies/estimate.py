"""Estimates: how many attempts a strategy makes and how often it asks for advice, before anything is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from certo.generation.adviser import IdeaRequest
from certo.plugins import import_place
from certo.strategies.registry import ENTRIES
from certo.vocabulary.records import dataclass

ASKED = 2
"""The number of times that a question for advice is put if no answer can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyEstimate:
    """The work that a strategy may make for a language model.

    It makes at most `attempts`, on up to `branches` at once, each of which may ask another model; with `first_alone`
    the first attempt is made before the others start. `first_idea_request` is what it asks for before it tries
    anything, None if it asks for no ideas, and `max_idea_requests` the most questions for advice that can follow. If it
    `confirms`, an answer that passes weak tests is followed by another one.
    """

    attempts: int
    branches: int = 1
    first_alone: bool = False
    confirms: bool = False
    first_idea_request: IdeaRequest | None = None
    max_idea_requests: int = 0


def estimate_strategy(name: str, options: object, candidates: int) -> StrategyEstimate:
    """Return the estimate of a strategy with its options, if the budget covers so many candidates.

    A plug-in has no estimate of its own: it is taken to make as many attempts as candidates may be judged.
    """
    if name not in ENTRIES:
        return StrategyEstimate(attempts=candidates)
    estimate = cast("Callable[[object, int], StrategyEstimate]", import_place(ENTRIES[name].estimate))
    return estimate(options, candidates)
