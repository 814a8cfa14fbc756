"""Requests about a failing test, made into requests about the functions of the project that are to blame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from certo.edits.source import read_source
from certo.edits.target import ByName, with_second
from certo.project.testfiles import test_named
from certo.sessions.assembly.problem_statement import ResolvedRequest, find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.verification.dynamic.fault_localization import Located, Suspect, locate
from certo.verification.dynamic.spectra import Stage
from certo.vocabulary.candidate import OWN
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import SecondFunction, Target


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
    alone = [_about(request, aim.root / each.path, each.target, test) for each in found.searched]
    return in_turn(alone, found), found.sentence


MAX_TOGETHER = 4
"""The number of suspects of which two are changed together, each with each."""


def in_turn(alone: Sequence[Request], found: Located) -> Request:
    """Return the request about the first suspect of a test; the others follow it, and then two of them together.

    `alone` are the requests about each of those that are `searched`.
    """
    first, *others = alone
    suspects = [(request, each) for request, each in zip(alone, found.searched, strict=True) if not each.target.is_hole]
    # The likeliest two first: in this order none comes before one that is as likely in one place and likelier in the
    # other.
    pairs = sorted(combinations(range(len(suspects[:MAX_TOGETHER])), 2), key=lambda pair: (sum(pair), pair))
    together = (_both(suspects[one], suspects[other]) for one, other in pairs)
    return replace(first, then=(*others, *filter(None, together)))


def _both(one: tuple[Request, Suspect], other: tuple[Request, Suspect]) -> Request | None:
    """Return the request about two suspects together; None if one is a part of the other or has examples."""
    request, suspect = one
    if any(">>>" in each.target.docstring for _, each in (one, other)):
        # Only the first function's own examples judge a candidate.
        return None
    document, second = other[0].document, SecondFunction(path=other[1].path, target=other[1].target)
    try:
        both = with_second(suspect.target, suspect.path, second)
    except BadRequest:
        return None
    if both.is_same(suspect.target):
        return replace(request, second=(document, ByName.of(second.target)))
    return replace(other[0], second=(request.document, ByName.of(suspect.target)))


def _about(request: Request, document: Path, target: Target, test: str) -> Request:
    """Return the same request for one of the suspects of a test."""
    return replace(request, document=document, text=read_source(document), place=ByName.of(target), test=test)


_DRY = {Outcome.EXHAUSTED, Outcome.ATTEMPTS_SPENT, Outcome.BUDGET_SPENT}
"""Ends after which it may be another function: nothing was found in this one with the share of the budget it had."""


def start_next_suspect(
    live: LiveSearch, stopped: SearchStopped, begin: Callable[[Request], LiveSearch]
) -> SearchStopped:
    """Begin the search for the next suspects where there are any and something is left for it; the event then names it.

    A suspect that cannot be searched any more, for its text has changed meanwhile, is left out.
    """
    asked = live.resolved.request
    spent = asked.spent_before + stopped.spent
    if stopped.outcome not in _DRY or live.resolved.settings.search.budget.is_spent(spent):
        return stopped
    for place, request in enumerate(asked.then, start=1):
        if request.second is not None and live.resolved.settings.search.generator != OWN:
            # A model is told of one function; what it may change besides is the scope's.
            continue
        try:
            after = begin(replace(request, then=asked.then[place:], spent_before=spent, flags=asked.flags))
        except BadRequest:
            continue
        return replace(stopped, followed_by=after.id)
    return stopped
