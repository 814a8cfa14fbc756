"""The end of a search, as Python hears of it: a result, or one of the documented errors."""

from __future__ import annotations

from certo.sessions.live import LiveSearch
from certo.vocabulary.errors import BadRequest, BrokenWorld
from certo.vocabulary.events import SearchStopped
from certo.vocabulary.outcome import Outcome


def end_of(live: LiveSearch) -> SearchStopped:
    """Return how a search stopped.

    Raises:
        BadRequest: it cannot be made as asked.
        BrokenWorld: nothing can be run here, or the model did not answer.
        RuntimeError: certo itself failed.
    """
    stopped = live.state.stopped
    if stopped is None:
        raise RuntimeError("a search ended without saying how it stopped")
    if stopped.outcome is Outcome.REFUSED:
        raise BadRequest(stopped.reason)
    if stopped.outcome is Outcome.WORLD_BROKEN:
        raise BrokenWorld(stopped.reason)
    if stopped.outcome is Outcome.BROKEN:
        raise RuntimeError(f"{stopped.outcome.value} {stopped.reason}")
    return stopped
