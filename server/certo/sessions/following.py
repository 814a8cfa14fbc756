"""From one suspect of a failing test to the next: where nothing was found in one, another is searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from certo.sessions.live import LiveSearch
from certo.sessions.request import Request
from certo.sessions.sharing import is_spent, together
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import SearchStopped
from certo.vocabulary.outcome import Outcome

_DRY = {Outcome.EXHAUSTED, Outcome.ATTEMPTS_SPENT, Outcome.BUDGET_SPENT}
"""Ends after which it may be another function: nothing was found in this one with the share of the budget it had."""


def followed(live: LiveSearch, stopped: SearchStopped, begin: Callable[[Request], LiveSearch]) -> SearchStopped:
    """Begin the search for the next suspect where there is one and something is left for it; the event then names it.

    A suspect that cannot be searched any more, for its text has changed meanwhile, is left out.
    """
    asked = live.aim.request
    spent = together(asked.spent_before, stopped.spent)
    if stopped.outcome not in _DRY or is_spent(live.aim.settings.search.budget, spent):
        return stopped
    for place, request in enumerate(asked.then, start=1):
        try:
            after = begin(replace(request, then=asked.then[place:], spent_before=spent, flags=asked.flags))
        except BadRequest:
            continue
        return replace(stopped, followed_by=after.id)
    return stopped
