"""Requests about a failing test, made into requests about the functions of the project that are to blame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.project.testfiles import test_named
from certo.sessions.assembly.problem_statement import ResolvedRequest, find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.verification.dynamic.fault_localization import Located, locate
from certo.verification.dynamic.spectra import Stage
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Target


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


async def request_to_blame(request: Request, environ: Mapping[str, str]) -> tuple[Request, str]:
    """Return the request about the function to blame for a failing test, and a sentence that names it.

    The other functions that may be to blame follow it. A request about an ordinary function is returned unchanged, with
    no sentence.

    Raises:
        BadRequest: the request points at nothing, or at a test that passes, cannot be run, or executes no function.
        BrokenWorld: nothing can be run here.
    """
    aim = resolve_request(request, environ)
    test = test_of(aim)
    if test is None:
        return request, ""
    found = await resolve_failing_test(aim, test, environ)
    first, *others = (_about(request, aim.root / each.path, each.target, test) for each in found.searched)
    return replace(first, then=tuple(others)), found.sentence


def _about(request: Request, document: Path, target: Target, test: str) -> Request:
    """Return the same request for one of the suspects of a test."""
    return replace(request, document=document, text=read_source(document), place=ByName.of(target), test=test)


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
