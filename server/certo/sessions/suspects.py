"""Requests about a failing test, made into requests about the functions of the project that are to blame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from certo.project.testfiles import test_named
from certo.sessions.assembly.problem_statement import ResolvedRequest, find_execution_context
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.verification.dynamic.fault_localization import Located, locate
from certo.verification.dynamic.spectra import Stage
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import SearchStopped
from certo.vocabulary.outcome import Outcome


def test_of(resolved: ResolvedRequest) -> str | None:
    """Return the node id of the test that a request is about; None if it is about an ordinary function."""
    return test_named(resolved.path, resolved.target.qualname)


async def resolve_failing_test(resolved: ResolvedRequest, test: str, environ: Mapping[str, str]) -> Located:
    """Find the functions to blame for the test that a request is about.

    Raises:
        BadRequest: the test passes, cannot be run, or executes no function of the project.
        BrokenWorld: nothing can be run here.
    """
    context = await find_execution_context(resolved, environ)
    if resolved.request.background:
        context = context.in_background()
    return await locate(
        Stage(
            root=resolved.root,
            texts={**resolved.unsaved, resolved.path: resolved.request.text},
            interpreter=context.interpreter,
            executor=context.executor,
            options=resolved.settings.tests,
        ),
        test,
    )


_DRY = {Outcome.EXHAUSTED, Outcome.ATTEMPTS_SPENT, Outcome.BUDGET_SPENT}
"""Ends after which it may be another function: nothing was found in this one with the share of the budget it had."""


def start_next_suspect(
    live: LiveSearch, stopped: SearchStopped, begin: Callable[[Request], LiveSearch]
) -> SearchStopped:
    """Begin the search for the next suspect where there is one and something is left for it; the event then names it.

    A suspect that cannot be searched any more, for its text has changed meanwhile, is left out.
    """
    asked = live.resolved.request
    spent = asked.spent_before + stopped.spent
    if stopped.outcome not in _DRY or live.resolved.settings.search.budget.is_spent(spent):
        return stopped
    for place, request in enumerate(asked.then, start=1):
        try:
            after = begin(replace(request, then=asked.then[place:], spent_before=spent, flags=asked.flags))
        except BadRequest:
            continue
        return replace(stopped, followed_by=after.id)
    return stopped
