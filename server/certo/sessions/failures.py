"""Failures of a search: from an exception to an outcome and a sentence, and telling such an end."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import anyio

from certo.sandbox.process.resource_tracker import ResourceTracker
from certo.sandbox.process.starvation import patient_limit
from certo.search.emitter import EventEmitter
from certo.search.options import SearchOptions
from certo.sessions.assembly.parts import plugged
from certo.sessions.live import LiveSearch
from certo.vocabulary.cost import Budget
from certo.vocabulary.errors import BadRequest, CancelIncomplete, CertoError
from certo.vocabulary.events import SearchStopped
from certo.vocabulary.outcome import Outcome

log = logging.getLogger(__name__)


def failure(search: str, error: Exception, settings: SearchOptions) -> tuple[Outcome, str]:
    """Return the outcome and the sentence for an exception: a bad request, a broken world, or a bug, which is logged.

    Where a strategy, generator or evaluator is not certo's own, the bug may be theirs, and they are named.
    """
    errors = tuple(leaves(error))
    if any(not isinstance(each, CertoError) for each in errors):
        log.error("search %s met a bug", search, exc_info=ExceptionGroup("all that went wrong", errors))
        said = "; ".join(f"{type(each).__name__}: {each}" for each in errors)
        others = " and ".join(plugged(settings))
        return Outcome.BROKEN, f"{said}; it may be one of {others}, which others brought" if others else said
    asked_wrongly = all(isinstance(each, BadRequest) for each in errors)
    return Outcome.REFUSED if asked_wrongly else Outcome.WORLD_BROKEN, " ".join(dict.fromkeys(map(str, errors)))


def leaves(error: Exception) -> Iterator[Exception]:
    """Yield an exception itself, or those of a group, however deeply they are nested."""
    if isinstance(error, ExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def slow(budget: Budget) -> str:
    """Why a search that got no further than its preparation did not."""
    reason = f"running the tests on the current text took all of search.{budget.said('seconds').rstrip(',')}"
    return f"{reason}; raise it, or name fewer tests in tests.paths"


def tell_end(live: LiveSearch, emitter: EventEmitter, outcome: Outcome, reason: str) -> None:
    """Tell the end of a search that the engine could not tell itself."""
    spent = live.ledger.spent(candidates=live.state.spent.candidates, seconds=emitter.charged)
    emitter.emit(SearchStopped(outcome=outcome, reason=reason, verified=False, winner=None, spent=spent))


STOP_SECONDS = 2.0
"""How long a search may take to be gone, without the time in which no processor is free."""


async def stop(scope: anyio.CancelScope, stopped: anyio.Event, resources: ResourceTracker) -> float:
    """Cancel `scope` and wait for `stopped`; returns after how many seconds nothing of the search was left.

    Raises:
        CancelIncomplete: something is left after STOP_SECONDS; the message names it.
    """
    began = time.monotonic()
    scope.cancel()
    async with patient_limit(STOP_SECONDS):
        await stopped.wait()
    left = resources.left()
    if left or not stopped.is_set():
        named = "; ".join(left) or "work of certo's own, whose processes are dead"
        raise CancelIncomplete(
            f"the search was cancelled, and after {STOP_SECONDS:g} s this of it is left: {named}. It goes on being "
            "killed; look at the machine if it stays"
        )
    return time.monotonic() - began
