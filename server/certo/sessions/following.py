"""From one suspect of a failing test to the next: where nothing was found in one, another is searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from certo.sessions.live import LiveSearch
from certo.sessions.request import Request
from certo.vocabulary.cost import Budget, Spent
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import SearchStopped
from certo.vocabulary.outcome import Outcome

_DRY = {Outcome.EXHAUSTED, Outcome.ATTEMPTS_SPENT}
"""Ends after which it may be another function: nothing was found in this one, and nothing stood in the way."""

_LEAST_SECONDS = 2.0
"""With less time left no other search is begun: it would end before its tests have run."""


def followed(live: LiveSearch, stopped: SearchStopped, begin: Callable[[Request], LiveSearch]) -> SearchStopped:
    """Begin the search for the next suspect where there is one and something is left for it; the event then names it.

    A suspect that cannot be searched any more, for its text has changed meanwhile, is left out.
    """
    left = left_of(live.aim.settings.search.budget, stopped.spent)
    if stopped.outcome not in _DRY or left is None:
        return stopped
    for place, request in enumerate(live.aim.request.then, start=1):
        flags = {**(live.aim.request.flags or {}), **left}
        try:
            after = begin(replace(request, then=live.aim.request.then[place:], flags=flags))
        except BadRequest:
            continue
        return replace(stopped, followed_by=after.id)
    return stopped


def left_of(budget: Budget, spent: Spent) -> dict[str, Any] | None:
    """What a search has left of its budget to the next, as settings by their names; None where that is too little.

    Dollars that nobody can count are all spent.
    """
    left: dict[str, Any] = {
        "search.seconds": budget.seconds - spent.seconds,
        "search.candidates": budget.candidates - spent.candidates,
    }
    if left["search.seconds"] < _LEAST_SECONDS or left["search.candidates"] < 1:
        return None
    if budget.calls is not None:
        left["search.calls"] = max(0, budget.calls - spent.calls)
    if budget.tokens is not None:
        left["search.tokens"] = max(0, budget.tokens - spent.tokens)
    if budget.dollars is not None:
        left["search.dollars"] = 0.0 if spent.dollars is None else max(0.0, budget.dollars - spent.dollars)
    return left
